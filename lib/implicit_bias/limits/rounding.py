"""Arithmetic that knows its rounding: numbers between two fractions, arrays of floats with radii, exact arrays.

``Balls`` costs as much as floats, ``Exact`` is for small data; both have the same methods, so that a certificate is
written once. What they come to is one number, ``Between`` two fractions.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isqrt, nextafter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array

UNIT = 2.0**-53  # relative rounding of one operation
LEAST = 2.0**-1074  # the smallest float64; what a product that underflows may lose
SAFE = 1 + 2.0**-40  # covers the rounding of a radius itself, a few operations on numbers ≥ 0
ROOT_BITS = 256


class Unproved(ArithmeticError):
    """What is asked for cannot be bounded in these numbers."""


@dataclass(frozen=True)
class Between:
    """A number of which low ≤ number ≤ high is proved, both fractions; sums, products, quotients and roots of it.

    low, high: the two bounds.
    """

    low: Fraction
    high: Fraction

    @classmethod
    def of(cls, value: float | Fraction) -> "Between":
        """The number itself."""
        return cls(Fraction(value), Fraction(value))

    def __add__(self, other: "Between") -> "Between":
        """The sum."""
        return Between(self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Between") -> "Between":
        """The difference."""
        return Between(self.low - other.high, self.high - other.low)

    def __mul__(self, other: "Between") -> "Between":
        """The product."""
        if self.low.numerator >= 0 and other.low.numerator >= 0:
            return Between(self.low * other.low, self.high * other.high)
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Between(min(ends), max(ends))

    def __truediv__(self, other: "Between") -> "Between":
        """The quotient; Unproved where the divisor is not proved to be positive."""
        if other.low <= 0:
            raise Unproved("a divisor that is not proved to be positive")
        # mutant anywhere(Between(1 / other.high, 1 / other.low)…): a product looks at all pairs of ends
        return self * Between(1 / other.high, 1 / other.low)

    def root(self) -> "Between":
        """The square root of what is not below 0 but by rounding."""
        return Between(_root(max(self.low, Fraction(0)), 0), _root(max(self.high, Fraction(0)), 1))

    def down(self) -> float:
        """A float that is not above the number."""
        return -_above(-self.low)

    def up(self) -> float:
        """A float that is not below the number."""
        return _above(self.high)


def _root(value: Fraction, up: int) -> Fraction:
    """The root of a fraction ≥ 0, rounded down, or up, to some hundred digits."""
    if not value:
        return value
    shift = max(0, ROOT_BITS - value.numerator.bit_length() + value.denominator.bit_length())
    shift += shift % 2
    whole, rest = divmod(value.numerator << shift, value.denominator)
    root = isqrt(whole)
    return Fraction(root + (up if rest or root * root != whole else 0), 1 << (shift // 2))


def _above(value: Fraction) -> float:
    """The least float that is not below the fraction."""
    try:
        near = float(value)
    except OverflowError:
        # mutant anywhere(0): a number that overflows is far from 0
        return inf if value > 0 else -np.finfo(np.float64).max
    return near if Fraction(near) >= value else nextafter(near, inf)


@dataclass(frozen=True)
class Balls:
    """Floats, each within its radius of the number that is meant; what overflows has the radius ∞.

    middle, radius: arrays of one shape.
    """

    middle: Array
    radius: Array

    @classmethod
    def of(cls, values: Array) -> "Balls":
        """Finite floats, each of them meant as it is."""
        return cls(values, np.broadcast_to(0.0, np.shape(values)))

    @property
    def rounded(self) -> bool:
        """Whether a radius is not 0; as ``of`` makes them, one look says it."""
        seen = self.radius if any(self.radius.strides) or not self.radius.size else self.radius.flat[0]
        return bool(np.any(seen))

    @np.errstate(all="ignore")
    def __matmul__(self, other: "Balls") -> "Balls":
        """Products in blocks of k terms, by |fl(x·y) − x·y| ≤ γ_{k+n/k} |x|·|y|, γ_k = ku/(1 − ku).

        Of two matrices |x|·|y| is bounded by ‖x‖‖y‖, so that the radius costs nothing beside the product.
        Reference: Higham 2002, Sections 3.1 and 4.2; Rump 1999 for middles and radii.
        """
        n = self.middle.shape[-1]
        block = isqrt(n) + 1
        starts = range(0, n, block)
        middle = sum(self.middle[..., i : i + block] @ other.middle[i : i + block] for i in starts)
        if self.middle.ndim == other.middle.ndim == 2:
            squares = (self.middle**2).sum(axis=1), (other.middle**2).sum(axis=0)
            size = np.outer(*(np.sqrt(square + n * LEAST) for square in squares))
        else:
            size = np.abs(self.middle) @ np.abs(other.middle)
        spread = (block + len(starts) + 2) * UNIT * SAFE * size + 4 * n * LEAST
        if other.rounded:
            spread = spread + np.abs(self.middle) @ other.radius
        if self.rounded:
            spread = spread + self.radius @ (np.abs(other.middle) + other.radius)
        return _balls(np.asarray(middle), (1 + 4 * n * UNIT) * spread)

    @np.errstate(all="ignore")
    def __mul__(self, other: "Balls") -> "Balls":
        """The product, entry by entry."""
        middle, size = self.middle * other.middle, np.abs(other.middle)
        spread = np.abs(self.middle) * other.radius + self.radius * (size + other.radius)
        return _balls(middle, spread + UNIT * np.abs(middle) + 4 * LEAST)

    @np.errstate(all="ignore")
    def __sub__(self, other: "Balls") -> "Balls":
        """The difference, entry by entry."""
        middle = self.middle - other.middle
        return _balls(middle, self.radius + other.radius + UNIT * np.abs(middle))

    @np.errstate(all="ignore")
    def _ends(self) -> tuple[Array, Array]:
        """The ends of the numbers' ranges, rounded outwards."""
        low, high = self.middle - self.radius, self.middle + self.radius
        exact = self.radius == 0
        return np.where(exact, low, np.nextafter(low, -inf)), np.where(exact, high, np.nextafter(high, inf))

    def _moduli(self) -> tuple[Array, Array]:
        low, high = self._ends()
        return np.maximum(np.maximum(low, -high), 0), np.maximum(-low, high)

    def least(self) -> Between:
        """The smallest entry."""
        low, high = self._ends()
        return _between(low.min(), high.min())

    def largest(self) -> Between:
        """The largest modulus of an entry."""
        low, high = self._moduli()
        return _between(low.max(), high.max())

    def total(self) -> Between:
        """The sum of the entries."""
        return self._summed(*self._ends())

    def moduli(self) -> Between:
        """The sum of the entries' moduli."""
        return self._summed(*self._moduli())

    def rows(self) -> Between:
        """The largest sum of the moduli of a row."""
        low, high = self._moduli()
        ends = [low.sum(axis=-1), high.sum(axis=-1)]  # of numbers ≥ 0
        slack = [SAFE * (low.shape[-1] * UNIT) * (1 + 2 * low.shape[-1] * UNIT) * end + LEAST for end in ends]
        return _between(np.nextafter(ends[0] - slack[0], -inf).max(), np.nextafter(ends[1] + slack[1], inf).max())

    @np.errstate(all="ignore")
    def squares(self) -> Between:
        """The sum of the entries' squares."""
        low, high = self._moduli()
        power = int(np.frexp(high.max())[1])  # in this unit no square overflows, and none that counts underflows
        low = np.maximum(np.nextafter(np.ldexp(low, -power), -inf), 0)
        high = np.nextafter(np.ldexp(high, -power), inf)
        sum_ = self._summed(np.maximum(np.nextafter(low * low, -inf), 0), np.nextafter(high * high, inf))
        return sum_ * Between.of(Fraction(4) ** power)

    @staticmethod
    @np.errstate(all="ignore")
    def _summed(low: Array, high: Array) -> Between:
        # mutant anywhere(… * (1 + 2 * x.size * UNIT) → … / (1 + 2 * x.size * UNIT)): more room, n for n − 1
        slack = [float((x.size * UNIT * SAFE) * np.abs(x).sum() * (1 + 2 * x.size * UNIT)) for x in (low, high)]
        ends = float(low.sum()), float(high.sum())
        if not np.all(np.isfinite([*slack, *ends])):
            raise Unproved("a sum that a float64 cannot hold")
        return Between(Fraction(ends[0]) - Fraction(slack[0]), Fraction(ends[1]) + Fraction(slack[1]))


