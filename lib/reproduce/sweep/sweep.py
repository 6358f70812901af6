"""A whole sweep: what is not finished yet is run, then all of it is gathered into table, summary and page."""

import os
import shlex
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from reproduce.chapters.book import Book, Chapter, title
from reproduce.chapters.parameters import Signature, signature
from reproduce.ground.errors import INTERRUPTED, PressError, one_line
from reproduce.ground.files import OPEN_FILES, demand_open_files
from reproduce.running.environment import commit_of, in_words
from reproduce.running.job import BookChanged
from reproduce.running.run import slug
from reproduce.running.run_all import SchedulerGone, Tally, Threads, Watch, run_all
from reproduce.running.staleness import fingerprint
from reproduce.sweep.grid import Grid
from reproduce.sweep.point import Point
from reproduce.sweep.report import format_value, write_page
from reproduce.sweep.rows import missing_record, write_table
from reproduce.sweep.store import Store
from reproduce.sweep.summary import Summary

HOUR = 3600
FILES_FOR_A_KERNEL = 40  # each more has 32
MISSING = "its folder is not there: it could not be written, or was removed"


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
    limit: float | None = None,
    watch: Watch = lambda tally, job, end: None,
    say: Callable[[str], None] = lambda line: None,
) -> Summary:
    """Run a chapter at every point of a grid and gather its claims.

    book, chapter: what to run, and where it stands.
    grid: the points, or a part of them: others may be run in the same folder at the same time.
    folder: where runs, table and page go; runs that it holds already, made by the same code and not edited since, are
        not run again.
    workers: kernels on this machine, if no scheduler is given.
    scheduler: address of a running Dask cluster.
    cell_limit: seconds that one cell may take before its run counts as failed.
    limit: seconds that a whole run may take; None for any time.
    watch: told several times a second how far it is, and of every run that ended.
    say: told in one line which runs of the folder cannot be trusted and are run again.

    Returns the summary. After a part it is of the part's own points while others of the grid are missing, and neither
    table nor page is written.

    Raises PressError for a folder or a cluster that cannot be used, SchedulerGone, BookChanged or Interrupted with what
    is finished; table and page are then written of that.
    """
    store, notebook = Store(Path(os.path.realpath(folder))), chapter.read()
    code = fingerprint(book, notebook)
    parameters = signature(notebook, chapter.name)
    whole = Grid(grid.values)
    with store.opened(chapter, together=grid.size < whole.size):
        kept = _kept(store, chapter, grid, code, say)
        tally = Tally(grid.size, kept=sum(kept))
        stopped: PressError | None = None
        if tally.kept < tally.total:
            commit = commit_of(book)
            jobs = (
                Point(
                    book=book,
                    chapter=chapter,
                    name=slug(values),
                    values=values,
                    code=code,
                    store=store,
                    commit=commit,
                    cell_limit=cell_limit,
                    limit=limit,
                )
                for values, finished in zip(grid.points(), kept, strict=True)
                if not finished
            )
            codes = {chapter: code}
            stopped = run_points(
                book, codes, store.runs, jobs, tally, workers=workers, scheduler=scheduler, watch=watch
            )
        alone = grid.size == whole.size
        if alone or all(map(store.ended, whole.points())):
            summary, made = _gather(store, whole, parameters, code, complete=alone and stopped is None)
            about = {"Command": command_line(chapter, grid), **_about(made)}
            write_page(store.root / "index.html", summary, chapter.name, title(notebook), about)
        else:
            summary, _ = _gather(store, grid, None, code, complete=stopped is None)
        if stopped is not None:
            raise with_remedy(stopped, summary.finished, summary.total)
    return summary


def run_points(
    book: Book,
    codes: Mapping[Chapter, str],
    folder: Path,
    points: Iterator[Point],
    tally: Tally,
    *,
    workers: int,
    scheduler: str | None,
    watch: Watch,
) -> PressError | None:
    """Have points run, of one chapter or several; why it stopped before their end, or None.

    book, codes: the chapters, each with the fingerprint of what must be executed, and where they stand.
    folder: in which every worker writes.
    points, tally: what to run, and the count of it.
    workers, scheduler, watch: as for ``sweep``.

    Raises PressError for a cluster that cannot be used.
    """
    try:
        with _workers(workers, scheduler, book, codes, folder) as (executor, places):
            run_all(executor, places, points, tally, watch)
    except KeyboardInterrupt:
        return Interrupted("interrupted")
    except SchedulerGone:
        return SchedulerGone(f"the scheduler at {scheduler} does not answer any more")
    except BookChanged as changed:
        return BookChanged(_changed(book, codes, str(changed)))
    return None


