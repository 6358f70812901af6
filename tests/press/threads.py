"""Threads that do the runs of a sweep in place of its processes."""

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from reproduce.running.job import End, Job, answered


class Threads:
    """Workers of a sweep that start in no time and die with the process of the test: its threads."""

    def __init__(self, size: int) -> None:
        self._size, self._pool = size, ThreadPoolExecutor(size)
        self._jobs: dict[Future[End], Job] = {}

    def places(self) -> int:
        return self._size

    def submit(self, job: Job) -> None:
        self._jobs[self._pool.submit(answered, job)] = job

    def ended(self) -> Iterable[tuple[Job, End]]:
        done, _ = wait(self._jobs, timeout=0.1, return_when=FIRST_COMPLETED)
        return [(self._jobs.pop(one), one.result()) for one in done]


@contextmanager
def in_threads(count: int, *others: object) -> Iterator[Threads]:
    """In place of the processes of a sweep."""
    yield Threads(count)
