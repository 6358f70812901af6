"""Potentials made from potentials: measured in units of 1/n, so that parameters that move by 1/n feel all of φ."""

from dataclasses import dataclass

import numpy as np

from implicit_bias.checks import Array, number
from implicit_bias.potentials import Potential


@dataclass(frozen=True)
class Scaled:
    """φ(n x)/(v n²): the curvature at 0 is that of φ/v, and a move of 1/n is a move of φ by 1.

    potential: φ.
    over: v > 0, as 1 + ω in φ = (ψ + ωx²)/(1 + ω).
    width: n > 0; with 1 the potential is φ/v.

    Raises ValueError for a divisor or a width that is not positive.

    >>> from implicit_bias.potentials import Quartic
    >>> phi = Scaled(Quartic(), over=1.0, width=100.0)
    >>> phi.inverse_slope(phi.slope(np.array([-2.0]))).round(9)
    array([-2.])
    """

    potential: Potential
    over: float = 1.0
    width: float = 1.0

    def __post_init__(self) -> None:
        """Refuse divisors and widths that are not positive."""
        number("over", self.over, above=0)
        number("width", self.width, above=0)

    def value(self, x: Array) -> Array:
        """φ(n x)/(v n²)."""
        return np.asarray(self.potential.value(self.width * x) / (self.over * self.width**2))

    def slope(self, x: Array) -> Array:
        """φ′(n x)/(v n)."""
        return np.asarray(self.potential.slope(self.width * x) / (self.over * self.width))

    def curvature(self, x: Array) -> Array:
        """φ″(n x)/v."""
        return np.asarray(self.potential.curvature(self.width * x) / self.over)

    def inverse_slope(self, z: Array) -> Array:
        """The inverse of φ′ at v n z, over n."""
        return np.asarray(self.potential.inverse_slope(self.over * self.width * z) / self.width)
