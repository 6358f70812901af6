"""The command line: a command, its exit code, and one line about whatever goes wrong."""

import errno
import logging
import signal
import sys
import warnings
from contextlib import suppress

import click

from reproduce.commands import PROGRAM, commands
from reproduce.ground import terminal
from reproduce.ground.errors import (
    BAD_INPUT,
    CANNOT_WRITE,
    INTERRUPTED,
    NOBODY_READS,
    OK,
    UNEXPECTED,
    PressError,
    quoted,
    reason,
)
from reproduce.running.job import unexpected

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(args: list[str] | None = None) -> None:
    """Run a command; whatever goes wrong is one line on standard error and an exit code."""
    terminal.prepare()
    logging.getLogger("papermill").setLevel(logging.ERROR)
    for number in (signal.SIGTERM, signal.SIGHUP):  # what is told to stop cleans up as after Ctrl-C
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, signal.default_int_handler)
    sys.exit(_answered(sys.argv[1:] if args is None else args))


def _answered(args: list[str]) -> int:
    """The exit code of a command, after one line about whatever went wrong."""
    try:
        code = _invoked(args)
        sys.stdout.flush()
        return code
    except PressError as error:
        return _said(f"error: {error}", error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return BAD_INPUT
    except click.ClickException as error:
        return _said(f"error: {error.format_message()}", BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        # Nobody awaits what was just being begun.
        warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
        return _said("error: interrupted; nothing half-written was left", INTERRUPTED)
    except BrokenPipeError:
        terminal.nobody_reads()
        return NOBODY_READS
    except Exception as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM and error.filename is None:  # files are named
            code = _said(f"error: cannot write standard output: {reason(error)}", CANNOT_WRITE)
            terminal.nobody_reads()
            return code
        return _said(f"error: {unexpected(error)}", UNEXPECTED)


def _invoked(args: list[str]) -> int:
    for number, word in enumerate(args, start=1):
        if not word.isascii() and any("\ud800" <= letter <= "\udfff" for letter in word):
            encoding = sys.getfilesystemencoding()
            raise PressError(f"argument {number} of the command is not text in {encoding}: {quoted(word)}")
    try:
        with commands.make_context(PROGRAM, list(args)) as context:
            commands.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else OK
    return OK


def _said(message: str, code: int) -> int:
    """Print one line, whatever is in the message, and give the exit code back."""
    line = "".join(letter if letter.isprintable() else " " for letter in message)
    with suppress(BrokenPipeError):
        click.echo(line, err=True)
    return code
