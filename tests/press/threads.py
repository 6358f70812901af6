"""Threads that do the runs of a sweep in place of its processes."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def in_threads(count: int, *others: object) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """In place of the processes of a sweep: they start in no time and die with the process of the test."""
    with ThreadPoolExecutor(count) as executor:
        yield executor, lambda: count
