"""How far two sets of numbers are apart, and how large one is: the largest difference, the root mean square; and the
names of the norms of matrices.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, in_range, whole

MatrixNorm = Literal["frobenius", "entries", "spectral"]


@in_range
def largest_difference(values: ArrayLike, others: ArrayLike) -> float:
    """The largest distance of two numbers in the same place, max_i |v_i − u_i|.

    values: v, numbers of any shape.
    others: u, of the same shape, or of one that is broadcast to it.

    Returns the maximum.
    Raises ValueError for shapes that do not fit together and for what is not finite.

    >>> largest_difference([1.0, 2.0], [1.5, 2.25])
    0.5
    """
    v, u = array("values", values, None), array("others", others, None)
    try:
        return float(np.max(np.abs(v - u)))
    except ValueError:
        raise ValueError(f"others has shape {u.shape}; it must have that of values, {v.shape}") from None


@in_range
def root_mean_square(values: ArrayLike, axis: int | None = None) -> Array:
    """The root of the mean square, √((1/k) Σ_i v_i²).

    values: v, numbers of any shape.
    axis: the one over which the mean is taken; None: all of them.

    Returns the root, of the shape that is left; one number of all of them.
    Raises ValueError for what is not finite and an axis that is not there.

    >>> float(root_mean_square([3.0, 4.0, 0.0, 0.0]))
    2.5
    """
    v = array("values", values, None)
    if axis is not None:
        axis = whole("axis", axis, least=-v.ndim, most=v.ndim - 1)
    return np.sqrt(np.mean(np.square(v), axis=axis))  # type: ignore[no-any-return]
