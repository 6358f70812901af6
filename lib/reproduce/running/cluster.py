"""Jobs on a Dask cluster that runs already, by the address of its scheduler."""

import logging
import os
import platform
import queue
import socket
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import dask
from dask.typing import Key
from distributed import Client, Future

from reproduce.book import Book
from reproduce.errors import FAILED, PressError, one_line
from reproduce.running.engine import LOST, SchedulerGone
from reproduce.running.job import End, Job, answered
from reproduce.running.probe import greeted, within
from reproduce.running.staleness import fingerprint

TICK = 0.25
PATIENCE = 5.0  # seconds without a connection after which the scheduler counts as gone
SECONDS_TO_FETCH = 30.0
SECONDS_BETWEEN_COUNTS = 5.0
SECONDS_TO_GREET = 5
SECONDS_TO_CONNECT = 8
SECONDS_FOR_A_WORKER = 60
LOGS = ("distributed", "distributed.client", "tornado", "asyncio")  # what matters is said in one line, by the caller
QUIET = {"distributed.logging": {"distributed": "critical", "tornado": "critical", "asyncio": "critical"}}


class Cluster:
    """The workers of a Dask cluster, each thread a place for a job."""

    def __init__(self, client: Client) -> None:
        """Ask nothing yet; ``client`` is connected."""
        self._client = client
        self._ended: queue.SimpleQueue[Future[End]] = queue.SimpleQueue()
        self._jobs: dict[Key, tuple[Job, Future[End]]] = {}
        self._places, self._counted = 1, 0.0
        self._last_seen = time.monotonic()

    def places(self) -> int:
        """How many jobs the cluster takes at a time, counted now and then, for workers come and go."""
        if self._client.status != "running":
            return 0
        if time.monotonic() - self._counted > SECONDS_BETWEEN_COUNTS:
            with suppress(OSError, TimeoutError):  # as before if it does not answer
                self._places = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._places

    def submit(self, job: Job) -> None:
        """Give a job to the scheduler."""
        future = self._client.submit(answered, job, pure=False)
        self._jobs[future.key] = job, future
        future.add_done_callback(self._ended.put)

    def ended(self) -> Iterator[tuple[Job, End]]:
        """The jobs that have ended since; SchedulerGone if the scheduler does not answer for a while."""
        for future in self._next():
            job, _ = self._jobs[future.key]
            end = _end(future, job)
            if end is None:
                self._ended.put(future)  # asked again; below it is decided whether the connection is lost for good
                break
            del self._jobs[future.key]
            yield job, end
        now = time.monotonic()
        if self._client.status == "running" and not self._lost():
            self._last_seen = now
        if now - self._last_seen > PATIENCE:
            raise SchedulerGone("the scheduler does not answer any more")

    def cancel(self) -> None:
        """Take back what has not ended, if the scheduler still answers."""
        if self._jobs and self._client.status == "running":
            self._client.cancel([future for _, future in self._jobs.values()])

    def check(self, book: Book, chapter: str, folder: Path, code: str) -> None:
        """Raise PressError if a worker does not see the same book, runs another Python, or cannot write to the folder.

        book, chapter: what is to be run, and where it stands.
        folder: in which every worker writes.
        code: fingerprint of chapter, library, lock file and Python version, as the caller has it.
        """
        try:
            answers = self._client.run(_complaint, str(book.root), chapter, str(folder), code)
        except Exception as error:  # whatever a worker raises, for example that it has no module 'reproduce'
            raise PressError(f"a worker cannot run chapters: {one_line(str(error))}") from None
        for answer in filter(None, answers.values()):
            raise PressError(str(answer))

    def _next(self) -> Iterator["Future[End]"]:
        """The jobs that have ended since, after waiting a little for the first."""
        try:
            yield self._ended.get(timeout=TICK)
            while True:
                yield self._ended.get_nowait()
        except queue.Empty:
            return

    def _lost(self) -> bool:
        """Whether the scheduler has forgotten jobs, as a new one at the same address has."""
        return any(future.cancelled() for _, future in self._jobs.values())


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """A cluster that has at least one worker.

    address: of a running scheduler, such as tls://10.0.0.1:8786; its workers are used as they are.

    Raises PressError for an address at which no scheduler answers, or a scheduler that gets no worker.
    """
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with dask.config.set(QUIET), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions on the workers are recorded with each run
        try:
            within(SECONDS_TO_GREET + 1, lambda: greeted(address, SECONDS_TO_GREET))
            client = within(SECONDS_TO_CONNECT, lambda: Client(address, timeout=SECONDS_TO_CONNECT))
        except PressError:
            raise
        except Exception as error:  # whatever Dask makes of what it is told
            reason = one_line(str(error)) or type(error).__name__
            raise PressError(f"no Dask scheduler answers at {one_line(address)}: {reason}") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
            except TimeoutError:
                raise PressError(
                    f"the scheduler at {address} has no worker and got none in {SECONDS_FOR_A_WORKER} s; start one"
                ) from None
            cluster = Cluster(client)
            try:
                yield cluster
            finally:
                cluster.cancel()


def _end(future: "Future[End]", job: Job) -> End | None:
    """How a job ended; None if its answer was lost with the scheduler."""
    if future.cancelled():
        return None
    try:
        error = future.exception(timeout=SECONDS_TO_FETCH)
        if error is None:
            return future.result(timeout=SECONDS_TO_FETCH)
    except Exception as lost:  # cancelled or timed out, in Dask's several types
        if future.status != "error":
            return None
        error = lost
    died = type(error).__name__ == "KilledWorker"
    reason = LOST if died else one_line(f"{type(error).__name__}: {error}")
    job.keeper.give_up(job, reason, 0.0)
    return End(reason, 0.0, FAILED)


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
