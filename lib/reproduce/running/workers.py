"""Chapters side by side, each in a process of its own."""

import multiprocessing
import os
import signal
import statistics
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from reproduce.book import Book, Chapter
from reproduce.errors import FAILED, UNEXPECTED, PressError, writing
from reproduce.faults import unexpected
from reproduce.files import scratch
from reproduce.running.execute import CellFailed, execute, keep_failed
from reproduce.running.notebooks import write_notebook
from reproduce.running.processes import start_tracker
from reproduce.running.staleness import Stamp, executed_notebook, fingerprint, write_stamp

TICK = 0.2
SECONDS_TO_STOP = 10.0


@dataclass(frozen=True)
class Task:
    """A chapter to run and how many seconds it will probably take."""

    chapter: Chapter
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """How a chapter ended.

    chapter: which one.
    seconds: how long it took.
    failure: what went wrong, in one line; empty if nothing did.
    code: the exit code that goes with it.
    """

    chapter: Chapter
    seconds: float
    failure: str = ""
    code: int = 0


@dataclass
class _Running:
    task: Task
    process: BaseProcess
    begun: float = field(default_factory=time.monotonic)

    def left(self, pace: float) -> float:
        return max(0.0, pace * self.task.seconds - (time.monotonic() - self.begun))


def run_side_by_side(
    book: Book, tasks: Sequence[Task], jobs: int, watch: Callable[[Sequence[Chapter], float], None]
) -> Iterator[Outcome]:
    """Run chapters, the longest first, and give each outcome as it comes.

    book: whose chapters they are.
    tasks: the chapters, with the seconds that each will take.
    jobs: how many at a time.
    watch: told, several times a second, which chapters are running and about how many seconds are left: the tasks'
        seconds, scaled by what those that have ended took of theirs.

    When the caller stops (Ctrl-C too) the running chapters are stopped with their kernels.
    """
    waiting = sorted(tasks, key=lambda task: task.seconds, reverse=True)
    running: dict[Connection, _Running] = {}
    paces: list[float] = []
    context = multiprocessing.get_context("spawn")
    start_tracker()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.pop(0)
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(sender, book.root, task.chapter))
                with _interrupts_held():
                    process.start()
                sender.close()
                running[receiver] = _Running(task, process)
            ready = wait(list(running), timeout=TICK)
            for receiver in [one for one in running if one in ready]:
                ended = running.pop(receiver)
                outcome = _outcome(receiver, ended)
                if not outcome.failure:
                    paces.append(outcome.seconds / max(ended.task.seconds, 0.1))
                yield outcome
            left = _seconds_left(running.values(), waiting, jobs, statistics.median(paces) if paces else 1.0)
            watch([one.task.chapter for one in running.values()], left)
    finally:
        for one in running.values():
            one.process.terminate()
        for one in running.values():
            one.process.join(SECONDS_TO_STOP)
            one.process.kill()


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _seconds_left(running: Collection[_Running], waiting: Sequence[Task], jobs: int, pace: float) -> float:
    """At least what the longest of the running still needs, at least everything shared among the jobs."""
    left = [one.left(pace) for one in running]
    return max([*left, (sum(left) + pace * sum(task.seconds for task in waiting)) / jobs], default=0.0)


def _outcome(receiver: Connection, ended: _Running) -> Outcome:
    try:
        outcome: Outcome = receiver.recv()
    except EOFError:
        ended.process.join()
        why = f"its process ended with code {ended.process.exitcode}, perhaps for lack of memory"
        outcome = Outcome(ended.task.chapter, time.monotonic() - ended.begun, why, FAILED)
    ended.process.join()
    receiver.close()
    return outcome


def _work(sender: Connection, root: Path, chapter: Chapter) -> None:
    """In the process of one chapter: run it, keep notebook and stamp, send the outcome."""
    for number in (signal.SIGINT, signal.SIGHUP):  # they reach every process of a terminal; the parent decides
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    begun = time.monotonic()
    try:
        failure, code = _execute(Book(root), chapter, begun)
        sender.send(Outcome(chapter, time.monotonic() - begun, failure, code))
    except (KeyboardInterrupt, BrokenPipeError):  # told to stop, or nobody is left to be told
        pass


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts, which inherits this, until it can ignore it itself."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _execute(book: Book, chapter: Chapter, begun: float) -> tuple[str, int]:
    """Nothing and 0, or what went wrong and its exit code."""
    target = executed_notebook(book, chapter)
    failed = target.with_name(f"{chapter.short}.failed.ipynb")
    try:
        notebook = chapter.read()
        hash_before = fingerprint(book, notebook)
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with scratch(book.build) as work:
                try:
                    done = execute(notebook, chapter.notebook.parent, work)
                except CellFailed as failure:
                    return keep_failed(failure, failed), FAILED
            write_notebook(done, target)
            write_stamp(book, chapter, Stamp(hash_before, time.monotonic() - begun))
            failed.unlink(missing_ok=True)
    except PressError as error:
        return str(error), error.exit_code
    except Exception as error:
        return unexpected(error, book), UNEXPECTED
    return "", 0
