"""What ``refresh`` keeps of an execution: its day, its seconds, and with what; and metadata that say something else."""

import copy
import subprocess
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from nbformat.v4 import new_notebook

from reproduce.chapters.book import Book
from reproduce.ground.errors import PressError
from reproduce.pages.publish import stage
from reproduce.running.environment import processor
from reproduce.running.last_run import (
    EXECUTED,
    LastRun,
    commit_of_run,
    environments,
    last_run,
    period,
    read_last_runs,
    say_when,
    steady,
    stored_here,
)
from reproduce.running.staleness import fingerprint

if TYPE_CHECKING:
    from conftest import TinyBook

RUN = LastRun("a/b", "2026-11-02", 10, "Python 3.11.7", "2 cores")


def test_refresh_keeps_when_with_what_and_how_long(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    assert read_last_runs(tiny.book) == {}
    before = date.today()
    done = tiny.ask("refresh", "geometric")
    assert done.returncode == 0, done.stderr
    (run,) = read_last_runs(tiny.book).values()
    assert run.chapter == "sums/geometric"
    assert before <= date.fromisoformat(run.date) <= date.today()
    assert 1 <= run.seconds < 600
    assert run.versions.startswith("Python 3.")
    assert run.host.endswith(f" cores, {processor()}")
    notebook = tiny.book.chapter("geometric").read()
    assert stored_here(notebook)
    for name, text in {
        "host": "2 cores, another",
        "versions": run.versions.replace("Python 3.", "Python 2."),
    }.items():
        other = copy.deepcopy(notebook)
        other.metadata["executed"][name] = text
        assert not stored_here(other)
    del notebook.metadata["executed"]
    assert not stored_here(notebook)


def test_the_commit_is_one_that_holds_the_code_of_the_run_whenever_it_was_committed(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    git = ["git", "-c", "user.name=Euclid", "-c", "user.email=e@example.org"]

    def commit(words: str) -> str:
        for command in (["add", "."], ["commit", "-q", "-m", words]):
            subprocess.run([*git, *command], cwd=tiny.root, check=True)
        told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tiny.root, capture_output=True, text=True, check=True)
        return told.stdout.strip()

    def executed() -> LastRun:
        done = chapter.read()
        say_when(tiny.book, None, done, 2.0)
        chapter.notebook.write_text(nbformat.writes(done))
        run = last_run(chapter.name, done)
        assert run is not None
        return run

    assert commit_of_run(tiny.book, executed()) == ""  # in no repository
    subprocess.run([*git, "init", "-q"], cwd=tiny.root, check=True)
    run = executed()
    assert commit_of_run(tiny.book, run) == ""  # not committed yet
    sums = commit("Sums, and what came out")
    assert commit_of_run(tiny.book, run) == sums
    (tiny.root / "intro.md").write_text("# Other sums\n")
    assert commit_of_run(tiny.book, run) == sums
    commit("Words")
    assert commit_of_run(tiny.book, run) == sums
    (tiny.root / "requirements.txt").write_text("numpy==2.0\n")
    assert commit_of_run(tiny.book, run) == ""
    later = commit("Another lock")
    assert (commit_of_run(tiny.book, run), commit_of_run(tiny.book, executed())) == ("", later)
    assert commit_of_run(tiny.book, replace(run, code="")) == ""  # of an old notebook it is not known


def test_a_package_that_only_pages_with_an_address_need_makes_no_chapter_stale(tiny: "TinyBook") -> None:
    notebook = tiny.chapter("sums/geometric").read()
    (tiny.root / "pyproject.toml").write_text('[project.optional-dependencies]\nweb = ["site-map>=1,<2"]\n')
    lock, before = tiny.root / "requirements.txt", fingerprint(tiny.book, notebook)
    lock.write_text(f"{lock.read_text()}site-map==1.2\n")
    assert fingerprint(tiny.book, notebook) == before
    lock.write_text(f"{lock.read_text()}site-maps==1.2\n")
    assert fingerprint(tiny.book, notebook) != before


def test_staged_sources_have_the_code_of_the_book(tiny: "TinyBook", tmp_path: Path) -> None:
    notebook = tiny.chapter("sums/geometric").read()
    stage(tiny.book, tmp_path / "staged", {})
    assert fingerprint(Book(tmp_path / "staged"), notebook) == fingerprint(tiny.book, notebook)


def test_a_time_that_is_nearly_the_same_stays_as_it_was() -> None:
    assert [steady(RUN, seconds) for seconds in (8, 9.4, 12.9, 13.2, 7.6)] == [10, 10, 10, 13, 8]
    assert [steady(None, seconds) for seconds in (0.0, 0.2, 3.6)] == [1, 1, 4]


def test_several_days_and_environments() -> None:
    other = LastRun("a/c", "2026-10-31", 1, "Python 3.12.1", "8 cores")
    assert period([RUN, other]) == (date(2026, 10, 31), date(2026, 11, 2))
    assert environments([RUN, other, RUN]) == [("Python 3.11.7", "2 cores"), ("Python 3.12.1", "8 cores")]


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({}, "missing 4 required"),
        ([1, 2], "mapping"),
        ({"date": "yesterday"}, "yesterday"),
        ({"seconds": 0}, "seconds is 0"),
        ({"seconds": "long"}, "seconds is long"),
        ({"versions": 3}, "3 is not text"),
        ({"more": 3}, "unexpected keyword"),
    ],
)
def test_metadata_that_say_something_else_are_refused(entry: object, complaint: str) -> None:
    good = {"date": "2026-11-02", "seconds": 1, "versions": "v", "host": "h"}
    wrong = {**good, **entry} if isinstance(entry, dict) and entry else entry
    notebook = new_notebook(metadata={EXECUTED: wrong})
    with pytest.raises(PressError, match=f"a/b: its metadata do not say when it was executed: .*{complaint}"):
        last_run("a/b", notebook)
