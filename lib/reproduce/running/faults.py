"""What nobody foresaw: one line for the user, the traceback in a file for whoever mends it."""

import traceback
from contextlib import suppress

from reproduce.chapters.book import Book, find_book, shown
from reproduce.ground.errors import PressError, one_line
from reproduce.ground.files import write_text

TRACEBACK = "traceback.txt"


def unexpected(error: Exception, book: Book | None = None) -> str:
    """An exception in one line, with the place under ``_build`` where its traceback is kept, if it could be.

    error: the exception.
    book: by default the one that the current folder lies in.
    """
    said = one_line(f"{type(error).__name__}: {error}")
    with suppress(PressError, OSError):
        build = (book or find_book()).build
        build.mkdir(exist_ok=True)
        write_text(build / TRACEBACK, "".join(traceback.format_exception(error)))
        return f"{said}; the press did not expect this, {shown(build / TRACEBACK)} says where it happened"
    return f"{said}; the press did not expect this"
