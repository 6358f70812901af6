"""One run of a sweep, as a worker does it: execute, judge, and leave a folder that is whole."""

import functools
import importlib.metadata
import os
import platform
import re
import socket
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.book import Book, Chapter
from reproduce.claims.ledger import judge
from reproduce.errors import PressError, one_line
from reproduce.running.execute import CellFailed, execute
from reproduce.running.kernel_watch import KernelWatch
from reproduce.running.notebooks import write_notebook
from reproduce.running.staleness import fingerprint
from reproduce.sweep.record import FAILED, FINISHED, read_record, write_record
from reproduce.sweep.store import new_folder

DISTRIBUTION = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Point:
    """What a worker is told; plain values, so that any worker understands it.

    root: the folder of the book.
    chapter: ``part/chapter``.
    values: the parameters to inject.
    target: the folder of the run.
    room: folder in which it is made.
    fingerprint: of the code that the sweep was started with.
    commit: of the repository, as the sweep found it.
    cell_limit: seconds that one cell may take.
    limit: seconds that the whole run may take; None for any time.
    """

    root: str
    chapter: str
    values: dict[str, Any]
    target: str
    room: str
    fingerprint: str
    commit: str
    cell_limit: int
    limit: float | None = None


@dataclass(frozen=True)
class Ended:
    """How a run ended; everything else is in its folder.

    failure: why it failed, in one line; empty if it finished.
    seconds: wall-clock time.
    outdated: the host that sees another book than the one the sweep was started with, so that nothing was run there.
    """

    failure: str
    seconds: float
    outdated: str = ""


def work(point: Point) -> Ended:
    """Run one point and leave its folder; a run that another worker has left there already is not run again.

    A failing cell or a full disk is a failed run with its reason, never an exception.
    """
    begun = time.monotonic()
    if _finished(point):
        return Ended("", 0.0)
    book = Book(Path(point.root))
    try:
        chapter = book.chapter(point.chapter)
        notebook = chapter.read()
        same = fingerprint(book, notebook) == point.fingerprint
    except (PressError, OSError):  # in the middle of an edit
        same = False
    if not same:
        return Ended("", 0.0, socket.gethostname())
    try:
        failure = _run(point, chapter, notebook, begun)
    except (PressError, OSError) as error:
        if _finished(point):  # another worker was told to run it again, and was faster
            return Ended("", time.monotonic() - begun)
        failure = one_line(str(error))
        give_up(point, failure, time.monotonic() - begun)
    return Ended(failure, time.monotonic() - begun)


def give_up(point: Point, reason: str, seconds: float) -> None:
    """Leave the folder of a run that has no notebook; where even that cannot be written there is none."""
    if _finished(point):
        return  # another worker finished it meanwhile
    try:
        with new_folder(Path(point.target), point.chapter.rpartition("/")[2], Path(point.room)) as scratch:
            write_record(scratch, _record(point, FAILED, reason, "", seconds, []))
    except (PressError, OSError):
        pass


def _finished(point: Point) -> bool:
    return read_record(Path(point.target), point.values).finished(point.fingerprint)


def _run(point: Point, chapter: Chapter, notebook: NotebookNode, begun: float) -> str:
    """Execute and write the folder; why the run failed, or nothing."""
    with new_folder(Path(point.target), chapter.short, Path(point.room)) as scratch:
        status, reason, name = FINISHED, "", f"{chapter.short}.ipynb"
        watch = KernelWatch(point.limit)
        folder, cell_limit = chapter.notebook.parent, point.cell_limit
        try:
            done = execute(notebook, folder, scratch, point.values, cell_limit=cell_limit, watch=watch)
        except CellFailed as failure:
            status, reason, name = FAILED, f"{failure.where}: {failure.why}", f"{chapter.short}.failed.ipynb"
            done = failure.notebook
        claims = [
            {**claim.record, "holds": claim.holds, "objections": list(claim.objections)}
            for claim in judge({chapter.name: done}).claims
            if claim.complete
        ]
        for left in scratch.iterdir():
            left.unlink()
        write_notebook(done, scratch / name)
        record = _record(point, status, reason, name, time.monotonic() - begun, claims)
        write_record(scratch, {**record, "megabytes": watch.megabytes})
    return reason


def _record(
    point: Point, status: str, reason: str, notebook: str, seconds: float, claims: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "chapter": point.chapter,
        "parameters": point.values,
        "status": status,
        "reason": reason,
        "notebook": notebook,
        "seconds": round(seconds, 2),
        "fingerprint": point.fingerprint,
        "environment": {**environment(point.root), "commit": point.commit},
        "claims": claims,
    }


@functools.lru_cache
def environment(root: str) -> Mapping[str, Any]:
    """Host, its cores, Python, and the versions of the packages that the book depends on directly."""
    try:
        project = tomllib.loads((Path(root) / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, tomllib.TOMLDecodeError):
        project = {}
    versions = {}
    for requirement in project.get("dependencies", []):
        name = DISTRIBUTION.match(requirement)
        if name is not None:
            try:
                versions[name[0]] = importlib.metadata.version(name[0])
            except importlib.metadata.PackageNotFoundError:
                versions[name[0]] = "not installed"
    return {
        "host": socket.gethostname(),
        "cores": os.cpu_count() or 0,
        "python": platform.python_version(),
        "versions": versions,
    }
