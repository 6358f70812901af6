"""How often each claim held on fresh seeds: what ``seeds`` wrote into ``_robustness.yml``, read back."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml
from scipy.stats import binomtest

from reproduce.book import read_yaml
from reproduce.errors import PressError, writing

ROBUSTNESS = "_robustness.yml"
CONFIDENCE = 0.95
HEADER = "# Written by 'make seeds': every claim of every chapter on seeds that nobody had used before.\n"


@dataclass(frozen=True)
class Record:
    """One claim on fresh seeds.

    runs, held, controls: in how many runs it is stored, holds, and has a control that failed as it must.
    worst: the largest part of its tolerance that its error used.
    at: the seed of that run.
    """

    runs: int
    held: int
    controls: int
    worst: float
    at: int

    @property
    def interval(self) -> tuple[float, float]:
        """The pass rate lies here with 95 % confidence."""
        return pass_interval(self.held, self.runs)


@dataclass(frozen=True)
class Robustness:
    """One chapter on fresh seeds.

    chapter: ``part/chapter``.
    code: hash of its code, to see whether it has changed since.
    date, commit, versions, host: when and with what.
    first_seed, last_seed: the seeds, all those between included.
    finished, failed: how many runs ended so.
    claims: by id.
    """

    chapter: str
    code: str
    date: str
    commit: str
    versions: str
    host: str
    first_seed: int
    last_seed: int
    finished: int
    failed: int
    claims: Mapping[str, Record]


def pass_interval(held: int, runs: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval for a pass rate."""
    interval = binomtest(held, runs).proportion_ci(CONFIDENCE, method="exact")
    return float(interval.low), float(interval.high)


def read_robustness(root: Path) -> dict[str, Robustness]:
    """What is known, by chapter; empty if ``seeds`` never ran. PressError for a file that says something else."""
    path = root / ROBUSTNESS
    if not path.exists():
        return {}
    try:
        return {entry["chapter"]: _entry(entry) for entry in read_yaml(path) or []}
    except (TypeError, KeyError, AttributeError) as error:
        raise PressError(f"{path.name} is not what 'make seeds' writes: {error}; run it again") from None


def write_robustness(root: Path, entries: Iterable[Robustness]) -> None:
    """Write all entries in the order given, in the place of the older file."""
    listed: list[dict[str, Any]] = [asdict(entry) for entry in entries]
    text = yaml.safe_dump(listed, sort_keys=False, allow_unicode=True, width=120)
    unfinished = root / f".{ROBUSTNESS}.unfinished"
    with writing(root / ROBUSTNESS):
        unfinished.write_text(HEADER + text, encoding="utf-8")
        unfinished.replace(root / ROBUSTNESS)


def _entry(entry: dict[str, Any]) -> Robustness:
    claims = {id: Record(**record) for id, record in entry["claims"].items()}
    return Robustness(**{**entry, "claims": claims})
