"""One process at a time in a folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reproduce.ground.errors import PressError, writing


@contextmanager
def locked(path: Path, refusal: str) -> Iterator[None]:
    """Hold the lock file ``path``, whose folder exists; a PressError with the text ``refusal`` if another holds it.

    A symbolic link of that name is refused: what it points at is not the press's own.
    """
    with writing(path):
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    with os.fdopen(lock, "w"):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PressError(refusal) from None
        yield
