"""Methods for one problem timed in turns, so that what else the machine does falls on all of them alike."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reproduce.campaigns.benchmarks import Group, Timing
from reproduce.ground.errors import PressError


@dataclass(frozen=True)
class Racer:
    """One method.

    method: in words.
    call: solves the problem.
    rounds: in how many of them it is timed; one that is timed more than once is called once before, not timed.
    plain: whether this is what one would otherwise run.
    caution: why it should not be compared as it stands; empty if there is no reason.
    share: the part of the problem that ``call`` solves, for one that would take too long; its time is divided by it.
    """

    method: str
    call: Callable[[], Any]
    rounds: int = 5
    plain: bool = False
    caution: str = ""
    share: float = 1.0


def race(
    name: str,
    racers: Sequence[Racer],
    error: Callable[[Any], float],
    matched: float,
    clock: Callable[[], float] = time.process_time,
) -> Group:
    """Time the methods in turns, one call of each a round.

    name: the problem, in words.
    racers: the methods.
    error: answer ↦ its error; not asked of those that solve a share only.
    matched: the error that the library's methods must reach; others that do not have no ratio.
    clock: seconds; the processor's time of this process, which others on the machine hardly change.

    Returns the group, slowest first.
    Raises PressError where one of the library's methods has a larger error.
    """
    taken: dict[str, list[float]] = {one.method: [] for one in racers}
    errors: dict[str, float | None] = {}
    for number in range(-1, max(one.rounds for one in racers)):
        for one in racers:
            if (number < 0 and one.rounds == 1) or number >= one.rounds:
                continue
            begun = clock()
            answer = one.call()
            passed = clock() - begun
            if number >= 0:
                taken[one.method].append(passed / one.share)
            if one.method not in errors:
                errors[one.method] = float(error(answer)) if one.share == 1 else None
    for one in racers:
        found = errors[one.method]
        if not one.plain and found is not None and not found <= matched:
            raise PressError(f"{name}: {one.method} has the error {found:.1e}; {matched:.1e} is allowed")
    timings = [_timing(one, taken[one.method], errors[one.method]) for one in racers]
    return Group(name, sorted(timings, key=lambda one: -one.seconds), matched)


def _timing(one: Racer, taken: Sequence[float], error: float | None) -> Timing:
    """One method as it is kept."""
    low, middle, high = statistics.quantiles(taken, n=4, method="inclusive") if len(taken) > 1 else [*taken] * 3
    seconds, spread = float(f"{middle:.4g}"), float(f"{high - low:.4g}")
    reached = f"{one.share:.2g} of it was run" if error is None else f"{error:.1e}"
    return Timing(one.method, seconds, spread, len(taken), reached, error, one.plain, one.caution)
