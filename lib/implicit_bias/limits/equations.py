"""Linear equations Xw = y in units of their own, row by row, so that no scale of the data enters a solver."""

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array
from implicit_bias.limits.certificate import exponent, in_unit


def scaled_equations(x: Array, y: Array) -> tuple[Array, Array, NDArray[np.int64], int]:  # attack: none, inside solvers
    """The equations Xw = y with rows of length about 1 and a solution of length about 1.

    x_i = 2^{e_i} u_i,  y_i = 2^{e_i + s} b_i,  u_i·(2^{−s} w) = b_i

    x: N × d.
    y: N labels.

    Returns u, N × d, b, N numbers of size at most 1, e, N whole numbers, and s. An x_i = 0 stays as it is.
    Raises CertificateError where a float64 cannot hold one of them.
    """
    lengths = exponent(x, axis=1)
    rows, labels = rescaled(x, -lengths), np.frexp(y)  # mutant: the unit of a row, which may be any power of two
    powers = labels[1] - lengths
    # mutant: the unit of w, which may be any power of two
    # mutant anywhere(…else 0): of w = 0 it may be any power of two
    size = int(powers[y != 0].max()) if np.any(y) else 0
    # mutant: the unit of w, which may be any power of two
    return rows, in_unit(labels[0], powers - size, "the labels"), lengths, size


def rescaled(x: Array, powers: NDArray[np.int64]) -> Array:  # attack: none, inside solvers
    """The rows of X times 2^powers, in two steps, so that no factor overflows; ten times as fast as ``ldexp``.

    x: N × d.
    powers: N whole numbers.
    """
    first = powers // 2  # mutant anywhere: any two steps lead there
    with np.errstate(over="ignore", under="ignore"):
        moved: Array = x * np.ldexp(1.0, first)[:, None]
        moved *= np.ldexp(1.0, powers - first)[:, None]
    return moved
