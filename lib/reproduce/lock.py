"""One process at a time in a folder."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reproduce.errors import PressError, writing


@contextmanager
def locked(path: Path, refusal: str) -> Iterator[None]:
    """Hold the lock file ``path``, whose folder exists; a PressError with the text ``refusal`` if another holds it."""
    with writing(path):
        lock = path.open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PressError(refusal) from None
        yield
