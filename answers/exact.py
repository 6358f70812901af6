"""Arithmetic in which nothing is lost: fractions, and intervals that hold what no fraction is. Python alone."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from operator import mul

BITS = 320  # behind the point, of the ends of an interval
ONE = 1 << BITS
STORED = 192  # behind the point, of the end points that are stored
Vector = Sequence[Fraction]
Matrix = Sequence[Vector]


class Interval:
    """All numbers from low to high, whole multiples of 2^−320; what is computed from intervals holds every outcome.

    low, high: Fractions, rounded downwards and upwards.
    """

    __slots__ = ("_high", "_low")

    def __init__(self, low: Fraction | int, high: Fraction | int | None = None) -> None:
        """Round outwards."""
        high = low if high is None else high
        self._low = low.numerator * ONE // low.denominator
        self._high = -(-high.numerator * ONE // high.denominator)

    @classmethod
    def _of(cls, low: int, high: int) -> "Interval":
        new = cls.__new__(cls)
        new._low, new._high = low, high
        return new

    @property
    def low(self) -> Fraction:
        """The lower end."""
        return Fraction(self._low, ONE)

    @property
    def high(self) -> Fraction:
        """The upper end."""
        return Fraction(self._high, ONE)

    def __neg__(self) -> "Interval":
        """−x."""
        return Interval._of(-self._high, -self._low)

    def __abs__(self) -> "Interval":
        """|x|."""
        return self if self._low >= 0 else -self if self._high <= 0 else self._of(0, max(-self._low, self._high))

    def __add__(self, other: "Interval | Fraction | int") -> "Interval":
        """X + y."""
        other = interval(other)
        return Interval._of(self._low + other._low, self._high + other._high)

    def __sub__(self, other: "Interval | Fraction | int") -> "Interval":
        """X − y."""
        return self + -interval(other)

    def __mul__(self, other: "Interval | Fraction | int") -> "Interval":
        """Xy: the extremes are products of ends."""
        other = interval(other)
        ends = [one * two for one in (self._low, self._high) for two in (other._low, other._high)]
        return Interval._of(min(ends) >> BITS, -(-max(ends) >> BITS))

    def __truediv__(self, other: "Interval | Fraction | int") -> "Interval":
        """X/y; ArithmeticError where y may be 0."""
        other = interval(other)
        if other._low <= 0 <= other._high:
            raise ZeroDivisionError("the divisor may be 0")
        inverse = Interval._of(ONE * ONE // other._high, -(-ONE * ONE // other._low))
        return self * inverse

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Fraction | int) -> "Interval":
        """Y − x."""
        return interval(other) - self

    def __rtruediv__(self, other: Fraction | int) -> "Interval":
        """Y/x."""
        return interval(other) / self

    def sqrt(self) -> "Interval":
        """The square root; of what may be negative, that of its other part."""
        low, high = (max(0, end) << BITS for end in (self._low, self._high))
        root = math.isqrt(high)
        return Interval._of(math.isqrt(low), root + (root * root < high))


def interval(value: "Interval | Fraction | int") -> Interval:
    """A number as an interval."""
    return value if isinstance(value, Interval) else Interval(value)


def total(values: Iterable[Interval]) -> Interval:
    """A sum of intervals."""
    return sum(values, Interval(0))


def demand_within(x: Interval, most: Fraction | int) -> None:
    """Refuse what a series would take long for, if it came to an end at all."""
    if abs(x).high > most:
        raise ArithmeticError(f"a number is larger than {most}")


def series(x: Interval, factor: Callable[[int], tuple[int, int]], first: Interval) -> Interval:
    """Σ_n t_n with t_0 = first and t_n = t_{n−1} x p/q, (p, q) = factor(n).

    It ends where a term is below the last bit and |x| p/q at most ½; the caller sees to it that this stays so. What
    follows is then less than the last term.
    """
    size, term, found, n = abs(x)._high, first, first, 0
    while True:
        n += 1
        p, q = factor(n)
        term = term * x
        term = Interval._of(term._low * p // q, -(-term._high * p // q))
        found = found + term
        if 2 * size * p <= q << BITS and abs(term)._high <= 4:
            return found + Interval._of(-4, 4)


def exp(x: Interval) -> Interval:
    """e^x, by the series at x/2^k; |x| ≤ 700, as for a float64."""
    demand_within(x, 700)
    halvings = max(0, (abs(x)._high >> BITS).bit_length() + 8)
    found = series(x * Fraction(1, 1 << halvings), lambda n: (1, n), Interval(1))
    for _ in range(halvings):
        found = found * found
    return found


def log(x: Interval) -> Interval:
    """ln x, x > 0: ln x = y + 2 artanh(δ/(2+δ)), δ = x e^{−y} − 1, y the float's logarithm."""
    near = Fraction(math.log(x.low))
    off = x * exp(Interval(-near)) - 1
    z = off / (off + 2)
    return near + 2 * series(z * z, lambda n: (2 * n - 1, 2 * n + 1), z)


