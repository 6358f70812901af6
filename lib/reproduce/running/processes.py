"""An executor of processes on this machine that only the one that made them can talk to, and that end with it."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.resource_tracker import ensure_running
from typing import Any, ParamSpec, TypeVar

from reproduce.ground.errors import FAILED, PressError, reason

SECONDS_TO_STOP = 10.0
STOPS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
SPAWN = multiprocessing.get_context("spawn")
SILENT = "ignore:resource_tracker"  # a killed command has left things to it, which it clears and need not tell
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class Processes(Executor):
    """One process for each call that is at work; one that dies takes no other call with it.

    Whoever gives it no more calls than there shall be processes has no more of them. A call that is at work when the
    executor is shut down is interrupted.
    """

    def __init__(self) -> None:
        """Start what Python needs for processes; each of these is started when there is something to do."""
        self._last: dict[ProcessPoolExecutor, Future[Any]] = {}  # a pool of one process, and what it was given last
        _start_tracker()

    def submit(self, fn: Callable[Given, Answer], /, *args: Given.args, **kwargs: Given.kwargs) -> "Future[Answer]":
        """Give a call to a process that has none."""
        call = partial(fn, *args, **kwargs)
        try:
            with _signals_held():
                for pool in [one for one, last in self._last.items() if last.done()]:
                    with suppress(BrokenExecutor):
                        return self._given(pool, call)
                    del self._last[pool]  # its process has died
                return self._given(ProcessPoolExecutor(1, SPAWN, _begin), call)
        except OSError as error:  # no more files or processes
            raise PressError(f"the workers cannot be started: {reason(error)}") from None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop every process, with the call that it has, and wait until they have ended."""
        processes = multiprocessing.active_children()
        for pool in self._last:
            pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        end = time.monotonic() + SECONDS_TO_STOP
        for process in processes:
            process.join(max(0.0, end - time.monotonic()))
            process.kill()

    def _given(self, pool: ProcessPoolExecutor, call: Callable[[], Answer]) -> "Future[Answer]":
        future = pool.submit(_interruptible, call)
        self._last[pool] = future
        return future


def _start_tracker() -> None:
    """Start the process in which Python keeps account of what processes share, deaf to a terminal that is closed.

    It ignores the other two signals by itself. Killed by the third it would be started anew, knowing nothing, and print
    a traceback for each thing that it is then told to forget.
    """
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    sys.warnoptions.append(SILENT)
    try:
        ensure_running()
    finally:
        sys.warnoptions.remove(SILENT)
        signal.signal(signal.SIGHUP, before)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back what tells to stop while a process starts, which inherits this, until it can answer it itself."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """In a new process: only the one that made it tells it to stop, and it ends with that one."""
    for number in (signal.SIGINT, signal.SIGHUP):  # they reach every process of a terminal; the parent decides
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def _interruptible(call: Callable[[], Answer]) -> Answer:
    """In a process: a call that is told to stop cleans up; between calls the process just ends."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return call()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end_with_parent() -> None:
    """Stop the call of this process, with its kernel, once the process that made it has gone, however it went."""
    parent, main = multiprocessing.parent_process(), threading.main_thread().ident
    if parent is None or main is None:
        return
    parent.join()
    signal.pthread_kill(main, signal.SIGTERM)
    time.sleep(SECONDS_TO_STOP)
    os._exit(FAILED)
