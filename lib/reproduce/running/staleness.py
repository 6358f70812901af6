"""Whether a chapter must be run again: a hash of everything its outputs follow from."""

import hashlib
import json
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from reproduce.chapters.book import Book, Chapter
from reproduce.claims.wellformed import faults
from reproduce.claims.words import unsaid
from reproduce.ground.errors import PressError, writing
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_bytes, read_json, read_notebook
from reproduce.running.environment import packages_for_the_web
from reproduce.running.imports import files_used
from reproduce.running.notebooks import code_cells

LOCK = "requirements.txt"
CODE = ("lib", "chapters", "tests", "evidence", "benchmarks")


@dataclass(frozen=True)
class Stamp:
    """What an executed notebook was made from, and how long it took.

    hash: see ``fingerprint``.
    seconds: wall-clock time.
    """

    hash: str
    seconds: float


def fingerprint(book: Book, notebook: NotebookNode) -> str:
    """sha256 over what outputs follow from, file by file: whether a chapter has to be executed again to know.

    The code cells (the default parameters are one of them), the library's files that they use, Python and the lock file
    without what only pages with an address need. A word that changes in one of them changes it too; whether an output
    does, only execution says.
    """
    digest = hashlib.sha256(platform.python_version().encode())
    for path in files_used(book.root / "lib", notebook):
        _add(digest, path.relative_to(book.root).as_posix().encode(), read_bytes(path))
    if (book.root / LOCK).is_file():
        web = packages_for_the_web(str(book.root))
        locked = read_bytes(book.root / LOCK).splitlines(keepends=True)
        kept = [line for line in locked if line.partition(b"==")[0].decode() not in web]
        _add(digest, LOCK.encode(), b"".join(kept))
    _add(digest, *map(str.encode, code_cells(notebook)))
    return digest.hexdigest()


def fingerprint_of_all(book: Book) -> str:
    """sha256 over all code of a book: library, chapters, tests, evidence and the lock file."""
    digest = hashlib.sha256(platform.python_version().encode())
    files = [path for folder in CODE for path in (book.root / folder).rglob("*.py")]
    for path in sorted([*files, *filter(Path.is_file, [book.root / LOCK])]):
        _add(digest, path.relative_to(book.root).as_posix().encode(), read_bytes(path))
    return digest.hexdigest()


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


def agrees(book: Book, chapter: Chapter) -> bool:
    """Whether the stored notebook, with the code as it stands, was executed here and came out as it is stored."""
    path = _agreed(book, chapter)
    return path.is_file() and path.read_text(encoding="utf-8", errors="replace") == _stored_and_code(book, chapter)


def say_that_it_agrees(book: Book, chapter: Chapter) -> None:
    """Remember that the stored notebook was executed and came out as it is stored: nobody has to do it again."""
    path = _agreed(book, chapter)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, _stored_and_code(book, chapter))


def _agreed(book: Book, chapter: Chapter) -> Path:
    return book.build / "agreed" / chapter.name


def _stored_and_code(book: Book, chapter: Chapter) -> str:
    notebook = chapter.read()
    digest = hashlib.sha256()
    _add(digest, fingerprint(book, notebook).encode(), *_outputs(notebook))
    return digest.hexdigest()


def _outputs(notebook: NotebookNode) -> Iterator[bytes]:
    """What a notebook stores of its execution: its text, with the words of its claims, is no part of it."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            record = output.get("metadata", {}).get("claim")
            if record is not None and not faults(record):
                output["metadata"]["claim"] = unsaid(record)
            yield json.dumps(output, sort_keys=True).encode()


def _add(digest: "hashlib._Hash", *parts: bytes) -> None:
    """Each part with its length before it, so that moving a byte from one part to the next changes the hash."""
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part)
