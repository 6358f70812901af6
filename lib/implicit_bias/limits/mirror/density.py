"""What the problems of mirror flow ask of the biases' law, and of the data beside it."""

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number

NEAREST = 1e-8  # distance of two places of the data, over the reach of the biases


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
    Raises ValueError for places that (nearly) coincide or lie out of reach, and for a reach that is not positive.
    """
    x = array("x", x, 1)
    reach = number("reach", reach, above=0)
    apart = float(np.min(np.diff(np.sort(x)), initial=np.inf))
    if apart == 0:
        raise ValueError(f"x holds a place twice among {x.size}; all places must differ")
    if apart < NEAREST * reach:  # their kernels are equal but for rounding
        raise ValueError(f"x holds two places {apart:.1e} apart; they must be {NEAREST * reach:.1e} apart at least")
    if np.max(np.abs(x)) > reach:
        furthest = x[np.argmax(np.abs(x))]
        raise ValueError(f"x holds {furthest:g}; every place must lie within the biases' reach {reach:g}")
    return x
