"""What ``make bench`` measured: the times of the library's methods and of what one would otherwise run, by group."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reproduce.campaigns import BENCHMARKS, WRITTEN_BY, made, read_campaign, write_campaign
from reproduce.errors import PressError

ALIKE = 10  # a method whose error is more times larger than another's is not compared with it


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

    def ratio(self, timing: Timing) -> float | None:
        """How many times faster it is than the fastest plain method that solved the same problem; else None."""
        plain = [one.seconds for one in self.timings if one.plain and self.unlike(one) is None]
        return None if timing.plain or not plain else min(plain) / timing.seconds

    def unlike(self, timing: Timing) -> float | None:
        """How many times larger a plain method's error is than the smallest of the library's, if that is too many."""
        errors = [one.error for one in self.timings if not one.plain and one.error]
        if not timing.plain or not timing.error or not errors:
            return None
        if timing.error <= max(ALIKE * min(errors), self.matched):
            return None
        return timing.error / min(errors)


@dataclass(frozen=True)
class Benchmarks:
    """One run of all benchmarks.

    date, commit, versions, machine: when, with what and where.
    load: how many processes wanted a core in the minute before the run, and in the last of it: with more than one a
        core, times are too long and ratios uncertain.
    groups: what was timed.
    """

    date: str
    commit: str
    versions: str
    machine: str
    load: Sequence[float]
    groups: Sequence[Group]


def read_benchmarks(root: Path) -> Benchmarks | None:
    """The last run; None if there was none. PressError for a file that holds anything else."""
    content = read_campaign(root, BENCHMARKS)
    if content is None:
        return None
    listed = content.get("groups") if isinstance(content, dict) else None
    groups = [Group(one.name, _timings(one.timings), one.matched) for one in made(Group, listed, BENCHMARKS)]
    (found,) = made(Benchmarks, [content], BENCHMARKS)
    return Benchmarks(**{**vars(found), "groups": groups})


def write_benchmarks(root: Path, benchmarks: Benchmarks) -> None:
    """Keep a run."""
    content = asdict(benchmarks)
    write_campaign(root, BENCHMARKS, content)


def _timings(listed: Any) -> list[Timing]:
    """The methods of a group, each with a time that can be."""
    timings = made(Timing, listed, BENCHMARKS)
    for one in timings:
        numbers = all(isinstance(number, int | float) for number in (one.seconds, one.spread))
        if not numbers or not one.seconds > 0 or not one.spread >= 0:
            raise PressError(f"{BENCHMARKS} is not what '{WRITTEN_BY[BENCHMARKS]}' writes; run it again")
    return timings
