"""The minimizer of G₁ + G₂ + G₃ among interpolating functions, in closed form by its kernel."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, instance
from implicit_bias.data.biases import BiasLaw
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, Certificate, CertificateError, Enclosure, relative
from implicit_bias.limits.mirror.density import within_reach
from implicit_bias.limits.rounding import Between

TOLERANCE = 1e-9
MOST_EXACT = 16  # places for which the equations are solved in fractions too, some hundredths of a second


@brief("value")
@dataclass(frozen=True)
class RampSpline:
    """The function h(x) = Σ_i λ_i k(x, x_i) + s x + l that solves the variational problem.

    law: of the biases.
    x: the M places of the data.
    charges: λ, M numbers.
    slope, level: s and l; 0 where G₂ and G₃ count.
    penalized: whether G₂ and whether G₃ count.
    certificate: by how much the function misses its data (primal) and the multipliers their equations (dual), see
        ``Certificate.of_equations``; up to 16 places it encloses the value.

    >>> from implicit_bias.data import BiasLaw
    >>> h = ramp_spline([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0], BiasLaw(1.0))
    >>> h.predict([-0.5, 0.0, 0.5]).round(9) + 0.0
    array([1., 0., 1.])
    >>> bool(h.curvature([0.1])[0] > 0), round(h.value, 4)
    (True, 97.5238)
    """

    law: BiasLaw
    x: Array
    charges: Array
    slope: float
    level: float
    penalized: tuple[bool, bool]
    certificate: Certificate

    def predict(self, x: ArrayLike) -> Array:
        """h at N points."""
        x = array("x", x, 1)
        return ramp_kernel(x, self.x, self.law, self.penalized) @ self.charges + self.slope * x + self.level

    def curvature(self, x: ArrayLike) -> Array:
        """h″(x) = ½ p(x) Σ_i λ_i |x − x_i| at N points."""
        x = array("x", x, 1)
        return np.asarray(self.law.density(x) * (np.abs(x[:, None] - self.x) @ self.charges) / 2)

    @property
    def jump(self) -> float:
        """h′(+∞) − h′(−∞) = ½ Σ_i λ_i E|x_i − b|."""
        mass, first, _ = self.law.partial_moments(self.x)
        return float(self.charges @ (self.x * (2 * mass - 1) - 2 * first)) / 2

    @property
    def value(self) -> float:
        """G₁ + G₂ + G₃, or those of them that count: Σ_ik λ_i k(x_i, x_k) λ_k."""
        return float(self.charges @ ramp_kernel(self.x, self.x, self.law, self.penalized) @ self.charges)


def ramp_kernel(x: ArrayLike, z: ArrayLike, law: BiasLaw, penalized: tuple[bool, bool] = (True, True)) -> Array:
    """The kernel of a network of many ramps, k(x, z) = E[(wx − b)₊ (wz − b)₊] with w = ±1 at random.

    k(x, z) = ¼ (E|x − b||z − b| + xz + E b²)

    Its squared norm is G₁ + G₂ + G₃: the three terms belong to curvature, slope and level.

    x: N places.
    z: M places.
    law: of b.
    penalized: whether the terms of G₂ (xz) and of G₃ (E b²) are there.

    Returns N × M values.

    >>> from implicit_bias.data import BiasLaw
    >>> ramp_kernel([0.0, 0.5], [0.0, 0.5], BiasLaw(1.0)).round(4)
    array([[0.1667, 0.1719],
           [0.1719, 0.2917]])
    """
    instance("law", law, BiasLaw)
    x, z = array("x", x, 1)[:, None], array("z", z, 1)[None, :]
    low, high = law.partial_moments(np.minimum(x, z)), law.partial_moments(np.maximum(x, z))
    # |x − b||z − b| is (x − b)(z − b), but between the two places its negative
    between = [top - bottom for bottom, top in zip(low, high, strict=True)]
    apart = x * z + law.variance - 2 * (x * z * between[0] - (x + z) * between[1] + between[2])
    return np.asarray((apart + penalized[0] * x * z + penalized[1] * law.variance) / 4)


def ramp_spline(x: ArrayLike, y: ArrayLike, law: BiasLaw, penalized: tuple[bool, bool] = (True, True)) -> RampSpline:
    """min G₁(h) + G₂(h) + G₃(h) over functions with h(x_i) = y_i.

    G₁ = ∫ (h″)²/p,  G₂ = (h′(+∞) + h′(−∞))²,  G₃ = (∫ h″|x| dx − 2h(0))² / E b²

    x: M places, all different, within the reach of the biases.
    y: M numbers.
    law: of the biases, p.
    penalized: whether G₂ and G₃ count; what does not is free.

    Returns the function.
    Raises ValueError for places that coincide, lie out of reach or are fewer than what is free; CertificateError where
    the equations are not solved, with the function where they are missed or no float64 holds the value.
    Reference: Liang & Montúfar 2025, theorem on unscaled potentials, Part II.

    >>> from implicit_bias.data import BiasLaw
    >>> h = ramp_spline([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0], BiasLaw(1.0))
    >>> h.predict([0.0, 0.25, 0.5]).round(4) + 0.0
    array([0.    , 0.3155, 1.    ])
    """
    instance("law", law, BiasLaw)
    if not (
        isinstance(penalized, tuple | list) and [isinstance(one, bool | np.bool_) for one in penalized] == [True, True]
    ):
        raise ValueError(f"penalized is {penalized!r}; it must be two truth values, one for G₂ and one for G₃")
    x = within_reach(x, law.reach)
    y = array("y", y, 1, x.shape)
    gram = ramp_kernel(x, x, law, penalized)
    free = np.stack([x, np.ones_like(x)], axis=1)[:, ~np.array(penalized)]
    if x.size < free.shape[1] or (np.all(x == 0) and not penalized[0]):
        raise ValueError(
            f"x holds the place {x[0]:g} alone; with penalized {penalized} slope and level, where they are free, need "
            "as many places, and a slope one that is not 0"
        )
    system = np.block([[gram, free], [free.T, np.zeros((free.shape[1],) * 2)]])
    right = np.append(y, np.zeros(free.shape[1]))
    try:
        answer = np.linalg.solve(system, right)
        answer += np.linalg.solve(system, right - system @ answer)  # once refined
    except np.linalg.LinAlgError:
        raise CertificateError(
            f"the spline was not found: the equations of {x.size} places are singular to rounding"
        ) from None
    charges, straight = answer[: x.size], np.zeros(2)
    straight[~np.array(penalized)] = answer[x.size :]
    missed = system @ answer - right
    certificate = Certificate.of_equations(
        relative(missed[: x.size], np.max(np.abs(y))),
        relative(missed[x.size :], np.abs(free.T) @ np.abs(charges)) if free.size else 0.0,
        _enclosure(x, y, law, penalized) if x.size <= MOST_EXACT else UNKNOWN,
    )
    found = RampSpline(law, x, charges, float(straight[0]), float(straight[1]), penalized, certificate)
    # Of few places the value is always enclosed, unless no float64 holds it.
    certificate.demand(TOLERANCE, "the spline", tol=WIDTH if x.size <= MOST_EXACT else np.inf, answer=found)
    return found


def _enclosure(x: Array, y: Array, law: BiasLaw, penalized: tuple[bool, bool]) -> Enclosure:
    """The least value y·λ between neighbouring floats, by elimination in fractions; unknown if these are singular."""
    reach, n = Fraction(law.reach), x.size
    at = [Fraction(float(place)) for place in x]
    variance = reach**2 / (3 if law.shape == "uniform" else 5)
    moments = [law.moments_in_units(place / reach) for place in at]
    free = [[place, Fraction(1)] for place in at]
    kept = [i for i in (0, 1) if not penalized[i]]

    def kernel(i: int, k: int) -> Fraction:
        i, k = (i, k) if at[i] <= at[k] else (k, i)
        mass, first, second = (high - low for low, high in zip(moments[i], moments[k], strict=True))
        product = at[i] * at[k]
        between: Fraction = product * mass - (at[i] + at[k]) * reach * first + reach**2 * second
        return (product + variance - 2 * between + penalized[0] * product + penalized[1] * variance) / 4

    rows = [[kernel(i, k) for k in range(n)] + [free[i][j] for j in kept] + [Fraction(float(y[i]))] for i in range(n)]
    rows += [[free[i][j] for i in range(n)] + [Fraction(0)] * (len(kept) + 1) for j in kept]
    for i, _ in enumerate(rows):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i]), None)
        if pivot is None:
            return UNKNOWN
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for row in rows[i + 1 :]:
            share = row[i] / rows[i][i]
            row[i:] = [a - share * b for a, b in zip(row[i:], rows[i][i:], strict=True)]
    solution: list[Fraction] = []  # from the last on
    for i in reversed(range(len(rows))):
        left = rows[i][-1] - sum(
            (a * b for a, b in zip(rows[i][i + 1 : -1], reversed(solution), strict=True)), Fraction(0)
        )
        solution.append(left / rows[i][i])
    value = Between.of(sum((Fraction(float(a)) * b for a, b in zip(y, reversed(solution), strict=False)), Fraction(0)))
    return Enclosure(value.down(), value.up())
