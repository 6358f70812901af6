"""The support vectors of points in few dimensions, by the dual active-set method of DAQP."""

from functools import lru_cache

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.limits.margin.support_newton import Support, hard_support

try:
    import daqp
except ModuleNotFoundError:  # the extra "fast" brings it; without it other methods find the same, and take longer
    daqp = None

FEW = 100  # dimensions: with more the method's updates take longer than Newton's method
FEASIBLE = 1e-12  # by so much a constraint may be missed; the points are about 1 long, the largest bound is 1
STEPS = 10_000
LONGEST = 100.0  # of w: the equations of its constraints are rounded by some ulp·‖w‖² of its length
FREE = 1e30  # what DAQP takes for no bound


def active_support(u: Array, bounds: Array) -> Support | None:  # attack: none, inside solvers
    """Which constraints of min ½‖w‖² subject to u_i·w ≥ c_i hold with equality, if that can be told.

    The method adds the constraint that is missed most, and drops what then pulls, from w = 0 on; the equations of the
    active ones are solved anew and judged as in ``clear_support``.

    u: n × d, of lengths about 1.
    bounds: c, n positive numbers.

    Returns None where DAQP is not installed or there are more than 100 dimensions, and where the points are degenerate,
    nearly so, or cannot be separated by a margin of some 1/100.
    Reference: Arnström, Bemporad & Axehill 2022.
    """
    d = u.shape[1]
    if daqp is None or d > FEW:
        return None
    most = np.full(len(u), FREE)
    _, _, end, told = daqp.solve(*_least_norm(d), u, most, bounds, primal_tol=FEASIBLE, iter_limit=STEPS)
    found = hard_support(u, None, bounds, told["lam"].nonzero()[0]) if end == 1 else None
    return found if found is not None and found.w @ found.w <= LONGEST**2 else None


@lru_cache
def _least_norm(d: int) -> tuple[Array, Array]:
    """½‖w‖² as DAQP takes it."""
    return np.eye(d), np.zeros(d)
