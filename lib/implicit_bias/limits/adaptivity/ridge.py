"""Kernel ridge regression in closed form, for many penalties at once, with its leave-one-out residuals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, relative

TOLERANCE = 1e-8
SYMMETRIC = 1e-10


@brief()
@dataclass(frozen=True)
class KernelRidge:
    """The minimizers f = Σ_i c_i k(x_i, ·) of (1/2n) Σ_i (f(x_i) − y_i)² + (λ/2)‖f‖², one for each penalty λ.

    coefficients: c, one row for each λ, q × n.
    left_out: y_i minus the prediction at x_i of the fit without point i, q × n.
    certificate: by how much c misses its equations (K + nλ)c = y, relative (``Certificate.of_equations``).

    >>> fit = kernel_ridge(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0]), [0.5])
    >>> fit.predict(np.array([[2.0, 1.0]])).round(3)
    array([[0.625]])
    """

    coefficients: Array
    left_out: Array
    certificate: Certificate

    def predict(self, kernel: ArrayLike) -> Array:
        """The f at other points, q × N, from the kernel k(z_j, x_i) between these and the samples, N × n."""
        return self.coefficients @ array("kernel", kernel, 2, (None, self.coefficients.shape[1])).T


def kernel_ridge(gram: ArrayLike, y: ArrayLike, penalties: ArrayLike) -> KernelRidge:
    """Solve (K + nλ)c = y for each λ; without point i the residual at x_i is c_i/((K + nλ)⁻¹)_ii.

    gram: K, n × n, symmetric, no eigenvalue below 0 but by rounding.
    y: n labels.
    penalties: q numbers λ > 0.

    Returns the fits.
    Raises ValueError for arrays that do not fit together, a K that is not symmetric or not positive, or a penalty that
    is not positive; CertificateError where the equations are missed by more than 1e-8.

    >>> fit = kernel_ridge(np.diag([1.0, 3.0]), np.array([4.0, 4.0]), [0.5])
    >>> fit.coefficients.round(12)
    array([[2., 1.]])
    >>> fit.left_out.round(12)
    array([[4., 4.]])
    """
    gram = array("gram", gram, 2)
    y = array("y", y, 1, gram.shape[:1])
    penalties = array("penalties", penalties, 1)
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
    certificate = Certificate.of_equations(relative(missed, np.max(np.abs(y))))
    certificate.demand(TOLERANCE, "kernel ridge regression")
    return KernelRidge(coefficients, coefficients / (shrunk @ (modes**2).T), certificate)
