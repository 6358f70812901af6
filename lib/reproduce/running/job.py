"""A job: one execution of a chapter, told in plain values, so that any process on any machine can do it."""

import time
import traceback
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass

from reproduce.chapters.book import Book, Chapter, find_book, shown
from reproduce.ground.errors import FAILED, OK, UNEXPECTED, PressError, one_line
from reproduce.ground.files import write_text

TRACEBACK = "traceback.txt"


class BookChanged(PressError):
    """The book is not the one that a job is about; the text is the host that sees another."""

    exit_code = FAILED


@dataclass(frozen=True)
class End:
    """How a job ended; everything else is where the job keeps it.

    failure: what went wrong, in one line; empty if nothing did.
    seconds: wall-clock time.
    code: the exit code that goes with it.
    """

    failure: str = ""
    seconds: float = 0.0
    code: int = OK


@dataclass(frozen=True, kw_only=True)
class Job(ABC):
    """What is to be done; every command that has several has its own kind.

    book, chapter: what is executed, and where it stands.
    name: what lines call the job.
    expected: seconds that it will probably take; where nobody knows, 1 for each.
    """

    book: Book
    chapter: Chapter
    name: str
    expected: float = 1.0

    def finished(self) -> bool:
        """Whether what the job would leave is there already."""
        return False

    @abstractmethod
    def work(self) -> str:
        """Do the job and keep what comes of it; why it failed, in one line, or nothing.

        Raises BookChanged where another book is seen, and PressError for what cannot be read or kept.
        """

    def give_up(self, reason: str, seconds: float) -> None:
        """Keep that nothing came of the job, if that is to be kept."""
        return


def done(job: Job) -> End:
    """Do a job; whatever goes wrong with it is an end, but for a book that is another one."""
    begun = time.monotonic()
    if job.finished():
        return End()
    try:
        failure, code = job.work(), OK
    except BookChanged:
        raise
    except Exception as error:
        if job.finished():  # another worker was told to do it again, and was faster
            return End("", time.monotonic() - begun)
        foreseen = (str(error), error.exit_code) if isinstance(error, PressError) else None
        failure, code = foreseen or (unexpected(error, job.book), UNEXPECTED)
        job.give_up(failure, time.monotonic() - begun)
    return End(failure, time.monotonic() - begun, code or (FAILED if failure else OK))


def unexpected(error: Exception, book: Book | None = None) -> str:
    """An exception that nobody foresaw in one line, with the place under ``_build`` of its traceback, if it was kept.

    error: the exception.
    book: by default the one that the current folder lies in.
    """
    said = one_line(f"{type(error).__name__}: {error}")
    with suppress(PressError, OSError):
        build = (book or find_book()).build
        build.mkdir(exist_ok=True)
        write_text(build / TRACEBACK, "".join(traceback.format_exception(error)))
        return f"{said}; the press did not expect this, {shown(build / TRACEBACK)} says where it happened"
    return f"{said}; the press did not expect this"
