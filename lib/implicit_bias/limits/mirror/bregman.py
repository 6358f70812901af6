"""The interpolating function whose curvature has the least Bregman divergence from 0, by its dual in M numbers."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import Certificate, relative
from implicit_bias.limits.mirror.density import Density, within_reach
from implicit_bias.limits.solvers import armijo_step, newton_direction
from implicit_bias.potentials import Potential

TOLERANCE = 1e-9
SOLVED = 1e-13  # of the labels: so far Newton's method goes
ROUNDS, TRIALS = 200, 40
PATIENCE = 4  # rounds without a smaller miss after which rounding is all that is left
ROUNDED = 1e-15  # of the sum of its terms' moduli, below which the dual is 0 but for rounding
STEP, SPREAD = 0.09, 3.4  # of the nodes of a rule, and how far they go: beyond, weights are below rounding


@brief("value")
@dataclass(frozen=True)
class BregmanFunction:
    """The function h(x) = ∫ α(b)|x − b| p(b) db + εγ that solves the problem, h″ = 2pα.

    law: of the biases, p.
    potential: φ.
    x: the M places of the data.
    charges: λ, M numbers, with φ′(α(b)) = Σ_i λ_i |x_i − b| and φ′(γ) = Σ_i λ_i.
    constant: ε.
    breaks: places where p is not smooth.
    certificate: by how much the function misses its data (primal) and α its equation (dual), and the gap. These are
        residuals and no proof: of the density only values at points are known, and no sum of them bounds an integral.

    >>> from implicit_bias.data import BiasLaw
    >>> from implicit_bias.potentials import Quadratic
    >>> h = bregman_function([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0], BiasLaw(1.0), Quadratic())
    >>> h.predict([0.0, 0.5]).round(6) + 0.0, bool(h.curvature([0.1])[0] > 0)
    (array([0., 1.]), True)
    """

    law: Density
    potential: Potential
    x: Array
    charges: Array
    constant: float
    breaks: Array
    certificate: Certificate

    def coefficient(self, b: ArrayLike) -> Array:
        """α(b), what n a_k is for a hidden unit with its kink at b."""
        return self.potential.inverse_slope(np.abs(array("b", b, 1)[:, None] - self.x) @ self.charges)

    @property
    def offset(self) -> float:
        """γ, what n c is."""
        return float(self.potential.inverse_slope(np.array([np.sum(self.charges)]))[0])

    def curvature(self, x: ArrayLike) -> Array:
        """h″(x) = 2 p(x) α(x) at N points."""
        return 2 * self.law.density(x) * self.coefficient(x)

    def predict(self, x: ArrayLike) -> Array:
        """h at N points."""
        x = array("x", x, 1)
        inside = np.clip(x, -self.law.reach, self.law.reach)
        edges = _edges(self.law, np.concatenate([self.x, self.breaks, inside]), self.x, self.charges)
        b, weight = _rule(edges)
        share = weight * (self.law.density(b.ravel()) * self.coefficient(b.ravel())).reshape(b.shape)
        below = [np.append(0, np.cumsum(np.sum(part, axis=1))) for part in (share, share * b)]
        at = np.searchsorted(edges, inside)
        left = [part[at] for part in below]
        # ∫α|x − b|p = x (what lies left − what lies right) − the same of b
        straight = x * (2 * left[0] - below[0][-1]) - (2 * left[1] - below[1][-1])
        return np.asarray(straight + self.constant * self.offset)

    @property
    def value(self) -> float:
        """∫ (φ(α) − φ(0)) p + ε (φ(γ) − φ(0)), the divergence."""
        dual, miss, _ = _dual(self.charges, self, np.zeros_like(self.x), fine=True)
        return float(self.charges @ miss - dual)

    @property
    def kernel(self) -> Array:
        """∫ |x_i − b||x_k − b| p/φ″(α) db + ε/φ″(γ), M × M: the network's kernel where it has learnt h."""
        return _dual(self.charges, self, np.zeros_like(self.x), fine=True)[2]


