"""What mirror descent on a measure can reach in a given time: the entropic bound, and the constant of the true rate."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, kept, number
from implicit_bias.data.torus import Deconvolution, fourier_basis
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, Certificate, CertificateError, Enclosure
from implicit_bias.limits.measures.sparse_measure import SparseMeasure
from implicit_bias.limits.measures.torus_field import jets
from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.rounding import Balls, Between, Unproved
from implicit_bias.limits.solvers import armijo_step, newton_direction

TOLERANCE = 1e-9
NEWTON_STEPS = 200
EARLY = 1e-2
WARM_UP = 12
MOST_TRIALS = 60
DONE = 1e-11
RESOLVED = 1e-10


@brief()
@dataclass(frozen=True)
class EntropicBound:
    """B(τ) = inf_ν J(ν) + KL(ν, ν₀)/(4τ) on the circle, with KL(ν, ν₀) = ∫ log(dν/dν₀) dν − ν(Θ) + ν₀(Θ).

    With τ = αt, J(ν_t) ≤ B(τ) along the mirror flow that starts at ν₀.

    problem: the spikes, in dimension 1.
    penalty: λ.
    places: the grid that carries ν₀, m numbers.
    start: the masses of ν₀ there, m positive numbers.

    Reference: Chizat 2022, mirror descent rate; the constant is derived in the chapter.

    >>> from implicit_bias.data import Deconvolution, torus_grid
    >>> problem = Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2)
    >>> bound = EntropicBound(problem, 0.5, torus_grid(64, 1).ravel(), np.full(64, 1 / 64))
    >>> bool(np.all(np.diff(bound.values([1.0, 10.0, 100.0])) < 0))
    True
    """

    problem: Deconvolution
    penalty: float
    places: Array
    start: Array
    features: Array = field(init=False, repr=False)
    target: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together; evaluate the features once."""
        number("penalty", self.penalty, least=0)
        places = kept(self, "places", 1)
        if not np.all(kept(self, "start", 1, places.shape) > 0):
            raise ValueError(f"start holds {np.min(self.start):g}; every mass must be positive")
        if self.problem.dimension != 1:
            raise ValueError(f"the dimension of the problem is {self.problem.dimension}; it must be 1")
        cutoff = self.problem.cutoff
        object.__setattr__(self, "features", fourier_basis(places, cutoff))
        object.__setattr__(self, "target", fourier_basis(self.problem.positions[:, 0], cutoff) @ self.problem.masses)

    def values(self, times: ArrayLike) -> Array:
        """B at increasing times τ, by Newton's method on the concave dual, each from the answer before it.

        max_p −½‖p‖² − ⟨p, f̂⟩ − ε∫(e^{−(λ+⟨φ,p⟩)/ε} − 1) dν₀,  ε = 1/(4τ)

        Each is the upper end of a proved enclosure of B, rounding included, for the features and coefficients as
        float64 holds them. Raises CertificateError, with that end, where the enclosure is wider than 1e-9 relative.
        """
        taus = array("times", times, 1)
        number("times", float(taus.min()), above=0)
        p = self.features @ self.start - self.target
        found, before = [], 0.0
        early = EARLY / float(self.start.sum())  # a time is measured in 1/mass
        warm_up = np.geomspace(early, max(taus[0], early), WARM_UP)[:-1]  # the dual is steep at late times
        for k, tau in enumerate([*warm_up, *taus]):
            epsilon = 1 / (4 * tau)
            p = self._newton(p if k == 0 else self._ahead(p, before, epsilon), epsilon)
            before = epsilon
            if k >= len(warm_up):
                found.append(self._certified(p, epsilon))
        return np.array(found)

    def _ahead(self, p: Array, before: float, epsilon: float) -> Array:
        """Where the tangent of the path of answers leads from one ε to another: Newton's method starts there."""
        a = self._masses(p, before)
        curvature = np.eye(p.size) + (self.features * a) @ self.features.T / before
        drift = self.features @ (a * (self.penalty + p @ self.features)) / before**2
        return np.asarray(p + (epsilon - before) * newton_direction(curvature, drift, "the entropic bound"))

    def _masses(self, p: Array, epsilon: float) -> Array:
        return np.asarray(self.start * np.exp(-(self.penalty + p @ self.features) / epsilon))

    def _dual(self, p: Array, epsilon: float) -> float:
        return float(-p @ p / 2 - p @ self.target - epsilon * (self._masses(p, epsilon).sum() - self.start.sum()))

    def _newton(self, p: Array, epsilon: float) -> Array:
        """Newton's method with line search; where the dual's value no longer resolves a step, while ascent shrinks."""
        with np.errstate(over="ignore", invalid="ignore"):
            a, ascent = self._ascent(p, epsilon)
            for _ in range(NEWTON_STEPS):
                if np.linalg.norm(ascent) <= DONE * self.start.sum():
                    break
                curvature = np.eye(p.size) + (self.features * a) @ self.features.T / epsilon
                step = newton_direction(curvature, ascent, "the entropic bound")
                value, slope = self._dual(p, epsilon), float(ascent @ step)
                if slope > RESOLVED * abs(value):
                    size = armijo_step(lambda p: -self._dual(p, epsilon), p, step, slope, MOST_TRIALS)
                    if size == 0:
                        break
                    step = size * step
                before = np.linalg.norm(ascent)
                a, ascent = self._ascent(p + step, epsilon)
                if slope <= RESOLVED * abs(value) and np.linalg.norm(ascent) >= before:
                    break
                p = p + step
        return p

    def _ascent(self, p: Array, epsilon: float) -> tuple[Array, Array]:
        """Masses and the dual's gradient."""
        a = self._masses(p, epsilon)
        return a, self.features @ a - self.target - p

    def _certified(self, p: Array, epsilon: float) -> float:
        a = self._masses(p, epsilon)
        residual = self.features @ a - self.target
        entropy = a @ (-(self.penalty + p @ self.features) / epsilon) - a.sum() + self.start.sum()
        primal = float(residual @ residual / 2 + self.penalty * a.sum() + epsilon * entropy)
        if not np.isfinite(primal):
            raise CertificateError("the entropic bound is not a finite number")
        # Every p is feasible for the dual, and the masses are positive: only the gap can miss.
        enclosure = self._enclosure(p, a, epsilon)
        certificate = Certificate(0.0, 0.0, (primal - self._dual(p, epsilon)) / primal, enclosure)
        certificate.demand(TOLERANCE, "the entropic bound", tol=WIDTH, answer=enclosure.high)
        return enclosure.high

    def _enclosure(self, p: Array, a: Array, epsilon: float) -> Enclosure:
        """The dual value of p and the primal one of the masses a."""
        features, start, weight = Balls.of(self.features), Ranges.of(self.start), Between.of(epsilon)
        mass = start.total()
        try:
            tilted = Balls.of(p) @ features
            shape = Ranges.of(np.full(a.size, -self.penalty)) - Ranges.around(tilted.middle, tilted.radius)
            density = start * shape.over(Ranges.of(np.full(a.size, epsilon))).exp()
            square = Between.of(0) - Balls.of(p).squares() / Between.of(2)
            low = square - (Balls.of(p) @ Balls.of(self.target[:, None])).total() - weight * (density.total() - mass)
            held = a > 0  # what underflows has the entropy of 0
            some = Ranges.of(a[held])
            entropy = (some * some.over(Ranges.of(self.start[held])).log()).total() - Ranges.of(a).total() + mass
            missed = (features @ Balls.of(a) - Balls.of(self.target)).squares() / Between.of(2)
            high = missed + Between.of(self.penalty) * Ranges.of(a).total() + weight * entropy
        except Unproved:
            return UNKNOWN
        return Enclosure(low.down(), high.up())


