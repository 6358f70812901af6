"""Chapters at the paper's own scale: what is kept of them, what is run again, and what a failure leaves."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproduce.campaigns import PAPER, AtPaper, read_paper, write_paper
from reproduce.errors import PressError
from reproduce.pages.campaign_tables import paper_table
from reproduce.pages.plain_tables import NOT_RUN
from reproduce.sweep.paper import machine

if TYPE_CHECKING:
    from press.conftest import TinyBook

ONE = AtPaper(
    "sums/geometric", "0" * 16, {"terms": 90}, "2026-11-22", "abc", "Python 3.11", "2 cores, a processor",
    63, 512, 3, 2, ["geometric.<rate>"], "",
)  # fmt: skip
SLEEPS = "import time\ntime.sleep({seconds})"


def add(tiny: "TinyBook", name: str, *cells: str, paper: str = "terms: 90\n") -> None:
    chapter = tiny.chapter(name, *cells)
    chapter.paper.write_text(paper)


def test_a_failure_is_a_row_and_what_has_not_changed_is_not_run_again(tiny: "TinyBook") -> None:
    add(tiny, "sums/broken", "raise ValueError('no such sum')")
    add(tiny, "sums/geometric", "import time\nballast = b'x' * 200_000_000\ntime.sleep(0.3)", tiny.claim("geometric"))
    add(tiny, "sums/zeta", tiny.claim("zeta"), paper="terms: 10\n")  # too few: the claim does not hold
    done = tiny.call("paper")
    assert (done.returncode, "1 of 3 chapters in order" in done.stdout) == (1, True), done.stderr
    broken, geometric, zeta = read_paper(tiny.root)
    assert broken.failure == "cell [3]: ValueError: no such sum"
    assert (geometric.holds, geometric.claims, geometric.held, geometric.parameters) == (True, 1, 1, {"terms": 90})
    assert (zeta.failure, zeta.held, zeta.missed) == ("", 0, ["zeta.limit"])
    assert 20 < zeta.megabytes < geometric.megabytes - 150
    assert geometric.machine == machine()

    again = tiny.call("paper").stdout.splitlines()
    assert ["unchanged" in line for line in again[:3]] == [False, True, True]
    (tiny.root / "chapters" / "sums" / "zeta.paper.yaml").write_text("terms: 80\n")
    done = tiny.call("paper", "geometric", "zeta")
    assert done.returncode == 0
    assert ["unchanged" in line for line in done.stdout.splitlines()[:2]] == [True, False]
    made = tiny.root / "_build" / "paper" / "sums" / "geometric" / "runs" / "terms=90" / "run.json"
    before = made.stat().st_ino
    assert "unchanged" not in tiny.call("paper", "geometric", "--again").stdout
    assert made.stat().st_ino != before


def test_a_chapter_that_takes_too_long_is_a_row(tiny: "TinyBook") -> None:
    add(tiny, "sums/endless", SLEEPS.format(seconds=600))
    add(tiny, "sums/geometric")
    done = tiny.call("paper", "--limit", "0.2")
    endless, geometric = read_paper(tiny.root)
    assert (endless.failure, endless.holds) == ("cell [3]: it took longer than 12 s", False)
    assert geometric.holds
    assert done.returncode == 1
    assert tiny.kernels() == []


def test_an_interrupted_campaign_keeps_what_is_finished(tiny: "TinyBook") -> None:
    add(tiny, "sums/geometric")
    add(tiny, "sums/endless", SLEEPS.format(seconds=600))
    process = tiny.start("paper")
    tiny.wait_for((tiny.root / PAPER).exists, 60)
    tiny.wait_for(tiny.kernels, 60)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, "the same command goes on from there" in err) == (130, True)
    assert [one.chapter for one in read_paper(tiny.root)] == ["sums/geometric"]
    assert "unchanged" in tiny.call("paper", "geometric").stdout
    tiny.wait_for(lambda: not tiny.kernels())


@pytest.mark.parametrize(("paper", "said"), [
    ("terms: 0\n", "geometric.paper.yaml: terms=0 is not allowed"),
    ("term: 5\n", "unknown parameter 'term'"),
    (None, "has no parameters at the paper's scale"),
])  # fmt: skip
def test_parameters_are_looked_at_before_anything_runs(tiny: "TinyBook", paper: str | None, said: str) -> None:
    chapter = tiny.chapter("sums/geometric")
    if paper is not None:
        chapter.paper.write_text(paper)
    done = tiny.call("paper")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr
    assert not (tiny.root / PAPER).exists()


def test_a_row_says_what_did_not_hold_and_what_is_old(tmp_path: Path) -> None:
    assert paper_table([], lambda name: False) == f"<p>{NOT_RUN}</p>"
    page = paper_table([ONE, replace(ONE, chapter="sums/zeta", held=3, missed=[])], lambda name: name == "sums/zeta")
    assert "geometric.&lt;rate&gt;" in page
    assert page.count("have changed since") == 1
    assert page.count('<tr class="fails">') == 2  # the chapter, and all together
    assert "5 of 6" in page
    assert "512 MB at most" in page
    assert "2 cores, a processor" in page


def test_what_is_written_is_read_back_and_another_file_refused(tmp_path: Path) -> None:
    assert read_paper(tmp_path) == []
    write_paper(tmp_path, [ONE])
    assert read_paper(tmp_path) == [ONE]
    write_paper(tmp_path, [replace(ONE, megabytes=-1)])
    with pytest.raises(PressError, match="_paper.yml is not what 'make paper' writes"):
        read_paper(tmp_path)
