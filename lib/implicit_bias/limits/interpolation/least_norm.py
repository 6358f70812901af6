"""The interpolator of least Euclidean norm."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.brief import brief
from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, in_unit, missed_equations, relative
from implicit_bias.limits.interpolation.equations import scaled_equations

TOLERANCE = 1e-10


@brief()
@dataclass(frozen=True)
class LeastNorm:
    """w: the minimizer, d entries; dual: λ with w = Xᵀλ, N entries; certificate: its optimality.

    >>> answer = least_norm([[1.0, 2.0]], [5.0])
    >>> answer.dual.round(12), answer.certificate.worst < 1e-12
    (array([1.]), True)
    """

    w: Array
    dual: Array
    certificate: Certificate


def least_norm(x: ArrayLike, y: ArrayLike) -> LeastNorm:
    """min ½‖w‖₂² subject to Xw = y; the solution is X⁺y = Xᵀλ.

    x: N × d of rank N.
    y: N labels.

    Returns the minimizer with its multipliers.
    Raises CertificateError where no interpolator exists, or a residual exceeds 1e-10.

    >>> least_norm([[1.0, 2.0]], [5.0]).w.round(12)
    array([1., 2.])
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))
    rows, labels, lengths, size = scaled_equations(x, y)
    w = np.asarray(np.linalg.lstsq(rows, labels)[0], dtype=np.float64)
    force = np.asarray(np.linalg.lstsq(rows.T, w)[0], dtype=np.float64)
    w, dual = in_unit(w, size, "the interpolator"), in_unit(force, size - lengths, "the multipliers")
    certificate = certify_least_norm(x, y, w, dual)
    certificate.demand(TOLERANCE, "the interpolator of least norm")
    return LeastNorm(w, dual, certificate)


def certify_least_norm(x: Array, y: Array, w: Array, dual: Array) -> Certificate:
    """How far w and λ are from solving min ½‖w‖² subject to Xw = y: feasibility, w = Xᵀλ, gap.

    x: N × d.
    y: N labels.
    w: d entries.
    dual: λ, N entries.
    """
    x = array("x", x, 2, finite=False)
    n, d = x.shape
    y, dual = array("y", y, 1, (n,), finite=False), array("dual", dual, 1, (n,), finite=False)
    w = array("w", w, 1, (d,), finite=False)
    size = float(np.abs(w).max()) or 1.0
    shape, force = w / size, dual / size  # so that no square overflows
    pushed, value = force @ x, float(shape @ shape) / 2
    return Certificate(
        primal=missed_equations(x, y, w),
        dual=relative(np.linalg.norm(shape - pushed), np.linalg.norm(shape)),
        gap=relative(value - (float(y / size @ force) - float(pushed @ pushed) / 2), value),
    )