def arsinh(x: Interval) -> Interval:
    """Ln(x + √(1 + x²)), x ≥ 0."""
    return log(x + (x * x + 1).sqrt())


def cos(x: Interval) -> Interval:
    """The cosine, |x| ≤ 100: the series is no good for more than a few turns."""
    demand_within(x, 100)
    return series(-(x * x), lambda n: (1, 2 * n * (2 * n - 1)), Interval(1))


def sin(x: Interval) -> Interval:
    """The sine, |x| ≤ 100."""
    demand_within(x, 100)
    return series(-(x * x), lambda n: (1, 2 * n * (2 * n + 1)), x)


def _arctan(x: Interval) -> Interval:
    """The arc tangent, by its series, whose steps are at most x²."""
    demand_within(x, Fraction(1, 2))
    return series(-(x * x), lambda n: (2 * n - 1, 2 * n + 1), x)


@cache
def pi() -> Interval:
    """π = 16 arctan(1/5) − 4 arctan(1/239)."""
    return 16 * _arctan(Interval(Fraction(1, 5))) - 4 * _arctan(Interval(Fraction(1, 239)))


def angle(x: Interval, y: Interval) -> Interval:
    """The angle in (−π, π) of the point (x, y), by a turn back by the float's angle."""
    near = Interval(Fraction(math.atan2(y.low, x.low)))
    c, s = cos(near), sin(near)
    return near + _arctan((y * c - x * s) / (x * c + y * s))


def whole(rows: Matrix) -> tuple[list[list[int]], int]:
    """Whole numbers and what divides all of them: with these one calculates ten times as fast as with fractions."""
    scale = math.lcm(*(one.denominator for row in rows for one in row))
    return [[one.numerator * (scale // one.denominator) for one in row] for row in rows], scale


def product(a: Matrix, b: Matrix) -> list[list[Fraction]]:
    """A Bᵀ."""
    if len({len(row) for row in (*a, *b)}) != 1:
        raise ValueError("two vectors have different lengths")
    (left, one), (right, other) = whole(a), whole(b)
    return [[Fraction(sum(map(mul, row, line)), one * other) for line in right] for row in left]


def dot(a: Vector, b: Vector) -> Fraction:
    """a·b."""
    return product([a], [b])[0][0]


def times(matrix: Matrix, v: Vector) -> list[Fraction]:
    """Mv."""
    return [one for (one,) in product(matrix, [v])]


def transposed(matrix: Matrix) -> list[Vector]:
    """Mᵀ."""
    return list(zip(*matrix, strict=True))


def solved(matrix: Matrix, right: Vector) -> list[Fraction]:
    """M⁻¹b for a symmetric positive definite M, by whole numbers that grow no more than determinants do (Bareiss)."""
    rows, _ = whole([[*row, b] for row, b in zip(matrix, right, strict=True)])
    n, before = len(rows), 1
    for k in range(n):
        if rows[k][k] == 0:
            raise ZeroDivisionError("the matrix is singular")
        for i in range(k + 1, n):
            rows[i] = [
                (rows[k][k] * one - rows[i][k] * other) // before for one, other in zip(rows[i], rows[k], strict=True)
            ]
        before = rows[k][k]
    found: list[Fraction] = []
    for row in reversed(rows):
        at = n - 1 - len(found)
        known = sum((c * x for c, x in zip(row[at + 1 : n], reversed(found), strict=True)), Fraction(0))
        found.append((row[n] - known) / row[at])
    return found[::-1]


def stored(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """End points to store: rounded outwards to multiples of 2^−192."""
    one = 1 << STORED
    return Fraction(math.floor(low * one), one), Fraction(math.ceil(high * one), one)
