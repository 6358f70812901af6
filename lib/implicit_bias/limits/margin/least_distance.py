"""The point of least norm of a polyhedron u_i·w ≥ c_i, and how it is moved where rounding leaves it outside."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import CertificateError, exponent, in_unit
from implicit_bias.limits.margin.active_set import active_support

# Below this distance of 0 from the hull of the points, each of length about 1, rounding cannot tell it from 0.
SEPARABLE = 1e-13
LARGEST = 1023  # exponent of a float64; shorter points are refused with their multipliers
NNLS_SWEEPS = 30
MISSED = 1e-12  # a point that rounding leaves so far short of 1 is one for which w is moved
ROUNDED = 1e-14  # below this share of the largest, a force is the rounding of 0


def directions(z: Array) -> tuple[Array, NDArray[np.int64]]:  # attack: none, inside solvers
    """The points z_i = 2^{e_i} u_i as u, N × d with entries up to ½ to 1 in size, and e, N whole numbers.

    z: N × d.
    """
    largest = np.maximum(z.max(axis=1), -z.min(axis=1))  # mutant(-): a unit; held by test_scales
    if not np.all(largest > 0):  # mutant(0): the guard of a point at 0; held by test_linear
        raise CertificateError("no direction separates the points: one of them is 0")
    lengths = exponent(largest[:, None], axis=1)
    units = np.ldexp(1.0, np.minimum(-lengths, LARGEST))  # a product with these is faster than ldexp of all entries
    return z * units[:, None], lengths


def bounds_on(lengths: NDArray[np.int64]) -> tuple[Array, int]:  # attack: none, inside solvers
    """What u_i·w must reach, the c_i ∝ 2^{−e_i}, 1 at the shortest of the points; there w is measured in 2^{−unit}.

    lengths: e, N whole numbers.
    """
    unit = int(lengths.min())
    return in_unit(np.ones(lengths.size), unit - lengths, "the lengths of the points"), unit


def demand_separable(u: Array) -> None:  # attack: none, inside solvers
    """CertificateError where 0 lies in the convex hull of the points u, as far as rounding can tell.

    u: N × d.
    """
    _, distance = _nearest(u, np.ones(len(u)))
    if not distance > SEPARABLE:
        raise CertificateError(
            f"no direction separates the points by more than rounding: 0 is within {distance:.1e} of their convex hull"
        )


def least_distance(u: Array, bounds: Array) -> tuple[NDArray[np.intp], Array, Array]:  # attack: none, inside solvers
    """Which of the constraints u_i·w ≥ c_i carry the least w, that w, and its multipliers.

    By ``active_support``, or where that does not tell by non-negative least squares.

    u: N × d.
    bounds: c, N positive numbers.
    """
    found = active_support(u, bounds)
    return by_least_squares(u, bounds) if found is None else (found.indices, found.w, found.force)


def by_least_squares(u: Array, bounds: Array) -> tuple[NDArray[np.intp], Array, Array]:  # attack: none, inside solvers
    """``least_distance`` by non-negative least squares.

    u: N × d.
    bounds: c, N positive numbers.
    """
    demand_separable(u)
    support = np.flatnonzero(_nearest(u, bounds)[0] > 0)
    along = u[support]
    w = np.asarray(np.linalg.lstsq(along, bounds[support])[0], dtype=np.float64)
    force = np.zeros(len(u))
    force[support] = np.linalg.lstsq(along.T, w)[0]
    force[force <= ROUNDED * force.max()] = 0.0
    return np.flatnonzero(force), w, force


def inwards(u: Array, bounds: Array, w: Array) -> Array:  # attack: none, inside solvers
    """The w moved to where u_i·w ≥ c_i holds for all i in spite of rounding, if rounding is what leaves one short.

    A step along the direction v with u_i·v ≥ 1, as long as the worst shortfall and the rounding of both.

    u: N × d.
    bounds: c, N positive numbers.
    w: d numbers.
    """
    short = bounds - u @ w
    if np.all(short <= MISSED * bounds):
        return w
    share = _nearest(u, np.ones(len(u)))[0]
    inside = share @ u  # v up to its length
    room = u @ inside
    if not np.all(room > 0):
        return w
    rounding = (u.shape[1] + 4) * np.finfo(np.float64).eps * (np.abs(u) @ np.abs(w))
    return np.asarray(w + float(np.max((short + rounding) / room)) * inside)


def _nearest(u: Array, bounds: Array) -> tuple[Array, float]:
    """argmin_{b≥0} ‖Eb − f‖ for E = [Uᵀ; cᵀ], f = (0, …, 0, 1), and the least value: 0 if nothing separates."""
    n, d = u.shape
    try:
        b, distance = nnls(np.vstack([u.T, bounds]), np.append(np.zeros(d), 1.0), maxiter=NNLS_SWEEPS * max(n, d))
    except RuntimeError as error:
        raise CertificateError(f"the non-negative least squares of the points were not solved: {error}") from error
    return b, float(distance)