def _balls(middle: Array, radius: Array) -> Balls:
    """Balls whose radius is rounded up; ∞ where the middle is no number."""
    middle, radius = np.asarray(middle), np.asarray(SAFE * radius + LEAST)
    held = np.isfinite(middle) & np.isfinite(radius)
    return Balls(np.where(held, middle, 0.0), np.where(held, radius, inf))


def _between(low: float, high: float) -> Between:
    if not (np.isfinite(low) and np.isfinite(high)):
        raise Unproved("a number that a float64 cannot hold")
    return Between(Fraction(float(low)), Fraction(float(high)))


@dataclass(frozen=True)
class Exact:
    """Whole numbers times one power of two: sums and products of floats without any rounding.

    whole: Python's whole numbers, an array of objects.
    power: of two, for all of them.
    """

    whole: NDArray[Any]
    power: int

    @classmethod
    def of(cls, values: Array) -> "Exact":
        """Finite floats, each of them meant as it is."""
        digits, powers = np.frexp(values)
        digits, powers = np.ldexp(digits, 53).astype(np.int64).astype(object), powers.astype(np.int64) - 53
        least = int(powers[values != 0].min()) if np.any(values) else 0
        shifts = np.where(values != 0, powers - least, 0).astype(object)
        return cls(np.left_shift(digits, shifts), least)

    def __matmul__(self, other: "Exact") -> "Exact":
        """Products of rows and columns."""
        return Exact(np.asarray(self.whole @ other.whole, dtype=object), self.power + other.power)

    def __mul__(self, other: "Exact") -> "Exact":
        """The product, entry by entry."""
        return Exact(self.whole * other.whole, self.power + other.power)

    def __sub__(self, other: "Exact") -> "Exact":
        """The difference, entry by entry."""
        power = min(self.power, other.power)
        return Exact((self.whole << (self.power - power)) - (other.whole << (other.power - power)), power)

    def _number(self, whole: int) -> Between:
        return Between.of(Fraction(int(whole)) * Fraction(2) ** self.power)

    def least(self) -> Between:
        """The smallest entry."""
        return self._number(self.whole.min())

    def largest(self) -> Between:
        """The largest modulus of an entry."""
        return self._number(np.abs(self.whole).max())

    def total(self) -> Between:
        """The sum of the entries."""
        return self._number(self.whole.sum())

    def moduli(self) -> Between:
        """The sum of the entries' moduli."""
        return self._number(np.abs(self.whole).sum())

    def rows(self) -> Between:
        """The largest sum of the moduli of a row."""
        return self._number(np.abs(self.whole).sum(axis=-1).max())

    def squares(self) -> Between:
        """The sum of the entries' squares."""
        return Exact(np.sum(self.whole * self.whole, keepdims=True), 2 * self.power).total()


Numbers = TypeVar("Numbers", Balls, Exact)
