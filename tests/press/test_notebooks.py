"""Stored notebooks under nbval: numbers and pictures count, and what came out as it is stored is not executed again."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproduce.chapters.book import Chapter
from reproduce.running.notebooks import write_notebook
from reproduce.running.staleness import agrees

if TYPE_CHECKING:
    from press.conftest import TinyBook

pytestmark = pytest.mark.timeout(1800)  # pytest in pytest, and builds: on a busy machine that takes its time

TESTS = Path(__file__).parents[1]
CONFTEST = """\
from pathlib import Path
from notebooks import Notebooks
from reproduce.chapters.book import Book

def pytest_configure(config):
    config.pluginmanager.register(Notebooks(Book(Path(__file__).parent), every=False))
"""
ARITHMETIC = "import os\nprint(os.environ.get('MKL_CBWR'), os.environ.get('OPENBLAS_CORETYPE'))"
DRAWN = "import matplotlib.pyplot as plt\nfrom series import ONE\nplt.plot([ONE, 2])\nplt.show()"


@pytest.fixture
def stored(tiny: "TinyBook") -> Chapter:
    """A chapter with a claim and a picture, executed and stored, in a book whose tests execute it.

    It prints by which arithmetic its kernel computes, which is the press' under the tests too.
    """
    (tiny.root / "lib" / "series.py").write_text("ONE = 1\n")
    chapter = tiny.chapter("sums/geometric", f"import sys\nsys.path.append({str(tiny.root / 'lib')!r})\n{ARITHMETIC}",
                           tiny.claim("geometric"), DRAWN)  # fmt: skip
    assert tiny.ask("refresh").returncode == 0
    (tiny.root / "conftest.py").write_text(CONFTEST)
    return chapter


def said_of(tiny: "TinyBook", *options: str, **more: str) -> str:
    """What pytest says of the book's notebooks."""
    words = [sys.executable, "-m", "pytest", "chapters", "-q", "-p", "no:cacheprovider", "-p", "no:benchmark"]
    keep = {name: value for name, value in os.environ.items() if name not in ("CI", "MPLBACKEND")}
    environment = {**keep, "PYTHONPATH": f"{TESTS}{os.pathsep}{keep.get('PYTHONPATH', '')}", **more}
    done = subprocess.run(
        [*words, "--nbval", "--nbval-current-env", *options],
        cwd=tiny.root, capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    return done.stdout


def test_what_came_out_as_stored_is_not_executed_again(tiny: "TinyBook", stored: Chapter) -> None:
    as_it_was = stored.notebook.read_bytes()
    assert not agrees(tiny.book, stored)
    assert "4 passed" in said_of(tiny)
    assert agrees(tiny.book, stored)
    assert "1 notebooks came out as stored before: not executed again" in said_of(tiny, "-n", "1")
    (tiny.root / "lib" / "series.py").write_text("ONE = 1.9\n")
    said = said_of(tiny)
    assert "cell [4]: picture 1 is stored as" in said
    assert "1 failed, 3 passed" in said
    assert not agrees(tiny.book, stored)
    assert stored.notebook.read_bytes() == as_it_was


@pytest.mark.nightly  # a build meets another word at each commit
def test_another_word_and_integration_execute_it_again(tiny: "TinyBook", stored: Chapter) -> None:
    assert "4 passed" in said_of(tiny)
    assert "4 passed" in said_of(tiny, CI="true")
    (tiny.root / "lib" / "series.py").write_text("ONE = 1  # another word\n")
    assert not agrees(tiny.book, stored)
    assert "4 passed" in said_of(tiny)


@pytest.mark.nightly  # pictures go the same way
def test_a_number_that_was_edited_is_red(tiny: "TinyBook", stored: Chapter) -> None:
    notebook = stored.read()
    (output,) = [one for cell in notebook.cells for one in cell.get("outputs", []) if "claim" in one.metadata]
    output.metadata.claim["theory"] = 2.5
    write_notebook(notebook, stored.notebook)
    said = said_of(tiny)
    assert "claim geometric.limit: theory is stored as 2.5, executed anew it is 2" in said
    assert not agrees(tiny.book, stored)


def test_a_word_in_the_library_makes_nothing_to_be_stored_again(tiny: "TinyBook", stored: Chapter) -> None:
    assert tiny.call("build").returncode == 0
    assert agrees(tiny.book, stored)
    made = {"_build", "__pycache__"}
    kept = [path for path in tiny.root.rglob("*") if path.is_file() and not made & set(path.parts)]
    as_it_was = {path: path.read_bytes() for path in kept}
    (tiny.root / "lib" / "series.py").write_text("ONE = 1  # another word\n")
    done = tiny.call("build")
    assert (done.returncode, "1 chapter is to run" in done.stdout or "1 chapters are to run" in done.stdout) == (
        0,
        True,
    )
    assert agrees(tiny.book, stored)
    changed = {path.name for path, content in as_it_was.items() if path.read_bytes() != content}
    assert changed == {"series.py"}
    assert tiny.ask("ledger").returncode == 0
