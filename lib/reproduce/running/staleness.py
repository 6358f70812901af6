"""Whether a chapter must be run again: a hash of everything its outputs follow from."""

import hashlib
import json
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from reproduce.book import Book, Chapter
from reproduce.errors import PressError
from reproduce.files import write_text
from reproduce.reading import read_bytes, read_json, read_notebook, read_text
from reproduce.running.imports import files_used, without_words

SHOWS = ("figures", "show.py")  # the mathematics' package and the claims' module that compute nothing


@dataclass(frozen=True)
class Stamp:
    """What an executed notebook was made from, and how long it took.

    hash: see ``fingerprint``.
    seconds: wall-clock time.
    """

    hash: str
    seconds: float


def fingerprint(book: Book, notebook: NotebookNode) -> str:
    """sha256 over what outputs follow from.

    The code cells (the default parameters are one of them), the library's files that they use, lock file and Python.
    """
    digest = hashlib.sha256(platform.python_version().encode())
    lock = book.root / "requirements.txt"
    for path in [*files_used(book.root / "lib", notebook), *filter(Path.is_file, [lock])]:
        _add(digest, path.relative_to(book.root).as_posix().encode(), read_bytes(path))
    _add(digest, *_code(notebook))
    return digest.hexdigest()


def code_hash(book: Book, notebook: NotebookNode) -> str:
    """sha256 over what computes a chapter's numbers, cut to 16 digits: its cells and the library's files that they use.

    Comments, docstrings and refusals are left out, and so is what draws, so that a better word or colour does not make
    fresh seeds old.
    """
    digest = hashlib.sha256()
    for path in files_used(book.root / "lib", notebook):
        if path.suffix == ".py" and path.parent.name not in SHOWS and path.name not in SHOWS:
            _add(digest, path.relative_to(book.root).as_posix().encode(), without_words(read_text(path)).encode())
    cells = [without_words(cell.source).encode() for cell in notebook.cells if cell.cell_type == "code"]
    _add(digest, *(cell for cell in cells if cell))
    return digest.hexdigest()[:16]


def executed_notebook(book: Book, chapter: Chapter) -> Path:
    """Where the freshly executed notebook of a chapter lies."""
    return book.build / "executed" / f"{chapter.name}.ipynb"


def executed_notebooks(book: Book) -> dict[str, NotebookNode]:
    """The freshly executed notebooks by chapter name, as far as there are any."""
    paths = {chapter.name: executed_notebook(book, chapter) for chapter in book.chapters()}
    return {name: read_notebook(path) for name, path in paths.items() if path.exists()}


def read_stamp(book: Book, chapter: Chapter) -> Stamp | None:
    """The stamp beside an executed notebook; None if either is missing or unreadable."""
    notebook = executed_notebook(book, chapter)
    try:
        stored = read_json(notebook.with_suffix(".json"))
        return Stamp(str(stored["hash"]), float(stored["seconds"])) if notebook.exists() else None
    except (PressError, ValueError, KeyError, TypeError, OverflowError):
        return None


def write_stamp(book: Book, chapter: Chapter, stamp: Stamp) -> None:
    """Say what the executed notebook beside it was made from."""
    path = executed_notebook(book, chapter).with_suffix(".json")
    write_text(path, json.dumps({"hash": stamp.hash, "seconds": round(stamp.seconds, 1)}) + "\n")


def _code(notebook: NotebookNode) -> Iterator[bytes]:
    return (cell.source.encode() for cell in notebook.cells if cell.cell_type == "code")


def _add(digest: "hashlib._Hash", *parts: bytes) -> None:
    """Each part with its length before it, so that moving a byte from one part to the next changes the hash."""
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part)
