"""What a benchmark reports: its time, the error it reached, and its ratio to the fastest plain method of its group.

With ``--keep-times`` a run in which every benchmark reached its end is kept for the book's page on benchmarks.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # one thread each, set before NumPy is imported: ratios are of algorithms, not of cores

from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from reproduce.benchmarks import Benchmarks, Group, Timing, write_benchmarks
from reproduce.book import Book
from reproduce.campaigns import BENCHMARKS
from reproduce.environment import commit_of, environment
from reproduce.sweep.paper import machine

ROOT = Path(__file__).parents[1]
OPTION = "--keep-times"


def pytest_addoption(parser):
    parser.addoption(OPTION, action="store_true", help=f"write {BENCHMARKS} from the benchmarks that ran")


def pytest_configure(config):
    config.load_before = os.getloadavg()[0]


@pytest.fixture
def timed(benchmark):
    """Time a call, ``timed(call, reached, group=…)``, and record what its answer reached.

    reached: answer ↦ its error, a number, or another thing worth showing beside the time, in words.
    plain: whether this is what a user would otherwise run; the group's ratios are to the fastest of these.
    caution: why a plain method is a weak one to compare with, in words.
    """

    def run(call, reached, *, group, rounds=1, plain=False, caution=""):
        benchmark.group = group
        shown = reached(benchmark.pedantic(call, rounds=rounds, warmup_rounds=int(rounds > 1)))
        words = isinstance(shown, str)
        benchmark.extra_info.update(
            reached=shown if words else f"{shown:.1e}", error=None if words else shown, plain=plain, caution=caution
        )

    return run


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    """One table a group, slowest first, with ratios taken within this run."""
    session = getattr(config, "_benchmarksession", None)
    found = groups([bench for bench in session.benchmarks if bench.stats.data] if session is not None else [])
    console = Console(width=110)
    for group in found:
        table = Table(title=group.name, title_justify="left", box=box.SIMPLE_HEAD)
        table.add_column("method")
        for heading in ("seconds", "error reached", "times the fastest", "times faster than the best plain method"):
            table.add_column(heading, justify="right")
        for one in group.timings:
            ratio, slower = group.ratio(one), one.seconds / group.timings[-1].seconds
            faster = "" if ratio is None else f"{ratio:.2g}"
            table.add_row(escape(one.method), f"{one.seconds:.4f}", one.reached, f"{slower:.2g}", faster)
        console.print(table)
    if config.getoption(OPTION) and found and exitstatus == pytest.ExitCode.OK:
        keep(found, [config.load_before, os.getloadavg()[0]])


def groups(benches):
    """The benchmarks of a run by group, each slowest first."""
    return [
        Group(name, sorted((timing(bench) for bench in benches if bench.group == name), key=lambda one: -one.seconds))
        for name in dict.fromkeys(bench.group for bench in benches)
    ]


def timing(bench):
    """One benchmark as it is kept."""
    name, _, case = bench.name.removeprefix("test_").rstrip("]").partition("[")
    method = name.replace("_", " ") + (f", {case}" if case not in ("", "None") else "")
    stats = bench.stats
    median, spread = (float(f"{value:.4g}") for value in (stats.median, stats.iqr))
    return Timing(method, median, spread, int(stats.rounds), **bench.extra_info)


def keep(found, load):
    """Write the run into the book."""
    here = environment(str(ROOT))
    versions = ", ".join(f"{name} {version}" for name, version in here["versions"].items())
    write_benchmarks(
        ROOT,
        Benchmarks(
            date=datetime.now(UTC).date().isoformat(),
            commit=commit_of(Book(ROOT)),
            versions=f"Python {here['python']}, {versions}",
            machine=machine(),
            load=[round(one, 1) for one in load],
            groups=found,
        ),
    )
