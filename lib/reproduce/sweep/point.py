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

from reproduce.book import Book
from reproduce.errors import PressError
from reproduce.execute import CellFailed, execute, write_notebook
from reproduce.ledger import judge
from reproduce.stale import fingerprint
from reproduce.sweep.store import is_done, new_folder, read_record, write_record

DISTRIBUTION = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Point:
    """What a worker is told; plain values, so that any worker understands it.

    root: the folder of the book.
    chapter: ``part/chapter``.
    values: the parameters to inject.
    target: the folder of the run.
    fingerprint: of the code that the sweep was started with.
    commit: of the repository, as the sweep found it.
    cell_limit: seconds that one cell may take.
    """

    root: str
    chapter: str
    values: dict[str, Any]
    target: str
    fingerprint: str
    commit: str
    cell_limit: int


@dataclass(frozen=True)
class Ended:
    """How a run ended; everything else is in its folder.

    failure: why it failed, in one line; empty if it finished.
    seconds: wall-clock time.
    """

    failure: str
    seconds: float


def work(point: Point) -> Ended:
    """Run one point and leave its folder; a run that another worker has left there already is not run again.

    A failing cell, a full disk, a book that differs from the one the sweep was started with: each is a failed run with
    its reason, never an exception.
    """
    begun = time.monotonic()
    target = Path(point.target)
    if is_done(read_record(target), point.fingerprint):
        return Ended("", 0.0)
    try:
        failure = _run(point, target, begun)
    except (PressError, OSError) as error:
        if is_done(read_record(target), point.fingerprint):  # another worker was told to run it again, and was faster
            return Ended("", time.monotonic() - begun)
        failure = str(error)
        give_up(point, failure, time.monotonic() - begun)
    return Ended(failure, time.monotonic() - begun)


def give_up(point: Point, reason: str, seconds: float) -> None:
    """Leave the folder of a run that has no notebook; where even that cannot be written there is none."""
    if is_done(read_record(Path(point.target)), point.fingerprint):
        return  # another worker finished it meanwhile
    try:
        with new_folder(Path(point.target)) as scratch:
            write_record(scratch, _record(point, "failed", reason, "", seconds, []))
    except (PressError, OSError):
        pass


def _run(point: Point, target: Path, begun: float) -> str:
    """Execute and write the folder; why the run failed, or nothing."""
    chapter = Book(Path(point.root)).chapter(point.chapter)
    notebook = chapter.read()
    if fingerprint(Book(Path(point.root)), notebook) != point.fingerprint:
        raise PressError(f"the book on {socket.gethostname()} differs from the one the sweep was started with")
    with new_folder(target) as scratch:
        status, reason, name = "finished", "", f"{chapter.short}.ipynb"
        try:
            done = execute(notebook, chapter.notebook.parent, scratch, point.values, cell_limit=point.cell_limit)
        except CellFailed as failure:
            status, reason, name = "failed", f"{failure.where}: {failure.why}", f"{chapter.short}.failed.ipynb"
            done = failure.notebook
        claims = [
            {"holds": claim.holds, "objections": list(claim.objections), **claim.record}
            for claim in judge({chapter.name: done}).claims
            if claim.complete
        ]
        for left in scratch.iterdir():
            left.unlink()
        write_notebook(done, scratch / name)
        write_record(scratch, _record(point, status, reason, name, time.monotonic() - begun, claims))
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
