"""The hyperbolic-entropy interpolator a second time, as an exponential-cone program: it shares no step with Newton."""

import warnings
from typing import Any

import cvxpy
import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.limits.certificate import Certificate, CertificateError

cp: Any = cvxpy  # its functions carry no types
CLARABEL = {"tol_gap_abs": 1e-13, "tol_gap_rel": 1e-13, "tol_feas": 1e-13, "max_iter": 500}
CERTIFIED = 1e-5
# Clarabel's last digits depend on the scaling; one unit after the other is tried until the answer is good.
UNITS = (1.0, 0.3, 3.0, 0.1, 10.0)
GOOD = 1e-9


def hypentropy_conic(x: ArrayLike, y: ArrayLike, a: ArrayLike, b: ArrayLike) -> Array:
    """min Σ_j KL(p_j‖A_j) + KL(m_j‖B_j) subject to X(p − m) = y, p, m ≥ 0; its w = p − m minimizes Q_k.

    KL(p‖A) = p ln(p/A) − p + A;  A − B = w(0), 16AB = k;  the least sum with p − m = w is 2Q_k(w) + const.
    Clarabel's default tolerances leave w wrong by 1e-3 to 1e-6 here; they are set to 1e-13, in units near max |w|.

    x: N × d.
    y: N labels.
    a, b: A and B, d positive numbers each: 4A = (u₊+v₊)² + (u₋−v₋)², 4B = (u₊−v₊)² + (u₋+v₋)² at the start.

    Returns w, d entries.
    Raises CertificateError if Clarabel finds no optimum, or one that is not feasible and stationary to 1e-5.
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))
    a = array("a", a, 1, (x.shape[1],))
    b = array("b", b, 1, a.shape)
    if min(a.min(), b.min()) <= 0:
        raise ValueError(f"a and b hold {min(a.min(), b.min()):g}; every entry must be positive")
    size = float(np.abs(np.linalg.lstsq(x, y)[0]).max())
    answers: list[tuple[Array, Certificate]] = []
    for unit in UNITS:
        answers.append(_solve(x, y, a, b, unit * size))
        if answers[-1][1].worst <= GOOD:
            break
    w, certificate = min(answers, key=lambda answer: answer[1].worst)
    certificate.demand(CERTIFIED, "Clarabel's answer to the cone program")
    return w


def _solve(x: Array, y: Array, a: Array, b: Array, unit: float) -> tuple[Array, Certificate]:
    """Clarabel's answer w when everything is measured in a unit, and how good it is."""
    plus, minus = cp.Variable(a.size, nonneg=True), cp.Variable(a.size, nonneg=True)
    entropy = cp.sum(cp.kl_div(plus, a / unit)) + cp.sum(cp.kl_div(minus, b / unit))
    program = cp.Problem(cp.Minimize(entropy), [x @ (plus - minus) == y / unit])
    with warnings.catch_warnings():
        # At 1e-13 Clarabel often ends with status "almost solved", of which cvxpy warns; the answer is judged below.
        warnings.simplefilter("ignore", UserWarning)
        program.solve(solver=cp.CLARABEL, **CLARABEL)
    if program.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise CertificateError(f"the cone program was not solved: Clarabel says {program.status}")
    p, m = unit * np.asarray(plus.value), unit * np.asarray(minus.value)
    w = p - m
    # Stationarity, ln(p/A) = −ln(m/B) = 2Xᵀλ, read off the larger of p and m: the smaller is mostly rounding.
    floor = np.finfo(float).tiny
    nu = np.where(p > m, np.log(np.maximum(p, floor) / a), -np.log(np.maximum(m, floor) / b)) / 2
    return w, Certificate(
        primal=float(np.linalg.norm(x @ w - y) / np.linalg.norm(y)),
        dual=float(np.linalg.norm(nu - np.linalg.lstsq(x.T, nu)[0] @ x) / np.linalg.norm(nu)),
        gap=0.0,  # of this form the gap adds nothing: the program is strictly convex and its constraints are affine
    )