def mirror_constant(limit: SparseMeasure) -> float:
    """The limit of αt·(J(ν_t) − J*) along the mirror flow from a positive density: M*d/8, M* the mass of ν*.

    Near each spike ν_t is a Gaussian of covariance (4αt∇²J′_{ν*})^{−1} and the spike's mass.

    limit: ν*.

    >>> from implicit_bias.data import Deconvolution
    >>> from implicit_bias.limits.measures import blasso
    >>> limit = blasso(Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2), 0.5)
    >>> round(mirror_constant(limit), 6), round(limit.total_mass / 8, 6)
    (0.1125, 0.1125)
    """
    return limit.total_mass * limit.problem.dimension / 8


def mirror_corrections(limit: SparseMeasure) -> Array:
    """The coefficients k_s of the mirror flow's next order, tr(4τH_s Cov_s)/d = 1 + k_s ln τ/τ + O(1/τ) at each spike.

    τ = αt, H_s = ∇²J′_{ν*}(θ_s), Cov_s the covariance of ν_t at the spike. αt·(J(ν_t) − J*) is then
    (M*d/8)(1 + k ln τ/τ + O(1/τ)), k the mean of the k_s, weighted by the masses.

    k_s = −tr(H_s⁻¹⟨∇²φ(θ_s), A⟩)/d,  A = Σ_s (a_s/8) H_s⁻¹:∇²φ(θ_s) + what masses and centres add,
    ⟨φ(θ_s), A⟩ = −d/8,  ⟨∇φ(θ_s), A⟩ = 0

    limit: the minimizer ν*, s spikes.

    Returns s numbers.
    Reference: derived in the chapter on the mirror flow.

    >>> from implicit_bias.data import Deconvolution
    >>> from implicit_bias.limits.measures import blasso
    >>> limit = blasso(Deconvolution(np.array([[np.pi]]), np.array([1.0]), cutoff=2), 0.5)
    >>> mirror_corrections(limit).shape
    (1,)
    """
    s, d = limit.positions.shape
    first, second = jets(limit.positions, limit.problem.cutoff)

    def features(i: int, j: int) -> Array:
        """∂₁^i ∂₂^j φ at the spikes, n × s."""
        return np.asarray((first[i][:, None] * second[j]).reshape(-1, s))

    value, slopes = features(0, 0), [features(1, 0), features(0, 1)][:d]
    bends = np.array([[features(2 - i - j, i + j) for j in range(d)] for i in range(d)])
    inverse = np.linalg.inv(limit.variation(limit.positions)[2])
    # what the width of the Gaussians adds to ∫φ dν, times τ
    # mutant: less than the next order; held by tests
    drift = np.einsum("s,sij,ijns->n", limit.masses / 8, inverse, bends)
    span = np.hstack([value, *slopes])  # what their masses and centres can add
    # mutant(8): less than the next order; held by tests
    wanted = np.concatenate([np.full(s, -d / 8), np.zeros(s * d)]) - span.T @ drift
    whole = drift + span @ np.linalg.solve(span.T @ span, wanted)
    return np.asarray(-np.einsum("sij,ijns,n->s", inverse, bends, whole) / d)
