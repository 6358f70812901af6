"""What a sweep adds to its chapters: time of a run, time and memory of the driver, and what a second worker gains.

There is nothing to compare these with but each other: the column behind the time says what was measured.
"""

import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CELLS = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Empty
#
# ```{claim} one
# :source: Euclid
# :evidence: proved here
# :because: one is one
# :control: two in place of one
#
# One is one.
# ```

# %% tags=["parameters"]
n: int = 1  # a number, in [1, 1000000]

# %%
from reproduce.claims import Claims
Claims("empty").identity("one", 1.0, 1.0, proved=0, control=2.0)
"""
# The driver alone: real engine, folders, table and page on a Dask cluster, whose scheduler shares its process; on the
# workers a run is read from a file instead of a kernel.
DRIVER = """
import sys, time
from pathlib import Path
import psutil
from distributed import Client, LocalCluster
from reproduce.chapters.book import Book
from reproduce.running.kernel import MEGABYTE, peak_memory
from reproduce.chapters.parameters import signature
from reproduce.sweep import sweep as sweeps
from reproduce.sweep.grid import parse_grid

def patch(path):
    from reproduce.ground.reading import read_notebook
    from reproduce.running.execute import Outcome
    from reproduce.sweep import point
    done = Outcome(read_notebook(path))
    point.execute = lambda *given, **named: done

if __name__ == "__main__":
    book, executed, folder, runs = Book(Path.cwd()), Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    chapter = book.chapter("empty")
    grid = parse_grid(signature(chapter.read(), chapter.name), [f"n=1:{runs + 1}"], chapter.name, {})
    begun = time.process_time()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.run(patch, executed)
        summary = sweeps.sweep(book, chapter, grid, folder, scheduler=cluster.scheduler_address)
    assert summary.finished == runs
    print(1e3 * (time.process_time() - begun) / runs, peak_memory(psutil.Process()) / MEGABYTE)
"""


@pytest.fixture
def book(tmp_path):
    """A book whose only chapter states one claim."""
    root = tmp_path / "book"
    (root / "chapters" / "part").mkdir(parents=True)
    (root / "lib").mkdir()
    (root / "_toc.yml").write_text("format: jb-book\nroot: intro\nchapters:\n  - file: chapters/part/empty\n")
    (root / "_atlas.yml").write_text("- chapter: part/empty\n  claims: [empty.one]\n")
    (root / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    (root / "requirements.txt").write_text((ROOT / "requirements.txt").read_text())
    (root / "chapters" / "part" / "empty.py").write_text(CELLS)
    command(root, "refresh", "empty")
    return root


def command(root, *words):
    done = subprocess.run([sys.executable, "-m", "reproduce", *words], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def seconds(root, folder, runs, workers, chapter="empty", parameter="n", start=1):
    """How long a sweep takes, from the command to its end."""
    begun = time.perf_counter()
    grid = f"{parameter}={start}:{start + runs}"
    command(root, "sweep", chapter, "-p", grid, "--workers", str(workers), "-o", str(folder))
    return time.perf_counter() - begun


def test_ten_runs_of_a_chapter_that_takes_no_time(timed, book, tmp_path):
    few = seconds(book, tmp_path / "few", 2, 1)

    def many():
        return seconds(book, tmp_path / "many", 12, 1)

    timed(many, lambda all_: f"{(all_ - few) / 10:.2f} s a run", group="what a sweep adds to each run, one worker")


@pytest.mark.parametrize("runs", [1000, 2000])
def test_driver(timed, book, tmp_path, runs):
    command(book, "run", "empty", "-o", str(tmp_path / "executed"))
    executed, folder = tmp_path / "executed" / "empty.ipynb", tmp_path / f"swept-{runs}"
    script = tmp_path / "driver.py"
    script.write_text(DRIVER)

    def sweep():
        words = [sys.executable, str(script), str(executed), str(folder), str(runs)]
        done = subprocess.run(words, cwd=book, capture_output=True, text=True, check=True)
        return done.stdout.split()

    timed(
        sweep,
        lambda said: f"{float(said[0]):.1f} ms a run, {float(said[1]):.0f} MB peak",
        group="the driver of a sweep, runs without a kernel",
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_six_runs_of_max_margin_by_workers(timed, tmp_path, workers):
    timed(
        lambda: seconds(ROOT, tmp_path / f"by-{workers}", 6, workers, "max_margin", "seed", 1000),
        lambda all_: f"{all_ / 6:.1f} s a run",
        group="the same sweep with one worker and with two",
    )
