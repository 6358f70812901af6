"""The one loop in which jobs are run by an executor, one for each of its places; each end is counted once.

None waits on a worker that has another: Dask gives up a task that several workers died with, also one that was only
waiting there.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from reproduce.ground.errors import FAILED, PressError, one_line
from reproduce.running.job import BookChanged, End, Job, done
from reproduce.running.kernel import ending_kernels

TICK = 0.2
LOST = "its worker died several times, perhaps for lack of memory"


class SchedulerGone(PressError):
    """The scheduler does not answer any more."""

    exit_code = FAILED


class Threads(ThreadPoolExecutor):
    """An executor on this machine: a chapter runs in the process of its kernel, and a thread waits for it.

    Left by an exception it ends the kernels, and nothing is kept of what they did.
    """

    def __exit__(self, kind: type[BaseException] | None, *what: Any) -> None:
        """Wait for the threads."""
        if kind is None:
            super().__exit__(kind, *what)
            return
        self.shutdown(wait=False, cancel_futures=True)
        with ending_kernels():
            super().__exit__(kind, *what)


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


def run_all(executor: Executor, places: Callable[[], int], jobs: Iterator[Job], tally: Tally, watch: Watch) -> None:
    """Have jobs done and count how they end.

    executor: does them.
    places: how many it does at a time; 0 while nobody is there.
    jobs: taken as there are places, so that they need not all exist at once.
    tally: counted up here.
    watch: told several times a second how far it is, and of every job that is begun, and that has ended.

    Raises BookChanged if the book is not what it was, SchedulerGone if the executor has lost jobs; what has finished is
    kept.
    """
    running: dict[Future[End], Job] = {}
    more = True
    while more or running:
        tally.places = places()
        while more and len(running) < tally.places:
            job = next(jobs, None)
            if job is None:
                more = False
                break
            running[executor.submit(done, job)] = job
            tally.running.append(job)
            watch(tally, job, None)
        watch(tally, None, None)
        if not running:
            time.sleep(TICK)
        for future in wait(running, TICK, FIRST_COMPLETED).done:
            job = running.pop(future)
            end = _end(future, job)
            tally.end(job, end)
            watch(tally, job, end)


def _end(future: "Future[End]", job: Job) -> End:
    """How a job ended; one that has no answer is given up."""
    try:
        return future.result()
    except BookChanged:
        raise
    except CancelledError:  # by nobody but a cluster whose scheduler went, or was started anew and knows nothing
        raise SchedulerGone("the scheduler does not answer any more") from None
    except Exception as error:
        died = type(error).__name__ == "KilledWorker"
        why = LOST if died else one_line(f"{type(error).__name__}: {error}")
    job.give_up(why, 0.0)
    return End(why, 0.0, FAILED)
