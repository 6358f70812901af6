"""The one loop in which jobs are run by an executor, one for each of its places; each end is counted once.

None waits on a worker that has another: Dask gives up a task that several workers died with, also one that was only
waiting there.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from typing import TypeAlias

from reproduce.ground.errors import FAILED, PressError, one_line
from reproduce.running.job import End, Job, answered

TICK = 0.2
DIED = (BrokenExecutor, KeyboardInterrupt)  # a process was killed, or told to stop by somebody else
LOST = "its worker died several times, perhaps for lack of memory"
LOST_ONCE = "its worker died, perhaps for lack of memory"


class SchedulerGone(PressError):
    """The scheduler does not answer any more."""

    exit_code = FAILED


class BookChanged(PressError):
    """A worker sees another book than the one the jobs are about; the text is the worker's host."""

    exit_code = FAILED


@dataclass
class Tally:
    """The count of jobs.

    total: jobs that are asked for.
    kept: jobs of them that were finished before.
    work: seconds that the others will probably take, all together; None if nobody knows.
    places: jobs that are done at a time; 0 while there is no worker.
    finished, failed: jobs that have ended since.
    running: the jobs that are being done, by the monotonic clock when each was begun.
    """

    total: int
    kept: int = 0
    work: float | None = None
    places: int = 1
    finished: int = 0
    failed: int = 0
    running: list[Job] = field(default_factory=list)
    _seconds: float = field(default=0.0, init=False)  # of the jobs that have ended
    _expected: float = field(default=0.0, init=False)  # of the same jobs

    @property
    def ended(self) -> int:
        """Jobs that need nothing more."""
        return self.kept + self.finished + self.failed

    @property
    def seconds_left(self) -> float | None:
        """What is expected of the jobs that have not ended, scaled by what others took, shared among the places.

        None before the first end if nothing is expected, and while there is no worker.
        """
        if not self.places or (self.work is None and not self._expected):
            return None
        pace = self._seconds / self._expected if self._expected else 1.0
        work = self.total - self.kept if self.work is None else self.work
        return pace * max(0.0, work - self._expected) / self.places

    def end(self, job: Job, end: End) -> None:
        """A job has ended."""
        self.running.remove(job)
        self.finished += not end.failure
        self.failed += bool(end.failure)
        if end.failure and self.work is not None:  # it says nothing of how long others take
            self.work -= job.expected
            return
        self._seconds += end.seconds
        self._expected += job.expected


Watch: TypeAlias = Callable[[Tally, Job | None, End | None], None]


def run_all(
    executor: Executor, places: Callable[[], int], jobs: Iterator[Job], tally: Tally, watch: Watch, lives: int = 1
) -> None:
    """Have jobs done and count how they end.

    executor: does them.
    places: how many it does at a time; 0 while nobody is there.
    jobs: taken as there are places, so that they need not all exist at once.
    tally: counted up here.
    watch: told several times a second how far it is, and of every job that is begun, and that has ended.
    lives: a job with which so many processes of this machine died has failed.

    Raises BookChanged if the book is not what it was, SchedulerGone if the executor has lost jobs; what has finished is
    with its keepers.
    """
    running: dict[Future[End], tuple[Job, int]] = {}
    more = True
    while more or running:
        tally.places = places()
        while more and len(running) < tally.places:
            job = next(jobs, None)
            if job is None:
                more = False
                break
            running[executor.submit(answered, job)] = job, lives
            tally.running.append(job)
            watch(tally, job, None)
        watch(tally, None, None)
        if not running:
            time.sleep(TICK)
        for future in wait(running, TICK, FIRST_COMPLETED).done:
            job, left = running.pop(future)
            if left > 1 and isinstance(_error(future), DIED):
                running[executor.submit(answered, job)] = job, left - 1
                continue
            end = _end(future, job, LOST if lives > 1 else LOST_ONCE)
            if end.outdated:
                raise BookChanged(end.outdated)
            tally.end(job, end)
            watch(tally, job, end)


def _error(future: "Future[End]") -> BaseException | None:
    try:
        return future.exception()
    except CancelledError:  # by nobody but a cluster whose scheduler went, or was started anew and knows nothing
        raise SchedulerGone("the scheduler does not answer any more") from None


def _end(future: "Future[End]", job: Job, lost: str) -> End:
    """How a job ended; one that has no answer is given up."""
    error = _error(future)
    if error is None:
        return future.result()
    died = isinstance(error, DIED) or type(error).__name__ == "KilledWorker"
    why = lost if died else one_line(f"{type(error).__name__}: {error}")
    job.keeper.give_up(job, why, 0.0)
    return End(why, 0.0, FAILED)
