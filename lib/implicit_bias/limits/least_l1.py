"""The interpolator of least ℓ1 norm (basis pursuit)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, CertificateError

TOLERANCE = 1e-9
ROUGH = 1e-6  # what a linear program's answer must reach before its vertex is solved anew
ZERO = 1e-9  # below this share of the largest coordinate, one is outside the support
TINY = 1e-300


@dataclass(frozen=True)
class LeastL1:
    """A minimizer and its dual certificate.

    w: a minimizer, d entries.
    dual: λ, N entries, ‖Xᵀλ‖∞ ≤ 1 and yᵀλ = ‖w‖₁.
    certificate: its optimality.
    """

    w: Array
    dual: Array
    certificate: Certificate


def least_l1(x: ArrayLike, y: ArrayLike) -> LeastL1:
    """min ‖w‖₁ subject to Xw = y, as a linear program in the positive and negative parts of w.

    x: N × d.
    y: N labels.

    Returns the minimizer with its dual certificate.
    Raises CertificateError where no interpolator exists or the program is not solved to tolerance.
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))
    d = x.shape[1]
    answer = linprog(np.ones(2 * d), A_eq=np.hstack([x, -x]), b_eq=y, bounds=(0, None), method="highs-ds")
    if answer.status != 0:
        raise CertificateError(f"the interpolator of least l1 norm was not found: {answer.message}")
    w, dual = np.asarray(answer.x[:d] - answer.x[d:]), np.asarray(answer.eqlin.marginals)
    _certificate(x, y, w, dual).demand(ROUGH, "the interpolator of least l1 norm")
    support = np.abs(w) > ZERO * np.abs(w).max()
    if support.sum() == y.size:  # a vertex: its equations, solved anew, are free of the program's rounding
        dual = np.linalg.solve(x[:, support].T, np.sign(w[support]))
        w[~support], w[support] = 0.0, np.linalg.solve(x[:, support], y)
    certificate = _certificate(x, y, w, dual)
    certificate.demand(TOLERANCE, "the interpolator of least l1 norm")
    return LeastL1(w, dual, certificate)


def _certificate(x: Array, y: Array, w: Array, dual: Array) -> Certificate:
    """Xw = y, ‖Xᵀλ‖∞ ≤ 1 and ‖w‖₁ = yᵀλ, by how much each is missed."""
    size = float(np.abs(w).sum())
    return Certificate(
        primal=float(np.linalg.norm(x @ w - y)) / max(float(np.linalg.norm(y)), TINY),
        dual=max(0.0, float(np.abs(dual @ x).max()) - 1),
        gap=(size - float(y @ dual)) / max(size, TINY),
    )
