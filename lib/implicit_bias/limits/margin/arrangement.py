"""The largest value of a sum of ReLUs over the unit sphere of R³, and a proved bound of it."""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, memory
from implicit_bias.limits.certificate import exponent, in_unit
from implicit_bias.limits.margin.sweep import ROUNDING, local_extremes

BYTES = 4000  # of memory, over the square of the number of points
AT_ONCE = 2**20  # numbers, 8 MB: values of all points in some of the directions


def responses(directions: ArrayLike, x: ArrayLike, charges: ArrayLike) -> Array:
    """g(u) = Σ_i q_i (u·x_i)₊ at some directions.

    directions: u, k × d.
    x: n × d.
    charges: q, n numbers.

    Returns k numbers.
    """
    x = array("x", x, 2)
    directions = array("directions", directions, 2, (None, x.shape[1]))
    charges = array("charges", charges, 1, x.shape[:1])
    # mutant anywhere(len(directions) * len(x)): how many are computed at a time
    parts = np.array_split(directions, 1 + len(directions) * len(x) // AT_ONCE)
    return np.concatenate([np.maximum(some @ x.T, 0) @ charges for some in parts])


def largest_responses(x: ArrayLike, charges: ArrayLike) -> tuple[Array, Array]:
    """The places where |g|, g(u) = Σ_i q_i (u·x_i)₊, can be largest on the unit sphere of R³, the largest first.

    The great circles u ⊥ x_i cut the sphere into cells. On the cell where the terms A are active g(u) = v_A·u with
    v_A = Σ_{i∈A} q_i x_i, so that over a cell |g| is largest at ±v_A/‖v_A‖, at the same of the projection of v_A on one
    of its circles, or at a vertex. All of them are found in whole numbers, by a walk around each circle, also where the
    circles nearly coincide.

    x: n × 3, no row 0.
    charges: q, n numbers.

    Returns the places, k × 3 of unit norm, and g there, k numbers right to 4e-15, in the order of falling |g|.
    Raises ValueError for another dimension, where cells cannot be listed so; CertificateError where a float64 cannot
    hold the largest response.

    >>> places, values = largest_responses(np.eye(3), [1.0, 1.0, 1.0])
    >>> round(float(values[0]), 6), places[0].round(3)
    (1.732051, array([0.577, 0.577, 0.577]))
    """
    candidates, sizes, unit = _extremes(x, charges)
    order = np.argsort(-np.abs(sizes), kind="stable")
    # mutant anywhere(0): the largest response is listed more than once
    in_unit(sizes[order[0]], unit, "the largest response")
    with np.errstate(under="ignore"):  # the smaller ones may vanish
        return candidates[order], np.ldexp(sizes[order], unit)


def response_bound(x: ArrayLike, charges: ArrayLike) -> Fraction:  # attack: none, inside solvers
    """A number that |Σ_i q_i (u·x_i)₊| exceeds nowhere on the unit sphere of R³, proved, 1e-14 above the largest.

    x: n × 3, no row 0.
    charges: q, n numbers.

    Returns the bound; it is wider only where a place lies outside its cell by less than rounding.
    Raises as ``largest_responses``.
    """
    _, sizes, unit = _extremes(x, charges)
    return Fraction(float(np.abs(sizes).max()) * (1 + ROUNDING)) * Fraction(2) ** unit


def _extremes(x: ArrayLike, charges: ArrayLike) -> tuple[Array, Array, int]:
    x = array("x", x, 2)
    if x.shape[1] != 3:
        raise ValueError(
            f"x has shape {x.shape}; it must be any × 3, for the cells are listed on the sphere of R^3 alone"
        )
    q = array("charges", charges, 1, x.shape[:1])
    ray = unit_rows("x", x)
    charged = q != 0
    if not np.any(charged):
        return ray[:1], np.zeros(1), 0
    memory("the number of rows of x", len(x), BYTES * int(charged.sum()) ** 2)
    return local_extremes(x[charged], q[charged])


def unit_rows(name: str, x: Array) -> Array:  # attack: none, inside solvers
    """The rows of a matrix over their lengths, however long or short they are.

    name: of the argument, for the message.
    x: n × d.

    Returns n × d.
    Raises ValueError for a row of zeros.
    """
    if not np.all(np.any(x, axis=1)):
        raise ValueError(f"{name} holds a row of zeros; every row must have a direction")
    power = exponent(x, axis=1)
    near = np.ldexp(x, -power[:, None])
    return np.asarray(near / np.linalg.norm(near, axis=1)[:, None])
