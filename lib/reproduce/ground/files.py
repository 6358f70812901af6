"""Files that appear whole or not at all, and scratch folders that the next start clears away."""

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

LONGEST_STEM = 60
SCRATCH = ".running-"
MARK = ".made-by-reproduce"
RANDOM = "[a-z0-9_]{8}"  # what tempfile puts behind a prefix
SECONDS_UNTIL_MARKED = 60.0
OPEN_FILES = 96  # a kernel and what starts it need 64; without them it dies with a page of words
ROOM_FOR_FILES = 1024


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new empty file beside ``path`` that takes its place at the end; after an error it is removed.

    What a killed process left for this ``path`` is removed at the start; the file is locked while its process lives.

    Whoever reads ``path`` sees the old content or the whole new one, also after a power cut. Its permissions are kept.
    A symbolic link is replaced, never followed: what it points at is not the press's own.

    Raises WriteError if the file cannot be made or moved.
    """
    prefix = f".{path.name[:LONGEST_STEM]}."
    with writing(path):
        _clear_unfinished(path.parent, prefix)
        handle, new = _locked_file(path.parent, prefix)
    try:
        yield new
        with writing(path):
            new.chmod(path.lstat().st_mode & 0o777 if path.is_file() and not path.is_symlink() else 0o666 & ~umask())
            _to_disk(new)
            new.replace(path)
            _to_disk(path.parent)
    finally:
        new.unlink(missing_ok=True)
        os.close(handle)


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
        with writing(mine), (mine / MARK).open("w") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX)
            yield mine
    finally:
        shutil.rmtree(mine, ignore_errors=True)


def clear_abandoned(folder: Path) -> None:
    """Remove the scratch folders in ``folder`` that the press made and whose process is gone; nothing else."""
    for left in folder.glob(f"{SCRATCH}*"):
        mark = left / MARK
        if left.is_symlink() or mark.is_symlink():
            continue
        if not mark.is_file():
            _remove_unmarked(left)
            continue
        with mark.open("r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
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


def _remove_unmarked(left: Path) -> None:
    """Remove a folder whose process was killed before it could leave its mark: empty, old, and named as ours are."""
    if re.fullmatch(re.escape(SCRATCH) + RANDOM, left.name):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > SECONDS_UNTIL_MARKED:
                left.rmdir()


def _clear_unfinished(folder: Path, prefix: str) -> None:
    """Remove what ``replacing`` made in ``folder`` under this prefix if its process is gone."""
    ours = re.compile(re.escape(prefix) + RANDOM)
    for left in [path for path in folder.iterdir() if ours.fullmatch(path.name)]:
        with suppress(OSError):  # gone meanwhile, or another's
            handle = os.open(left, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
            finally:
                os.close(handle)


def _locked_file(folder: Path, prefix: str) -> tuple[int, Path]:
    """A new file and its open handle, which holds its lock."""
    while True:
        handle, name = tempfile.mkstemp(prefix=prefix, dir=folder)
        with suppress(OSError):  # a file system without locks, on which nothing is cleared either
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.exists(name):
            return handle, Path(name)
        os.close(handle)  # taken for abandoned before it was locked


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def umask() -> int:
    """The permissions that new files of this process lack."""
    current = os.umask(0o077)
    os.umask(current)
    return current
