"""The best fit by infinitely wide ReLU networks with a penalty on the variation norm, certified in the plane."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, instance, number, rows
from implicit_bias.data import Samples
from implicit_bias.late import extra
from implicit_bias.limits.certificate import Certificate, Enclosure, exponent, in_unit
from implicit_bias.limits.margin import largest_responses
from implicit_bias.limits.margin.arrangement import response_bound
from implicit_bias.limits.margin.exact_network import outputs as network_outputs
from implicit_bias.limits.margin.exact_network import variation
from implicit_bias.limits.rounding import Between, Exact
from implicit_bias.limits.solvers import clarabel

TOLERANCE = 1e-5  # Clarabel's cone programs leave 1e-9 to 1e-6
ENOUGH = 1e-8  # a gap at which no better one is sought
ROUNDS = 60
COLUMNS, LOOKED_AT = 12, 400  # so many new cells a round, out of the best candidates
NO_MASS = 1e-8


@brief()
@dataclass(frozen=True)
class VariationFit:
    """The function f(x) = Σ_k ν_k (u_k·x)₊ that minimizes J, and what proves it.

    directions: u, k × 3, of unit norm.
    masses: ν, k numbers; the variation norm of f is Σ_k |ν_k|.
    value: J of it, not below min J.
    bound: the value of the dual problem, at most min J.
    certificate: its optimality; bound and value are the ends of its enclosure, both proved.

    >>> from implicit_bias.data import Samples
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> fit = variation_fit(Samples(x, np.array([1.0, 0.0, 1.0])), 0.01)
    >>> fit.predict(x).round(2)
    array([0.97, 0.03, 0.97])
    """

    directions: Array
    masses: Array
    value: float
    bound: float
    certificate: Certificate

    def predict(self, x: ArrayLike) -> Array:
        """The f(x), at points … × 3."""
        return np.asarray(np.maximum(rows("x", x, self.directions.shape[1]) @ self.directions.T, 0) @ self.masses)


def variation_fit(data: Samples, penalty: float, *, tol: float = TOLERANCE) -> VariationFit:
    """min J(ν) = (1/2n) Σ_i (f(x_i) − y_i)² + λ‖ν‖_TV, f = ∫ (u·x)₊ dν(u), over measures on the unit sphere of R³.

    max_r (1/n) r·y − (1/2n) ‖r‖²  subject to  max_u |(1/n) Σ_i r_i (u·x_i)₊| ≤ λ

    is the dual problem, solved by the residual r = y − f. The circles u ⊥ x_i cut the sphere into cells,
    and over the neurons of a few cells it is a cone program. Cells are added where the response of the residual is
    largest, which ``largest_responses`` finds exactly on the whole sphere, until none exceeds λ.

    data: n points in the plane with a third coordinate that is constant, or any others in R³.
    penalty: λ > 0.
    tol: the relative width allowed for the enclosure of min J.

    Returns the function with its certificate.
    Raises ValueError for another dimension or a penalty that is not positive; CertificateError, with the best function,
    if the programs end above that width.
    Reference: Bach 2017, the problem of F₁ with a penalty, by conditional gradients.

    >>> from implicit_bias.data import Samples
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> fit = variation_fit(Samples(x, np.array([1.0, 0.0, 1.0])), 0.01)
    >>> round(fit.value, 4), bool(fit.value - fit.bound < 1e-5)
    (0.0196, True)
    """
    instance("data", data, Samples)
    tol = number("tol", tol, above=0)
    given, (scaled, penalty, unit_x, unit_y) = penalty, _in_units(data, penalty)
    x, y = scaled.x, scaled.y
    directions, masses = np.zeros((0, 3)), np.zeros(0)  # mutant(0): it steers, the certificate decides
    # Of the rounds, the one that proves most: near the end J differs by rounding, while the gaps differ by far more.
    best = (_value(y, masses, penalty), 0.0, directions, masses)
    for _ in range(ROUNDS):
        residual = y - np.maximum(x @ directions.T, 0) @ masses  # mutant(0): it steers, the certificate decides
        if not np.any(residual):
            break
        candidates, responses = largest_responses(x, residual / y.size)
        # mutant(0): it steers, the certificate decides
        # mutant(residual, masses): what the search ends with is certified anew
        value, bound = _value(residual, masses, penalty), _dual(residual, y, penalty, abs(responses[0]))
        # mutant(0): it steers, the certificate decides
        # mutant(best[0] - best[1]): the last round proves most, or the certificate is refused
        if value - bound < best[0] - best[1]:
            best = (value, bound, directions, masses)
        above = np.flatnonzero(np.abs(responses) > penalty)[:LOOKED_AT]
        if best[0] - best[1] <= ENOUGH * best[0] or not len(above):
            break
        active, signs = _cells(candidates[above], responses[above], x)
        both = [
            np.concatenate(pair)
            for pair in zip(_cells(directions, masses, x), (active[:COLUMNS], signs[:COLUMNS]), strict=True)
        ]
        directions, masses = _program(x, y, penalty, *both)
    _, _, directions, masses = best
    masses = in_unit(masses, unit_y - unit_x, "the masses")
    certificate = certify_variation_fit(data, given, directions, masses)
    low, high = (certificate.enclosure.low, certificate.enclosure.high) if certificate.enclosure else (0.0, np.inf)
    answer = VariationFit(directions, masses, high, low, certificate)
    in_unit([low, high], 0, "the value")
    certificate.demand(max(tol, TOLERANCE), "the fit of least variation norm", tol=tol, answer=answer)
    return answer


@in_range
def certify_variation_fit(data: Samples, penalty: float, directions: Array, masses: Array) -> Certificate:
    """How far ν is from minimizing J: its residual, shrunk until it is feasible, is a point of the dual problem.

    data: n points in R³.
    penalty: λ > 0.
    directions: u, k × 3.
    masses: ν, k numbers.

    Returns the certificate. primal: how far the u_k are from unit norm; dual: by how much the largest response of the
    residual exceeds λ; gap: J minus the dual value, over J; the enclosure of min J is from the dual value to J.
    """
    penalty = number("penalty", penalty, above=0)
    none = isinstance(masses, np.ndarray) and not masses.size
    masses = np.zeros(0) if none else array("masses", masses, 1, finite=False)
    directions = array("directions", directions, 2, (masses.size, 3), finite=False) if masses.size else np.zeros((0, 3))
    if not (np.all(np.isfinite(directions)) and np.all(np.isfinite(masses))):
        return Certificate(np.inf, np.inf, np.inf)
    missed = Exact.of(data.y)
    if masses.size:
        missed = missed - network_outputs(data.x, directions, masses)
    value = missed.squares() / Between.of(2 * data.y.size)
    value = value + variation(directions, masses) * Between.of(penalty)
    bound, largest = _proved_bound(data, penalty, data.y - np.maximum(data.x @ directions.T, 0) @ masses)
    return Certificate(
        primal=float(np.max(np.abs(np.linalg.norm(directions, axis=1) - 1), initial=0.0)),
        dual=max(0.0, float(largest / Fraction(penalty)) - 1),
        gap=float((value.high - bound) / value.high) if value.high else 0.0,
        enclosure=Enclosure(Between.of(bound).down(), value.up()),
    )


@in_range
def fit_bound(data: Samples, penalty: float, outputs: ArrayLike) -> float:
    """What the outputs of any function prove: a lower bound of min J, the dual value of its residual, shrunk.

    data: n points in R³.
    penalty: λ > 0.
    outputs: f(x_i), n numbers.

    Returns the bound.

    >>> from implicit_bias.data import Samples
    >>> x = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> data = Samples(x, np.array([1.0, 0.0, 1.0]))
    >>> bool(fit_bound(data, 0.01, [0.9, 0.1, 0.9]) <= variation_fit(data, 0.01).value)
    True
    """
    instance("data", data, Samples)
    penalty = number("penalty", penalty, above=0)  # mutant(0): the guard of an argument
    residual = data.y - array("outputs", outputs, 1, data.y.shape)
    return Between.of(_proved_bound(data, penalty, residual)[0]).down()


def _proved_bound(data: Samples, penalty: float, residual: Array) -> tuple[Fraction, Fraction]:
    """The largest dual value among the feasible multiples of r, and the bound of r's largest response, both exact."""
    n = residual.size
    largest = response_bound(data.x, residual) / n
    r = Exact.of(residual)
    along, size = (r @ Exact.of(data.y[:, None])).total().low, r.squares().low
    if not size:
        return Fraction(0), largest
    s = max(Fraction(0), along / size)
    if s * largest > Fraction(penalty):  # mutant(*; s; largest): held by test_variation_fit
        s = Fraction(penalty) / largest
    return (s * along - s**2 * size / 2) / n, largest  # mutant(2 → 1): held by test_variation_fit


