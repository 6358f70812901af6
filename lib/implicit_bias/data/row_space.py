"""The row space of the samples, out of which no gradient of a loss of Xw leads."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, kept

DEPENDENT = 1e-12  # of the longest row, what is left of one without those before it


@dataclass(frozen=True)
class RowSpace:
    """The span of the rows of X.

    x: X, N × d, of rank N.

    Raises ValueError for rows that are dependent.

    >>> space = RowSpace(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    >>> space.outside(np.array([1.0, 2.0, 3.0])).round(12) + 0.0
    array([0., 0., 3.])
    """

    x: Array

    def __post_init__(self) -> None:
        """Refuse dependent rows: their span has no basis of N vectors."""
        n, d = kept(self, "x", 2).shape
        left = np.abs(np.diag(np.linalg.qr(self.x.T)[1]))
        if n > d or left.min() <= DEPENDENT * left.max():
            raise ValueError(f"x holds {n} dependent rows; they must be independent")

    @cached_property
    def basis(self) -> Array:
        """An orthonormal basis, d × N."""
        return np.asarray(np.linalg.qr(self.x.T)[0])

    def outside(self, v: ArrayLike) -> Array:
        """P⊥v, what is left of v without its projection onto the row space.

        v: … × d.

        Returns an array of v's shape.
        """
        v = array("v", v, None)
        if v.shape[-1:] != self.x.shape[1:]:
            raise ValueError(f"v has shape {v.shape}; its last axis must have {self.x.shape[1]} entries")
        return np.asarray(v - (v @ self.basis) @ self.basis.T)
