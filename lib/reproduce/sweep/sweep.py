"""A whole sweep: what is not finished yet is run, then all of it is gathered into table, summary and page."""

import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from reproduce.book import Book, Chapter, title
from reproduce.errors import INTERRUPTED, PressError
from reproduce.parameters import Signature, signature
from reproduce.stale import fingerprint
from reproduce.sweep.cluster import check_workers, connected
from reproduce.sweep.engine import SchedulerGone, Tally, run_all
from reproduce.sweep.grid import Grid
from reproduce.sweep.point import Ended, Point
from reproduce.sweep.report import format_value, write_page
from reproduce.sweep.store import Store
from reproduce.sweep.summary import Summary
from reproduce.sweep.table import missing_record, write_table

HOUR = 3600


class Interrupted(PressError):
    """Ctrl-C; the text says how to go on."""

    exit_code = INTERRUPTED


def sweep(
    book: Book,
    chapter: Chapter,
    grid: Grid,
    folder: Path,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    cell_limit: int = HOUR,
    watch: Callable[[Tally, Point | None, Ended | None], None] = lambda tally, point, end: None,
) -> Summary:
    """Run a chapter at every point of a grid and gather its claims.

    folder: where runs, table and page go; runs that it holds already, made by the same code, are not run again.
    workers: processes on this machine, if no scheduler is given.
    scheduler: address of a running Dask cluster.
    cell_limit: seconds that one cell may take before its run counts as failed.
    watch: told several times a second how far it is, and of every run that ended.

    Returns the summary. Raises PressError for a folder or a cluster that cannot be used, SchedulerGone or Interrupted
    with what is finished; table and page are then written of that.
    """
    store, notebook = Store(folder.resolve()), chapter.read()
    code = fingerprint(book, notebook)
    parameters = signature(notebook, chapter.name)
    with store.opened(chapter):
        tally = Tally(grid.size, kept=sum(store.done(values, code) for values in grid.points()))
        stopped: PressError | None = None
        if tally.kept < tally.total:
            commit = commit_of(book)
            points = (
                Point(str(book.root), chapter.name, values, str(store.folder(values)), code, commit, cell_limit)
                for values in grid.points()
                if not store.done(values, code)
            )
            try:
                with connected(workers, scheduler) as client:
                    check_workers(client, book, chapter.name, store.root, code)
                    run_all(client, points, tally, watch)
            except KeyboardInterrupt:
                stopped = Interrupted("interrupted")
            except SchedulerGone:
                stopped = SchedulerGone(f"the scheduler at {scheduler} does not answer any more")
        summary, made = _gather(store, grid, parameters, code, complete=stopped is None)
        about = {"Command": command_line(chapter, grid), **_about(made)}
        write_page(store.root / "index.html", summary, chapter.name, title(notebook), about)
        if stopped is not None:
            kept = f"{summary.finished} of {grid.size} runs are finished and kept; the same command goes on from there"
            raise type(stopped)(f"{stopped}: {kept}")
    return summary


def command_line(chapter: Chapter, grid: Grid) -> str:
    """A command that sweeps the same grid."""
    swept = {name: _axis_in_words(values) for name, values in grid.axes.items()}
    fixed = {name: format_value(value) for name, value in grid.fixed.items()}
    given = " ".join(f"-p {shlex.quote(f'{name}={text}')}" for name, text in (fixed | swept).items())
    return f"python -m reproduce sweep {chapter.name} {given}".strip()


def _axis_in_words(values: Sequence[Any]) -> str:
    """The values of a parameter as they are written on the command line; evenly spaced whole numbers as a range."""
    if all(type(value) is int for value in values):
        step = values[1] - values[0]
        if step > 0 and len(values) > 2 and all(b - a == step for a, b in pairwise(values)):
            return f"{values[0]}:{values[-1] + 1}" + (f":{step}" if step > 1 else "")
    return (";" if isinstance(values[0], list) else ",").join(map(format_value, values))


def _gather(
    store: Store, grid: Grid, parameters: Signature, code: str, *, complete: bool
) -> tuple[Summary, Mapping[str, Any] | None]:
    """Write the table and count the summary, one run in memory at a time; also the environment of the first run.

    complete: whether every run has ended, so that one without a folder failed: a full disk left no room to say so.
    """
    summary = Summary(grid.axes, grid.size)
    made: list[Mapping[str, Any]] = []

    def records() -> Iterator[Mapping[str, Any]]:
        for point, place in grid.placed_points():
            values = dict(grid.fixed) | point
            record = store.read(values)
            if record is None or record.get("fingerprint") != code:
                if not complete:
                    continue
                record = missing_record(values)
            elif not made:
                made.append(record["environment"])
            summary.add(record, place)
            yield record

    write_table(store.root, records(), parameters)
    return summary, made[0] if made else None


def _about(environment: Mapping[str, Any] | None) -> dict[str, str]:
    """When, with which code and which versions.

    environment: of the first run that is there, if any is.
    """
    about = {"Date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")}
    if environment is not None:
        versions = ", ".join(f"{name} {version}" for name, version in environment["versions"].items())
        about["Commit"] = environment["commit"]
        about["Versions"] = f"Python {environment['python']}, {versions}".rstrip(", ")
        about["Host"] = f"{environment['host']}, {environment['cores']} cores"
    return about


def commit_of(book: Book) -> str:
    """The commit of the book's repository, and whether files differ from it."""
    with suppress(OSError, subprocess.CalledProcessError):
        git = ["git", "-C", str(book.root)]
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout
        return f"{commit}{', with changes' if changed.strip() else ''}"
    return "unknown"
