"""Chapters at the paper's own scale: what is kept of them, what is run again, and what a failure leaves."""

import os
import signal
from typing import TYPE_CHECKING

import pytest

from reproduce.campaigns.finding import RECORDS, read_findings
from reproduce.campaigns.paper import PAPER
from reproduce.running.environment import machine

if TYPE_CHECKING:
    from press.conftest import TinyBook

SLEEPS = "import time\ntime.sleep({seconds})"


def add(tiny: "TinyBook", name: str, *cells: str, paper: str = "terms: 90\n") -> None:
    chapter = tiny.chapter(name, *cells)
    chapter.paper.write_text(paper)


@pytest.mark.nightly  # sweeps cover it
def test_a_failure_is_a_row_and_what_has_not_changed_is_not_run_again(tiny: "TinyBook") -> None:
    add(tiny, "sums/broken", "raise ValueError('no such sum')")
    add(tiny, "sums/geometric", "import time\nballast = b'x' * 200_000_000\ntime.sleep(0.3)", tiny.claim("geometric"))
    add(tiny, "sums/zeta", tiny.claim("zeta"), paper="terms: 10\n")  # too few: the claim does not hold
    done = tiny.call("paper")
    assert (done.returncode, "1 of 3 chapters in order" in done.stdout) == (1, True), done.stderr
    broken, geometric, zeta = read_findings(tiny.book, PAPER)
    assert broken.failed == ["cell [3]: ValueError: no such sum"]
    of = geometric.counts
    assert (geometric.failed, of["claims"], of["held"], of["parameters"]) == ([], 1, 1, {"terms": 90})
    assert (zeta.counts["held"], zeta.failed) == (0, ["zeta.limit"])
    assert 20 < zeta.counts["megabytes"] < of["megabytes"] - 150
    assert geometric.host.startswith(f"{machine()}; Python 3.")

    again = tiny.call("paper").stdout.splitlines()
    assert ["unchanged" in line for line in again[:3]] == [True, False, False]
    (tiny.root / "chapters" / "sums" / "zeta.paper.yaml").write_text("terms: 80\n")
    done = tiny.call("paper", "geometric", "zeta")
    assert done.returncode == 0
    assert ["unchanged" in line for line in done.stdout.splitlines()[:2]] == [True, False]
    made = tiny.root / "_build" / "paper" / "sums" / "geometric" / "runs" / "terms=90" / "run.json"
    before = made.stat().st_ino
    assert "unchanged" not in tiny.call("paper", "geometric", "--again").stdout
    assert made.stat().st_ino != before


def test_chapters_run_at_the_same_time_and_are_kept_as_they_end(tiny: "TinyBook") -> None:
    waits = "import os, time\nwhile not os.path.exists('{}'): time.sleep(0.05)"
    meets = "open('{}', 'w').close()"
    add(tiny, "sums/geometric", meets.format("one"), waits.format("two"), tiny.claim("geometric"))
    add(tiny, "sums/zeta", meets.format("two"), waits.format("one"), tiny.claim("zeta"))
    done = tiny.call("paper", "--workers", "2", "--limit", "5")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "2 of 2 chapters in order"), done.stderr
    assert done.stderr == "sums/geometric: at the paper's scale\nsums/zeta: at the paper's scale\n"
    assert [(one.counts["held"], one.failed) for one in read_findings(tiny.book, PAPER)] == [(1, []), (1, [])]
    for command in ("paper", "offdefault"):
        done = tiny.ask(command, "--workers", "2", "--scheduler", "tcp://127.0.0.1:1")
        assert (done.returncode, "--workers and --scheduler exclude each other" in done.stderr) == (2, True)
        done = tiny.ask(command, "--again", "--scheduler", "127.0.0.1")
        assert (done.returncode, "an address is tcp://HOST:PORT or tls://HOST:PORT" in done.stderr) == (2, True)


def test_a_chapter_that_takes_too_long_is_a_row(tiny: "TinyBook") -> None:
    add(tiny, "sums/endless", SLEEPS.format(seconds=600))
    add(tiny, "sums/geometric", "1")
    done = tiny.call("paper", "--limit", "0.1")  # nothing is imported: on a busy machine that takes seconds
    endless, geometric = read_findings(tiny.book, PAPER)
    assert endless.failed == ["cell [3]: it took longer than 6 s"]
    assert geometric.failed == ["no claim was stated"]
    assert done.returncode == 1
    assert tiny.kernels() == []


@pytest.mark.nightly  # sweeps cover it
def test_an_interrupted_campaign_keeps_what_is_finished(tiny: "TinyBook") -> None:
    add(tiny, "sums/geometric")
    add(tiny, "sums/endless", SLEEPS.format(seconds=600))
    process = tiny.start("paper")
    tiny.wait_for((tiny.root / RECORDS / PAPER / "geometric.json").exists)
    tiny.wait_for(tiny.kernels)
    os.killpg(process.pid, signal.SIGINT)
    _, err = tiny.end(process)
    assert (process.returncode, "the same command goes on from there" in err) == (130, True)
    assert [one.chapter for one in read_findings(tiny.book, PAPER)] == ["sums/geometric"]
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
    done = tiny.ask("paper")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr
    assert not (tiny.root / RECORDS).exists()
