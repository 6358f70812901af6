"""What a command prints, on any terminal: closed, in another encoding, or with nobody who reads."""

import codecs
import os
import sys
from contextlib import suppress

# What stands for a character that a stream cannot write; any other is written as its code, such as \\u03b1.
WORDS = {"✓": "ok", "✗": "not ok", "…": "...", "≤": "<=", "≥": ">=", "−": "-", "‖": "||", "→": "->", "·": "."}
HANDLER = "reproduce.words"


def prepare() -> None:
    """Make standard output and error fit to print anything on, so that no character decides about an exit code."""
    open_closed()
    codecs.register_error(HANDLER, in_words)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError):  # a stream of another kind, or one that cannot be sought
            stream.reconfigure(errors=HANDLER)  # type: ignore[union-attr]


def open_closed() -> None:
    """Put the null device where input, output or error is closed: the next file opened would get its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number is this one
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def in_words(error: UnicodeError) -> tuple[str, int]:
    """For ``codecs``: the characters that cannot be written in other ones."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    left = error.object[error.start : error.end]
    return "".join(WORDS.get(one, one.encode("ascii", "backslashreplace").decode()) for one in left), error.end


def nobody_reads() -> None:
    """Let what is still to be written vanish, so that the end of the program does not trip over it again."""
    null = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(null, number)
