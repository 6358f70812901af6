"""What a proof of an answer is: end points, computed exactly from the stored numbers, and what is demanded of these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from answers.exact import Interval, Vector, stored

MET = Fraction(1, 10**8)  # relative: by how much stored numbers may miss what holds at the optimum
NOTHING = Fraction(1, 2**60)  # of the largest multiplier; what is less would be rounding, and is stored as 0
WIDEST = Fraction(1, 10**9)  # relative, of an enclosure

Values = Mapping[str, Any]


class Refused(ValueError):
    """A file that does not prove its answers."""


@dataclass(frozen=True)
class Proof:
    """What the numbers of an answer prove.

    enclosure: for each quantity the ends between which it lies.
    primal: by how much the stored answer misses its constraints, before it is made to meet them.
    dual: the same of the multipliers.
    """

    enclosure: Mapping[str, tuple[Fraction, Fraction]]
    primal: Fraction
    dual: Fraction


def enclosed(low: Interval | Fraction, high: Interval | Fraction) -> tuple[Fraction, Fraction]:
    """The end points to store of what lies above the one and below the other."""
    least = low.low if isinstance(low, Interval) else low
    most = high.high if isinstance(high, Interval) else high
    demand(least <= most, f"the lower end {float(least)} lies above the upper end {float(most)}")
    size = max(abs(least), abs(most))
    demand(most - least <= WIDEST * size, f"the enclosure [{float(least)}, {float(most)}] is too wide")
    return stored(least, most)


def demand(holds: bool, otherwise: str) -> None:
    """Refuse what does not hold."""
    if not holds:
        raise Refused(otherwise)


def near(value: Fraction, wanted: Fraction | int, what: str) -> None:
    """Refuse what lies elsewhere than at the optimum, to 1e-8."""
    demand(
        abs(value - wanted) <= MET * max(Fraction(1), abs(Fraction(wanted))),
        f"{what} is {float(value)}; it must be {float(wanted)}",
    )


def multipliers(values: Sequence[Fraction], what: str) -> None:
    """Refuse multipliers that are negative, all 0, or of a size that is nothing but rounding."""
    demand(min(values) >= 0, f"{what} holds {float(min(values))}; it must not be negative")
    sparse(values, what)


def sparse(values: Sequence[Fraction], what: str) -> None:
    """Refuse numbers that are all 0, or of a size that is nothing but rounding."""
    size = max(map(abs, values))
    demand(size > 0, f"{what} is 0")
    demand(
        all(one == 0 or abs(one) >= NOTHING * size for one in values), f"{what} holds what is neither 0 nor its size"
    )


def labels(y: Vector) -> None:
    """Refuse labels other than ±1."""
    demand(all(abs(one) == 1 for one in y), "a label is neither -1 nor 1")


def worst(misses: Iterable[Fraction]) -> Fraction:
    """The largest of what is missed, 0 if nothing is."""
    return max((one for one in misses if one > 0), default=Fraction(0))
