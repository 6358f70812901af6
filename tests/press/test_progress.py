"""How far jobs are, what that leaves to wait for, and what is shown of it."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from reproduce.chapters.book import Book, Chapter
from reproduce.running.job import End, Job
from reproduce.running.progress import Progress, in_words
from reproduce.running.run_all import Tally

BOOK = Book(Path("book"))


class Nothing(Job):
    def work(self) -> str:
        raise NotImplementedError


def job(name: str = "one", expected: float = 1.0) -> Job:
    return Nothing(book=BOOK, chapter=Chapter("sums/one", BOOK.root / "one.ipynb"), name=name, expected=expected)


def begun(tally: Tally, *jobs: Job) -> Tally:
    tally.running += jobs
    return tally


def test_how_far_it_is_in_words() -> None:
    tally, jobs = Tally(total=9, kept=2, places=2), [job(str(k)) for k in range(6)]
    assert in_words(tally) == "2 of 9 finished, 0 failed, 0 running"
    for one, failure in zip(jobs, ("", "", "", "no such sum"), strict=False):
        begun(tally, one).end(one, End(failure, 10.0))
    begun(tally, *jobs[4:])
    assert in_words(tally) == "5 of 9 finished, 1 failed, 2 running, about 15 s left"
    tally.places = 0
    assert in_words(tally) == "5 of 9 finished, 1 failed, 0 running, waiting for a worker"


def test_the_time_left_is_shared_among_the_places() -> None:
    assert begun(Tally(2, work=80.0, places=2), job(expected=30.0)).seconds_left == 40.0
    assert Tally(0, work=0.0).seconds_left == 0.0


def test_the_time_left_follows_what_jobs_took_of_what_was_expected_of_them() -> None:
    first, failed = job("first", 100.0), job("failed", 10.0)
    tally = begun(Tally(4, work=190.0, places=2), first, failed)
    tally.end(failed, End("no such sum", 0.1))
    assert tally.seconds_left == 90.0, "a failure says nothing of how long others take"
    tally.end(first, End("", 10.0))  # ten times faster here
    assert begun(tally, job(expected=30.0)).seconds_left == pytest.approx(4.0)


def test_each_job_is_named_once_when_it_begins_and_once_when_it_ends() -> None:
    out = io.StringIO()
    first, second, third = (job(name, 20.0) for name in ("first", "second", "[third]"))
    tally = Tally(3, work=60.0, places=2)
    with Progress(Console(file=out, width=40)) as progress:
        for one in (first, second):
            progress.watch(begun(tally, one), one, None)
        progress.watch(tally, None, None)
        tally.end(first, End("", 20.0))
        progress.watch(tally, first, End("", 20.0))
        progress.watch(begun(tally, third), third, None)
        end = End("ValueError: [red] and so on, in a line that is longer than the terminal is wide", 1.0)
        tally.end(third, end)
        progress.watch(tally, third, end)
    assert out.getvalue().splitlines() == [
        "started first, about 20 s",
        "started second, about 20 s",
        "started [third], about 20 s",
        f"✗ [third]: {end.failure}",
    ]


def test_on_a_terminal_a_bar_says_what_runs_and_how_long() -> None:
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=True, force_interactive=True, _environ={"TERM": "xterm"})
    with Progress(console) as progress:
        progress.watch(begun(Tally(2, work=80.0, places=2), job("sums/one", 40.0)), None, None)
        progress._bar.refresh()
    assert "0 of 2 finished, 0 failed, 1 running, about 40 s left: sums/one" in out.getvalue()
