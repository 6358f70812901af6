"""Kernel ridge regression in closed form, for many penalties at once, with its leave-one-out residuals."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array, number
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, Certificate, Enclosure, relative
from implicit_bias.limits.enclosed_equations import least_eigenvalue
from implicit_bias.limits.rounding import UNIT, Between, Numbers, Unproved

TOLERANCE = 1e-8
SYMMETRIC = 1e-10


@brief()
@dataclass(frozen=True)
class KernelRidge:
    """The minimizers f = Σ_i c_i k(x_i, ·) of (1/2n) Σ_i (f(x_i) − y_i)² + (λ/2)‖f‖², one for each penalty λ.

    coefficients: c, one row for each λ, q × n.
    left_out: y_i minus the prediction at x_i of the fit without point i, q × n.
    values: between what the least value, ½λ yᵀ(K + nλ)⁻¹y, is proved to lie for each λ.
    certificate: by how much c misses its equations (K + nλ)c = y, relative (``Certificate.of_equations``), and the
        widest of these enclosures.

    >>> fit = kernel_ridge(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0]), [0.5])
    >>> fit.predict(np.array([[2.0, 1.0]])).round(3)
    array([[0.625]])
    """

    coefficients: Array
    left_out: Array
    values: tuple[Enclosure, ...]
    certificate: Certificate

    def predict(self, kernel: ArrayLike) -> Array:
        """The f at other points, q × N, from the kernel k(z_j, x_i) between these and the samples, N × n."""
        return self.coefficients @ array("kernel", kernel, 2, (None, self.coefficients.shape[1])).T


def kernel_ridge(gram: ArrayLike, y: ArrayLike, penalties: ArrayLike, *, tol: float = WIDTH) -> KernelRidge:
    """Solve (K + nλ)c = y for each λ; without point i the residual at x_i is c_i/((K + nλ)⁻¹)_ii.

    gram: K, n × n, symmetric, no eigenvalue below 0 but by rounding.
    y: n labels.
    penalties: q numbers λ > 0.
    tol: the relative width that is allowed for the enclosure of each least value.

    Returns the fits.
    Raises ValueError for arrays that do not fit together, a K that is not symmetric or not positive, or a penalty that
    is not positive; CertificateError, with the fits, where the equations are missed by more than 1e-8 or a least value
    is not enclosed to tol.

    >>> fit = kernel_ridge(np.diag([1.0, 3.0]), np.array([4.0, 4.0]), [0.5])
    >>> fit.coefficients.round(12)
    array([[2., 1.]])
    >>> fit.left_out.round(12)
    array([[4., 4.]])
    """
    gram = array("gram", gram, 2)
    y = array("y", y, 1, gram.shape[:1])
    penalties, tol = array("penalties", penalties, 1), number("tol", tol, above=0)
    if gram.shape[0] != gram.shape[1] or relative(gram - gram.T, np.max(np.abs(gram))) > SYMMETRIC:
        raise ValueError(f"gram is no symmetric matrix (shape {gram.shape}); it must be the kernel between the samples")
    if np.any(penalties <= 0):
        raise ValueError(f"penalties holds {penalties.min():g}; every penalty must be positive")
    values, modes = np.linalg.eigh(gram)
    if values[0] < -SYMMETRIC * np.max(np.abs(values)):
        raise ValueError(f"gram has the eigenvalue {values[0]:g}; a kernel has none below 0")
    shrunk = 1 / (np.maximum(values, 0) + y.size * penalties[:, None])
    coefficients = (shrunk * (modes.T @ y)) @ modes.T
    missed = coefficients @ gram + y.size * penalties[:, None] * coefficients - y
    # mutant: the enclosure; held by test_ridge
    enclosures = enclose_ridge(np.tril(gram) + np.tril(gram, -1).T, y, penalties, coefficients, tol)
    widest = max(enclosures, key=lambda value: value.width)
    certificate = Certificate.of_equations(relative(missed, np.max(np.abs(y))), enclosure=widest)
    fits = KernelRidge(coefficients, coefficients / (shrunk @ (modes**2).T), enclosures, certificate)
    certificate.demand(TOLERANCE, "kernel ridge regression", tol=tol, answer=fits)
    return fits


def enclose_ridge(  # attack: none, inside solvers
    k: Array, y: Array, penalties: Array, coefficients: Array, tol: float
) -> tuple[Enclosure, ...]:
    """Between what ½λ yᵀ(K + nλ)⁻¹y lies for each λ, by any c near (K + nλ)⁻¹y.

    yᵀ(K + nλ)⁻¹y = (y + r)·c + rᵀ(K + nλ)⁻¹r,  r = y − Kc − nλc,  0 ≤ rᵀ(K + nλ)⁻¹r ≤ ‖r‖²/(nλ + λ_min(K))

    k: K, n × n, symmetric.
    y: n labels.
    penalties: q numbers λ.
    coefficients: c, q × n.
    tol: the relative width that is sought.
    """
    n = y.size
    if not np.any(y):
        return (Enclosure(0.0, 0.0),) * penalties.size

    def one(penalty: float, c: Array, floor: Between) -> Enclosure:
        shift = Fraction(n) * Fraction(penalty)
        parts = np.array([float(shift), float(shift - Fraction(float(shift)))])  # nλ, the rounding of the first part

        def bounds(numbers: type[Numbers]) -> tuple[Between, Between]:
            weights, labels = numbers.of(c), numbers.of(y)
            shrunk = numbers.of(np.column_stack([c, c])) @ numbers.of(parts)
            missed = labels - numbers.of(k) @ weights - shrunk
            half = Between.of(Fraction(penalty) / 2)
            low = (labels @ weights).total() + (missed @ weights).total()
            rest = missed.squares() / (Between.of(shift) + floor)
            return half * low, half * Between(low.low, low.high + rest.high)

        return Enclosure.proved(bounds, k.size, tol)

    found, floor = [], _floor(k, n * float(penalties.min()))
    for penalty, c in zip(penalties, coefficients, strict=True):
        own = floor or _floor(k, n * float(penalty))
        found.append(one(float(penalty), c, own) if own and np.all(np.isfinite(c)) else UNKNOWN)
    return tuple(found)


def _floor(k: Array, shift: float) -> Between | None:
    """A lower bound of λ_min(K) that is above −shift, if there is one to be proved, by that of K + shift/2."""
    moved = k.copy()
    moved[np.diag_indices(len(k))] += shift / 2
    try:
        least = Between.of(least_eigenvalue(moved))
    except Unproved:
        return None
    # mutant anywhere(least - Between.of(shift / 2) - …; max → min): more room than that, for a part of it is proved
    least = least - Between.of(shift / 2) - Between.of(2 * UNIT * float(np.abs(np.diag(moved)).max()))
    return Between.of(least.low)