def with_remedy(stopped: PressError, finished: int, total: int) -> PressError:
    """Why something stopped, with how far it came and what to do."""
    then = "runs all again" if isinstance(stopped, BookChanged) else "goes on from there"
    so_far = f"{finished} of {total} runs are finished and kept"
    return type(stopped)(f"{stopped}: {so_far}; the same command {then}")


@contextmanager
def _workers(
    count: int, scheduler: str | None, book: Book, codes: Mapping[Chapter, str], folder: Path
) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """The executor and how many jobs it takes: processes here, or a cluster that sees the same book and can write."""
    if scheduler is None:
        demand_open_files(OPEN_FILES + FILES_FOR_A_KERNEL * (count - 1), f"a sweep with {count} workers")
        with Threads(count) as executor:
            yield executor, lambda: count
        return
    try:
        from reproduce.running.cluster import connected
    except ImportError:
        raise PressError("--scheduler needs Dask: install the extra 'cluster'") from None
    except (ValueError, TypeError, OSError) as error:
        raise PressError(f"Dask cannot read its configuration: {one_line(str(error))}") from None
    with connected(scheduler) as cluster:
        for chapter, code in codes.items():
            cluster.check(book, chapter.name, folder, code)
        yield cluster.executor, cluster.places


def _kept(store: Store, chapter: Chapter, grid: Grid, code: str, say: Callable[[str], None]) -> bytearray:
    """For each point whether its run lies there, finished and as it was written; what cannot be trusted is said.

    Raises PressError if a folder that is to be replaced holds something that no run wrote.
    """
    kept = bytearray()
    doubted: dict[str, list[str]] = {}
    for values in grid.points():
        found = store.find(values)
        kept.append(found.finished(code))
        if found.objection:
            doubted.setdefault(found.objection, []).append(slug(values))
        if not kept[-1]:
            store.refuse_foreign(values, chapter)
    for objection, runs in doubted.items():
        say(f"{runs[0]}{f' and {len(runs) - 1} more' if len(runs) > 1 else ''}: run again, because {objection}")
    return kept


def _changed(book: Book, codes: Mapping[Chapter, str], host: str) -> str:
    """Why a sweep stopped whose worker saw another book."""
    with suppress(PressError, OSError):
        if all(fingerprint(book, chapter.read()) == code for chapter, code in codes.items()):
            return f"the worker on {host} cannot read the book, or has another version of it, at {book.root}"
    return "chapter, library or lock file were changed while the sweep ran"


def command_line(chapter: Chapter, grid: Grid) -> str:
    """A command that sweeps the same grid."""
    told = sorted(grid.values.items(), key=lambda one: len(one[1]) > 1)  # those of one value first
    given = " ".join(f"-p {shlex.quote(f'{name}={_axis_in_words(values)}')}" for name, values in told)
    return f"python -m reproduce sweep {chapter.name} {given}".strip()


def _axis_in_words(values: Sequence[Any]) -> str:
    """The values of a parameter as they are written on the command line; evenly spaced whole numbers as a range."""
    if len(values) > 2 and all(type(value) is int for value in values):
        step = values[1] - values[0]
        if step > 0 and all(b - a == step for a, b in pairwise(values)):
            return f"{values[0]}:{values[-1] + 1}" + (f":{step}" if step > 1 else "")
    return (";" if isinstance(values[0], list) else ",").join(map(format_value, values))


def _gather(
    store: Store, grid: Grid, parameters: Signature | None, code: str, *, complete: bool
) -> tuple[Summary, Mapping[str, Any] | None]:
    """Write the table and count the summary, one run in memory at a time; also the environment of the first run.

    parameters: of the chapter; None: no table is written.
    complete: whether every run has ended, so that one without a folder failed: a full disk left no room to say so.
    """
    summary = Summary(grid.axes, grid.size)
    made: list[Mapping[str, Any]] = []

    def records() -> Iterator[Mapping[str, Any]]:
        for values, place in grid.placed_points():
            found = store.find(values)
            record = found.record if found.record and found.record["fingerprint"] == code else None
            if record is None:
                if not complete:
                    continue
                record = missing_record(values, found.objection or MISSING)
            elif not made:
                made.append(record["environment"])
            summary.add(record, place)
            yield record

    if parameters is None:
        deque(records(), maxlen=0)
    else:
        write_table(store.root, records(), parameters)
    return summary, made[0] if made else None


def _about(environment: Mapping[str, Any] | None) -> dict[str, str]:
    """When, and with which code and versions if a run is there, of whose record the environment is."""
    about = {"Date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")}
    if environment is not None:
        about["Commit"] = environment["commit"]
        about["Versions"] = in_words(environment)
        about["Host"] = f"{environment['host']}, {environment['cores']} cores"
    return about
