"""What can go wrong in the press, each with its exit code; the command line prints it as one line."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OK = 0
FAILED = 1  # a claim does not hold, or a cell or a page failed
BAD_INPUT = 2  # what was asked for does not exist or is not allowed
CANNOT_WRITE = 3  # no space, no permission
INTERRUPTED = 130  # Ctrl-C, as a shell counts it

LONGEST_REASON = 300
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0e-\x1f\x7f]|[\ud800-\udfff]")


class PressError(Exception):
    """Something the user can mend; its text is one plain line."""

    exit_code = BAD_INPUT


class WriteError(PressError):
    """A file or folder could not be written."""

    exit_code = CANNOT_WRITE


class RunFailed(PressError):
    """A chapter stopped at a cell, or the pages could not be built."""

    exit_code = FAILED


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an operating-system error on the way to ``path`` into a WriteError that says which file and why."""
    try:
        yield
    except OSError as error:
        where = error.filename or path
        raise WriteError(f"cannot write {where}: {(error.strerror or str(error)).lower()}") from error


def one_line(text: str) -> str:
    """A text as one line: no colours, no control characters, and no more than one reads."""
    line = " ".join(ESCAPE.sub("", text).split())
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 1]}…"
