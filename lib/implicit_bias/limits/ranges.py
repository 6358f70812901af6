"""Arrays of numbers of each of which low ≤ number ≤ high is proved, and increasing functions of them.

NumPy's arsinh, sinh, exp and log are taken to be right to 4 units in the last place, as its own tests ask of them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np

from implicit_bias.checks import Array
from implicit_bias.limits.rounding import LEAST, SAFE, UNIT, Between, Unproved

ULPS = 4


@dataclass(frozen=True)
class Ranges:
    """Numbers between two floats each; sums, products, arsinh and sinh of them, rounded outwards.

    low, high: arrays of one shape.
    """

    low: Array
    high: Array

    @classmethod
    def of(cls, values: Array) -> "Ranges":
        """The numbers themselves."""
        values = np.asarray(values, dtype=np.float64)
        return cls(values, values)

    @classmethod
    @np.errstate(all="ignore")
    def around(cls, middle: Array, radius: Array) -> "Ranges":
        """Numbers no farther from some floats than radii."""
        return _outwards(middle - radius, middle + radius)

    @np.errstate(all="ignore")
    def __add__(self, other: "Ranges") -> "Ranges":
        """The sums."""
        return _outwards(self.low + other.low, self.high + other.high)

    @np.errstate(all="ignore")
    def __sub__(self, other: "Ranges") -> "Ranges":
        """The differences."""
        return _outwards(self.low - other.high, self.high - other.low)

    @np.errstate(all="ignore")
    def __mul__(self, other: "Ranges") -> "Ranges":
        """The products."""
        return _spanned([one * two for one in self._ends() for two in other._ends()])

    @np.errstate(all="ignore")
    def over(self, other: "Ranges") -> "Ranges":
        """The quotients by numbers above 0."""
        return _spanned([one / two for one in self._ends() for two in other._ends()])

    @np.errstate(all="ignore")
    def root(self) -> "Ranges":
        """The square roots of numbers that are not below 0."""
        return _outwards(np.sqrt(self.low), np.sqrt(self.high))

    def arsinh(self) -> "Ranges":
        """The areas of hyperbolic sines."""
        return self._grown(np.arcsinh)

    def sinh(self) -> "Ranges":
        """The hyperbolic sines."""
        return self._grown(np.sinh)

    def exp(self) -> "Ranges":
        """The exponentials."""
        return self._grown(np.exp)

    def log(self) -> "Ranges":
        """The logarithms of numbers above 0."""
        return self._grown(np.log)

    def moduli(self) -> "Ranges":
        """The moduli."""
        return Ranges(np.maximum(np.maximum(self.low, -self.high), 0), np.maximum(-self.low, self.high))

    def _ends(self) -> tuple[Array, ...]:
        return (self.low,) if self.low is self.high else (self.low, self.high)

    @np.errstate(all="ignore")
    def _grown(self, function: Callable[[Array], Array]) -> "Ranges":
        return _outwards(function(self.low), function(self.high), ULPS)

    def total(self) -> Between:
        """The sum of all; Unproved where an end is no number."""
        if not (np.all(np.isfinite(self.low)) and np.all(np.isfinite(self.high))):
            raise Unproved("a number that a float64 cannot hold")
        try:
            low, high = math.fsum(self.low.tolist()), math.fsum(self.high.tolist())  # rounded once
            return Between(Fraction(math.nextafter(low, -math.inf)), Fraction(math.nextafter(high, math.inf)))
        except OverflowError as error:
            raise Unproved("a sum that a float64 cannot hold") from error


def _spanned(ends: list[Array]) -> Ranges:
    """From the least to the largest of what the ends come to, rounded outwards."""
    return _outwards(reduce(np.minimum, ends), reduce(np.maximum, ends))


@np.errstate(all="ignore")
def _outwards(low: Array, high: Array, ulps: int = 1) -> Ranges:
    """Ranges whose ends are moved outwards by some units in the last place; what overflows is no number any more."""
    # u|x| is half a unit in the last place of a normal x, or more: what exceeds it is rounded to a whole one
    step, least = (2 * ulps - 1) * UNIT * SAFE, ulps * LEAST
    return Ranges(np.asarray(low - (np.abs(low) * step + least)), np.asarray(high + (np.abs(high) * step + least)))
