"""The loop of a sweep: the cluster has one point for each of its threads, and each end is counted once.

None waits on a worker: Dask gives up a task that several workers died with, also one that was only waiting there.
"""

import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dask.typing import Key
from distributed import Client, Future

from reproduce.errors import FAILED, PressError, one_line
from reproduce.sweep.point import Ended, Point, give_up, work

TICK = 0.25
PATIENCE = 5.0  # seconds without a connection after which the scheduler counts as gone
SECONDS_TO_FETCH = 30.0
SECONDS_BETWEEN_COUNTS = 5.0


class SchedulerGone(PressError):
    """The scheduler does not answer any more."""

    exit_code = FAILED


class BookChanged(PressError):
    """A worker sees another book than the one the sweep was started with; the text is the worker's host."""

    exit_code = FAILED


@dataclass
class Tally:
    """How far a sweep is.

    total: runs in the grid.
    kept: runs that an earlier sweep had finished.
    finished, failed: runs of this one.
    running: runs that a worker has now, at most.
    seconds: of all ended runs together.
    threads: runs that the cluster takes at a time; 0 while it has no worker.
    """

    total: int
    kept: int = 0
    finished: int = 0
    failed: int = 0
    running: int = 0
    seconds: float = 0.0
    threads: int = 1

    @property
    def ended(self) -> int:
        """Runs that need nothing more."""
        return self.kept + self.finished + self.failed

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at the mean time of a run so far; None before the first end or without worker."""
        here = self.finished + self.failed
        return (self.total - self.ended) * self.seconds / here / self.threads if here and self.threads else None


def run_all(
    client: Client, points: Iterator[Point], tally: Tally, watch: Callable[[Tally, Point | None, Ended | None], None]
) -> None:
    """Run points on a cluster and count how they end.

    client: of the cluster.
    points: taken as the cluster has room, so that they need not all exist at once.
    tally: counted up here.
    watch: told several times a second how far it is, and of every run that ended.

    Raises SchedulerGone if the scheduler does not answer for a while, BookChanged if the book is not what it was; what
    has finished lies in its folders.
    """
    ended: queue.SimpleQueue[Future[Ended]] = queue.SimpleQueue()
    in_flight: dict[Key, Point] = {}
    futures: dict[Key, Future[Ended]] = {}
    last_seen = asked = time.monotonic()
    tally.threads = _threads(client, tally.threads)
    more = True
    try:
        while more or in_flight:
            if time.monotonic() - asked > SECONDS_BETWEEN_COUNTS:  # workers come and go
                tally.threads, asked = _threads(client, tally.threads), time.monotonic()
            while more and client.status == "running" and len(in_flight) < tally.threads:
                point = next(points, None)
                if point is None:
                    more = False
                    break
                future = client.submit(work, point, pure=False)
                in_flight[future.key], futures[future.key] = point, future
                future.add_done_callback(ended.put)
            tally.running = min(len(in_flight), tally.threads)
            watch(tally, None, None)
            for future in _next(ended):
                end = _end(future, in_flight[future.key])
                if end is None:
                    ended.put(future)  # asked again; below it is decided whether the connection is lost for good
                    break
                if end.outdated:
                    raise BookChanged(end.outdated)
                point = in_flight.pop(future.key)
                del futures[future.key]
                tally.seconds += end.seconds
                tally.failed += bool(end.failure)
                tally.finished += not end.failure
                watch(tally, point, end)
            now = time.monotonic()
            last_seen = now if client.status == "running" and not _lost(futures) else last_seen
            if now - last_seen > PATIENCE:
                raise SchedulerGone("the scheduler does not answer any more")
    finally:
        if futures and client.status == "running":
            client.cancel(list(futures.values()))


def _threads(client: Client, before: int) -> int:
    """How many runs the cluster takes at a time; as before if it does not answer."""
    try:
        return sum(client.nthreads().values()) if client.status == "running" else before
    except (OSError, TimeoutError):
        return before


def _next(ended: "queue.SimpleQueue[Future[Ended]]") -> Iterator[Future[Ended]]:
    """The runs that have ended since, after waiting a little for the first."""
    try:
        yield ended.get(timeout=TICK)
        while True:
            yield ended.get_nowait()
    except queue.Empty:
        return


def _lost(futures: dict[Key, Future[Ended]]) -> bool:
    """Whether the scheduler has forgotten runs, as a new one at the same address has."""
    return any(future.cancelled() for future in futures.values())


def _end(future: Future[Ended], point: Point) -> Ended | None:
    """How a run ended; None if its answer was lost with the scheduler."""
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
    reason = "its worker died several times, perhaps for lack of memory"
    if type(error).__name__ != "KilledWorker":
        reason = one_line(f"{type(error).__name__}: {error}")
    give_up(point, reason, 0.0)
    return Ended(reason, 0.0)
