"""The support vectors of many points in many dimensions, by Newton's method on soft margins that harden."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs

from implicit_bias.checks import Array

STEPS = 40  # of Newton's method for one penalty
# A set of support vectors counts as found where no multiplier, slack or margin is as small as this share of the
# largest, and no pivot of their Gram matrix as its square: elsewhere it may not be the only one.
CLEAR = 1e-6
REFINED = 4
ROUNDING = 1e-15
HARDER = 100.0


@dataclass(frozen=True)
class Support:
    """The solution of min ½‖w‖² subject to u_i·w ≥ c_i where it is beyond doubt.

    indices: of the constraints that hold with equality, k of them, increasing.
    w: d entries.
    force: the multipliers, w = Σ force_i u_i, n entries ≥ 0.
    """

    indices: NDArray[np.intp]
    w: Array
    force: Array


def clear_support(u: Array, bounds: Array) -> Support | None:  # attack: none, inside solvers
    """Which constraints of min ½‖w‖² subject to u_i·w ≥ c_i hold with equality, if that can be told.

    min_w ½‖w‖² + ½C Σ_i (c_i − u_i·w)₊²,  C = 10², 10⁴, …

    Newton's method with an exact line search finds the active points of each; for those of a large C the equations
    u_i·w = c_i are solved, and judged: multipliers, slack and margin must be positive by far.

    u: n × d, of lengths about 1.
    bounds: c, n positive numbers.

    Returns None where the points are degenerate, nearly so, or cannot be separated.
    Reference: Keerthi & DeCoste 2005, Section 3.
    """
    n, d = u.shape
    gram = u @ u.T if n <= d else None
    size = float(np.einsum("ij,ij->", u, u)) / n
    # w is kept as itself, or where n ≤ d as β with w = Σ β_i u_i; then a product with w is one with the outputs.
    place, outputs, active = np.zeros(min(n, d)), np.zeros(n), np.ones(n, dtype=bool)
    for penalty in (1e4 if n <= d else 1e2) * HARDER ** np.arange(5) / size:
        for _ in range(STEPS):
            if not active.any():
                return None
            try:
                target = _soft(u, gram, bounds, active, penalty)
            except LinAlgError:
                return None
            reached = (u if gram is None else gram) @ target
            if np.array_equal(active, reached < bounds):
                place, outputs = target, reached
                break
            step, change = target - place, reached - outputs
            across, along = (place, step) if gram is None else (outputs, change)
            length = _longest(float(step @ across), float(step @ along), penalty, bounds - outputs, change)
            place, outputs = place + length * step, outputs + length * change
            active = outputs < bounds
        found = hard_support(u, gram, bounds, np.flatnonzero(active))
        if found is not None:
            return found
    return None


def _soft(u: Array, gram: Array | None, bounds: Array, active: NDArray[np.bool_], penalty: float) -> Array:
    """argmin ½‖w‖² + ½C Σ (c_i − u_i·w)² over the active points, as w or as β."""
    on = np.flatnonzero(active)
    if gram is not None:
        beta = np.zeros(len(gram))
        beta[on] = _solver(_between(gram, on), 1 / penalty)(bounds[on])
        return beta
    rows = u[on]
    if on.size <= u.shape[1]:
        return np.asarray(_solver(rows @ rows.T, 1 / penalty)(bounds[on]) @ rows)
    return _solver(rows.T @ rows, 1 / penalty)(bounds[on] @ rows)


def _between(gram: Array, on: NDArray[np.intp]) -> Array:
    """Some rows of a matrix and the same columns."""
    return np.asarray(gram.take(on, axis=0).take(on, axis=1))


def _solver(matrix: Array, ridge: float) -> Callable[[Array], Array]:
    """What solves the equations of a symmetric matrix, which is overwritten, plus a ridge; LinAlgError if it cannot."""
    matrix.flat[:: len(matrix) + 1] += ridge
    # For some dozen points the checks of SciPy's cho_factor take as long as its work. The transpose is not copied.
    factor, failed = dpotrf(matrix.T, lower=1, overwrite_a=1, clean=0)
    pivots = np.diag(factor)
    if failed or not pivots.min() > CLEAR * pivots.max():
        raise LinAlgError("nearly dependent points")
    return lambda right: np.asarray(dpotrs(factor, right, lower=1)[0])


def _longest(slope: float, bend: float, penalty: float, short: Array, change: Array) -> float:
    """argmin over t of t·slope + ½t²·bend + ½C Σ (short_i − t change_i)₊², whose derivative is piecewise linear."""

    def rise(t: float) -> float:
        return float(slope + t * bend - penalty * (np.maximum(short - t * change, 0) @ change))

    with np.errstate(divide="ignore", invalid="ignore"):
        kinks = short / change
    kinks = np.unique(kinks[(kinks > 0) & (kinks < np.inf)])
    low, high = 0, kinks.size
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if rise(kinks[middle]) > 0 else (middle + 1, high)
    begin = float(kinks[low - 1]) if low else 0.0
    end = float(kinks[low]) if low < kinks.size else begin + 1.0
    first, last = rise(begin), rise(end)
    return begin - first * (end - begin) / (last - first) if last > first else begin


def hard_support(  # attack: none, inside solvers
    u: Array, gram: Array | None, bounds: Array, on: NDArray[np.intp]
) -> Support | None:
    """The solution of min ½‖w‖² subject to u_i·w ≥ c_i with equality at these points, if it is clearly optimal.

    u: n × d, of lengths about 1.
    gram: the inner products of the points, n × n, where there are.
    bounds: c, n positive numbers.
    on: of the points, k indices, increasing.
    """
    if not 0 < on.size <= u.shape[1]:
        return None
    along, reached = u[on], bounds[on]
    try:
        solve = _solver(along @ along.T if gram is None else _between(gram, on), 0.0)
    except LinAlgError:
        return None
    pulls, missed = np.zeros(on.size), reached
    for _ in range(REFINED):  # free of what the squared condition of the Gram matrix leaves
        pulls += solve(missed)
        w = pulls @ along
        missed = reached - along @ w
        if np.abs(missed).max() <= ROUNDING * np.abs(w).max():
            break
    if not pulls.min() > CLEAR * pulls.max():
        return None
    outputs, size = u @ w, float(np.linalg.norm(w))
    free = outputs - bounds
    free[on] = np.inf
    if not (free.min() > CLEAR * size and outputs.min() > CLEAR * size):
        return None
    force = np.zeros(len(u))
    force[on] = pulls
    return Support(on, w, force)
