"""The command line: what it shows, and that what the user can mend is one line and an exit code."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import TinyBook


def test_list_shows_chapters_in_the_order_of_the_contents(tiny: "TinyBook") -> None:
    tiny.chapter("sums/zeta")
    tiny.chapter("sums/geometric")
    (tiny.root / "chapters/sums/written.py").write_text("# %%\n1\n")
    done = tiny.ask("list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines() if "sums/" in line] == [
        "sums/zeta", "sums/geometric", "sums/written"]  # fmt: skip
    assert "On zeta" in done.stdout
    assert "no notebook yet" in done.stdout


@pytest.mark.parametrize("command", [["list", "geometric"], ["run", "geometric", "--help"]])
def test_the_parameters_of_a_chapter_are_listed(tiny: "TinyBook", command: list[str]) -> None:
    tiny.chapter("sums/geometric")
    (tiny.root / "chapters/sums/geometric.paper.yaml").write_text("terms: 500\n")
    done = tiny.ask(*command)
    assert done.returncode == 0
    row = next(line for line in done.stdout.splitlines() if "terms" in line and "int" in line)
    for shown in ("int", "60", "500", "[1, 1000]", "number of terms n"):
        assert shown in row


@pytest.mark.parametrize(("command", "said"), [
    (["run", "geometrik"], "error: unknown chapter 'geometrik'; did you mean geometric?"),
    (["run", "xyz"], "error: unknown chapter 'xyz'; 'python -m reproduce list' shows them all"),
    (["run", "twice"], "error: chapter 'twice' is ambiguous: more/twice, sums/twice"),
    (["run", "geometric", "-p", "tems=3"], "error: unknown parameter 'tems'; did you mean terms?"),
    (["run", "geometric", "-p", "terms=0"], "error: terms=0 is not allowed: it must be an int in [1, 1000]"),
    (["run", "geometric", "--paper"],
     "error: sums/geometric has no parameters at the paper's scale: geometric.paper.yaml does not exist"),
    (["run"], "error: Missing argument 'CHAPTER'."),
    (["run", "geometric", "-o", ""], "error: Invalid value for '-o': it must name a folder"),
    (["run", "geometric", "-p", "rates=[0.1,0.2"],
     "error: rates=[0.1,0.2 is not allowed: it must be one or more floats, separated by commas, each in (0, 1]"),
    (["build", "--jobs", "0"], "error: Invalid value for '--jobs': 0 is not in the range x>=1."),
])  # fmt: skip
def test_bad_input_is_one_line(tiny: "TinyBook", command: list[str], said: str) -> None:
    tiny.chapter("sums/geometric")
    tiny.chapter("more/twice", registered=False)
    tiny.chapter("sums/twice", registered=False)
    (tiny.root / "_toc.yml").write_text("")
    before = tiny.files()
    done = tiny.ask(*command)
    assert (done.stderr.strip(), done.returncode) == (said, 2)
    assert tiny.files() == before


def test_the_command_line_starts_without_what_takes_a_second_to_import() -> None:
    script = "import sys, reproduce.cli; print(sorted({'papermill', 'pyarrow', 'scipy', 'torch'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_outside_of_a_book_is_one_line(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "reproduce", "list"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert (
        done.stderr.strip() == f"error: {tmp_path} is not inside a book: no folder above it has _toc.yml and chapters/"
    )


def test_a_book_is_found_from_below(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    folder = tiny.root / "chapters" / "sums"
    done = subprocess.run([sys.executable, "-m", "reproduce", "list"], cwd=folder, capture_output=True, text=True)
    assert "sums/geometric" in done.stdout


def test_the_ledger_names_what_is_wrong(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    done = tiny.ask("ledger")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "✗ sums/geometric: its cells were not run once each from top to bottom, or its outputs were stripped",
        "✗ sums/geometric: no claim is stored in it",
        "✗ sums/geometric: claim geometric.limit is registered, but no notebook stores it",
    ]


def test_a_file_that_is_no_notebook_is_one_line(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    chapter.notebook.write_text("<html>")
    done = tiny.ask("ledger")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "geometric.ipynb is not a notebook" in done.stderr
