"""How far many jobs are, and how long the rest of them will take."""

import time
from dataclasses import dataclass, field

from reproduce.running.job import End, Job


@dataclass
class Tally:
    """The count of jobs.

    total: jobs that are asked for.
    kept: jobs of them that were finished before.
    work: seconds that the others will probably take, all together; None if nobody knows.
    places: jobs that are done at a time; 0 while there is no worker.
    finished, failed: jobs that have ended since.
    running: each job that is being done, with the monotonic clock when it was begun.
    """

    total: int
    kept: int = 0
    work: float | None = None
    places: int = 1
    finished: int = 0
    failed: int = 0
    running: list[tuple[Job, float]] = field(default_factory=list)
    _begun: float = field(default=0.0, init=False)  # expected seconds of all jobs that were begun
    _seconds: float = field(default=0.0, init=False)  # of the ended jobs that say how long others take
    _expected: float = field(default=0.0, init=False)  # of the same jobs

    @property
    def ended(self) -> int:
        """Jobs that need nothing more."""
        return self.kept + self.finished + self.failed

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take: what is expected, scaled by what the jobs that have ended took of that.

        At least what the longest of the running still needs, at least everything shared among the places. None before
        the first end if nothing is expected, and while there is no worker.
        """
        if not self.places or (self.work is None and not self._expected):
            return None
        pace = self._seconds / self._expected if self._expected else 1.0
        now, work = time.monotonic(), self.total - self.kept if self.work is None else self.work
        left = [max(0.0, pace * job.expected - (now - begun)) for job, begun in self.running]
        return max([*left, (sum(left) + pace * (work - self._begun)) / self.places])

    def begin(self, job: Job) -> None:
        """A job was begun."""
        self.running.append((job, time.monotonic()))
        self._begun += job.expected

    def end(self, job: Job, end: End) -> None:
        """A job has ended; one that failed says nothing of how long others take, if that is known otherwise."""
        self.running = [one for one in self.running if one[0] is not job]
        self.finished += not end.failure
        self.failed += bool(end.failure)
        if not end.failure or self.work is None:
            self._seconds += end.seconds
            self._expected += job.expected
