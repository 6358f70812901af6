"""The hyperbolic-entropy interpolator a second time, as an exponential-cone program: it shares no step with Newton."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range, number
from implicit_bias.late import extra
from implicit_bias.limits.certificate import UNKNOWN, WIDTH, Certificate, CertificateError, Enclosure, relative
from implicit_bias.limits.interpolation.enclosed_entropy import enclose_entropy
from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.solvers import clarabel

CERTIFIED = 1e-5
# Clarabel's last digits depend on the scaling; one unit after the other is tried until the answer is good.
UNITS = (1.0, 0.3, 3.0, 0.1, 10.0)
GOOD = 1e-9


def cone_program(x: ArrayLike, y: ArrayLike, a: ArrayLike, b: ArrayLike, *, tol: float = WIDTH) -> Array:
    """min Σ_j KL(p_j‖A_j) + KL(m_j‖B_j) subject to X(p − m) = y, p, m ≥ 0; its w = p − m minimizes Q_k.

    KL(p‖A) = p ln(p/A) − p + A;  A − B = w(0), 16AB = k;  the least sum with p − m = w is 2Q_k(w) + const.
    Clarabel solves it in units near max |w|.

    x: N × d.
    y: N labels.
    a, b: A and B, d positive numbers each: 4A = (u₊+v₊)² + (u₋−v₋)², 4B = (u₊−v₊)² + (u₋+v₋)² at the start.
    tol: the allowed relative width of the enclosure of the least sum.

    Returns w, d entries.
    Raises CertificateError if Clarabel finds no optimum in any unit, or, with the best w, none that is certified to
    1e-5 and whose sum is enclosed to tol.

    >>> w = cone_program([[1.0, 2.0]], [2.0], [0.25, 0.25], [0.25, 0.25])
    >>> w.round(3)
    array([0.342, 0.829])
    """
    x = array("x", x, 2)
    y = array("y", y, 1, (x.shape[0],))
    a = array("a", a, 1, (x.shape[1],))
    b = array("b", b, 1, a.shape)
    tol = number("tol", tol, above=0)
    if min(a.min(), b.min()) <= 0:
        raise ValueError(f"a and b hold {min(a.min(), b.min()):g}; every entry must be positive")
    size = float(np.abs(np.linalg.lstsq(x, y)[0]).max()) or float(max(a.max(), b.max()))
    found: list[tuple[Array, Certificate]] = []
    failures: list[str] = []
    for unit in UNITS:
        try:
            p, m = _solve(x, y, a, b, unit * size)  # mutant(*; size): the unit in which a program is solved
        except CertificateError as error:
            failures.append(str(error))
            continue
        found.append((p - m, certify_cone(x, y, a, b, p, m)))
        if found[-1][1].worst <= GOOD:
            break
    if not found:
        raise CertificateError(f"the cone program was not solved in any of {len(UNITS)} units: {failures[-1]}")
    w, certificate = min(found, key=lambda answer: answer[1].worst)
    certificate.demand(CERTIFIED, "Clarabel's answer to the cone program", tol=tol, answer=w)
    return w


def _solve(x: Array, y: Array, a: Array, b: Array, unit: float) -> tuple[Array, Array]:
    """Clarabel's answer p and m when everything is measured in a unit."""
    with extra():
        import cvxpy  # a second to import, for the one program that needs it

    cp: Any = cvxpy  # its functions carry no types
    plus, minus = cp.Variable(a.size, nonneg=True), cp.Variable(a.size, nonneg=True)
    entropy = cp.sum(cp.kl_div(plus, a / unit)) + cp.sum(cp.kl_div(minus, b / unit))
    program = cp.Problem(cp.Minimize(entropy), [x @ (plus - minus) == y / unit])
    clarabel(program)
    return unit * np.asarray(plus.value), unit * np.asarray(minus.value)


@in_range
def certify_cone(x: Array, y: Array, a: Array, b: Array, p: Array, m: Array) -> Certificate:
    """How far p and m are from solving the program: X(p − m) = y, stationarity in the row space of X, gap.

    The enclosure is of the least sum, proved by any w = p − m and any λ.

    Stationarity is ln(p/A) = −ln(m/B) = Xᵀλ, and the dual value yᵀλ − Σ A(e^{Xᵀλ} − 1) − Σ B(e^{−Xᵀλ} − 1).

    x: N × d.
    y: N labels.
    a, b: A and B, d positive numbers each.
    p, m: d numbers each.
    """
    x = array("x", x, 2)
    n, d = x.shape
    y = array("y", y, 1, (n,), finite=False)
    a, b = array("a", a, 1, (d,), finite=False), array("b", b, 1, (d,), finite=False)
    p, m = array("p", p, 1, (d,), finite=False), array("m", m, 1, (d,), finite=False)
    w = p - m
    # Read off the larger of p and m: the smaller is mostly rounding.
    floor = np.finfo(float).tiny
    nu = np.where(p > m, np.log(np.maximum(p, floor) / a), -np.log(np.maximum(m, floor) / b))
    dual = np.linalg.lstsq(x.T, nu)[0]
    pushed = dual @ x
    # Of the p and m with this w the best: 2√(AB) = √(4pm), so that p = A e^s and m = B e^{−s} for one s.
    s = np.arcsinh(w / (2 * np.sqrt(a * b))) - np.arcsinh((a - b) / (2 * np.sqrt(a * b)))
    entropy = w * s - a * np.expm1(s) - b * np.expm1(-s)
    bought = w * pushed - a * np.expm1(pushed) - b * np.expm1(-pushed)
    missed = x @ w - y
    return Certificate(
        primal=relative(np.linalg.norm(missed), np.linalg.norm(y)),
        dual=relative(np.linalg.norm(nu - pushed), np.linalg.norm(nu)),
        gap=relative(float(np.sum(entropy - bought)) + float(missed @ dual), float(np.sum(entropy))),
        enclosure=_enclosure(x, y, a, b, w, np.asarray(dual, dtype=np.float64)),
    )


@np.errstate(all="ignore")  # what overflows is not proved
def _enclosure(x: Array, y: Array, a: Array, b: Array, w: Array, dual: Array) -> Enclosure:
    """Between what the least sum lies: twice that of Q_k, whose multipliers are half as large."""
    if not (np.all(np.isfinite(a)) and np.all(np.isfinite(b))):
        return UNKNOWN
    quarter = Ranges.of(a).root() * Ranges.of(b).root()
    # mutant: the enclosure; held by test_cone_program
    start = (Ranges.of(a) - Ranges.of(b)).over(quarter + quarter).arsinh()
    # mutant: the enclosure; held by test_cone_program
    found = enclose_entropy(quarter * Ranges.of(np.full_like(a, 4.0)), start, w, dual / 2, x, y)
    # mutant: the enclosure; held by test_cone_program
    return Enclosure(2 * found.low, 2 * found.high)
