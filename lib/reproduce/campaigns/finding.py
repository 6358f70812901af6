"""What a campaign found: one record for all of them, ``evidence/records/<campaign>/<chapter>.json``.

A campaign tests the book as a whole, for hours: fresh seeds, other parameters, mutants, attacks, …. Its records say of
which commit they are; a later commit need not renew them.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeAlias

from reproduce.campaigns.impossible import impossible
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import paper_values, signature
from reproduce.ground.errors import PressError
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_json
from reproduce.ground.shape import ANY, fits
from reproduce.running.environment import commit_of, environment, in_words, machine, version_of
from reproduce.running.staleness import fingerprint, fingerprint_of_all

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

SEED = {"runs": int, "held": int, "controls": int, "worst": float, "at": int}
# Of an old release "stopped" holds what was refused, and "excused" what had no effect; then these two are null.
END = {
    **dict.fromkeys(("possible", "made", "red", "stopped", "held_by_tests", "along", "excused", "surviving"), int),
    **dict.fromkeys(("refused", "no_effect"), (int, type(None))),
}
SEEDED = dict.fromkeys(("first_seed", "last_seed", "finished", "failed"), int)
MISSED = {"runs": int, "held": int, "controls": int}
WAY = {"must": bool, **dict.fromkeys(("claims", "refused", "same", "own", "listed", "idle", "passed"), int)}
CLASS = {"meaning": str, "cases": int, "good": int, "bad": int}
TIMING = {"method": str, "seconds": float, "spread": float, "rounds": int, "reached": str, "error": (float, type(None))}
# What the counts of each campaign hold.
SHAPES: Mapping[str, Any] = {
    "attacks": {"seeds": [int], "seconds": int, "damaged": int, "kills": {ANY: {ANY: int}}, "classes": {ANY: CLASS}},
    "benchmarks": {
        "load": {"before": float, "after": float},
        "groups": [{"name": str, "timings": [{**TIMING, "plain": bool, "caution": str}], "matched": float}],
    },
    "mutants": {ANY: END},
    "off_default": {"ok": int, "outside": int, "refused": int},
    "pages": {"browser": str, "pages": int, "readings": {ANY: int}, "checks": [str]},
    "paper": {"parameters": {ANY: object}, "seconds": int, "megabytes": int, "claims": int, "held": int},
    "seeds": {
        **SEEDED,
        "claims": {ANY: (SEED, {**SEED, "same": bool})},
        "earlier": [{**dict.fromkeys(("code", "commit", "date"), str), **SEEDED, "missed": {ANY: MISSED}}],
    },
    "spoiled": {ANY: WAY},
}
ABOUT = dict.fromkeys(("campaign", "chapter", "code", "version", "commit", "date", "host"), str)


@dataclass(frozen=True)
class Finding:
    """What one campaign found in one chapter, or in the book as a whole.

    campaign: which one, a key of ``WRITTEN_BY``.
    chapter: ``part/chapter``; empty for the book as a whole.
    code: hash of the chapter's code, or of all code of the book, to see whether it has changed since.
    version, commit, date, host: of which version and commit, when, and with what and where.
    counts: what was counted or measured; its fields are the campaign's own.
    failed: what did not end as it must, each in one sentence.
    """

    campaign: str
    chapter: str
    code: str
    version: str
    commit: str
    date: str
    host: str
    counts: Mapping[str, Any]
    failed: list[str]


Outcome: TypeAlias = tuple[Mapping[str, Any], list[str]]  # of one chapter: what was counted, and what failed
Keep: TypeAlias = Callable[[Chapter, Outcome], None]


def run_campaign(
    book: Book,
    campaign: str,
    chapters: Sequence[Chapter],
    run: Callable[[Sequence[Chapter], Keep], None],
    *,
    again: bool,
    ended: Callable[[Finding, bool], None],
) -> list[Finding]:
    """Run a campaign on chapters; each finding is written as soon as it is there.

    book, chapters: what to run, and where it stands.
    campaign: its name.
    run: runs chapters, and gives what comes of each to the function that it is given.
    again: run also what was run to its good end with the same code.
    ended: told of each finding, and whether it is an earlier one.
    """
    found: dict[str, Finding] = {}
    for chapter in chapters:
        last = read_finding(book.root, campaign, chapter.name)
        if last is not None and not again and not last.failed and is_current(book, last):
            found[chapter.name] = last
            ended(last, True)

    def keep(chapter: Chapter, outcome: Outcome) -> None:
        new = found[chapter.name] = finding(book, campaign, chapter, *outcome)
        write_finding(book.root, new)
        ended(new, False)

    run([chapter for chapter in chapters if chapter.name not in found], keep)
    return [found[chapter.name] for chapter in chapters]


def finding(
    book: Book, campaign: str, chapter: Chapter | None, counts: Mapping[str, Any], failed: Iterable[str] = ()
) -> Finding:
    """What a campaign found just now, on the code as it stands."""
    here = environment(str(book.root))
    return Finding(
        campaign=campaign,
        chapter=chapter.name if chapter is not None else "",
        code=code_of(book, chapter),
        version=version_of(book),
        commit=commit_of(book),
        date=datetime.now(UTC).date().isoformat(),
        host=f"{machine()}; {in_words(here)}",
        counts=counts,
        failed=list(failed),
    )


def code_of(book: Book, chapter: Chapter | None) -> str:
    """The hash of a chapter's code, or of all code of the book, as findings keep it: 16 digits."""
    return (fingerprint(book, chapter.read()) if chapter is not None else fingerprint_of_all(book))[:16]


def is_current(book: Book, found: Finding, code: str = "") -> bool:
    """Whether what was run is what stands there now: code, and parameters where the finding keeps them.

    book, found: the finding, and where it stands.
    code: the hash of the code now, where it is known already.
    """
    chapter = book.chapter(found.chapter) if found.chapter else None
    if found.code != (code or code_of(book, chapter)):
        return False
    if chapter is None or "parameters" not in found.counts:
        return True
    try:
        values = paper_values(signature(chapter.read(), chapter.name), chapter)
    except PressError:  # no parameters at the paper's scale any more, or other ones than before
        return False
    return bool(found.counts["parameters"] == values)


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

    Raises PressError for a file that says anything else, or what cannot be.
    """
    path = _path(root, campaign, chapter)
    if not path.exists():
        return None
    content = read_json(path)
    try:
        if not fits(content, {**ABOUT, "counts": SHAPES[campaign], "failed": [str]}):
            raise ValueError("of another shape")
        found = Finding(**content)
        date.fromisoformat(found.date)
        if (found.campaign, found.chapter) != (campaign, chapter):
            raise ValueError("of another chapter")
    except ValueError:
        raise PressError(f"{path.relative_to(root)} is not what '{WRITTEN_BY[campaign]}' writes") from None
    for sentence in impossible(campaign, found.code, found.counts, found.failed):
        raise PressError(f"{path.relative_to(root)} cannot be: {sentence}")
    return found


def _path(root: Path, campaign: str, chapter: str) -> Path:
    return root / RECORDS / campaign / f"{chapter.rpartition('/')[2] or BOOK}.json"
