"""A sweep killed at random moments, again and again, loses no finished run and counts none twice.

The kernel is replaced by a stand-in that takes a few hundredths of a second, so that many moments can be tried; the
loop, folders, table and page are the real ones.
"""

import json
import multiprocessing
import os
import random
import signal
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyarrow.parquet
import pytest
from nbformat import NotebookNode
from patience import PATIENCE
from tiers import at_night

from reproduce.chapters.book import Book
from reproduce.chapters.parameters import signature
from reproduce.ground.reading import read_notebook
from reproduce.running.execute import Outcome
from reproduce.sweep import point, sweep
from reproduce.sweep.grid import parse_grid

if TYPE_CHECKING:
    from conftest import TinyBook

FORK = multiprocessing.get_context("fork")
SECONDS = 0.03


def victim(root, runs, started):
    """Sweep with a stand-in for the kernel that notes each start."""
    warnings.simplefilter("ignore")
    book = Book(root)
    chapter = book.chapter("geometric")
    executed = Outcome(read_notebook(root / "executed.ipynb"))

    def stand_in(notebook: NotebookNode, folder, scratch, values, **limits):
        with (root / "starts").open("a") as file:
            file.write(f"{values['terms']}\n")
        with TemporaryDirectory(dir=scratch) as folder:
            (Path(folder) / "kernel.json").write_text("unfinished")
            time.sleep(SECONDS)
        return executed

    point.execute = stand_in
    grid = parse_grid(signature(chapter.read(), chapter.name), [f"terms=1:{runs + 1}"], chapter.name, {})
    started.send("begun")
    sweep.sweep(book, chapter, grid, root / "_build/swept", workers=2)


def starts(root):
    """How many runs were begun so far."""
    return len((root / "starts").read_text().split()) if (root / "starts").exists() else 0


def start(root, runs):
    receive, send = FORK.Pipe(duplex=False)
    process = FORK.Process(target=victim, args=(root, runs, send))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, from Python 3.12 on
        process.start()
    receive.recv()
    return process


@pytest.mark.parametrize(("kills", "count"), [(6, 120), at_night((20, 200))])
def test_kills_lose_nothing(tiny: "TinyBook", kills: int, count: int) -> None:
    tiny.chapter("sums/geometric")
    assert tiny.call("run", "geometric", "-o", "_build/one").returncode == 0
    (tiny.root / "_build/one/geometric.ipynb").rename(tiny.root / "executed.ipynb")
    runs = tiny.root / "_build/swept" / "runs"
    kept: dict[str, int] = {}
    moments = random.Random(0)
    for _ in range(kills):
        process = start(tiny.root, count)
        begun = starts(tiny.root) + moments.randint(0, 6)
        tiny.wait_for(lambda begun=begun: starts(tiny.root) >= begun)
        time.sleep(moments.uniform(0, 2 * SECONDS))
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        found = {path.parent.name: path.stat().st_mtime_ns for path in runs.glob("[!.]*/run.json")}
        assert kept.items() <= found.items()  # what had finished is still there, untouched
        for name in found:
            assert json.loads((runs / name / "run.json").read_text())["status"] == "finished"
            assert read_notebook(runs / name / "geometric.ipynb").cells
        kept = found
    assert 0 < len(kept) < count
    process = start(tiny.root, count)
    process.join(PATIENCE)
    assert process.exitcode == 0
    rows = pyarrow.parquet.read_table(tiny.root / "_build/swept/claims.parquet").to_pylist()
    assert sorted(row["terms"] for row in rows) == list(range(1, count + 1))
    assert starts(tiny.root) <= count + 2 * kills  # at most the two runs at work were begun anew after each kill
    assert not list(runs.glob(".*"))
