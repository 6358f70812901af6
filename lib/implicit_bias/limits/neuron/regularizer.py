"""The implicit regularizer of one linear neuron, q_δ(‖w̃‖) + zᵀw̃, and its minimizer under interpolation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, kept, number
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, Certificate, relative
from implicit_bias.limits.interpolation.hyperbolic_entropy import Interpolator
from implicit_bias.limits.neuron.least_value import enclose_least_value
from implicit_bias.limits.solvers import SHRINK, TINY, armijo_step, newton_direction

TOLERANCE = 1e-12
CERTIFIED = 1e-9
MAX_ITERATIONS = 500
MOST_TRIALS = 200
FLAT = 1e-5


@brief()
@dataclass(frozen=True)
class NeuronRegularizer:
    """Q(w̃) = q_δ(‖w̃‖) + zᵀw̃, strictly convex, with its minimum at w̃(0).

    q_δ(x) = (x² − (δ/2)(δ/2+S)) √(S−δ/2)/x,  S = √(x²+δ²/4),  z = −(3/2) √(S₀−δ/2) w̃(0)/‖w̃(0)‖

    With A = √(S+δ/2) and V = √(S−δ/2), so that x = AV, it is q_δ = (V² − δ/2)A and q_δ′ = (3/2)V; on a neuron A = |a|
    and V = ‖w‖. Since q_δ is convex and increasing, Q is strictly convex for every δ; for δ < 0 it has a kink at w̃ = 0.

    delta: δ = a² − ‖w‖².
    w0: w̃(0), d entries, not 0.

    Reference: Azulay et al. 2021, Theorem 2.

    >>> q = NeuronRegularizer(delta=1.0, w0=np.array([0.1, 0.0]))
    >>> q.gradient(np.array([0.1, 0.0])).round(12) + 0.0
    array([0., 0.])
    >>> q.minimize([[1.0, 1.0]], [2.0]).w.round(4)
    array([1.0704, 0.9296])
    """

    delta: float
    w0: Array

    def __post_init__(self) -> None:
        """Refuse a δ that is not finite and a start at 0."""
        number("delta", self.delta)
        if not np.any(kept(self, "w0", 1)):
            raise ValueError("w0 is 0; it must have a direction")

    def amplitudes(self, x: float) -> tuple[float, float]:
        """A = √(S+δ/2) and V = √(S−δ/2) at x = ‖w̃‖ ≥ 0, without cancellation: AV = x, A² − V² = δ."""
        large = float(np.sqrt(np.hypot(x, self.delta / 2) + abs(self.delta) / 2))
        # mutant(0.0): only at w̃ = 0 with δ = 0; held by test_regularizer
        small = float(x) / large if large > 0 else 0.0
        return (large, small) if self.delta >= 0 else (small, large)

    @property
    def z(self) -> Array:
        """The vector z of the linear term, d entries."""
        size = float(np.linalg.norm(self.w0))
        return np.asarray(-1.5 * self.amplitudes(size)[1] * self.w0 / size)

    def radial(self, x: float) -> float:
        """q_δ(x) = (V² − δ/2)A, x = ‖w̃‖ ≥ 0."""
        a, v = self.amplitudes(x)
        return float((v**2 - self.delta / 2) * a)

    def value(self, w: Array) -> float:
        """Q(w̃) = q_δ(‖w̃‖) + zᵀw̃."""
        return self.radial(float(np.linalg.norm(w))) + float(self.z @ w)

    def gradient(self, w: Array) -> Array:
        """∇Q(w̃) = (3/2) V w̃/‖w̃‖ + z, d entries; w̃ ≠ 0 if δ < 0."""
        return np.asarray(1.5 * self._per_amplitude(w) * w + self.z)

    def hessian(self, w: Array) -> Array:
        """∇²Q(w̃) = (3/2)/A · (I − V²/(A²+V²) ŵŵᵀ), ŵ = w̃/‖w̃‖, d × d; w̃ ≠ 0 if δ ≤ 0."""
        size = float(np.linalg.norm(w))
        a, v = self.amplitudes(size)
        along = w / max(size, TINY)
        return np.asarray((np.eye(w.size) - v**2 / (a**2 + v**2) * np.outer(along, along)) * 1.5 / a)

    def _per_amplitude(self, w: Array) -> float:
        """V/‖w̃‖ = 1/A; 0 at w̃ = 0, where the gradient's first term vanishes (δ ≥ 0)."""
        a, _ = self.amplitudes(float(np.linalg.norm(w)))
        return 1 / a if a > 0 else 0.0  # mutant(0.0): only at w̃ = 0 with δ = 0; held by test_regularizer

    def from_gradient(self, nu: Array) -> Array:
        """The w̃ with ∇Q(w̃) = ν: w̃ = √(δ+‖v‖²) v, v = (2/3)(ν − z), d entries; 0 where δ+‖v‖² < 0."""
        v = self._neuron(nu)
        return np.asarray(self._amplitude(v) * v)

    def conjugate(self, nu: Array) -> float:
        """Q*(ν) = max νᵀw̃ − Q(w̃) = ½(δ+‖v‖²)^{3/2}, v = (2/3)(ν − z); 0 where δ+‖v‖² < 0."""
        return 0.5 * float(np.power(self._amplitude(self._neuron(nu)), 3))

    def _neuron(self, nu: Array) -> Array:
        """V = (2/3)(ν − z): the first layer's weights, up to the sign of a."""
        return np.asarray((nu - self.z) / 1.5)

    def _amplitude(self, v: Array) -> float:
        """A = √(δ+‖v‖²), 0 where that is negative."""
        return float(np.sqrt(max(self.delta + float(v @ v), 0.0)))  # mutant in many_neurons(0.0): the guard for δ < 0

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")  # the certificate refuses what overflows
    def minimize(self, x: ArrayLike, y: ArrayLike, *, tolerance: float = TOLERANCE, tol: float = WIDTH) -> Interpolator:
        """min Q(w̃) subject to Xw̃ = y, by Newton's method on the concave dual yᵀλ − Q*(Xᵀλ).

        x: N × d of rank N.
        y: N labels.
        tolerance: of the relative residual ‖Xw̃ − y‖/‖y‖ at which Newton's method stops.
        tol: the width allowed for the enclosure of min Q, over |q_δ| + |zᵀw̃| + |yᵀλ|, as min Q may be 0.

        Returns the minimizer with its multipliers; its certificate's gap is relative to that sum too.
        Raises CertificateError, with the answer, where residual, stationarity or gap stays above 1e-9, or min Q is not
        proved to tol.
        """
        tolerance = number("tolerance", tolerance, least=0)  # mutant(0): the guard of an argument
        tol = number("tol", tol, above=0)
        x = array("x", x, 2, (None, self.w0.size))
        y = array("y", y, 1, (x.shape[0],))  # mutant(1; 0): the guard of an argument
        gram, dual, step, iterations = x @ x.T, np.zeros(y.size), 1.0, 0  # mutant: before the first step
        size = max(float(np.linalg.norm(y)), TINY)
        while np.linalg.norm(ascent := y - x @ self.from_gradient(dual @ x)) > tolerance * size:
            if iterations == MAX_ITERATIONS or step == 0:
                break
            v = self._neuron(dual @ x)
            a = max(self._amplitude(v), FLAT * float(np.linalg.norm(v)))  # for δ < 0 the dual is flat around z
            seen = x @ v
            newton = newton_direction((a * gram + np.outer(seen, seen) / a) / 1.5, ascent, "the minimizer of Q")
            step = self._step(x, y, dual, newton, ascent)
            dual = dual + step * newton
            iterations += 1  # mutant: how the iterations are counted
        w = self.from_gradient(dual @ x)
        certificate = self.certify(w, dual, x, y)
        answer, found = Interpolator(w, dual, iterations, certificate), certificate.enclosure or UNKNOWN
        # mutant: the width that is allowed; held by test_regularizer
        near = found.high - found.low <= tol * sum(abs(term) for term in self._terms(w, dual, y))
        certificate.demand(max(tolerance, CERTIFIED), "the minimizer of Q", tol=np.inf if near else tol, answer=answer)
        return answer

    def certify(self, w: Array, dual: Array, x: Array, y: Array) -> Certificate:
        """How far w̃ is from minimizing Q among the interpolators, with multipliers λ: Xw̃ = y, ∇Q(w̃) = Xᵀλ, gap.

        The enclosure of min Q is proved by any w̃ and any λ, however far they are from the best.

        w: w̃, d entries.
        dual: λ, N entries.
        x: N × d.
        y: N labels.
        """
        nu, terms = dual @ x, self._terms(w, dual, y)
        return Certificate(
            primal=relative(np.linalg.norm(x @ w - y), np.linalg.norm(y)),
            dual=relative(np.linalg.norm(self.gradient(w) - nu), np.linalg.norm(self.z), np.linalg.norm(nu)),
            gap=relative(sum(terms) + self.conjugate(nu), sum(abs(term) for term in terms)),
            enclosure=enclose_least_value(self.delta, self.w0, w, dual, x, y),
        )

    def _terms(self, w: Array, dual: Array, y: Array) -> tuple[float, float, float]:
        """q_δ, zᵀw̃ and −yᵀλ."""
        return self.radial(float(np.linalg.norm(w))), float(self.z @ w), -float(y @ dual)

    def _step(self, x: Array, y: Array, dual: Array, newton: Array, ascent: Array) -> float:
        """The longest of the steps 1, ½, ¼, … that lowers Q*(Xᵀλ) − yᵀλ enough; 0 where rounding hides the rest.

        Near the end, where rounding hides what a step lowers, the whole step counts if it halves the residual.
        """
        near = float(np.linalg.norm(y - x @ self.from_gradient((dual + newton) @ x)))
        if near <= SHRINK * float(np.linalg.norm(ascent)):
            return 1.0  # mutant: it steers, the certificate decides
        return armijo_step(
            lambda dual: self.conjugate(dual @ x) - float(y @ dual), dual, newton, float(ascent @ newton), MOST_TRIALS
        )
