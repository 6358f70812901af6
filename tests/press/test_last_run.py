"""What ``refresh`` keeps of an execution: its day, its seconds, and with what; and a file that says something else."""

import subprocess
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproduce.errors import PressError
from reproduce.last_run import LAST_RUN, LastRun, environments, keep_last_run, period, read_last_runs, steady

if TYPE_CHECKING:
    from conftest import TinyBook

RUN = LastRun("a/b", "2026-11-02", 10, "Python 3.11.7", "2 cores")


def test_refresh_keeps_when_with_what_and_how_long(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    assert read_last_runs(tiny.root) == {}
    before = date.today()
    done = tiny.call("refresh", "geometric")
    assert done.returncode == 0, done.stderr
    (run,) = read_last_runs(tiny.root).values()
    assert run.chapter == "sums/geometric"
    assert before <= date.fromisoformat(run.date) <= date.today()
    assert 1 <= run.seconds < 600
    assert run.versions.startswith("Python 3.")
    assert run.host.endswith(" cores")


def test_the_commit_is_kept_where_there_is_one(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    keep_last_run(tiny.book, chapter, 2.0)
    assert "commit" not in (tiny.root / LAST_RUN).read_text()
    git = ["git", "-c", "user.name=Euclid", "-c", "user.email=e@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Sums"]):
        subprocess.run([*git, *command], cwd=tiny.root, check=True)
    keep_last_run(tiny.book, chapter, 2.0)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tiny.root, capture_output=True, text=True).stdout.strip()
    assert read_last_runs(tiny.root)["sums/geometric"].commit == commit
    notebook = chapter.notebook
    notebook.write_text(f"{notebook.read_text()} ")  # as runs do
    keep_last_run(tiny.book, chapter, 2.0)
    assert read_last_runs(tiny.root)["sums/geometric"].commit == commit
    (tiny.root / "intro.md").write_text("# Other sums\n")
    keep_last_run(tiny.book, chapter, 2.0)
    assert read_last_runs(tiny.root)["sums/geometric"].commit == f"{commit}, with changes"


def test_a_time_that_is_nearly_the_same_stays_as_it_was() -> None:
    assert [steady(RUN, seconds) for seconds in (8, 9.4, 12.9, 13.2, 7.6)] == [10, 10, 10, 13, 8]
    assert [steady(None, seconds) for seconds in (0.0, 0.2, 3.6)] == [1, 1, 4]


def test_several_days_and_environments() -> None:
    other = LastRun("a/c", "2026-10-31", 1, "Python 3.12.1", "8 cores")
    assert period([RUN, other]) == (date(2026, 10, 31), date(2026, 11, 2))
    assert environments([RUN, other, RUN]) == [("Python 3.11.7", "2 cores"), ("Python 3.12.1", "8 cores")]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("- chapter: a/b\n", "missing 4 required"),
        ("- [1, 2]\n", "mapping"),
        ("- {chapter: a/b, date: yesterday, seconds: 1, versions: v, host: h}\n", "yesterday"),
        ("- {chapter: a/b, date: '2026-11-02', seconds: 0, versions: v, host: h}\n", "a/b: seconds is 0"),
        ("- {chapter: a/b, date: '2026-11-02', seconds: long, versions: v, host: h}\n", "seconds"),
    ],
)
def test_a_file_that_says_something_else_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / LAST_RUN).write_text(text)
    with pytest.raises(PressError, match=f"{LAST_RUN} is not what 'make refresh' writes: .*{complaint}"):
        read_last_runs(tmp_path)
