"""What the problems of mirror flow ask of the biases' law, and of the data beside it."""

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number


class Density(Protocol):
    """A symmetric density of the biases."""

    @property
    def reach(self) -> float:
        """B: they lie in [−B, B]."""

    def density(self, b: ArrayLike) -> Array:
        """p(b)."""


def within_reach(x: ArrayLike, reach: float) -> Array:
    """The places of the data, all different, in [−B, B].

    x: M numbers.
    reach: B.

    Returns them as an array.
    Raises ValueError for places that coincide or lie out of reach, and for a reach that is not positive.
    """
    x = array("x", x, 1)
    number("reach", reach, above=0)
    if np.unique(x).size < x.size:
        raise ValueError(f"x holds a place twice among {x.size}; all places must differ")
    if np.max(np.abs(x)) > reach:
        furthest = x[np.argmax(np.abs(x))]
        raise ValueError(f"x holds {furthest:g}; every place must lie within the biases' reach {reach:g}")
    return x
