"""The implicit regularizer of one linear neuron, q_δ(‖w̃‖) + zᵀw̃, and its minimizer under interpolation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import Certificate, CertificateError
from implicit_bias.limits.hypentropy import Interpolator

TOLERANCE = 1e-12
CERTIFIED = 1e-9
MAX_ITERATIONS = 500
ARMIJO = 1e-4
ROUNDING = 1e-14
SHRINK = 0.5
MOST_TRIALS = 200
FLAT = 1e-8
TINY = 1e-300


@dataclass(frozen=True)
class NeuronRegularizer:
    """Q(w̃) = q_δ(‖w̃‖) + zᵀw̃, strictly convex, with its minimum at w̃(0).

    q_δ(x) = (x² − (δ/2)(δ/2+S)) √(S−δ/2)/x,  S = √(x²+δ²/4),  z = −(3/2) √(S₀−δ/2) w̃(0)/‖w̃(0)‖

    With A = √(S+δ/2) and V = √(S−δ/2), so that x = AV, it is q_δ = (V² − δ/2)A and q_δ′ = (3/2)V; on a neuron A = |a|
    and V = ‖w‖. Since q_δ is convex and increasing, Q is strictly convex for every δ; for δ < 0 it has a kink at w̃ = 0.

    delta: δ = a² − ‖w‖².
    w0: w̃(0), d entries, not 0.

    Reference: Azulay et al. 2021, Theorem 2.
    """

    delta: float
    w0: Array

    def __post_init__(self) -> None:
        """Refuse a δ that is not finite and a start at 0."""
        number("delta", self.delta)
        if not np.any(array("w0", self.w0, 1)):
            raise ValueError("w0 is 0; it must have a direction")

    def amplitudes(self, x: float) -> tuple[float, float]:
        """A = √(S+δ/2) and V = √(S−δ/2) at x = ‖w̃‖ ≥ 0, without cancellation: AV = x, A² − V² = δ."""
        large = float(np.sqrt(np.hypot(x, self.delta / 2) + abs(self.delta) / 2))
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
        return (v**2 - self.delta / 2) * a

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
        return 1 / a if a > 0 else 0.0

    def from_gradient(self, nu: Array) -> Array:
        """The w̃ with ∇Q(w̃) = ν: w̃ = √(δ+‖v‖²) v, v = (2/3)(ν − z), d entries; 0 where δ+‖v‖² < 0."""
        v = self._neuron(nu)
        return np.asarray(self._amplitude(v) * v)

    def conjugate(self, nu: Array) -> float:
        """Q*(ν) = max νᵀw̃ − Q(w̃) = ½(δ+‖v‖²)^{3/2}, v = (2/3)(ν − z); 0 where δ+‖v‖² < 0."""
        return 0.5 * self._amplitude(self._neuron(nu)) ** 3

    def _neuron(self, nu: Array) -> Array:
        """V = (2/3)(ν − z): the first layer's weights, up to the sign of a."""
        return np.asarray((nu - self.z) / 1.5)

    def _amplitude(self, v: Array) -> float:
        """A = √(δ+‖v‖²), 0 where that is negative."""
        return float(np.sqrt(max(self.delta + float(v @ v), 0.0)))

    def minimize(self, x: ArrayLike, y: ArrayLike, *, tolerance: float = TOLERANCE) -> Interpolator:
        """min Q(w̃) subject to Xw̃ = y, by Newton's method on the concave dual yᵀλ − Q*(Xᵀλ).

        x: N × d of rank N.
        y: N labels.
        tolerance: of the relative residual ‖Xw̃ − y‖/‖y‖ at which Newton's method stops.

        Returns the minimizer with its multipliers; its certificate's gap is relative to |q_δ| + |zᵀw̃| + |yᵀλ|.
        Raises CertificateError where residual, stationarity or gap stays above 1e-9.
        """
        x = array("x", x, 2, (None, self.w0.size))
        y = array("y", y, 1, (x.shape[0],))
        gram, dual, step = x @ x.T, np.zeros(y.size), 1.0
        size = max(float(np.linalg.norm(y)), TINY)
        value = self.conjugate(dual @ x)
        iterations = 0
        while np.linalg.norm(ascent := y - x @ self.from_gradient(dual @ x)) > tolerance * size:
            if iterations == MAX_ITERATIONS or step == 0:
                break
            v = self._neuron(dual @ x)
            a = max(self._amplitude(v), FLAT * float(np.linalg.norm(v)))  # for δ < 0 the dual is flat around z
            seen = x @ v
            try:
                newton = cho_solve(cho_factor((a * gram + np.outer(seen, seen) / a) / 1.5), ascent)
            except LinAlgError as error:
                raise CertificateError(f"the minimizer of Q was not found: {error}") from error
            step = self._step(x, y, dual, value, newton, float(ascent @ newton))
            dual = dual + step * newton
            value = self.conjugate(dual @ x) - float(y @ dual)
            iterations += 1
        w = self.from_gradient(dual @ x)
        certificate = self.certify(w, dual, x, y)
        certificate.demand(max(tolerance, CERTIFIED), "the minimizer of Q")
        return Interpolator(w, dual, iterations, certificate)

    def certify(self, w: Array, dual: Array, x: Array, y: Array) -> Certificate:
        """How far w̃ is from minimizing Q among the interpolators, with multipliers λ: Xw̃ = y, ∇Q(w̃) = Xᵀλ, gap.

        w: w̃, d entries.
        dual: λ, N entries.
        x: N × d.
        y: N labels.
        """
        nu = dual @ x
        terms = (self.radial(float(np.linalg.norm(w))), float(self.z @ w), -float(y @ dual))
        force = max(float(np.linalg.norm(self.z)), float(np.linalg.norm(nu)))
        return Certificate(
            primal=float(np.linalg.norm(x @ w - y)) / max(float(np.linalg.norm(y)), TINY),
            dual=float(np.linalg.norm(self.gradient(w) - nu)) / max(force, TINY),
            gap=(sum(terms) + self.conjugate(nu)) / max(sum(abs(term) for term in terms), TINY),
        )

    def _step(self, x: Array, y: Array, dual: Array, value: float, newton: Array, slope: float) -> float:
        """The longest of the steps 1, ½, ¼, … that lowers Q*(Xᵀλ) − yᵀλ enough; 0 where rounding hides the rest."""
        for trials in range(MOST_TRIALS):
            step = SHRINK**trials
            trial = dual + step * newton
            reached = self.conjugate(trial @ x) - float(y @ trial)
            if reached <= value - ARMIJO * step * slope + ROUNDING * abs(value):
                return float(step)
        return 0.0
