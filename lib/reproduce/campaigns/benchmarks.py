"""What ``make bench`` measured: the times of the library's methods and of what one would otherwise run, by group."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Any

from reproduce.campaigns.finding import WRITTEN_BY, Finding
from reproduce.ground.errors import PressError

BENCHMARKS = "benchmarks"
ALIKE = 10  # a method whose error is more times larger than another's is not compared with it
SIZE = re.compile(r"(\S+): ([\d.e+-]+) ms")  # one size and its time, in what a group over sizes reached
WARM = "from the cell before"  # a start that the other methods did not have
EXACT = 1e-9  # up to here a group may call errors of the library alike, however small the rival's is


@dataclass(frozen=True)
class Timing:
    """One method of a group.

    method: in words.
    seconds, spread: median and interquartile range of a call's time: by the clock on the wall, or where methods were
        timed in turns, the processor's.
    rounds: how many calls were timed.
    reached: the error of the answer, or another thing that was measured, as it is shown.
    error: the same as a number; None if it is no error.
    plain: whether this is what one would otherwise run.
    caution: why it should not be compared as it stands; empty if there is no reason.
    """

    method: str
    seconds: float
    spread: float
    rounds: int
    reached: str
    error: float | None
    plain: bool
    caution: str

    def sizes(self) -> dict[str, float]:
        """The seconds at each size, smallest first, in a group over sizes; nothing in another."""
        return {size: float(taken) / 1e3 for size, taken in SIZE.findall(self.reached)}


@dataclass(frozen=True)
class Group:
    """Methods for one problem, timed in one run.

    name: the problem, in words.
    timings: the methods, slowest first.
    matched: errors up to this one are alike, however small the library's is.
    """

    name: str
    timings: Sequence[Timing]
    matched: float = 0.0

    def rival(self) -> Timing | None:
        """The fastest plain method that solved the same problem."""
        plain = [one for one in self.timings if one.plain and self.unlike(one) is None]
        return min(plain, key=lambda one: one.seconds, default=None)

    def ratio(self, timing: Timing) -> float | None:
        """How many times faster it is than the rival.

        None without one, if it started from a neighbour's solution, or if its own error is too large beside that one's.
        """
        rival = self.rival()
        if timing.plain or rival is None or WARM in timing.method:
            return None
        most = None if rival.error is None else max(ALIKE * rival.error, min(self.matched, EXACT))
        return None if most is not None and (timing.error or 0) > most else rival.seconds / timing.seconds

    def unlike(self, timing: Timing) -> float | None:
        """How many times larger a plain method's error is than the smallest of the library's, if that is too many."""
        errors = [one.error for one in self.timings if not one.plain and one.error is not None]
        if not timing.plain or not timing.error or not errors:
            return None
        if timing.error <= max(ALIKE * min(errors), self.matched):
            return None
        return timing.error / min(errors) if min(errors) else inf

    def best(self) -> float:
        """How many times faster the library's fastest method is than the rival; 0 without a ratio."""
        return max(filter(None, map(self.ratio, self.timings)), default=0.0)

    def reach(self) -> tuple[float, float]:
        """The least and the largest ratio that the spreads of the library's fastest method and of the rival leave.

        For a group with a ratio; where both lie on one side of 1, it is decided which method is ahead.
        """
        ours = max((one for one in self.timings if self.ratio(one)), key=lambda one: self.ratio(one) or 0.0)
        rival = self.rival() or ours
        low = max(rival.seconds - rival.spread, 0.0) / (ours.seconds + ours.spread)
        return low, (rival.seconds + rival.spread) / max(ours.seconds - ours.spread, 1e-3 * ours.seconds)

    def ends(self) -> list["Group"]:
        """The problem; if it was timed over sizes, the smallest and the largest of them."""
        sizes, letter = list(self.timings[0].sizes()), self.timings[0].reached.partition(" = ")[0]
        return [
            Group(f"{self.name}: {letter} = {size}", [replace(one, seconds=one.sizes()[size]) for one in self.timings])
            for size in (sizes[:1] + sizes[-1:])
        ] or [self]


def as_counts(groups: Sequence[Group], before: float, after: float) -> dict[str, Any]:
    """What a finding keeps of one run of all benchmarks.

    groups: what was timed.
    before, after: how many processes wanted a core in the minute before the run, and in the last of it: with more than
        one a core, times are too long and ratios uncertain.
    """
    load = {"before": round(before, 1), "after": round(after, 1)}
    return {"load": load, "groups": [asdict(group) for group in groups]}


def groups_of(found: Finding) -> list[Group]:
    """What was timed; PressError for a time that is none."""
    groups = [Group(**{**one, "timings": [Timing(**of) for of in one["timings"]]}) for one in found.counts["groups"]]
    if not all(one.seconds > 0 for group in groups for one in group.timings):
        raise PressError(f"the benchmarks are not what '{WRITTEN_BY[BENCHMARKS]}' writes; run it again")
    return groups
