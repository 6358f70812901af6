"""The answer of a sweep, gathered run by run in memory that does not grow with their number.

For each claim: in how many runs it held, with a binomial interval; the run in which it came nearest to its tolerance;
and how much of the tolerance it used at each value of each swept parameter.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reproduce.claims.judge import used
from reproduce.running.run import slug

GROUPS = 48  # of the values of one parameter: more cannot be told apart in a figure
FLOOR, CEILING = 1e-6, 1e2  # parts of the tolerance beyond which a figure does not look
CONFIDENCE = 0.95
NUMBERS = ("theory", "measured", "error", "tolerance", "control", "rival")


def pass_interval(held: int, runs: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval for a pass rate."""
    from scipy.stats import binomtest  # a second to import, which no other command needs

    interval = binomtest(held, runs).proportion_ci(CONFIDENCE, method="exact")
    return float(interval.low), float(interval.high)


@dataclass
class Spread:
    """Part of the tolerance used by one claim at one value, or group of values, of a parameter."""

    runs: int = 0
    held: int = 0
    low: float = math.inf
    high: float = 0.0
    logs: float = 0.0

    def add(self, part: float, holds: bool) -> None:
        """Count one run."""
        shown = min(max(part, FLOOR), CEILING)
        self.runs += 1
        self.held += holds
        self.low, self.high, self.logs = min(self.low, shown), max(self.high, shown), self.logs + math.log(shown)

    @property
    def middle(self) -> float:
        """The geometric mean."""
        return math.exp(self.logs / self.runs)


@dataclass
class ClaimSummary:
    """One claim over all runs.

    id, statement: those of the claim.
    runs, held, controls: in how many runs it is stored, holds, and has a control that failed as it must.
    worst: the largest part of its tolerance that it used.
    worst_at: the swept parameters of that run.
    numbers: of the first run.
    same: whether every run gave these.
    spreads: by parameter, by group of its values.
    """

    id: str
    statement: str
    runs: int = 0
    held: int = 0
    controls: int = 0
    worst: float = -1.0
    worst_at: dict[str, Any] = field(default_factory=dict)
    numbers: str = ""
    same: bool = True
    spreads: dict[str, dict[int, Spread]] = field(default_factory=dict)

    @property
    def interval(self) -> tuple[float, float]:
        """The pass rate lies here with 95 % confidence (Clopper and Pearson), if the runs were drawn independently."""
        return pass_interval(self.held, self.runs)


@dataclass
class Summary:
    """All claims over all runs.

    axes: the values of each swept parameter.
    total: runs in the grid; after an interruption more than have ended.
    finished, failed: how many runs ended so.
    claims: by id.
    failures: the first failed runs: parameters, reason, notebook.
    most_failures: how many of them are kept.
    """

    axes: Mapping[str, Sequence[Any]]
    total: int
    finished: int = 0
    failed: int = 0
    claims: dict[str, ClaimSummary] = field(default_factory=dict)
    failures: list[tuple[dict[str, Any], str, str]] = field(default_factory=list)
    most_failures: int = 100

    def add(self, record: Mapping[str, Any], place: Mapping[str, int]) -> None:
        """Count one run.

        record: as a worker left it.
        place: on each axis, which value it has.
        """
        at = {name: self.axes[name][k] for name, k in place.items()}
        self.finished += record["status"] == "finished"
        if record["status"] != "finished":
            self.failed += 1
            if len(self.failures) < self.most_failures:
                notebook = f"runs/{slug(record['parameters'])}/{record['notebook']}" if record["notebook"] else ""
                self.failures.append((at, record["reason"], notebook))
        for claim in record["claims"]:
            self._add_claim(claim, at, place)

    def group(self, name: str, place: int) -> int:
        """The group of values of a parameter that its value at this place belongs to."""
        return place * GROUPS // max(GROUPS, len(self.axes[name]))

    def middle(self, name: str, group: int) -> Any:
        """The middle one of the values in a group."""
        length = len(self.axes[name])
        return self.axes[name][group if length <= GROUPS else int((group + 0.5) * length / GROUPS)]

    def _add_claim(self, claim: Mapping[str, Any], at: dict[str, Any], place: Mapping[str, int]) -> None:
        one = self.claims.setdefault(claim["id"], ClaimSummary(claim["id"], claim["statement"]))
        part, numbers = used(claim), json.dumps([claim.get(name) for name in NUMBERS], sort_keys=True)
        one.numbers = one.numbers or numbers
        one.same &= numbers == one.numbers
        one.runs += 1
        one.held += claim["holds"]
        one.controls += claim["control"]["failed"]
        if part > one.worst:
            one.worst, one.worst_at = part, at
        for name, k in place.items():
            group = self.group(name, k)
            one.spreads.setdefault(name, {}).setdefault(group, Spread()).add(part, claim["holds"])
