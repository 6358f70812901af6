"""What a build shows while chapters run: a bar on a terminal, plain lines elsewhere."""

from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from reproduce.book import Chapter
from reproduce.running.workers import Outcome, Task


class ChapterProgress:
    """Names the running chapters and the time left; every finished chapter leaves a line."""

    def __init__(self, tasks: Sequence[Task], console: Console) -> None:
        """Show nothing yet; ``tasks`` is all that will be run."""
        self._console = console
        self._seconds = {task.chapter.name: task.seconds for task in tasks}
        self._begun: set[str] = set()
        self._ended = 0
        columns = (
            TextColumn("{task.fields[ended]}/{task.fields[chapters]}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[left]}"),
            TextColumn("{task.description}"),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task: TaskID = self._bar.add_task(
            "starting", total=sum(self._seconds.values()), ended=0, chapters=len(tasks), left=""
        )

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        self._bar.stop()

    def watch(self, running: Sequence[Chapter], seconds_left: float) -> None:
        """Told several times a second which chapters are running and how long all of it will still take."""
        for chapter in running:
            if chapter.name not in self._begun and not self._console.is_terminal:
                self._console.print(f"started {chapter.name}, about {self._seconds[chapter.name]:.0f} s")
            self._begun.add(chapter.name)
        whole = self._bar.tasks[0].total or 1.0
        self._bar.update(
            self._task,
            description=", ".join(chapter.name for chapter in running),
            completed=max(0.0, whole - seconds_left),
            ended=self._ended,
            left=f"about {seconds_left:.0f} s left" if seconds_left >= 1 else "a few seconds left",
        )

    def ended(self, outcome: Outcome, result: str) -> None:
        """A chapter has ended.

        outcome: how it has ended.
        result: what to say about it.
        """
        self._ended += 1
        mark = "✗" if outcome.failure else "✓"
        self._console.print(f"{mark} {outcome.chapter.name} in {outcome.seconds:.0f} s: {result}", markup=False)