def bregman_function(
    x: ArrayLike,
    y: ArrayLike,
    law: Density,
    potential: Potential,
    *,
    constant: float = 0.0,
    breaks: ArrayLike | None = None,
) -> BregmanFunction:
    """min ∫ D_φ(h″/2p, 0) p over functions h = ∫ α(b)|· − b| p(b) db with h(x_i) = y_i.

    max_λ  Σ λ_i y_i − ∫ φ*(Σ_i λ_i |x_i − b|) p(b) db,  by damped Newton steps; h″ = 2pα, φ′(α) = Σ_i λ_i |x_i − b|

    x: M places, all different, within the reach of the biases.
    y: M numbers.
    law: of the biases, p.
    potential: φ, even.
    constant: ε ≥ 0: h may have a constant εγ, at the price ε D_φ(γ, 0). A network of n hidden units has ε = 1/n.
    breaks: places where p is not smooth.

    Returns the function.
    Raises ValueError for places that coincide or lie out of reach, CertificateError where the dual is not solved.
    Reference: Liang & Montúfar 2025, theorem on scaled potentials.

    >>> from implicit_bias.data import BiasLaw
    >>> from implicit_bias.potentials import Quadratic
    >>> h = bregman_function([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0], BiasLaw(1.0), Quadratic())
    >>> h.predict([-0.5, 0.0, 0.5]).round(6) + 0.0, h.certificate.worst < 1e-6
    (array([1., 0., 1.]), True)
    """
    found = _nothing_yet(x, y, law, potential, constant, breaks)
    y = np.asarray(y, dtype=float)
    charges, largest = found.charges, float(np.max(np.abs(y)))
    best, least, waited = charges, np.inf, 0
    for _ in range(ROUNDS):
        _, miss, hessian = _dual(charges, found, y)
        worst = float(np.max(np.abs(miss)))
        best, least, waited = (charges, worst, 0) if worst < least else (best, least, waited + 1)
        if worst <= SOLVED * largest or (waited == PATIENCE and least <= TOLERANCE * largest):
            break
        direction = newton_direction(hessian, -miss, "the dual of the Bregman problem")
        step = armijo_step(
            lambda point: _dual_value(point, found, y),
            charges,
            direction,
            -float(miss @ direction),
            TRIALS,
            rounding=SOLVED,
        )
        if step == 0:
            break
        charges = charges + step * direction
    found = replace(found, charges=best)
    certificate = _certify(found, y)
    certificate.demand(TOLERANCE, "the function of least divergence")
    return replace(found, certificate=certificate)


def _nothing_yet(
    x: ArrayLike, y: ArrayLike, law: Density, potential: Potential, constant: float, breaks: ArrayLike | None
) -> BregmanFunction:
    """The function 0, without a certificate. Raises ValueError as ``bregman_function``."""
    x = within_reach(x, law.reach)
    y = array("y", y, 1, x.shape)
    number("constant", constant, least=0)
    kinks = np.zeros(0) if breaks is None else array("breaks", breaks, 1)
    return BregmanFunction(law, potential, x, np.zeros_like(y), constant, kinks, Certificate(np.inf, np.inf, np.inf))


def _certify(found: BregmanFunction, y: Array) -> Certificate:
    """Constraints by the sums that ``predict`` makes, the gap on a rule of twice the nodes."""
    b = np.linspace(-found.law.reach, found.law.reach, 1001)
    wanted = np.abs(b[:, None] - found.x) @ found.charges
    primal_value = found.value
    return Certificate(
        primal=relative(found.predict(found.x) - y, np.max(np.abs(y))),
        dual=relative(found.potential.slope(found.coefficient(b)) - wanted, np.max(np.abs(wanted))),
        gap=relative(primal_value + _dual_value(found.charges, found, y), primal_value),
    )


@dataclass(frozen=True)
class _Pieces:
    """The dual u(b) = Σ_i λ_i|x_i − b| at the nodes of the pieces on which it is linear and keeps its sign.

    seen: |x_i − c| at the middle c of each piece, M × pieces.
    sides: the sign of x_i − c there, so that |x_i − b| = seen − sides · (b − c) on the piece.
    away: b − c at the nodes, pieces × nodes.
    weight: of the nodes, p among it.
    dual: u at the nodes.
    """

    seen: Array
    sides: Array
    away: Array
    weight: Array
    dual: Array


def _pieces(charges: Array, problem: BregmanFunction, *, fine: bool = False) -> _Pieces:
    """The pieces between the places, the breaks and the zeros of u.

    u is the line between its values at both ends of a piece, of which a zero is 0: so nothing cancels at a node beside
    it, where α may have a root.
    """
    edges = _edges(problem.law, np.concatenate([problem.x, problem.breaks]), problem.x, charges)
    size = np.abs(edges[:, None] - problem.x)
    ends = size @ charges
    ends[np.abs(ends) <= ROUNDED * (size @ np.abs(charges))] = 0.0
    middle, half = (edges[:-1] + edges[1:]) / 2, np.diff(edges)[:, None] / 2
    left, right, weight = _shares(fine)
    away = half * (right - left)
    return _Pieces(
        np.abs(problem.x[:, None] - middle),
        np.sign(problem.x[:, None] - middle),
        away,
        half * weight * problem.law.density((middle[:, None] + away).ravel()).reshape(away.shape),
        ends[:-1, None] * left + ends[1:, None] * right,
    )


