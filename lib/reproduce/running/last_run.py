"""When each stored notebook was last executed in place, with what, and for how long: it stands in its metadata."""

import importlib.metadata
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from nbformat import NotebookNode

from reproduce.chapters.book import Book
from reproduce.ground.errors import PressError, one_line, quoted
from reproduce.ground.reading import read_notebook
from reproduce.running.environment import commit_of_files, environment, in_words, processor
from reproduce.running.imports import files_used
from reproduce.running.staleness import LOCK, fingerprint

LIBRARY = "lib"
EXECUTED = "executed"  # its name in the metadata
MAIN = ("Python", "numpy", "scipy", "cvxpy", "clarabel", "torch")  # on which numbers depend most
SAME = 1.3  # a time that changes by less is the old one, or every run would change the file


@dataclass(frozen=True)
class LastRun:
    """The last execution of one chapter.

    chapter: ``part/chapter``.
    date: its day.
    seconds: of one core, the start of the kernel included.
    versions, host: with what.
    code: hash of the code that it used, as findings keep it; empty where it was not recorded.
    """

    chapter: str
    date: str
    seconds: int
    versions: str
    host: str
    code: str = ""


def last_run(chapter: str, notebook: NotebookNode) -> LastRun | None:
    """When a notebook was executed; None if it never was. PressError for metadata that say something else."""
    entry = notebook.metadata.get(EXECUTED)
    if entry is None:
        return None
    try:
        run = LastRun(chapter=chapter, **entry)
        date.fromisoformat(run.date)
        if type(run.seconds) is not int or run.seconds < 1:
            raise ValueError(f"seconds is {quoted(run.seconds)}, not a positive whole number")
        for text in (run.versions, run.host, run.code):
            if not isinstance(text, str):
                raise ValueError(f"{quoted(text)} is not text")
    except (TypeError, ValueError) as error:
        raise PressError(f"{chapter}: its metadata do not say when it was executed: {one_line(str(error))}") from None
    return run


def stored_here(notebook: NotebookNode) -> bool:
    """Whether a notebook was stored on a machine of this type: its processor and the main versions are those of here.

    Numbers then come out to the last digit. False where the processor was not recorded.
    """
    run = last_run("notebook", notebook)
    if run is None or run.host.partition(", ")[2] != processor():
        return False
    names = [one.split(" ")[0] for one in main_versions(run.versions).split(", ")]
    try:
        here = [f"{name} {_version(name)}" for name in names]
    except importlib.metadata.PackageNotFoundError:
        return False
    return ", ".join(here) == main_versions(run.versions)


def _version(name: str) -> str:
    return platform.python_version() if name == "Python" else importlib.metadata.version(name)


def read_last_runs(book: Book) -> dict[str, LastRun]:
    """The last execution of every stored notebook that was executed, by chapter, in the order of the book."""
    files = [(one.name, one.notebook, one.notebook.stat()) for one in book.chapters() if one.notebook.exists()]
    found = [_of_file(name, path, stat.st_mtime_ns, stat.st_size) for name, path, stat in files]
    return {run.chapter: run for run in found if run is not None}


@lru_cache(maxsize=256)  # every page of a chapter asks for all
def _of_file(chapter: str, path: Path, changed: int, size: int) -> LastRun | None:
    return last_run(chapter, read_notebook(path))


def say_when(book: Book, before: LastRun | None, done: NotebookNode, seconds: float) -> None:
    """Write into a notebook that it was executed today.

    book: in which it stands.
    before: its execution before this one.
    done: the notebook.
    seconds: of a core.
    """
    here = environment(str(book.root))
    run = LastRun(
        chapter="",
        date=date.today().isoformat(),
        seconds=steady(before, seconds),
        versions=in_words(here),
        host=f"{here['cores']} cores, {processor()}",
        code=fingerprint(book, done)[:16],
    )
    done.metadata[EXECUTED] = {name: value for name, value in asdict(run).items() if value != ""}


def commit_of_run(book: Book, run: LastRun) -> str:
    """The last commit that changed the code of a run; empty if that is not the code of today, or differs from it.

    Code may be committed after it was run: what counts is that the commit holds the same.
    """
    chapter = book.chapter(run.chapter)
    notebook = chapter.read()
    if fingerprint(book, notebook)[:16] != run.code:
        return ""
    used = [chapter.twin, *files_used(book.root / LIBRARY, notebook), book.root / LOCK]
    return commit_of_files(book, [path for path in used if path.exists()])


def steady(before: LastRun | None, seconds: float) -> int:
    """Whole seconds, at least one; those of the run before where they are nearly the same."""
    now = max(1.0, seconds)
    if before is not None and 1 / SAME < now / before.seconds < SAME:
        return before.seconds
    return round(now)


def seconds_of_children() -> float:
    """The seconds of a core that processes started here and ended have used: not longer on a machine that is busy."""
    times = os.times()
    return times.children_user + times.children_system


def period(runs: Iterable[LastRun]) -> tuple[date, date]:
    """The first and the last day on which these were executed."""
    days = [date.fromisoformat(run.date) for run in runs]
    return min(days), max(days)


def main_versions(versions: str) -> str:
    """The versions on which numbers depend most."""
    return ", ".join(one for one in versions.split(", ") if one.split(" ")[0] in MAIN)


def environments(runs: Iterable[LastRun]) -> list[tuple[str, str]]:
    """The distinct environments of some runs, as pairs of versions and host."""
    return list(dict.fromkeys((run.versions, run.host) for run in runs))
