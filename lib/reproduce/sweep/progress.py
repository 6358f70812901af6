"""What a sweep shows while it runs: a bar on a terminal, a line now and then elsewhere."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column

from reproduce.running.engine import Tally
from reproduce.running.run import slug
from reproduce.sweep.point import Ended, Point

SECONDS_BETWEEN_LINES = 30.0


class SweepProgress:
    """Finished, failed and running runs and the time left; a failed run leaves a line."""

    def __init__(self, console: Console) -> None:
        """Show nothing yet."""
        self._console = console
        self._last_line = time.monotonic()
        bar = BarColumn(bar_width=None, table_column=Column(ratio=1, max_width=24))  # gives way to the words
        words = TextColumn("{task.description}", table_column=Column(overflow="ellipsis", no_wrap=True))
        self._bar = Progress(bar, words, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("starting the workers")

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        self._bar.stop()

    def watch(self, tally: Tally, point: Point | None, end: Ended | None) -> None:
        """Told several times a second how far it is, and of every run that ended."""
        if point is not None and end is not None and end.failure:
            self._console.print(f"✗ {slug(point.values)}: {end.failure}", markup=False, emoji=False, soft_wrap=True)
        words = in_words(tally)
        self._bar.update(self._task, total=tally.total, completed=tally.ended, description=words)
        if not self._console.is_terminal and time.monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._console.print(words, markup=False)


def in_words(tally: Tally) -> str:
    """How far a sweep is, in one line."""
    finished = tally.kept + tally.finished
    words = f"{finished} of {tally.total} finished, {tally.failed} failed, {tally.running} running"
    if tally.threads == 0:
        return f"{words}, waiting for a worker"
    left = tally.seconds_left
    if left is None:
        return words
    return f"{words}, about {_duration(left)} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
