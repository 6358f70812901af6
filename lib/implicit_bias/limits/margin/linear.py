"""Maximum-margin directions of separable sets in the ℓ2 norm: hard-margin support vector machines without bias."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, in_range, number
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, Certificate, Enclosure, exponent, in_unit, relative
from implicit_bias.limits.margin.active_set import active_support
from implicit_bias.limits.margin.least_distance import bounds_on, by_least_squares, directions, inwards
from implicit_bias.limits.margin.support_newton import clear_support
from implicit_bias.limits.rounding import Between, Numbers

TOLERANCE = 1e-10
MANY = 32  # points and dimensions: with more of both Newton's method is tried before non-negative least squares


@brief("margin")
@dataclass(frozen=True)
class MaxMargin:
    """The hard-margin solution ŵ and what it says of the flow's tail.

    w: ŵ = argmin ‖w‖² subject to z_i·w ≥ 1, d entries.
    alpha: its multipliers, ŵ = Σ α_i z_i, N entries ≥ 0.
    support: the indices with α_i > 0.
    vectors: the support vectors z_i, one a row.
    slack: min of z_i·ŵ − 1 over the other points, at least 0 (infinite if there are none).
    certificate: its optimality; encloses the margin γ.

    >>> answer = max_margin(np.array([[1.0, 1.0], [1.0, -1.0], [3.0, 0.0]]))
    >>> round(answer.margin, 12), answer.direction.round(12) + 0.0, answer.support
    (1.0, array([1., 0.]), array([0, 1]))
    """

    w: Array
    alpha: Array
    support: NDArray[np.intp]
    vectors: Array
    slack: float
    certificate: Certificate

    @property
    def margin(self) -> float:
        """The margin γ = 1/‖ŵ‖."""
        return 1 / float(np.linalg.norm(self.w))

    @property
    def direction(self) -> Array:
        """ŵ/‖ŵ‖, d entries."""
        return self.w * self.margin

    @property
    def residuals(self) -> Array:
        """The limits c_i = −ln(N α_i) of z_i·w(t) − ln t on the support vectors, in the order of ``support``."""
        force = self.alpha[self.support]
        with np.errstate(over="ignore"):
            held = self.alpha.size * force
        return np.where(np.isfinite(held), -np.log(held), -np.log(self.alpha.size) - np.log(force))

    @cached_property
    def contraction(self) -> float:
        """The least eigenvalue of (z_i·z_j α_j) over the support vectors but those that are 0 by their dependence."""
        along, lengths = directions(self.vectors)
        # diag(√α) G diag(√α) has the eigenvalues of G diag(α) and is symmetric; so scaled it is that of the directions.
        weights = np.sqrt(np.ldexp(self.alpha[self.support], 2 * lengths))
        among = np.linalg.eigvalsh(weights[:, None] * (along @ along.T) * weights)
        # mutant(0.0): evidence, not prediction; held by test_linear
        return float(np.maximum(0.0, among[len(along) - np.linalg.matrix_rank(along)]))

    @property
    def decay(self) -> float:
        """The exponent r with which these limits are approached, like t^{−r}: the least of slack and contraction.

        δ_i = z_i·w − ln t − c_i obeys dδ/d ln t = −(z_i·z_j α_j) δ + O(δ²) + O(t^{−slack}).
        """
        return min(self.slack, self.contraction)


def max_margin(z: ArrayLike, *, tol: float = WIDTH) -> MaxMargin:
    """min ½‖w‖₂² subject to z_i·w ≥ 1: its support vectors are found, then the equations on them are solved.

    For z_i = ℓ_i u_i with ‖u_i‖ about 1, u_i·w ≥ c_i = 1/ℓ_i. Least-distance programming: with E = [Uᵀ; cᵀ], f = (0,
    …, 0, 1), b = argmin_{b≥0} ‖Eb − f‖ and r = Eb − f, ŵ = −r_{1…d}/r_{d+1} and α_i ∝ b_i/ℓ_i. No length ℓ_i enters
    the question whether the points can be separated. Points of at most 100 dimensions are first tried by
    ``active_support``, many points of more by ``clear_support``: both are fast, and answer where the support vectors
    are beyond doubt; all others by those least squares. Where the rounding of ŵ leaves a point short of 1, as with
    points of very different lengths, ŵ is moved by as much inwards.

    z: N × d, the signed points y_i x_i.
    tol: the allowed relative width of the enclosure of the margin.

    Returns the solution with its multipliers.
    Raises CertificateError, with the answer that it is about, if no direction separates the points, the margin is not
    enclosed to tol, or a Karush–Kuhn–Tucker residual exceeds 1e-10.
    Reference: Lawson & Hanson 1974, Chapter 23.

    >>> answer = max_margin([[2.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    >>> print(answer.w, answer.support)
    [0.5 1. ] [0 1]
    >>> answer.certificate.enclosure.low <= answer.margin <= answer.certificate.enclosure.high
    True
    """
    z = array("z", z, 2)
    tol = number("tol", tol, above=0)
    u, lengths = directions(z)
    bounds, unit = bounds_on(lengths)
    found = active_support(u, bounds)
    if found is None and min(u.shape) > MANY:
        found = clear_support(u, bounds)
    if found is not None:
        support, w, force = found.indices, found.w, found.force
    else:
        support, w, force = by_least_squares(u, bounds)
    w = inwards(u, bounds, w)
    alpha = in_unit(force, -lengths - unit, "the multipliers")
    w = in_unit(w, -unit, "the maximum-margin direction")
    certificate = certify_max_margin(z, w, alpha, tol)
    beyond = z @ w - 1
    beyond[support] = np.inf
    slack = max(0.0, float(beyond.min()))
    answer = MaxMargin(w, alpha, support, z[support], slack, certificate)
    certificate.demand(TOLERANCE, "the maximum-margin direction", tol=tol, answer=answer)
    return answer


@in_range
def certify_max_margin(z: Array, w: Array, alpha: Array, tol: float = WIDTH) -> Certificate:
    """How far w and α are from solving min ½‖w‖² subject to z_i·w ≥ 1, and between what the margin γ lies.

    min_i z_i·w/‖w‖ ≤ γ ≤ ‖Σ_i p_i z_i‖,  p_i = max(α_i, 0)/Σ_k max(α_k, 0)

    z: N × d.
    w: d entries.
    alpha: N entries.
    tol: the relative width of the enclosure beyond which it is computed anew in exact numbers, if the data are small.

    Returns the certificate: primal, by how much the worst point falls short of 1; dual, the most negative of α_i times
    the length of z_i over the largest, or ‖w − Σ α_i z_i‖/‖w‖; gap, of the two values, over the primal one.
    """
    z = array("z", z, 2, finite=False)
    w, alpha = array("w", w, 1, z.shape[1:], finite=False), array("alpha", alpha, 1, z.shape[:1], finite=False)
    size = float(np.abs(w).max())
    shape, force = w / size, alpha / size  # so that no square overflows
    pushed, value, sizes = force @ z, float(shape @ shape) / 2, np.abs(z)
    along = force * sizes.max(axis=1)
    return Certificate(
        primal=float(np.maximum(0.0, np.max(1 - z @ w))),
        dual=max(
            relative(np.maximum(-along, 0), np.abs(along).max()),
            relative(np.linalg.norm(shape - pushed), np.linalg.norm(shape)),
        ),
        gap=relative(value - (float(force.sum()) / size - float(pushed @ pushed) / 2), value),
        enclosure=enclose_margin(z, w, alpha, tol, of_l1=False),
    )


def enclose_margin(  # attack: none, inside solvers
    z: Array, w: Array, alpha: Array, tol: float, *, of_l1: bool = False
) -> Enclosure:
    """Between what the largest margin in the ℓ2 or ℓ1 norm lies, by any w and any α: both norms are homogeneous.

    z: N × d.
    w: d numbers.
    alpha: N numbers; what is below 0 counts as 0.
    tol: the relative width from which on exact numbers are not tried.
    of_l1: whether the norm is the ℓ1 norm.
    """
    w, alpha = np.ldexp(w, -exponent(w)), np.ldexp(np.maximum(alpha, 0.0), -exponent(alpha))

    def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
        points, place, force = numbers.of(z), numbers.of(w), numbers.of(alpha)
        pushed = force @ points
        size, push = (place.moduli(), pushed.largest()) if of_l1 else (place.squares().root(), pushed.squares().root())
        return (points @ place).least() / size, push / force.total()

    if not (np.all(np.isfinite(z)) and np.all(np.isfinite(w)) and np.all(np.isfinite(alpha))):
        return UNKNOWN
    return Enclosure.proved(bounds, z.size, tol)
