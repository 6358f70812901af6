"""The minimizer of G₁ + G₂ + G₃ among interpolating functions, in closed form by its kernel."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.data.biases import BiasLaw
from implicit_bias.limits.certificate import Certificate, CertificateError, relative
from implicit_bias.limits.mirror.density import within_reach

TOLERANCE = 1e-9


@dataclass(frozen=True)
class RampSpline:
    """The function h(x) = Σ_i λ_i k(x, x_i) + s x + l that solves the variational problem.

    law: of the biases.
    x: the M places of the data.
    charges: λ, M numbers.
    slope, level: s and l; 0 where G₂ and G₃ count.
    penalized: whether G₂ and whether G₃ count.
    certificate: by how much the function misses its data (primal) and the multipliers their equations (dual), see
        ``Certificate.of_equations``.
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
    """
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
    the equations are not solved.
    Reference: Liang & Montúfar 2025, theorem on unscaled potentials, Part II.
    """
    x = within_reach(x, law.reach)
    y = array("y", y, 1, x.shape)
    gram = ramp_kernel(x, x, law, penalized)
    free = np.stack([x, np.ones_like(x)], axis=1)[:, ~np.array(penalized)]
    if x.size < free.shape[1] or (np.all(x == 0) and not penalized[0]):
        raise ValueError(
            f"x holds the place{'s' if x.size > 1 else ''} {', '.join(f'{place:g}' for place in x)} alone; with penalized "
            f"{penalized} what is free, slope or level, needs as many places, and a slope one that is not 0"
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
    )
    certificate.demand(TOLERANCE, "the spline")
    return RampSpline(law, x, charges, float(straight[0]), float(straight[1]), penalized, certificate)
