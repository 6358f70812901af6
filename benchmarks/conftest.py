"""What a benchmark reports: its time, the error it reached, and its ratio to the fastest plain method of its group."""

import os

import pytest
from rich.console import Console
from rich.table import Table

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # one thread each, set before NumPy is imported: ratios are of algorithms, not of cores


@pytest.fixture
def timed(benchmark):
    """Time a call: ``timed(call, error, rounds=…, plain=…)`` runs it, records error(answer) and returns the answer.

    plain: whether this is what a user would otherwise run; the group's ratios are to the fastest of these.
    """

    def run(call, error, *, group, rounds=1, plain=False):
        benchmark.group = group
        answer = benchmark.pedantic(call, rounds=rounds, warmup_rounds=int(rounds > 1))
        benchmark.extra_info.update(error=f"{error(answer):.1e}", plain=plain)
        return answer

    return run


def pytest_terminal_summary(terminalreporter, config):
    """One table a group, fastest last, with ratios taken within this run."""
    session = getattr(config, "_benchmarksession", None)
    rows = [bench for bench in session.benchmarks if not bench.has_error] if session is not None else []
    console = Console(width=100)
    for group in dict.fromkeys(bench.group for bench in rows):
        members = [bench for bench in rows if bench.group == group]
        plain = [bench.stats.median for bench in members if bench.extra_info["plain"]]
        table = Table(title=group, title_justify="left", expand=False)
        for heading in ("method", "seconds (median)", "error reached", "times faster than the fastest plain method"):
            table.add_column(heading, justify="left" if heading == "method" else "right")
        for bench in sorted(members, key=lambda bench: -bench.stats.median):
            ratio = "plain" if bench.extra_info["plain"] else f"{min(plain) / bench.stats.median:.0f}" if plain else ""
            name = bench.name.removeprefix("test_").replace("_", " ")
            table.add_row(name, f"{bench.stats.median:.4f}", bench.extra_info["error"], ratio)
        console.print(table)