def _value(residual: Array, masses: Array, penalty: float) -> float:
    """J."""
    return float(residual @ residual / (2 * residual.size) + penalty * np.abs(masses).sum())


def _dual(residual: Array, y: Array, penalty: float, largest: float) -> float:
    """The largest dual value among the feasible multiples s·r of the residual."""
    along, size = float(residual @ y), float(residual @ residual)
    s = max(0.0, along / size) if size > 0 else 0.0
    if s * largest > penalty:  # mutant(*; s; largest): held by test_variation_fit
        s = penalty / largest
    return (s * along - s**2 * size / 2) / y.size  # mutant(2 → 1): held by test_variation_fit


def _in_units(data: Samples, penalty: float) -> tuple[Samples, float, int, int]:
    """The samples over powers of two, the penalty in these units, and the powers."""
    penalty = number("penalty", penalty, above=0)
    x = array("data.x", data.x, 2, (None, 3))
    unit_x, unit_y = int(exponent(x)), int(exponent(data.y))
    scaled = Samples(np.ldexp(x, -unit_x), np.ldexp(data.y, -unit_y))
    return scaled, float(in_unit(penalty, -unit_x - unit_y, "the penalty")), unit_x, unit_y


def _program(x: Array, y: Array, penalty: float, active: NDArray[np.bool_], signs: Array) -> tuple[Array, Array]:
    """The best neurons of k given cells, each active at its points and of its sign: directions and masses.

    min (1/2n) ‖Σ_c s_c 1_c ⊙ Xz_c − y‖² + λ Σ_c ‖z_c‖  subject to  x_i·z_c ≥ 0 at the points of cell c, ≤ 0 elsewhere
    """
    with extra():
        import cvxpy  # a second to import, for the few programs that need it

    cp: Any = cvxpy  # its functions carry no types
    z = cp.Variable((len(signs), 3))
    seen = x @ z.T
    fitted = cp.multiply(active.T, seen) @ signs
    unit = float(y @ y) / (2 * y.size)
    value = cp.sum_squares(fitted - y) / (2 * y.size * unit) + penalty / unit * cp.sum(cp.norm(z, 2, axis=1))
    clarabel(cp.Problem(cp.Minimize(value), [cp.multiply(2.0 * active.T - 1, seen) >= 0]))
    sizes = np.linalg.norm(z.value, axis=1)
    kept = sizes > NO_MASS * sizes.max()
    return z.value[kept] / sizes[kept, None], (signs * sizes)[kept]


def _cells(directions: Array, signs: Array, x: Array) -> tuple[NDArray[np.bool_], Array]:
    """The different cells among directions u, with the signs of their neurons: where u·x_i > 0, k × n, and k signs."""
    both = np.column_stack([directions @ x.T > 0, signs > 0])
    first = np.sort(np.unique(both, axis=0, return_index=True)[1])
    return both[first, :-1], np.where(both[first, -1], 1.0, -1.0)
