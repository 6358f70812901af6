"""Jobs side by side on this machine: processes that only the one that made them can talk to, and that end with it."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running
from typing import Self

from reproduce.errors import FAILED, PressError, reason
from reproduce.running.engine import LOST
from reproduce.running.job import End, Job, answered

TICK = 0.2
SECONDS_TO_STOP = 10.0
STOPS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


@dataclass(eq=False)
class _Worker:
    """A process and the job that it has; ``deaths`` counts the processes that died with this job before."""

    link: "Connection[Job, End]"
    process: BaseProcess
    job: Job | None = None
    deaths: int = 0


class Pool:
    """Processes that do one job after another; each is started when there is something to do.

    When the caller stops (Ctrl-C too) the running jobs are stopped with their kernels.
    """

    def __init__(self, size: int, lives: int = 1) -> None:
        """Start nothing yet.

        size: how many processes at the most.
        lives: a job with which so many processes died has failed.
        """
        self._size, self._lives = size, lives
        self._workers: list[_Worker] = []
        self._context = multiprocessing.get_context("spawn")

    def __enter__(self) -> Self:
        """Start what Python needs for processes."""
        start_tracker()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop every process, with the job that it has."""
        for worker in self._workers:
            if worker.job is None:
                worker.process.kill()
            else:
                worker.process.terminate()
            worker.link.close()
        for worker in self._workers:
            worker.process.join(SECONDS_TO_STOP)
            worker.process.kill()

    def places(self) -> int:
        """How many jobs are done at a time."""
        return self._size

    def submit(self, job: Job) -> None:
        """Give a job to a process that has none."""
        self._give(job, 0)

    def ended(self) -> Iterator[tuple[Job, End]]:
        """The jobs that have ended since, after waiting a little for the first."""
        ready = wait([worker.link for worker in self._workers], timeout=TICK)
        for worker in [one for one in self._workers if one.link in ready]:
            job, worker.job = worker.job, None
            try:
                end = worker.link.recv()
            except (EOFError, ConnectionError):
                code = self._dropped(worker)
                if job is None:
                    continue
                if worker.deaths + 1 < self._lives:
                    self._give(job, worker.deaths + 1)
                    continue
                why = LOST if self._lives > 1 else f"its process ended with code {code}, perhaps for lack of memory"
                job.keeper.give_up(job, why, 0.0)
                end = End(why, 0.0, FAILED)
            if job is not None:
                yield job, end

    def _give(self, job: Job, deaths: int) -> None:
        while True:
            worker = next((one for one in self._workers if one.job is None), None) or self._started()
            try:
                worker.link.send(job)
            except ConnectionError:  # it was killed while it had nothing to do
                self._dropped(worker)
                continue
            worker.job, worker.deaths = job, deaths
            return

    def _started(self) -> _Worker:
        try:
            mine, theirs = self._context.Pipe()
            with theirs:
                worker = _Worker(mine, self._context.Process(target=_serve, args=(theirs,), daemon=True))
                with _signals_held():
                    worker.process.start()
                    self._workers.append(worker)
        except OSError as error:  # no more files or processes
            raise PressError(f"the workers cannot be started: {reason(error)}") from None
        return worker

    def _dropped(self, worker: _Worker) -> int | None:
        """Forget a process that has died; with which code it did."""
        self._workers.remove(worker)
        worker.link.close()
        worker.process.join()
        return worker.process.exitcode


def start_tracker() -> None:
    """Start the process in which Python keeps account of what processes share, deaf to a terminal that is closed.

    It ignores the other two signals by itself. Killed by the third it would be started anew, knowing nothing, and print
    a traceback for each thing that it is then told to forget.
    """
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        ensure_running()
    finally:
        signal.signal(signal.SIGHUP, before)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back what tells to stop while a process starts, which inherits this, until it can answer it itself."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(link: "Connection[End, Job]") -> None:
    """In a process of the pool: do what it is told to, until nobody is left who could tell."""
    for number in (signal.SIGINT, signal.SIGHUP):  # they reach every process of a terminal; the parent decides
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        threading.Thread(target=_end_with_parent, daemon=True).start()
        while True:
            link.send(answered(link.recv()))
    except (KeyboardInterrupt, EOFError, ConnectionError):  # told to stop, or nobody is left to be told
        pass


def _end_with_parent() -> None:
    """Stop the job of this process, with its kernel, once the process that made it has gone, however it went."""
    parent, main = multiprocessing.parent_process(), threading.main_thread().ident
    if parent is None or main is None:
        return
    parent.join()
    signal.pthread_kill(main, signal.SIGTERM)
    time.sleep(SECONDS_TO_STOP)
    os._exit(FAILED)
