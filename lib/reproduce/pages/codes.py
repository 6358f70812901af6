"""Which findings are of older code than a build's sources; the hashes are made once, as many pages ask for them."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from reproduce.campaigns.finding import Finding, code_of, is_current
from reproduce.chapters.book import Book


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
