"""When each chapter was last executed in place, with what, and for how long: ``refresh`` writes ``_lastrun.yml``."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

import yaml

from reproduce.book import Book, Chapter
from reproduce.environment import UNKNOWN, commit_of, environment
from reproduce.errors import PressError, one_line, quoted
from reproduce.files import write_text
from reproduce.reading import read_text, read_yaml

LAST_RUN = "_lastrun.yml"
HEADER = "# Written by 'make refresh': when each stored notebook was executed, with what, and how long it took.\n"
MAIN = ("Python", "numpy", "scipy", "cvxpy", "clarabel", "torch")  # on which numbers depend most
SAME = 1.3  # a time that changes by less is the old one, or every run would change the file


@dataclass(frozen=True)
class LastRun:
    """The last execution of one chapter.

    chapter: ``part/chapter``.
    date: its day.
    seconds: of one core, the start of the kernel included.
    versions, host: with what.
    commit: from which commit, and whether files differed from it; empty where it is not known.
    """

    chapter: str
    date: str
    seconds: int
    versions: str
    host: str
    commit: str = ""


def read_last_runs(root: Path) -> dict[str, LastRun]:
    """What is known, by chapter; empty if nothing was refreshed. PressError for a file that says something else."""
    path = root / LAST_RUN
    return dict(_known(path, read_text(path))) if path.exists() else {}


@lru_cache(maxsize=1)  # every page of a chapter asks for it
def _known(path: Path, text: str) -> Mapping[str, LastRun]:
    """What a file says in which this text stands."""
    try:
        runs = [LastRun(**entry) for entry in read_yaml(path) or []]
        for run in runs:
            date.fromisoformat(run.date)
            if not (isinstance(run.seconds, int) and run.seconds >= 1):
                raise ValueError(f"{run.chapter}: seconds is {quoted(run.seconds)}, not a positive whole number")
    except (TypeError, ValueError) as error:
        raise PressError(f"{path.name} is not what 'make refresh' writes: {one_line(str(error))}") from None
    return {run.chapter: run for run in runs}


def keep_last_run(book: Book, chapter: Chapter, seconds: float) -> None:
    """Write that a chapter was executed today; chapters that the book no longer has are left out."""
    known = read_last_runs(book.root)
    here = environment(str(book.root))
    known[chapter.name] = LastRun(
        chapter=chapter.name,
        date=date.today().isoformat(),
        seconds=steady(known.get(chapter.name), seconds),
        versions=", ".join([f"Python {here['python']}", *(f"{k} {v}" for k, v in here["versions"].items())]),
        host=f"{here['cores']} cores",
        commit=commit_of(book).replace(UNKNOWN, ""),
    )
    runs = [known[one.name] for one in book.chapters() if one.name in known]
    entries = [{name: value for name, value in asdict(run).items() if value != ""} for run in runs]
    text = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=120)
    write_text(book.root / LAST_RUN, HEADER + text)


def steady(before: LastRun | None, seconds: float) -> int:
    """Whole seconds, at least one; those of the run before where they are nearly the same."""
    now = max(1.0, seconds)
    if before is not None and 1 / SAME < now / before.seconds < SAME:
        return before.seconds
    return round(now)


def seconds_of_children() -> float:
    """The seconds of a core that processes started here and ended have used: not longer on a machine that is busy."""
    times = os.times()
    return times.children_user + times.children_system


def period(runs: Iterable[LastRun]) -> tuple[date, date]:
    """The first and the last day on which these were executed."""
    days = [date.fromisoformat(run.date) for run in runs]
    return min(days), max(days)


def main_versions(versions: str) -> str:
    """The versions on which numbers depend most."""
    return ", ".join(one for one in versions.split(", ") if one.split(" ")[0] in MAIN)


def environments(runs: Iterable[LastRun]) -> list[tuple[str, str]]:
    """The distinct environments of some runs, as pairs of versions and host."""
    return list(dict.fromkeys((run.versions, run.host) for run in runs))
