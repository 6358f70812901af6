"""What a benchmark reports: its time, the error it reached, and its ratio to the fastest plain method of its group."""

import os

import pytest
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # one thread each, set before NumPy is imported: ratios are of algorithms, not of cores


@pytest.fixture
def timed(benchmark):
    """Time a call, ``timed(call, reached, group=…)``, and record what its answer reached.

    reached: answer ↦ its error, a number, or another thing worth showing beside the time, in words.
    plain: whether this is what a user would otherwise run; the group's ratios are to the fastest of these.
    """

    def run(call, reached, *, group, rounds=1, plain=False):
        benchmark.group = group
        shown = reached(benchmark.pedantic(call, rounds=rounds, warmup_rounds=int(rounds > 1)))
        benchmark.extra_info.update(reached=shown if isinstance(shown, str) else f"{shown:.1e}", plain=plain)

    return run


def pytest_terminal_summary(terminalreporter, config):
    """One table a group, slowest first, with ratios taken within this run."""
    session = getattr(config, "_benchmarksession", None)
    rows = [bench for bench in session.benchmarks if not bench.has_error] if session is not None else []
    console = Console(width=110)
    for group in dict.fromkeys(bench.group for bench in rows):
        members = sorted((bench for bench in rows if bench.group == group), key=lambda bench: -bench.stats.median)
        seconds = [bench.stats.median for bench in members]
        plain = [bench.stats.median for bench in members if bench.extra_info["plain"]]
        table = Table(title=group, title_justify="left", box=box.SIMPLE_HEAD)
        table.add_column("method")
        for heading in ("seconds", "error reached", "times the fastest", "times faster than the best plain method"):
            table.add_column(heading, justify="right")
        for bench, time in zip(members, seconds, strict=True):
            faster = "" if bench.extra_info["plain"] or not plain else f"{min(plain) / time:.0f}"
            name = escape(bench.name.removeprefix("test_").replace("_", " "))
            table.add_row(name, f"{time:.4f}", bench.extra_info["reached"], f"{time / seconds[-1]:.0f}", faster)
        console.print(table)
