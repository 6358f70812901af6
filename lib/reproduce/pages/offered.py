"""The PDFs that the pages offer: those that show the stored notebooks as they are."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from reproduce.chapters.book import Book
from reproduce.ground.errors import writing
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_bytes, read_json

FOLDER = "pdf"  # under _build, and beside the pages
NAME = "implicit-bias"  # of the book's PDF
CHAPTERS = "chapters"
PRINTED = "printed.json"  # the sha256 of each notebook that was printed, by chapter


def note_printed(book: Book) -> None:
    """Keep from what the PDFs of a book were printed."""
    write_text(book.build / FOLDER / PRINTED, json.dumps(_digests(book), indent=1) + "\n")


def offer(book: Book, source: Path) -> None:
    """Put the PDFs that are current into a book's staged sources.

    book: whose PDFs.
    source: the folder of the staged sources.
    """
    for name in _current(book):
        target = source / FOLDER / name
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(book.build / FOLDER / name, target)


def _current(book: Book) -> Iterator[str]:
    """The PDFs of chapters whose notebook is as it was printed, and the book's if all are."""
    folder = book.build / FOLDER
    printed = read_json(folder / PRINTED) if (folder / PRINTED).exists() else None
    stored = _digests(book)
    if isinstance(printed, dict):
        names = [f"{CHAPTERS}/{name}.pdf" for name, digest in stored.items() if printed.get(name) == digest]
        names += [f"{NAME}.pdf"] if printed == stored else []
        yield from (name for name in names if (folder / name).is_file())


def _digests(book: Book) -> dict[str, str]:
    """sha256 of each stored notebook by chapter."""
    stored = [chapter for chapter in book.chapters() if chapter.notebook.exists()]
    return {chapter.name: hashlib.sha256(read_bytes(chapter.notebook)).hexdigest() for chapter in stored}
