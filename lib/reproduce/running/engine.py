"""The one loop in which jobs are run: whoever does them has one for each of its places, each end is counted once.

None waits on a worker that has another: Dask gives up a task that several workers died with, also one that was only
waiting there.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from reproduce.errors import FAILED, PressError
from reproduce.running.job import End, Job
from reproduce.running.tally import Tally

Watch: TypeAlias = Callable[[Tally, Job | None, End | None], None]
LOST = "its worker died several times, perhaps for lack of memory"


class SchedulerGone(PressError):
    """The scheduler does not answer any more."""

    exit_code = FAILED


class BookChanged(PressError):
    """A worker sees another book than the one the jobs are about; the text is the worker's host."""

    exit_code = FAILED


class Workers(Protocol):
    """Whoever does jobs: processes of this machine, or a cluster."""

    def places(self) -> int:
        """How many jobs they take at a time; 0 while nobody is there."""

    def submit(self, job: Job) -> None:
        """Take a job; there is a place for it."""

    def ended(self) -> Iterable[tuple[Job, End]]:
        """The jobs that have ended since, after waiting a little for the first."""


def run_all(workers: Workers, jobs: Iterator[Job], tally: Tally, watch: Watch) -> None:
    """Have jobs done and count how they end.

    workers: who does them.
    jobs: taken as there are places, so that they need not all exist at once.
    tally: counted up here.
    watch: told several times a second how far it is, and of every job that ended.

    Raises BookChanged if the book is not what it was, and what the workers raise: SchedulerGone; what has finished is
    with its keepers.
    """
    more = True
    while more or tally.running:
        tally.places = workers.places()
        while more and len(tally.running) < tally.places:
            job = next(jobs, None)
            if job is None:
                more = False
                break
            workers.submit(job)
            tally.begin(job)
        watch(tally, None, None)
        for job, end in workers.ended():
            if end.outdated:
                raise BookChanged(end.outdated)
            tally.end(job, end)
            watch(tally, job, end)
