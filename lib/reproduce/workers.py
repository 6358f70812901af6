"""Chapters side by side, each in a process of its own."""

import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from reproduce.book import Book, Chapter
from reproduce.errors import CANNOT_WRITE, FAILED, WriteError, writing
from reproduce.execute import CellFailed, execute, keep_failed, write_notebook
from reproduce.stale import Stamp, executed_notebook, fingerprint, write_stamp

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

    @property
    def left(self) -> float:
        return max(0.0, self.task.seconds - (time.monotonic() - self.begun))


def run_side_by_side(
    book: Book, tasks: Sequence[Task], jobs: int, watch: Callable[[Sequence[Chapter], float], None]
) -> Iterator[Outcome]:
    """Run chapters, the longest first, and give each outcome as it comes.

    jobs: how many at a time.
    watch: told, several times a second, which chapters are running and about how many seconds are left.

    When the caller stops (Ctrl-C too) the running chapters are stopped with their kernels.
    """
    waiting = sorted(tasks, key=lambda task: task.seconds, reverse=True)
    running: dict[Connection, _Running] = {}
    context = multiprocessing.get_context("spawn")
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
                yield _outcome(receiver, running.pop(receiver))
            watch([one.task.chapter for one in running.values()], _seconds_left(running.values(), waiting, jobs))
    finally:
        for one in running.values():
            one.process.terminate()
        for one in running.values():
            one.process.join(SECONDS_TO_STOP)
            one.process.kill()


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _seconds_left(running: Collection[_Running], waiting: Sequence[Task], jobs: int) -> float:
    """At least what the longest of the running still needs, at least everything shared among the jobs."""
    left = [one.left for one in running]
    return max([*left, (sum(left) + sum(task.seconds for task in waiting)) / jobs], default=0.0)


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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal; the parent decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    begun = time.monotonic()
    try:
        failure, code = _execute(Book(root), chapter, begun)
        sender.send(Outcome(chapter, time.monotonic() - begun, failure, code))
    except KeyboardInterrupt:
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
    notebook = chapter.read()
    hash_before = fingerprint(book, notebook)
    try:
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".running-", dir=target.parent) as scratch:
                try:
                    done = execute(notebook, chapter.notebook.parent, Path(scratch))
                except CellFailed as failure:
                    return keep_failed(failure, failed), FAILED
            write_notebook(done, target)
            write_stamp(book, chapter, Stamp(hash_before, time.monotonic() - begun))
            failed.unlink(missing_ok=True)
    except WriteError as error:
        return str(error), CANNOT_WRITE
    return "", 0
