"""A job: one execution of a chapter, told in plain values, so that any process on any machine can do it."""

import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.chapters.book import Book, Chapter
from reproduce.ground import files
from reproduce.ground.errors import FAILED, OK, UNEXPECTED, PressError
from reproduce.running.execute import CellFailed, execute
from reproduce.running.faults import unexpected
from reproduce.running.kernel_watch import KernelWatch
from reproduce.running.staleness import fingerprint


@dataclass(frozen=True)
class Job:
    """What is to be executed, and who keeps what comes of it.

    root: the folder of the book.
    chapter: ``part/chapter``.
    name: what lines call the job.
    keeper: where it is done and what is left of it.
    values: the parameters to inject.
    text: the notebook to execute, if not the stored one.
    fingerprint: of the code that must be executed; empty for whatever stands there, None if the keeper needs none.
    cell_limit: seconds that one cell may take; None for any time.
    limit: seconds that the whole execution may take; None for any time.
    expected: seconds that it will probably take; where nobody knows, 1 for each.
    """

    root: str
    chapter: str
    name: str
    keeper: "Keeper"
    values: Mapping[str, Any] = field(default_factory=dict)
    text: NotebookNode | None = None
    fingerprint: str | None = None
    cell_limit: int | None = None
    limit: float | None = None
    expected: float = 1.0

    @property
    def book(self) -> Book:
        """The book that the chapter stands in."""
        return Book(Path(self.root))


@dataclass(frozen=True)
class Outcome:
    """What came of an execution.

    chapter: what was executed.
    notebook: with its outputs, up to the cell that failed if one did.
    failed: which cell, and why; None if none did.
    scratch: the folder in which it was done.
    begun: the monotonic clock when the job was begun.
    megabytes: largest memory of the kernel.
    fingerprint: of the code that was executed, if the job asks for it.
    """

    chapter: Chapter
    notebook: NotebookNode
    failed: CellFailed | None
    scratch: Path
    begun: float
    megabytes: int
    fingerprint: str

    @property
    def seconds(self) -> float:
        """Wall-clock time so far."""
        return time.monotonic() - self.begun


@dataclass(frozen=True)
class End:
    """How a job ended; everything else is with its keeper.

    failure: what went wrong, in one line; empty if nothing did.
    seconds: wall-clock time.
    code: the exit code that goes with it.
    outdated: the host that sees another book than the one the job is about, so that nothing was executed there.
    """

    failure: str = ""
    seconds: float = 0.0
    code: int = OK
    outdated: str = ""


class Keeper(ABC):
    """Where a job is done and what is left of it; every command has its own."""

    def finished(self, job: Job) -> bool:
        """Whether what the job would leave is there already."""
        return False

    def scratch(self, job: Job) -> AbstractContextManager[Path]:
        """A folder for the time of the job; by default one below ``_build``."""
        return files.scratch(job.book.build)

    @abstractmethod
    def keep(self, job: Job, outcome: Outcome) -> str:
        """Keep what came of the job, before its folder goes; why it failed, in one line, or nothing."""

    def give_up(self, job: Job, reason: str, seconds: float) -> None:
        """Keep that nothing came of the job, if that is to be kept."""
        return


def work(job: Job, *, progress: bool = False) -> End:
    """Do a job in this process; a failing cell is an end, not an exception.

    job: what to do.
    progress: show a bar of the cells on standard error.

    Raises PressError for a chapter that cannot be read or an outcome that cannot be kept.
    """
    begun = time.monotonic()
    if job.keeper.finished(job):
        return End()
    try:
        chapter = job.book.chapter(job.chapter)
        notebook = chapter.read() if job.text is None else job.text
        code = "" if job.fingerprint is None else fingerprint(job.book, notebook)
    except (PressError, OSError):
        if not job.fingerprint:
            raise
        code = ""  # in the middle of an edit
    if job.fingerprint and code != job.fingerprint:
        return End(outdated=socket.gethostname())
    watch = KernelWatch(job.limit)
    with job.keeper.scratch(job) as scratch:
        failed = None
        try:
            folder = chapter.notebook.parent
            done = execute(
                notebook, folder, scratch, job.values, cell_limit=job.cell_limit, watch=watch, progress=progress
            )
        except CellFailed as error:
            failed, done = error, error.notebook
        failure = job.keeper.keep(job, Outcome(chapter, done, failed, scratch, begun, watch.megabytes, code))
    return End(failure, time.monotonic() - begun, FAILED if failure else OK)


def answered(job: Job) -> End:
    """``work`` in a process whose only way to say anything is how the job ended: whatever goes wrong is an end."""
    begun = time.monotonic()
    try:
        return work(job)
    except Exception as error:
        seconds = time.monotonic() - begun
        if job.keeper.finished(job):  # another worker was told to do it again, and was faster
            return End("", seconds)
        foreseen = (str(error), error.exit_code) if isinstance(error, PressError) else None
        failure, code = foreseen or (unexpected(error, job.book), UNEXPECTED)
        job.keeper.give_up(job, failure, seconds)
        return End(failure, seconds, code)
