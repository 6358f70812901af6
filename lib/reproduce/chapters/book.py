"""Where a book's chapters are, and how a chapter is found by its name."""

import difflib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.ground.errors import LONGEST_PATH, PressError, quoted
from reproduce.ground.reading import read_notebook, read_text, read_yaml

CONTENTS = "_toc.yml"
REGISTER = "_atlas.yml"
CHAPTERS = "chapters/"  # where the documents of chapters lie
STORY = "index"  # the last part of the name of a part's opening page, which is no chapter and has no number
OF_THE_BUILD = ("executed", "failed", "html", "replaced", "source", "work")  # folders of _build that a command replaces


@dataclass(frozen=True)
class Chapter:
    """One chapter: a notebook, its text twin, and the paper's own parameters beside it.

    name: ``part/chapter``.
    notebook: its path, whether or not the file exists yet.
    """

    name: str
    notebook: Path

    @property
    def short(self) -> str:
        """The last part of the name, with which the chapter's claims begin."""
        return self.notebook.stem

    @property
    def twin(self) -> Path:
        """The chapter as a Python script."""
        return self.notebook.with_suffix(".py")

    @property
    def paper(self) -> Path:
        """The parameters at the paper's own scale."""
        return self.notebook.with_suffix(".paper.yaml")

    def read(self) -> NotebookNode:
        """The stored notebook; a PressError if there is none."""
        if not self.notebook.exists():
            raise PressError(f"{self.name} has no notebook yet; 'python -m reproduce refresh {self.name}' makes it")
        return read_notebook(self.notebook)


@dataclass(frozen=True)
class Book:
    """A folder with a table of contents and chapters; everything generated goes to its ``_build``."""

    root: Path

    @property
    def build(self) -> Path:
        """The folder for everything that is generated."""
        return self.root / "_build"

    def chapters(self) -> list[Chapter]:
        """All chapters, in the order of the table of contents; those it leaves out come last, by name."""
        folder = self.root / "chapters"
        files = [path for suffix in ("ipynb", "py") for path in folder.glob(f"[!._]*/[!._]*.{suffix}")]
        names = {path.relative_to(folder).with_suffix("").as_posix() for path in files}
        contents = self.root / CONTENTS
        place = _places(contents, read_text(contents))
        ordered = sorted(names, key=lambda name: (place.get(f"chapters/{name}", len(place)), name))
        return [Chapter(name, folder / f"{name}.ipynb") for name in ordered]

    def notebooks(self) -> dict[str, NotebookNode]:
        """The stored notebooks by chapter name."""
        return {chapter.name: chapter.read() for chapter in self.chapters() if chapter.notebook.exists()}

    def chapter(self, name: str) -> Chapter:
        """The chapter of that name; an unambiguous last part of a name is enough.

        Raises PressError for an unknown or ambiguous name, with the nearest match.
        """
        chapters = {chapter.name: chapter for chapter in self.chapters()}
        asked = name.removeprefix("chapters/").removesuffix(".ipynb").removesuffix(".py")
        if asked in chapters:
            return chapters[asked]
        ends = [chapter for chapter in chapters.values() if chapter.short == asked]
        if len(ends) == 1:
            return ends[0]
        if ends:
            names = ", ".join(chapter.name for chapter in ends)
            raise PressError(f"chapter '{quoted(name)}' is ambiguous: {names}")
        known = [*chapters, *(chapter.short for chapter in chapters.values())]
        hint = nearest(asked, known, "'python -m reproduce list' shows them all")
        raise PressError(f"unknown chapter '{quoted(name)}'; {hint}")


@lru_cache(maxsize=1)  # every page of a chapter asks for its chapters
def _places(path: Path, text: str) -> Mapping[str, int]:
    """The place of each document in a table of contents in which this text stands."""
    return {document.removesuffix(".ipynb"): place for place, document in enumerate(documents(read_yaml(path)))}


def find_book(start: Path | None = None) -> Book:
    """The book that ``start`` (by default the current folder) lies in; a PressError outside of any."""
    try:
        here = (start or Path.cwd()).resolve()
    except FileNotFoundError:
        raise PressError("the current folder does not exist any more; change into the book") from None
    for folder in (here, *here.parents):
        if _is_book(folder):
            return Book(folder)
    raise PressError(f"{here} is not inside a book: no folder above it has {CONTENTS} and chapters/")


def refuse_own_folders(book: Book, folder: Path) -> Path:
    """The folder that a person wants outputs in, from the root on; a PressError if a book keeps its own files there.

    That is every folder of this book or another except below its ``_build``, and there those that a command replaces.
    Links and ``..`` are followed first, and folders are compared as the file system does.
    """
    target = Path(os.path.realpath(folder))
    refused = f"{shown(folder)} is not allowed:"
    for place in (target, *target.parents):
        if _same(place, book.build) or (place.name == book.build.name and _is_book(place.parent)):
            below = target.relative_to(place).parts
            if not below or below[0] in OF_THE_BUILD:
                raise PressError(f"{refused} a book's own commands write there; use another folder")
            return target
        if _is_book(place) or _same(place, book.root):
            raise PressError(f"{refused} it belongs to the book at {place}; use a folder below _build or outside")
    return target


def _is_book(folder: Path) -> bool:
    return os.path.isfile(folder / CONTENTS) and os.path.isdir(folder / "chapters")


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one folder, also by another spelling that the file system takes for the same."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def title(notebook: NotebookNode) -> str:
    """The first heading of a notebook, or an empty string."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for line in cell.source.splitlines():
                if line.startswith("# "):
                    return str(line[2:].strip())
    return ""


def nearest(name: str, known: Iterable[str], otherwise: str) -> str:
    """``did you mean …?`` if a known name is near, else the sentence given."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]}?" if close else otherwise


def shown(path: Path) -> str:
    """A path as a person would type it: relative to the current folder where it lies below."""
    here = Path.cwd()
    return quoted(path.relative_to(here) if path.is_relative_to(here) else path, LONGEST_PATH)


def documents(contents: Any) -> Iterable[str]:
    """Every document that a table of contents names, in order."""
    if isinstance(contents, list):
        for item in contents:
            yield from documents(item)
    elif isinstance(contents, dict):
        for key, value in contents.items():
            if key in ("root", "file"):
                yield str(value)
            else:
                yield from documents(value)


def parts_of(contents: Any) -> list[tuple[str, list[str]]]:
    """The parts of a table of contents that have chapters: their captions, and ``part/chapter`` in order.

    A book without parts is one part without a name. The page that tells a part's story is no chapter.
    """
    if not isinstance(contents, dict):
        return []
    parts = []
    given = contents.get("parts") or [{"chapters": contents.get("chapters") or []}]
    if not isinstance(given, list) or not all(isinstance(part, dict) for part in given):
        raise PressError(f"{CONTENTS}: parts is {quoted(given)}; it must be a list, each with a caption and chapters")
    for part in given:
        named = [name.removesuffix(".ipynb") for name in documents(part)]
        own = [name.removeprefix(CHAPTERS) for name in named if name.startswith(CHAPTERS) and not is_story(name)]
        if own:
            parts.append((str(part.get("caption") or ""), own))
    return parts


def is_story(document: str) -> bool:
    """Whether a document is the page that opens a part, which has no number."""
    return document.startswith(CHAPTERS) and document.rpartition("/")[2] == STORY
