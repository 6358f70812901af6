"""The hyperbolic entropy Q_k, the implicit regularizer of diagonal networks, and its minimizer under interpolation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, columns, kept, number
from implicit_bias.limits.certificate import WIDTH, Certificate, relative
from implicit_bias.limits.interpolation.enclosed_entropy import enclose_entropy
from implicit_bias.limits.interpolation.entropy_dual import dual_maximizer
from implicit_bias.limits.ranges import Ranges

TOLERANCE = 1e-12
CERTIFIED = 1e-9


@brief()
@dataclass(frozen=True)
class Interpolator:
    """A regularizer's minimizer among the interpolators.

    w: the minimizer, d entries, or d × q.
    dual: λ with ∇Q(w) = Xᵀλ, N entries, or N × q.
    iterations: steps of Newton's method, the most of any column.
    certificate: its optimality; stationarity holds by construction, the residual is that of Xw = y; encloses min Q. Of
        several columns the largest residuals, the widest enclosure.

    >>> answer = HyperbolicEntropy(np.ones(2)).minimize(np.array([[1.0, 2.0]]), np.array([2.0]))
    >>> round(float(answer.w @ [1.0, 2.0]), 9), answer.certificate.worst < 1e-9
    (2.0, True)
    """

    w: Array
    dual: Array
    iterations: int
    certificate: Certificate


@brief()
@dataclass(frozen=True)
class HyperbolicEntropy:
    """Q_k(w) = Σ_j q(w_j), the hyperbolic entropy with its minimum at w(0).

    q(z) = (√k/4)[1 − √(1+x²) + x(arcsinh x − arcsinh x₀)] + const,  x = 2z/√k,  x₀ = 2w(0)/√k

    It interpolates: k → ∞ gives ‖w − w(0)‖²/(2√k), k → 0 (and w(0) = 0) gives (1/4) ln(1/k)·‖w‖₁ to leading order.

    k: d positive numbers.
    w0: w(0), d entries; 0 by default.

    Reference: Azulay et al. 2021, Theorem 1 and Appendix A.

    >>> x, y = np.array([[1.0, 2.0]]), np.array([2.0])
    >>> HyperbolicEntropy(np.full(2, 1e6)).minimize(x, y).w.round(3)
    array([0.4, 0.8])
    >>> HyperbolicEntropy(np.full(2, 1e-12)).minimize(x, y).w.round(3)
    array([0., 1.])
    """

    k: Array
    w0: Array | None = None

    def __post_init__(self) -> None:
        """Refuse a k that is not positive and vectors of different lengths."""
        k = kept(self, "k", 1)
        if not np.all(k > 0):
            raise ValueError(f"k holds {k.min():g}; every entry must be positive")
        if self.w0 is not None:
            kept(self, "w0", 1, k.shape)

    @cached_property
    def _root(self) -> Array:
        return np.sqrt(self.k)

    @cached_property
    def _offset(self) -> Array:
        return np.zeros_like(self.k) if self.w0 is None else np.arcsinh(2 * self.w0 / self._root)

    def value(self, w: Array) -> float:
        """Q_k(w) ≥ 0, normalised so that Q_k(w(0)) = 0."""
        x, offset = 2 * w / self._root, self._offset
        angle = np.arcsinh(x)
        # cosh(offset) − cosh(angle) as a product: the difference cancels where x is small.
        difference = -2 * np.sinh((angle + offset) / 2) * np.sinh((angle - offset) / 2)
        return float(np.sum(self._root / 4 * (difference + x * (angle - offset))))

    def gradient(self, w: Array) -> Array:
        """∇Q_k(w) = ½(arcsinh(2w/√k) − arcsinh(2w(0)/√k)), d entries."""
        return np.asarray((np.arcsinh(2 * w / self._root) - self._offset) / 2)

    def curvature(self, w: Array) -> Array:
        """The diagonal of ∇²Q_k(w), 1/√(4w² + k), d entries."""
        return np.asarray(1 / np.sqrt(4 * w**2 + self.k))

    def from_gradient(self, nu: Array) -> Array:
        """The w with ∇Q_k(w) = ν: w = (√k/2) sinh(2ν + arcsinh(2w(0)/√k)), d entries."""
        return np.asarray(self._root / 2 * np.sinh(2 * nu + self._offset))

    def conjugate(self, nu: Array) -> float:
        """Q_k*(ν) = max_w ν·w − Q_k(w) = Σ (√k/2) sinh(ν + arcsinh x₀) sinh(ν)."""
        return float(np.sum(self._root / 2 * np.sinh(nu + self._offset) * np.sinh(nu)))

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")  # the certificate refuses what overflows
    def minimize(
        self,
        x: ArrayLike,
        y: ArrayLike,
        *,
        start: ArrayLike | None = None,
        tolerance: float = TOLERANCE,
        tol: float = WIDTH,
    ) -> Interpolator:
        """min Q_k(w) subject to Xw = y, by Newton's method on the concave dual yᵀλ − Q_k*(Xᵀλ).

        x: N × d of rank N.
        y: N labels, or q columns of them, N × q, one after another: each has a Hessian of its own.
        start: λ at which Newton's method begins, of the shape of y; by default one from a step of the primal.
        tolerance: of the relative residual ‖Xw − y‖/‖y‖ at which Newton's method stops.
        tol: the relative width allowed for the enclosure of the least Q_k.

        Returns the minimizer with its multipliers.
        Raises CertificateError, with the answer, where a residual or the duality gap stays above 1e-9, or the least Q_k
        is not proved to tol.
        """
        tolerance = number("tolerance", tolerance, least=0)
        x = array("x", x, 2, (None, self.k.size))
        y = columns("y", y, x.shape[0])
        tol = number("tol", tol, above=0)
        begin = None if start is None else array("start", start, y.ndim, y.shape)
        if y.ndim == 2:
            begins = [None] * y.shape[1] if begin is None else begin.T
            each = [
                self.minimize(x, one, start=at, tolerance=tolerance, tol=tol)
                for one, at in zip(y.T, begins, strict=True)
            ]
            w, dual = (np.array([getattr(one, part) for one in each]).T for part in ("w", "dual"))
            steps = max(one.iterations for one in each)
            return Interpolator(w, dual, steps, Certificate.of_all([one.certificate for one in each]))
        end, iterations = dual_maximizer(self, x, y, begin, tolerance, "the minimizer of Q_k")
        certificate = self.certify(end.w, end.dual, x, y)
        answer = Interpolator(end.w, end.dual, iterations, certificate)
        certificate.demand(max(tolerance, CERTIFIED), "the minimizer of Q_k", tol=tol, answer=answer)
        return answer

    def certify(self, w: Array, dual: Array, x: Array, y: Array) -> Certificate:
        """How far w is from minimizing Q_k among the interpolators, with multipliers λ: Xw = y, ∇Q_k(w) = Xᵀλ, gap.

        w: d entries.
        dual: λ, N entries.
        x: N × d.
        y: N labels.
        """
        entropy, pushed = self.value(w), dual @ x
        root = Ranges.of(self.k).root()
        # mutant: of the enclosure; held by test_hyperbolic_entropy
        offset = Ranges.of(np.zeros_like(self.k) if self.w0 is None else 2 * self.w0).over(root).arsinh()
        return Certificate(
            primal=relative(np.linalg.norm(x @ w - y), np.linalg.norm(y)),
            dual=relative(np.linalg.norm(self.gradient(w) - pushed), np.linalg.norm(pushed)),
            gap=relative(entropy + self.conjugate(pushed) - float(y @ dual), entropy),
            enclosure=enclose_entropy(root, offset, w, dual, x, y),
        )
