"""The hash of every chapter's code, of which many pages ask: made once, as a build's sources stay as they are."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from reproduce.book import Book
from reproduce.running.staleness import code_hash


@cache
def codes(root: Path) -> Mapping[str, str]:
    """The hashes by chapter name, of the sources of a build."""
    book = Book(root)
    return {name: code_hash(book, notebook) for name, notebook in book.notebooks().items()}
