"""How often each claim held on fresh seeds: what ``seeds`` wrote into ``_robustness.yml``, read back."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import yaml

from reproduce.claims.ledger import StoredClaim
from reproduce.errors import PressError, one_line, quoted
from reproduce.files import write_text
from reproduce.reading import read_text, read_yaml

ROBUSTNESS = "_robustness.yml"
CONFIDENCE = 0.95
MOST_SEEDS = 100  # of a chapter
CODE = re.compile("[0-9a-f]{16}")
RANGE = 2**32  # every chapter takes the seeds below it
WORDS: Mapping[Any, str] = {str: "text", int: "a whole number", float: "a number"}
HEADER = "# Written by 'make seeds': every claim of every chapter on seeds that follow from its code.\n"

Typed = TypeVar("Typed", "Record", "Robustness")


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
    first_seed, last_seed: the seeds, all those between included; the first follows from ``code``.
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


def first_seed(code: str) -> int:
    """The first of a chapter's fresh seeds: digits of the hash of its code, so that nobody chose them.

    A formula that changes draws other seeds; a word that changes does not.
    """
    return int(code[:8], 16) % (RANGE - MOST_SEEDS)


def pass_interval(held: int, runs: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval for a pass rate."""
    from scipy.stats import binomtest  # a second to import, which no other command needs

    interval = binomtest(held, runs).proportion_ci(CONFIDENCE, method="exact")
    return float(interval.low), float(interval.high)


def read_robustness(root: Path) -> dict[str, Robustness]:
    """What is known, by chapter; empty if ``seeds`` never ran. PressError for a file that says something else."""
    path = root / ROBUSTNESS
    return dict(_known(path, read_text(path))) if path.exists() else {}


@lru_cache(maxsize=1)  # every page of a chapter asks for it
def _known(path: Path, text: str) -> Mapping[str, Robustness]:
    """What a file says in which this text stands."""
    try:
        entries = [_entry(entry) for entry in read_yaml(path) or []]
    except (TypeError, KeyError, AttributeError) as error:
        raise PressError(f"{path.name} is not what 'make seeds' writes: {one_line(str(error))}; run it again") from None
    return {entry.chapter: entry for entry in entries}


def write_robustness(root: Path, entries: Iterable[Robustness]) -> None:
    """Write all entries in the order given, in the place of the older file."""
    listed: list[dict[str, Any]] = [asdict(entry) for entry in entries]
    text = yaml.safe_dump(listed, sort_keys=False, allow_unicode=True, width=120)
    write_text(root / ROBUSTNESS, HEADER + text)


def objections(root: Path, claims: Iterable[StoredClaim]) -> list[str]:
    """What in the file cannot be, in sentences: counts that do not add up, claims that are not those of the chapter.

    root: the folder of the book.
    claims: all that the book states. A chapter that has changed since its seeds is shown as such and not objected to.
    """
    stated: dict[str, set[str]] = {}
    for claim in claims:
        stated.setdefault(claim.chapter, set()).add(claim.id)
    return [
        f"{ROBUSTNESS}: {entry.chapter}: {sentence}"
        for entry in read_robustness(root).values()
        if entry.chapter in stated
        for sentence in _against(entry, stated[entry.chapter])
    ]


def _against(entry: Robustness, ids: set[str]) -> Iterator[str]:
    seeds = entry.last_seed - entry.first_seed + 1
    if entry.finished + entry.failed != seeds:
        yield f"{entry.finished} runs finished and {entry.failed} failed, of {seeds} seeds"
    if not CODE.fullmatch(entry.code):
        yield f"its code {quoted(entry.code)} is no hash"
    elif entry.first_seed != (expected := first_seed(entry.code)):
        yield f"its first seed is {entry.first_seed}; that of its code is {expected}"
    if set(entry.claims) != ids:
        yield f"its claims are not those of the chapter: {', '.join(sorted(set(entry.claims) ^ ids))}"
    for id, record in entry.claims.items():
        # A run that failed has the claims before the cell at which it stopped.
        if not (0 <= record.held <= record.runs and 0 <= record.controls <= record.runs <= seeds):
            yield f"{id}: held in {record.held} and controls failed in {record.controls}, of {record.runs} runs"
        if not entry.first_seed <= record.at <= entry.last_seed:
            yield f"{id}: the worst seed {record.at} is none of its seeds"
        if not record.worst >= 0 or (record.held == record.runs and record.worst > 1):
            yield f"{id}: the worst error is {record.worst:g} of its tolerance, yet it held in {record.held} runs"


def _entry(entry: dict[str, Any]) -> Robustness:
    claims = {id: _typed(Record(**record), f"claim {quoted(id)}") for id, record in entry["claims"].items()}
    return _typed(Robustness(**{**entry, "claims": claims}), quoted(entry["chapter"]))


def _typed(found: Typed, where: str) -> Typed:
    """The same, if each of its fields that is text or a number is one; a TypeError that begins with ``where``."""
    for name, expected in get_type_hints(type(found)).items():
        value = getattr(found, name)
        if expected in WORDS and type(value) is not expected and not (expected is float and type(value) is int):
            raise TypeError(f"{where}: {name} is {quoted(value)}, not {WORDS[expected]}")
    return found
