"""The interpolator of least ℓ1 norm (basis pursuit)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, CertificateError, in_unit, missed_equations, relative
from implicit_bias.limits.interpolation.equations import scaled_equations

TOLERANCE = 1e-10
ZERO = 1e-9  # below this share of the largest coordinate, one is outside the support


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
    Raises CertificateError where no interpolator exists or the program is not solved to 1e-10.
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))
    rows, labels, lengths, size = scaled_equations(x, y)
    d = x.shape[1]
    answer = linprog(np.ones(2 * d), A_eq=np.hstack([rows, -rows]), b_eq=labels, bounds=(0, None), method="highs-ds")
    if answer.status != 0:
        raise CertificateError(f"the interpolator of least l1 norm was not found: {answer.message}")
    w, force = np.asarray(answer.x[:d] - answer.x[d:]), np.asarray(answer.eqlin.marginals)
    support = np.abs(w) > ZERO * np.abs(w).max()
    if support.sum() == y.size:  # a vertex: its equations, solved anew, are free of the program's tolerances
        force = np.linalg.solve(rows[:, support].T, np.sign(w[support]))
        w[~support], w[support] = 0.0, np.linalg.solve(rows[:, support], labels)
    w, dual = in_unit(w, size, "the interpolator"), in_unit(force, -lengths, "the multipliers")
    certificate = certify_least_l1(x, y, w, dual)
    certificate.demand(TOLERANCE, "the interpolator of least l1 norm")
    return LeastL1(w, dual, certificate)


def certify_least_l1(x: Array, y: Array, w: Array, dual: Array) -> Certificate:
    """How far w and λ are from solving min ‖w‖₁ subject to Xw = y: feasibility, ‖Xᵀλ‖∞ ≤ 1, gap.

    x: N × d.
    y: N labels.
    w: d entries.
    dual: λ, N entries.
    """
    x = array("x", x, 2, finite=False)
    n, d = x.shape
    y, dual = array("y", y, 1, (n,), finite=False), array("dual", dual, 1, (n,), finite=False)
    w = array("w", w, 1, (d,), finite=False)
    size = float(np.abs(w).sum())
    return Certificate(
        primal=missed_equations(x, y, w),
        dual=max(0.0, float(np.abs(dual @ x).max()) - 1),
        gap=relative(size - float(y @ dual), size),
    )