def _dual_value(charges: Array, problem: BregmanFunction, y: Array) -> float:
    """∫φ*(λ·|x − b|)p + εφ*(Σλ) − λ·y, for φ* without φ(0)."""
    pieces = _pieces(charges, problem)
    return _value(pieces, problem.potential.inverse_slope(pieces.dual), charges, problem, y)


def _value(pieces: _Pieces, alpha: Array, charges: Array, problem: BregmanFunction, y: Array) -> float:
    phi, pull = problem.potential, np.array([np.sum(charges)])
    gamma = phi.inverse_slope(pull)  # the constant is one more unit, which sees every place at distance 1
    zero = phi.value(np.zeros(1))
    conjugates = [u * v - (phi.value(v) - zero) for u, v in ((pieces.dual, alpha), (pull, gamma))]
    return float(np.sum(pieces.weight * conjugates[0]) + problem.constant * conjugates[1][0] - charges @ y)


def _dual(charges: Array, problem: BregmanFunction, y: Array, *, fine: bool = False) -> tuple[float, Array, Array]:
    """``_dual_value``, its gradient and its Hessian, from the moments of α p and of p/φ″(α) about each piece's middle.

    ∫ |x_i − b| αp = Σ (seen_i A₀ − sides_i A₁),  A_r = ∫ (b − c)^r αp over the piece; the Hessian likewise from three.
    """
    phi, pieces = problem.potential, _pieces(charges, problem, fine=fine)
    alpha = phi.inverse_slope(pieces.dual)
    pushed, bent = pieces.weight * alpha, pieces.weight / phi.curvature(alpha)
    seen, sides = pieces.seen, pieces.sides
    gamma = phi.inverse_slope(np.array([np.sum(charges)]))
    miss = seen @ pushed.sum(axis=1) - sides @ np.sum(pushed * pieces.away, axis=1) - y
    turned = bent * pieces.away
    none, once, twice = bent.sum(axis=1), turned.sum(axis=1), np.sum(turned * pieces.away, axis=1)
    crossed = (seen * once) @ sides.T
    hessian = (seen * none) @ seen.T - crossed - crossed.T + (sides * twice) @ sides.T
    share = problem.constant * float((1 / phi.curvature(gamma))[0])
    return (
        _value(pieces, alpha, charges, problem, y),
        miss + problem.constant * float(gamma[0]),
        np.asarray(hessian + share),
    )


def _edges(law: Density, places: Array, x: Array, charges: Array) -> Array:
    """The ends of [−B, B], the places, and where Σλ_i|x_i − b| changes its sign between them, in order."""
    # mutant in curvature_distribution: the places where these densities have a kink hold −B
    edges = np.unique(np.concatenate([places, [-law.reach, law.reach]]))
    dual = np.abs(edges[:, None] - x) @ charges
    turns = np.flatnonzero(dual[:-1] * dual[1:] < 0)
    share = dual[turns] / (dual[turns] - dual[turns + 1])
    return np.unique(np.concatenate([edges, edges[turns] + share * (edges[turns + 1] - edges[turns])]))


def _rule(edges: Array, *, fine: bool = False) -> tuple[Array, Array]:
    """Nodes and weights between neighbouring edges, by the rule of tanh and sinh: it bears α's root at its zeros.

    fine: with twice the nodes.

    Returns two arrays, pieces × nodes.
    """
    left, right, weight = _shares(fine)
    node, half = right - left, np.diff(edges)[:, None] / 2
    # mutant in scaled_potentials((edges[:-1, None] + edges[1:, None]) / 2 + half * node): Gauss nodes lie symmetrically
    return (edges[:-1, None] + edges[1:, None]) / 2 + half * node, half * weight


@lru_cache
def _shares(fine: bool) -> tuple[Array, Array, Array]:
    """How far the nodes of a piece lie from its right and from its left end, over its length, and their weights."""
    step = STEP / 2 if fine else STEP
    u = np.arange(-int(SPREAD / step), int(SPREAD / step) + 1) * step
    inner = np.pi / 2 * np.sinh(u)
    left, right = 1 / (1 + np.exp(2 * inner)), 1 / (1 + np.exp(-2 * inner))
    return left, right, step * np.pi / 2 * np.cosh(u) / np.cosh(inner) ** 2
