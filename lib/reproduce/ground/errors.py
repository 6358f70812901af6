"""What can go wrong in the press, each with its exit code; the command line prints it as one line."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

OK = 0
FAILED = 1  # a claim does not hold, or a cell or a page failed
BAD_INPUT = 2  # what was asked for does not exist or is not allowed
CANNOT_WRITE = 3  # no space, no permission
UNEXPECTED = 4  # a fault of the press itself
INTERRUPTED = 130  # Ctrl-C, as a shell counts it
NOBODY_READS = 141  # a closed pipe, as a shell counts it

LONGEST_REASON = 300
LONGEST_VALUE = 60
LONGEST_PATH = 500
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
    except shutil.Error as error:  # of a whole folder: the first of its files
        _, where, why = error.args[0][0]
        raise WriteError(f"cannot write {quoted(where, LONGEST_PATH)}: {why}") from error
    except OSError as error:
        where = error.filename2 or error.filename or path
        raise WriteError(f"cannot write {quoted(where, LONGEST_PATH)}: {reason(error)}") from error


def reason(error: OSError) -> str:
    """What the operating system says, without number and path."""
    return (error.strerror or str(error)).lower()


def quoted(value: Any, longest: int = LONGEST_VALUE) -> str:
    """A value as it is repeated in a message: on one line, and no more of it than one reads."""
    try:
        text = str(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number of thousands of digits"
    plain = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
    plain = plain if plain.strip() else repr(plain)
    return plain if len(plain) <= longest else f"{plain[:longest]}… ({len(text)} characters)"


def one_line(text: str) -> str:
    """A text as one line: no colours, no control characters, and no more than one reads."""
    line = " ".join(ESCAPE.sub("", text).split())
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 1]}…"
