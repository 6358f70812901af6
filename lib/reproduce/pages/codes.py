"""Of which code findings are, and whether a build's sources are other ones; hashes are made once for all pages."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from reproduce.campaigns.finding import Finding, code_of, is_current
from reproduce.campaigns.impossible import first_seed
from reproduce.chapters.book import Book
from reproduce.pages.tables import Cell

ALL = Cell("all", "b")
CHANGED, UNKNOWN = "the code has changed since", "whether its code has changed since is not recorded"


def changed(root: Path, found: Iterable[Finding]) -> set[str]:
    """The chapters of findings whose code has changed since, with an empty name for the book as a whole."""
    codes = _codes(root)
    return {one.chapter for one in found if not is_current(Book(root), one, codes[one.chapter])}


@cache
def _codes(root: Path) -> Mapping[str, str]:
    """The hash of each chapter's code by its name, and of all code under an empty one."""
    book = Book(root)
    stored = {one.name: code_of(book, one) for one in book.chapters() if one.notebook.exists()}
    return {**stored, "": code_of(book, None)}


def as_of(found: Iterable[Finding], changed: Collection[str]) -> str:
    """Of which version and commit findings are, with what they were made, and whether the code is another one now.

    With which packages is told of one finding; of several their records tell it.
    """
    found = list(found)
    told: dict[str, str] = {}
    for one in found:
        commit = f"{one.commit[:12]}{', with changes' if 'changes' in one.commit else ''}"
        text = f"as of {one.version}, commit {commit}, {one.date}"
        told[text] = told.get(text) or _late(one, changed)
    hosts = dict.fromkeys(one.host if len(found) == 1 else one.host.rpartition("; ")[0] for one in found)
    (late,) = same if len(same := set(told.values())) == 1 else ("",)  # of all of them, and said once
    origins = [f"{text}{f'; {own}' if own != late else ''}" for text, own in sorted(told.items())]
    return "; ".join(filter(None, [*origins, late, *hosts]))


def dated(found: Iterable[Finding]) -> str:
    """How many earlier versions had seeds that are no digits of their code's hash, as the first ones had, in words."""
    earlier = [of for one in found for of in one.counts["earlier"]]
    days = sum(of["first_seed"] != first_seed(of["code"]) for of in earlier)
    return f"{days} of the {len(earlier)} earlier versions had the day as their first seed" if days else ""


def of_chapter(one: Finding, changed: Collection[str]) -> Cell:
    """The cell of a chapter, with a note if its code has changed, or if a finding does not say which it was."""
    return Cell(one.chapter, "code", [_late(one, changed)])


def _late(one: Finding, changed: Collection[str]) -> str:
    return "" if one.chapter not in changed else CHANGED if one.code else UNKNOWN
