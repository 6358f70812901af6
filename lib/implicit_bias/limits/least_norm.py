"""The interpolator of least Euclidean norm."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate

TOLERANCE = 1e-10
TINY = 1e-300


@dataclass(frozen=True)
class LeastNorm:
    """w: the minimizer, d entries; dual: λ with w = Xᵀλ, N entries; certificate: its optimality."""

    w: Array
    dual: Array
    certificate: Certificate


def least_norm(x: ArrayLike, y: ArrayLike) -> LeastNorm:
    """min ½‖w‖₂² subject to Xw = y; the solution is X⁺y = Xᵀλ.

    x: N × d of rank N.
    y: N labels.

    Returns the minimizer with its multipliers.
    Raises CertificateError where no interpolator exists.
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))
    w = np.asarray(np.linalg.lstsq(x, y)[0], dtype=np.float64)
    dual = np.asarray(np.linalg.lstsq(x.T, w)[0], dtype=np.float64)
    value = 0.5 * float(w @ w)
    certificate = Certificate(
        primal=float(np.linalg.norm(x @ w - y)) / max(float(np.linalg.norm(y)), TINY),
        dual=float(np.linalg.norm(w - dual @ x)) / max(float(np.linalg.norm(w)), TINY),
        gap=(value - (float(y @ dual) - 0.5 * float((dual @ x) @ (dual @ x)))) / max(value, TINY),
    )
    certificate.demand(TOLERANCE, "the interpolator of least norm")
    return LeastNorm(w, dual, certificate)
