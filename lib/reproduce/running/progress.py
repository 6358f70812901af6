"""What a command shows while its jobs are done: a bar on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable
from typing import Self

from rich import progress
from rich.console import Console
from rich.table import Column

from reproduce.running.job import End, Job
from reproduce.running.run_all import Tally

SECONDS_BETWEEN_LINES = 30.0
MOST_NAMED = 3


def failure(job: Job, end: End) -> str:
    """A line for a job that failed, none for another."""
    return f"✗ {job.name}: {end.failure}" if end.failure else ""


class Progress:
    """Finished, failed and running jobs and the time left; a job that ended may leave a line."""

    def __init__(self, console: Console, said: Callable[[Job, End], str] = failure) -> None:
        """Show nothing yet; ``said`` gives the line that an ended job leaves, empty for none."""
        self._console, self._said = console, said
        self._last_line = time.monotonic()
        bar = progress.BarColumn(bar_width=None, table_column=Column(ratio=1, max_width=24))  # gives way to the words
        words = progress.TextColumn("{task.description}", table_column=Column(overflow="ellipsis", no_wrap=True))
        self._bar = progress.Progress(bar, words, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("starting the workers")

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        self._bar.stop()

    def watch(self, tally: Tally, job: Job | None, end: End | None) -> None:
        """Told several times a second how far it is, and of every job that is begun, and that has ended."""
        plain, words = not self._console.is_terminal, in_words(tally)
        if job is not None and end is not None:
            self._say(self._said(job, end))
        elif job is not None and plain and tally.work is not None:  # it is known how long it takes
            self._say(f"started {job.name}, about {job.expected:.0f} s")
        if plain and time.monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._say(words)
        names = [running.name for running in tally.running]
        description = f"{words}: {', '.join(names[:MOST_NAMED])}" if names else words
        self._bar.update(self._task, total=tally.total, completed=tally.ended, description=description)

    def _say(self, line: str) -> None:
        if line:
            self._console.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)


def in_words(tally: Tally) -> str:
    """How far it is, in one line."""
    running = min(len(tally.running), tally.places)
    finished = tally.kept + tally.finished
    words = f"{finished} of {tally.total} finished, {tally.failed} failed, {running} running"
    if tally.places == 0:
        return f"{words}, waiting for a worker"
    left = tally.seconds_left
    return words if left is None else f"{words}, {_duration(left)} left"


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "a few seconds"
    if seconds < 60:
        return f"about {seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"about {minutes} min" if minutes < 60 else f"about {minutes // 60} h {minutes % 60} min"
