"""Files that appear whole or not at all, scratch folders that the next start clears away, and locks."""

import fcntl
import os
import re
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reproduce.ground.errors import PressError, writing

SCRATCH = ".running-"
MARK = ".made-by-reproduce"
SECONDS_UNTIL_MARKED = 60.0
OPEN_FILES = 96  # a kernel and what starts it need 64; without them it dies with a page of words
ROOM_FOR_FILES = 1024


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The name of a new file in a scratch folder beside ``path`` that takes its place at the end; not after an error.

    Whoever reads ``path`` sees the old content or the whole new one, also after a power cut. Its permissions are kept.
    A symbolic link is replaced, never followed: what it points at is not the press's own.

    Raises WriteError if the file cannot be made or moved.
    """
    with scratch(path.parent) as mine:
        new = mine / path.name
        yield new
        with writing(path):
            if path.is_file() and not path.is_symlink():
                new.chmod(path.lstat().st_mode & 0o777)
            _to_disk(new)
            new.replace(path)
            _to_disk(path.parent)


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 in the place of ``path``, whole or not at all."""
    with replacing(path) as new, writing(path):
        new.write_text(text, encoding="utf-8")


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """A scratch folder inside ``folder``, removed at the end; what a killed process left there is removed at the start.

    While its process lives the folder's mark is locked, so that nobody takes it for abandoned.
    """
    with writing(folder):
        clear_abandoned(folder)
        mine = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=folder))
    try:
        with writing(mine), (mine / "unlocked").open("w") as mark:
            with suppress(OSError):  # a file system without locks, on which nothing is cleared either
                fcntl.flock(mark, fcntl.LOCK_EX)
            Path(mark.name).rename(mine / MARK)  # nobody finds it before it is locked
            yield mine
    finally:
        shutil.rmtree(mine, ignore_errors=True)


@contextmanager
def locked(path: Path, refusal: str, *, together: bool = False) -> Iterator[None]:
    """Hold the lock file ``path``, whose folder exists; a PressError with the text ``refusal`` if another holds it.

    Those who hold it together exclude only those who want it alone.
    A symbolic link of that name is refused: what it points at is not the press's own.
    """
    with writing(path):
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    with os.fdopen(lock, "w"):
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if together else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PressError(refusal) from None
        yield


def clear_abandoned(folder: Path) -> None:
    """Remove the scratch folders in ``folder`` that the press made and whose process is gone; nothing else."""
    for left in folder.glob(f"{SCRATCH}*"):
        mark = left / MARK
        if left.is_symlink() or mark.is_symlink():
            continue
        if not mark.is_file():
            _remove_unmarked(left)
            continue
        with suppress(OSError), mark.open("r+") as lock:  # its process lives, or it has gone meanwhile
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)


def demand_open_files(needed: int = OPEN_FILES, what: str = "a chapter") -> None:
    """Allow this process, and those that it starts, as many open files as needed; a PressError if it may not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = max(ROOM_FOR_FILES, needed)
    if soft != resource.RLIM_INFINITY and soft < room:
        soft = room if hard == resource.RLIM_INFINITY else min(room, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise PressError(f"{soft} open files are allowed here, {what} needs {needed}; see 'ulimit -n'")


def is_scratch(path: Path) -> bool:
    """Whether a folder is named as scratch is."""
    return re.fullmatch(re.escape(SCRATCH) + "[a-z0-9_]{8}", path.name) is not None


def _remove_unmarked(left: Path) -> None:
    """Remove a folder whose process was killed before it could leave its mark: empty, old, and named as ours are."""
    if is_scratch(left):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > SECONDS_UNTIL_MARKED:
                left.rmdir()


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
