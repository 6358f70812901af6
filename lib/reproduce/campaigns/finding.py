"""What a campaign found: one record for all of them, ``evidence/records/<campaign>/<chapter>.json``.

A campaign tests the book as a whole, for hours: fresh seeds, other parameters, mutants, attacks, …. Its records say of
which commit they are; a later commit need not renew them.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from reproduce.book import Book, Chapter
from reproduce.environment import commit_of, environment
from reproduce.errors import PressError
from reproduce.files import write_text
from reproduce.reading import read_json
from reproduce.running.staleness import fingerprint

RECORDS = Path("evidence", "records")
BOOK = "book"  # the file of a finding that is of no chapter
# The commands that write each campaign's records.
WRITTEN_BY = {
    "attacks": "make attack",
    "benchmarks": "make bench",
    "mutants": "make mutants",
    "off_default": "make offdefault",
    "pages": "make read",
    "paper": "make paper",
    "seeds": "make seeds",
    "spoiled": "make mutants",
}


@dataclass(frozen=True)
class Finding:
    """What one campaign found in one chapter, or in the book as a whole.

    campaign: which one, a key of ``WRITTEN_BY``.
    chapter: ``part/chapter``; empty for the book as a whole.
    code: hash of the chapter's code, to see whether it has changed since; empty for the book as a whole.
    commit, date, host: from which commit, when, and with what and where.
    counts: what was counted or measured; its fields are the campaign's own.
    failed: what did not end as it must, each in one sentence.
    """

    campaign: str
    chapter: str
    code: str
    commit: str
    date: str
    host: str
    counts: Mapping[str, Any] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


def finding(
    book: Book, campaign: str, chapter: Chapter | None, counts: Mapping[str, Any], failed: Iterable[str] = ()
) -> Finding:
    """What a campaign found just now, on the code as it stands."""
    return Finding(
        campaign=campaign,
        chapter=chapter.name if chapter is not None else "",
        code=code_of(book, chapter) if chapter is not None else "",
        commit=commit_of(book),
        date=datetime.now(UTC).date().isoformat(),
        host=host(book),
        counts=counts,
        failed=list(failed),
    )


def code_of(book: Book, chapter: Chapter) -> str:
    """The hash of a chapter's code as findings keep it: 16 digits."""
    return fingerprint(book, chapter.read())[:16]


def host(book: Book) -> str:
    """Python, the versions of what the book depends on, and the cores: with what and where a campaign runs."""
    here = environment(str(book.root))
    versions = ", ".join(f"{name} {version}" for name, version in here["versions"].items())
    return f"Python {here['python']}, {versions}; {here['cores']} cores"


def write_finding(root: Path, found: Finding) -> None:
    """Keep a finding, in the place of what the campaign found before."""
    path = _path(root, found.campaign, found.chapter)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(asdict(found), indent=1, ensure_ascii=False) + "\n")


def read_findings(book: Book, campaign: str) -> list[Finding]:
    """What a campaign found, in the order of the book, what is of no chapter last; empty if it never ran."""
    names = [*(chapter.name for chapter in book.chapters()), ""]
    return [found for name in names if (found := read_finding(book.root, campaign, name)) is not None]


def read_finding(root: Path, campaign: str, chapter: str = "") -> Finding | None:
    """What a campaign found in a chapter, or in the book as a whole; None if it was not run there.

    Raises PressError for a file that says anything else.
    """
    path = _path(root, campaign, chapter)
    if not path.exists():
        return None
    content, wrong = read_json(path), PressError(f"{path.relative_to(root)} is not what '{WRITTEN_BY[campaign]}' writes")
    try:
        found = Finding(**content)
        date.fromisoformat(found.date)
    except (TypeError, ValueError):
        raise wrong from None
    texts = (found.campaign, found.chapter, found.code, found.commit, found.host, *_listed(found.failed))
    if not all(isinstance(text, str) for text in texts) or (found.campaign, found.chapter) != (campaign, chapter):
        raise wrong
    if not _fits(found.counts, SHAPES[campaign]):
        raise wrong
    return found


def _path(root: Path, campaign: str, chapter: str) -> Path:
    return root / RECORDS / campaign / f"{chapter.rpartition('/')[2] or BOOK}.json"


def _listed(value: Any) -> list[Any]:
    """A list as it is; anything else as what no list of texts holds."""
    return value if isinstance(value, list) else [None]


ANY = ""  # in the place of a key: any key
SEED = {"runs": int, "held": int, "controls": int, "worst": float, "at": int}
END = dict.fromkeys(("possible", "made", "red", "stopped", "held_by_tests", "along", "equivalent", "surviving"), int)
WAY = {"must": bool, **dict.fromkeys(("claims", "refused", "same", "own", "listed", "idle", "passed"), int)}
CLASS = {"meaning": str, "cases": int, "good": int, "bad": int}
TIMING = {"method": str, "seconds": float, "spread": float, "rounds": int, "reached": str, "error": object}
# What the counts of each campaign hold.
SHAPES: Mapping[str, Any] = {
    "attacks": {"seeds": [int], "seconds": int, "damaged": int, "kills": {ANY: {ANY: int}}, "classes": {ANY: CLASS}},
    "benchmarks": {
        "load": [float],
        "groups": [{"name": str, "timings": [{**TIMING, "plain": bool, "caution": str}], "matched": float}],
    },
    "mutants": {ANY: END},
    "off_default": {"ok": int, "refused": int},
    "pages": {"browser": str, "pages": int, "readings": {ANY: int}, "checks": [str]},
    "paper": {"parameters": {ANY: object}, "seconds": int, "megabytes": int, "claims": int, "held": int},
    "seeds": {"first_seed": int, "last_seed": int, "finished": int, "failed": int, "claims": {ANY: SEED}},
    "spoiled": {ANY: WAY},
}


def _fits(value: Any, shape: Any) -> bool:
    """Whether a value is of a shape: a type, a list of one shape, or a dictionary; no number is negative or no number."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        keys_fit = isinstance(value, dict) and (ANY in shape or value.keys() == shape.keys())
        return keys_fit and all(_fits(one, shape.get(key, shape.get(ANY))) for key, one in value.items())
    if shape is float:
        return type(value) in (int, float) and math.isfinite(value) and value >= 0
    return type(value) is int and value >= 0 if shape is int else isinstance(value, shape)
