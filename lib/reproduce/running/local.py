"""The workers of a sweep on this machine: processes that only the sweep itself can talk to, and that die with it."""

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Nanny, Scheduler, SpecCluster, Worker, WorkerPlugin

from reproduce.errors import PressError, one_line, writing
from reproduce.files import demand_open_files
from reproduce.running.credentials import credentials
from reproduce.running.processes import STOPS, start_tracker

SECONDS_TO_CLOSE = 10
FILES, FILES_FOR_A_WORKER = 100, 12  # open at a time in the sweep itself; a worker with its kernel has fewer than 100


class SilentScheduler(Scheduler):
    """A scheduler without the web server that Dask starts in any case."""

    def start_http_server(self, *given: Any, **named: Any) -> None:
        """Open no port but the encrypted one."""


class SilentWorker(Worker):
    """A worker without the web server that Dask starts in any case."""

    def start_http_server(self, *given: Any, **named: Any) -> None:
        """Open no port but the encrypted one."""


class IgnoreInterrupts(WorkerPlugin):
    """Keeps a worker that was started anew from hearing Ctrl-C, which is for the sweep to answer."""

    name = "ignore-interrupts"

    def setup(self, worker: Worker) -> None:
        """Told when a worker has started, in its main thread."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def local(workers: int, scratch: Path) -> Iterator[Client]:
    """A client of as many workers on this machine, each a process of one thread.

    They listen on 127.0.0.1 alone and demand a certificate that is made for this sweep.

    workers: how many.
    scratch: folder for the certificate and for what the workers write; the caller removes it.

    Raises PressError if the workers cannot be started.
    """
    demand_open_files(FILES + FILES_FOR_A_WORKER * workers, f"a sweep with {workers} workers")
    with writing(scratch):
        private = scratch / "workers"
        private.mkdir(mode=0o700)
    with dask.config.set(temporary_directory=str(private)):
        with _interrupts_remembered() as presses:
            cluster = _started(workers, private)
        try:
            if presses:
                raise KeyboardInterrupt
            with Client(cluster) as client:
                client.register_plugin(IgnoreInterrupts())
                yield client
        finally:
            with suppress(TimeoutError, OSError):
                cluster.close(timeout=SECONDS_TO_CLOSE)


def _started(workers: int, private: Path) -> SpecCluster:
    try:
        common = {"host": "127.0.0.1", "protocol": "tls://", "security": credentials(private)}
        options = {
            **common,
            "nthreads": 1,
            "memory_limit": 0,  # a chapter's memory is its kernel's, which Dask does not see
            "worker_class": SilentWorker,
            "silence_logs": logging.CRITICAL,
        }
        return SpecCluster(
            workers={number: {"cls": Nanny, "options": options} for number in range(workers)},
            scheduler={"cls": SilentScheduler, "options": {**common, "port": 0, "dashboard": False}},
            security=common["security"],
            silence_logs=logging.CRITICAL,
        )
    except PressError:
        raise
    except Exception as error:  # no more files or processes, or a value in Dask's configuration that is none
        first: BaseException = error
        while first.__cause__ is not None:
            first = first.__cause__
        raise PressError(f"the workers cannot be started: {one_line(str(first))}") from None


@contextmanager
def _interrupts_remembered() -> Iterator[list[int]]:
    """The presses of Ctrl-C meanwhile, for the caller to answer, and other signals to stop, which are answered as one.

    Dask cannot be stopped half started. Ctrl-C reaches every process of a terminal: those that are started meanwhile do
    not hear it at all.
    """
    start_tracker()  # else the first process starts it, and it ends with the signal unblocked
    presses: list[int] = []
    heard = [number for number in STOPS if signal.getsignal(number) is signal.default_int_handler]
    before = {number: signal.signal(number, lambda number, frame: presses.append(number)) for number in heard}
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield presses
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        for number, handler in before.items():
            signal.signal(number, handler)
