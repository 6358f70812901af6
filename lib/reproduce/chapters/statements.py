"""What the sources say, statement by statement, and what the book finds: ``_statements.yml``, read back."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.chapters.book import REGISTER
from reproduce.claims.ledger import read_register
from reproduce.ground.errors import PressError, quoted
from reproduce.ground.reading import read_text, read_yaml

STATEMENTS, REFERENCES = "_statements.yml", "references.bib"
NEEDED, FREE = ("source", "place", "statement", "verdict"), ("paper", "chapter", "note", "claims")
NOT_SHOWN = "not shown"
SPEAKS_FOR_ITSELF = ("shown", "sharpened")
CHANGED = ("corrected", "misprint", "refuted")
VERDICTS = (*SPEAKS_FOR_ITSELF, *CHANGED, "in part", NOT_SHOWN)
KEY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)


@dataclass(frozen=True)
class Statement:
    """One statement of a source.

    source, paper: keys of the document that was read, and of the paper whose result it is if that is another one.
    place: where in the document.
    statement: what it says; formulas in dollars, here and in the note.
    verdict: one of ``VERDICTS``.
    chapter: where the book has it, ``part/chapter``; empty where it has nothing.
    claims: ids of claims of that chapter.
    note: what was added, changed or left out.
    """

    source: str
    place: str
    statement: str
    verdict: str
    paper: str = ""
    chapter: str = ""
    note: str = ""
    claims: tuple[str, ...] = ()


def read_statements(root: Path) -> list[Statement]:
    """All statements of a book; a PressError names the entry and what is missing in it or not allowed."""
    entries = read_yaml(root / STATEMENTS)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PressError(f"{STATEMENTS} must be a list of statements, each with {', '.join(NEEDED)}")
    claims_of = {entry["chapter"]: entry.get("claims") or [] for entry in read_register(root / REGISTER)}
    keys = set(sources(root))
    found: list[Statement] = []
    for number, entry in enumerate(entries, start=1):
        if wrong := _against(entry, claims_of, keys, found):
            raise PressError(f"{STATEMENTS}, entry {number} ({quoted(entry.get('place') or 'without place')}): {wrong}")
        found.append(Statement(**{**entry, "claims": tuple(entry.get("claims") or ())}))
    return found


def sources(root: Path) -> list[str]:
    """The keys of the list of references."""
    return KEY.findall(read_text(root / REFERENCES))


def _against(
    entry: dict[str, Any], claims_of: dict[str, list[str]], keys: set[str], before: Iterable[Statement]
) -> str:
    """The first thing that is wrong with an entry; empty if nothing is."""
    if unknown := entry.keys() - {*NEEDED, *FREE}:
        return f"there is no field {', '.join(sorted(map(quoted, unknown)))}; allowed are {', '.join((*NEEDED, *FREE))}"
    if missing := [field for field in NEEDED if not entry.get(field)]:
        return f"no {', '.join(missing)}"
    if bad := [field for field in entry if field != "claims" and not isinstance(entry[field], str)]:
        return f"{bad[0]} is {quoted(entry[bad[0]])}; it must be text"
    if not isinstance(entry.get("claims") or [], list):
        return f"claims is '{quoted(entry['claims'])}'; it must be a list of ids"
    for field in ("source", "paper"):
        if entry.get(field) and entry[field] not in keys:
            return f"{field} is '{quoted(entry[field])}'; it must be a key of {REFERENCES}"
    verdict, chapter, claims = entry["verdict"], entry.get("chapter", ""), entry.get("claims") or []
    if verdict not in VERDICTS:
        return f"verdict is '{quoted(verdict)}'; it must be one of {', '.join(VERDICTS)}"
    if not chapter and verdict != NOT_SHOWN:
        return f"no chapter, which '{verdict}' needs"
    if chapter and chapter not in claims_of:
        return f"chapter is '{quoted(chapter)}'; it must be one of {REGISTER}"
    if strange := [claim for claim in claims if claim not in claims_of.get(chapter, ())]:
        return f"claim '{quoted(strange[0])}' is not registered for '{chapter}' in {REGISTER}"
    if verdict not in SPEAKS_FOR_ITSELF and not entry.get("note"):
        return f"no note, which '{verdict}' needs"
    if any((one.source, one.place) == (entry["source"], entry["place"]) for one in before):
        return "an entry before has the same source and place"
    return ""


def in_words(verdicts: Iterable[str]) -> str:
    """How many statements there are, and how many of each verdict.

    >>> in_words(["shown", "in part", "shown"])
    '3 statements: 2 shown, 1 in part'
    """
    counts = Counter(verdicts)
    each = ", ".join(
        f"{counts[verdict]} {verdict}{'s' * (verdict == 'misprint' and counts[verdict] > 1)}"
        for verdict in VERDICTS
        if counts[verdict]
    )
    return f"{counts.total()} statement{'' if counts.total() == 1 else 's'}: {each}"
