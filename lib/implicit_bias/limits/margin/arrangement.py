"""The largest value of a sum of ReLUs over the unit sphere of R³, exactly: one candidate for each cell and edge."""

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, memory
from implicit_bias.limits.certificate import exponent, in_unit

BYTES = 120  # of memory, over the cube of the number of points
AT_ONCE = 2**20  # numbers, 8 MB: values of all points in some of the directions
SAME = 1e-14  # below this length two great circles are taken for one; what that moves the sum by is rounding


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
    parts = np.array_split(directions, 1 + len(directions) * len(x) // AT_ONCE)
    return np.concatenate([np.maximum(some @ x.T, 0) @ charges for some in parts])


def largest_responses(x: ArrayLike, charges: ArrayLike) -> tuple[Array, Array]:
    """The places where |g|, g(u) = Σ_i q_i (u·x_i)₊, can be largest on the unit sphere of R³, the largest first.

    The great circles u ⊥ x_i cut the sphere into cells. On the cell where the terms A are active g(u) = v_A·u with
    v_A = Σ_{i∈A} q_i x_i, so that over a cell |g| is largest at ±v_A/‖v_A‖, at the same of the projection of v_A on one
    of its circles, or at a vertex. Each cell has an arc of a circle on its edge: all arcs are listed, with the cells on
    both sides. Candidates outside their cell do no harm, for g is evaluated anew at each.

    x: n × 3, no row 0, not all in one line.
    charges: q, n numbers.

    Returns the candidates, k × 3 of unit norm, and g there, k numbers, in the order of falling |g|.
    Raises ValueError for another dimension, where cells cannot be listed so, and for points of one line
    alone; CertificateError where a float64 cannot hold the largest response.

    >>> places, values = largest_responses(np.eye(3), [1.0, 1.0, 1.0])
    >>> round(float(values[0]), 6), places[0].round(3)
    (1.732051, array([0.577, 0.577, 0.577]))
    """
    x = array("x", x, 2)
    if x.shape[1] != 3:
        raise ValueError(
            f"x has shape {x.shape}; it must be any × 3, for the cells are listed on the sphere of R^3 alone"
        )
    q = array("charges", charges, 1, x.shape[:1])
    memory("the number of rows of x", len(x), BYTES * len(x) ** 3)
    normal = unit_rows("x", x)
    unit_x, unit_q = int(exponent(x)), int(exponent(q))
    x, q = np.ldexp(x, -unit_x), np.ldexp(q, -unit_q)
    first, second = _frames(normal)
    along = np.stack([first @ normal.T, second @ normal.T])  # of circle i: the coordinates of every x_j, 2 × n × n
    same = np.hypot(*along) <= SAME
    if np.all(same):
        raise ValueError("x holds points of one line alone; at least two must differ in direction")
    # Circle i meets circle j at the two angles where x_j·(first cos + second sin) = 0.
    # mutant(+; 2 → 1): each cell is listed several times
    meets = np.where(same, np.nan, np.arctan2(along[1], along[0]) + np.pi / 2) % (2 * np.pi)
    # mutant(2 → 3): each cell is listed several times
    meets = np.sort(np.concatenate([meets, (meets + np.pi) % (2 * np.pi)], axis=1), axis=1)  # nan comes last
    meets = np.where(np.isnan(meets), meets[:, :1] + 2 * np.pi, meets)  # once round; each circle is its own nan
    middle = (meets[:, 1:] + meets[:, :-1]) / 2
    vertex, at = (_points(angles, first, second) for angles in (meets, middle))
    inside = (at @ normal.T > 0) & ~same[:, None]
    # What lies on circle i itself is active on the side to which it points.
    facing = normal @ normal.T > 0  # mutant(>): each cell is listed several times
    sum_ = inside @ (q[:, None] * x)
    sides = [sum_ + ((same & side) @ (q[:, None] * x))[:, None] for side in (facing, ~facing)]
    edge = sum_ - np.einsum("ikd,id->ik", sum_, normal)[..., None] * normal[:, None]
    inner = np.concatenate([part.reshape(-1, 3) for part in (*sides, edge)])
    size = np.linalg.norm(inner, axis=1)
    inner = inner[size > 0] / size[size > 0, None]
    candidates = np.concatenate([inner, -inner, vertex.reshape(-1, 3)])
    values = responses(candidates, x, q)
    order = np.argsort(-np.abs(values), kind="stable")
    in_unit(values[order[0]], unit_x + unit_q, "the largest response")
    with np.errstate(under="ignore"):  # the smaller ones may vanish
        return candidates[order], np.ldexp(values[order], unit_x + unit_q)


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


def _frames(normal: Array) -> tuple[Array, Array]:
    """Two unit vectors that span the plane across each of n unit vectors, n × 3 each."""
    axis = np.eye(3)[np.argmin(np.abs(normal), axis=1)]
    first = np.cross(normal, axis)  # mutant: another frame of the same plane
    first /= np.linalg.norm(first, axis=1)[:, None]
    return first, np.cross(normal, first)  # mutant: another frame of the same plane


def _points(angles: Array, first: Array, second: Array) -> Array:
    """The points of n circles at angles, n × k × 3."""
    return np.cos(angles)[..., None] * first[:, None] + np.sin(angles)[..., None] * second[:, None]
