"""What several solvers of the limits share: a Newton direction, its line search, and the settings of Clarabel."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, blas, cho_factor, cho_solve, lapack

from implicit_bias.checks import Array
from implicit_bias.late import extra
from implicit_bias.limits.certificate import CertificateError

KERNELS: dict[type, Any] = {
    np.float32: (blas.ssyrk, lapack.spotrf, lapack.spotrs),
    np.float64: (blas.dsyrk, lapack.dpotrf, lapack.dpotrs),
}
TINY = 1e-300  # stands for 0 in a denominator
ARMIJO = 1e-4
SHRINK = 0.5
CLARABEL = {"tol_gap_abs": 1e-13, "tol_gap_rel": 1e-13, "max_iter": 500}
# Clarabel gives up where a residual above this, or a hundred times this, has grown a hundredfold in one step. It may be
# rounding alone, while the gap is still wide: where it gives up, the next one is tried.
FEASIBLE = (1e-13, 1e-11, 1e-9)


def gram_inverse(rows: NDArray[Any]) -> Callable[[NDArray[Any]], NDArray[Any]]:  # attack: none, inside solvers
    """The inverse of ZZᵀ as a function b ↦ (ZZᵀ)⁻¹b, by a symmetric product and Cholesky's factors, in Z's precision.

    rows: Z, N × d, of float32 or float64; b has its type.

    Raises LinAlgError where there are no such factors: dependent rows, numbers out of range.
    """
    product, factorize, solve = KERNELS[rows.dtype.type]
    factor, failed = factorize(product(1.0, rows.T, trans=1, lower=1), lower=1, overwrite_a=1, clean=0)
    if failed or not np.all(np.isfinite(factor.diagonal())):
        raise LinAlgError("its Hessian has no Cholesky factors")
    return lambda given: np.asarray(solve(factor, given, lower=1)[0])


def newton_direction(hessian: Array, descent: Array, what: str) -> Array:  # attack: none, inside solvers
    """Newton's direction H⁻¹(−∇f), by Cholesky's factors.

    hessian: H, positive definite, p × p.
    descent: −∇f, p entries.
    what: what is sought, in words.

    Returns p entries.
    Raises CertificateError where H has no such factors: dependent rows, numbers beyond the range of a float64.
    """
    try:
        return np.asarray(cho_solve(cho_factor(hessian), descent))
    except (LinAlgError, ValueError) as error:
        raise CertificateError(f"{what} was not found: {error}") from error


def armijo_step(  # attack: none, inside solvers
    f: Callable[[Array], float], point: Array, direction: Array, slope: float, trials: int, *, rounding: float = 0.0
) -> float:
    """The longest of the steps s = 1, ½, ¼, … that lowers f enough.

    f(point + s direction) ≤ f(point) − 10⁻⁴ s slope + rounding |f(point)|

    f: to be lowered.
    point, direction: p entries each.
    slope: by how much f falls along the direction per unit of s, at first: −⟨∇f, direction⟩.
    trials: how many steps are tried.
    rounding: the relative rounding of f that is forgiven.

    Returns s; 0 if none of them does.
    """
    here = f(point)
    # mutant: without a step the certificate decides; held by test_solvers
    forgiven = rounding * abs(here) if rounding else 0.0  # 0 also where f(point) is infinite
    for step in (SHRINK**tried for tried in range(trials)):
        if f(point + step * direction) <= here - ARMIJO * step * slope + forgiven:
            return step
    return 0.0  # mutant: without a step the certificate decides; held by test_solvers


def clarabel(program: Any) -> None:  # attack: none, inside solvers
    """Solve a program of cvxpy by Clarabel at tolerances of 1e-13; its variables then hold the answer.

    Clarabel's default tolerances leave answers wrong by 1e-3 to 1e-6. At 1e-13 it often ends with the status "almost
    solved", of which cvxpy warns: whoever asks judges the answer. Where it gives up, larger residuals are allowed, but
    no wider gap.

    program: a cvxpy Problem.

    Raises CertificateError if Clarabel finds no optimum.
    """
    with extra():
        import cvxpy  # a second to import, for the few programs that need it

    cp: Any = cvxpy  # its functions carry no types
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for feasible in FEASIBLE:
            try:
                first = feasible == FEASIBLE[0]  # what failed is no start for the next
                program.solve(solver=cp.CLARABEL, warm_start=first, tol_feas=feasible, **CLARABEL)
                break
            except cp.SolverError as error:
                if feasible == FEASIBLE[-1]:
                    raise CertificateError(f"Clarabel failed ({' '.join(str(error).split())})") from error
    if program.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise CertificateError(f"Clarabel says {program.status}")
