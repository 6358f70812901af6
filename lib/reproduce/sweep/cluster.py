"""The workers of a sweep: a Dask cluster on this machine, or any Dask cluster by its address."""

import logging
import os
import platform
import signal
import socket
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path

import dask
from distributed import Client, LocalCluster, Worker, WorkerPlugin

from reproduce.book import Book
from reproduce.errors import PressError, one_line
from reproduce.stale import fingerprint

SECONDS_TO_CONNECT = 10
SECONDS_FOR_A_WORKER = 60
QUIET = {"distributed.logging": {"distributed": "critical", "tornado": "critical", "asyncio": "critical"}}


@contextmanager
def connected(workers: int, address: str | None) -> Iterator[Client]:
    """A client of a cluster that has at least one worker.

    workers: how many processes on this machine, one thread each, if there is no address.
    address: of a running scheduler, such as tcp://10.0.0.1:8786; its workers are used as they are.

    Raises PressError for an address at which no scheduler answers, or a scheduler that gets no worker.
    """
    for name in ("distributed", "distributed.client"):  # what matters is said in one line, by the caller
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with dask.config.set(QUIET), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions on the workers are recorded with each run
        with _local(workers) if address is None else _remote(address) as client:
            yield client


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    with tempfile.TemporaryDirectory(prefix="sweep-") as scratch, dask.config.set(temporary_directory=scratch):
        with _interrupts_remembered() as presses:
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # a chapter's memory is its kernel's, which Dask does not see
                dashboard_address=None,
                host="127.0.0.1",
                silence_logs=logging.CRITICAL,
            )
        try:
            if presses:
                raise KeyboardInterrupt
            with Client(cluster) as client:
                client.register_plugin(IgnoreInterrupts())
                yield client
        finally:
            with suppress(TimeoutError, OSError):
                cluster.close(timeout=SECONDS_TO_CONNECT)


@contextmanager
def _remote(address: str) -> Iterator[Client]:
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT)
    except (OSError, ValueError, TypeError) as error:
        reason = one_line(str(error)) or type(error).__name__
        raise PressError(f"no Dask scheduler answers at {address}: {reason}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
        except TimeoutError:
            raise PressError(
                f"the scheduler at {address} has no worker and got none in {SECONDS_FOR_A_WORKER} s; start one"
            ) from None
        yield client


def check_workers(client: Client, book: Book, chapter: str, folder: Path, code: str) -> None:
    """Raise PressError if a worker does not see the same book, runs another Python, or cannot write to the folder.

    code: fingerprint of chapter, library, lock file and Python version, as the sweep has it.
    """
    try:
        answers = client.run(_complaint, str(book.root), chapter, str(folder), code)
    except Exception as error:  # whatever a worker raises, for example that it has no module 'reproduce'
        raise PressError(f"a worker cannot run chapters: {one_line(str(error))}") from None
    for answer in filter(None, answers.values()):
        raise PressError(str(answer))


def _complaint(root: str, chapter: str, folder: str, code: str) -> str:
    """On a worker: what is wrong with it, or nothing."""
    where, book = f"the worker on {socket.gethostname()}", Book(Path(root))
    if not book.chapters():
        return f"{where} sees no book at {root}; it needs the same folder at the same path"
    if fingerprint(book, book.chapter(chapter).read()) != code:
        return f"{where} has another version of the book at {root} or, with {platform.python_version()}, another Python"
    if not os.access(folder, os.W_OK):
        return f"{where} cannot write to {folder}; it needs the same folder at the same path"
    return ""


class IgnoreInterrupts(WorkerPlugin):
    """Keeps a worker that was started anew from hearing Ctrl-C, which is for the sweep to answer."""

    name = "ignore-interrupts"

    def setup(self, worker: Worker) -> None:
        """Told when a worker has started, in its main thread."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _interrupts_remembered() -> Iterator[list[int]]:
    """The presses of Ctrl-C meanwhile, for the caller to answer; processes started meanwhile do not hear it at all.

    It reaches every process of a terminal, and Dask cannot be stopped half started.
    """
    ensure_running()  # else the first process starts it, and it ends with the signal unblocked
    presses: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: presses.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield presses
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
