"""Whether a chapter must be run again: a hash of everything its outputs follow from."""

import hashlib
import json
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from reproduce.book import Book, Chapter, read_notebook


@dataclass(frozen=True)
class Stamp:
    """What an executed notebook was made from, and how long it took.

    hash: see ``fingerprint``.
    seconds: wall-clock time.
    """

    hash: str
    seconds: float


def fingerprint(book: Book, notebook: NotebookNode) -> str:
    """sha256 over code cells (the default parameters are one of them), library, lock file and Python version."""
    digest = hashlib.sha256(platform.python_version().encode())
    library = [path for path in (book.root / "lib").rglob("*") if "__pycache__" not in path.parts]
    lock = book.root / "requirements.txt"
    for path in filter(Path.is_file, sorted([*library, lock])):
        _add(digest, path.relative_to(book.root).as_posix().encode(), path.read_bytes())
    _add(digest, *_code(notebook))
    return digest.hexdigest()


def code_hash(notebook: NotebookNode) -> str:
    """sha256 over the code cells alone, cut to 16 digits."""
    digest = hashlib.sha256()
    _add(digest, *_code(notebook))
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
        stored = json.loads(notebook.with_suffix(".json").read_text())
        return Stamp(str(stored["hash"]), float(stored["seconds"])) if notebook.exists() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_stamp(book: Book, chapter: Chapter, stamp: Stamp) -> None:
    """Say what the executed notebook beside it was made from."""
    path = executed_notebook(book, chapter).with_suffix(".json")
    path.write_text(json.dumps({"hash": stamp.hash, "seconds": round(stamp.seconds, 1)}) + "\n")


def _code(notebook: NotebookNode) -> Iterator[bytes]:
    return (cell.source.encode() for cell in notebook.cells if cell.cell_type == "code")


def _add(digest: "hashlib._Hash", *parts: bytes) -> None:
    """Each part with its length before it, so that moving a byte from one part to the next changes the hash."""
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part)
