"""Where a book's chapters are, and how a chapter is found by its name."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

from reproduce.errors import PressError

CONTENTS = "_toc.yml"
REGISTER = "_atlas.yml"


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
        listed = list(documents(read_yaml(self.root / CONTENTS)))
        place = {document.removesuffix(".ipynb"): i for i, document in enumerate(listed)}
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
            raise PressError(f"chapter {name!r} is ambiguous: {', '.join(chapter.name for chapter in ends)}")
        known = [*chapters, *(chapter.short for chapter in chapters.values())]
        hint = nearest(asked, known, "'python -m reproduce list' shows them all")
        raise PressError(f"unknown chapter {name!r}; {hint}")


def find_book(start: Path | None = None) -> Book:
    """The book that ``start`` (by default the current folder) lies in; a PressError outside of any."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / CONTENTS).is_file() and (folder / "chapters").is_dir():
            return Book(folder)
    raise PressError(f"{here} is not inside a book: no folder above it has {CONTENTS} and chapters/")


def read_notebook(path: Path) -> NotebookNode:
    """A notebook in format 4; a PressError that says what is wrong with the file."""
    try:
        return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call, no-any-return]
    except FileNotFoundError:
        raise PressError(f"{path} does not exist") from None
    except (ValueError, nbformat.ValidationError, nbformat.reader.NotJSONError) as error:
        raise PressError(f"{path} is not a notebook: {first_line(error)}") from None


def read_yaml(path: Path) -> Any:
    """The content of a YAML file; a PressError that says what is wrong with it."""
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PressError(f"{path} does not exist") from None
    except yaml.YAMLError as error:
        raise PressError(f"{path} is not YAML: {' '.join(str(error).split())}") from None


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
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def first_line(error: BaseException) -> str:
    """The first line of an exception's text, or the name of its type."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


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
