"""What a benchmark reports: its time, the error it reached, and its ratio to the fastest plain method of its group.

``timed`` times one call, ``race`` several methods in turns.
With ``--keep-times`` a run in which every benchmark reached its end is kept for the book's page on benchmarks.
"""

import importlib
import json
import os
import warnings
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from threadpoolctl import threadpool_info

from implicit_bias import compiled
from implicit_bias.rates import log_log_slope
from reproduce.campaigns.benchmarks import BENCHMARKS, Group, Timing, as_counts
from reproduce.campaigns.finding import finding, write_finding
from reproduce.campaigns.racing import Racer
from reproduce.campaigns.racing import race as in_turns
from reproduce.chapters.book import Book

ROOT = Path(__file__).parents[1]
OPTION = "--keep-times"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # one: ratios are of algorithms, not of cores
INSTRUCTIONS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "NPY_DISABLE_CPU_FEATURES", "ATEN_CPU_CAPABILITY")
RACES = pytest.StashKey()  # the groups of ``race``
ORDER = pytest.StashKey()  # the names of all groups
BUILT, compiled.LIBRARY = compiled.LIBRARY, None  # steps are NumPy's but where a group asks for those in C
IN_C, AFTER = "library, steps in C", "after 'make fast'"


def pytest_addoption(parser):
    parser.addoption(OPTION, action="store_true", help="keep the benchmarks that ran for the book")
    parser.addoption("--times-to", type=Path, help="a file that is written with the groups that were timed")


def pytest_configure(config):
    """Refuse an environment in which ratios would mean something else; by now NumPy has read it."""
    wrong = [name for name in THREADS if os.environ.get(name) != "1"] + [
        name for name in INSTRUCTIONS if name in os.environ
    ]
    if wrong:
        raise pytest.UsageError(
            f"{wrong[0]} is {os.environ.get(wrong[0], 'not set')}: 'make bench' gives one thread to every library, and "
            "leaves it to each to choose its instructions for the processor"
        )
    config.load_before = os.getloadavg()[0]
    config.stash[RACES], config.stash[ORDER] = {}, []


@pytest.fixture(scope="session")
def peer():
    """``peer(name)``: a package that the book does not need, or None where it is not installed ('make bench-peers')."""

    def find(name):
        try:
            with warnings.catch_warnings(action="ignore"):  # of what it loads itself
                return importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed: its rows are left out")
            return None

    return find


@pytest.fixture(scope="session")
def jax(peer):
    """JAX in float64 and on one thread, or None where it is not installed."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    found = peer("jax")
    if found:
        found.config.update("jax_enable_x64", True)
    return found


def in_c(call):
    """The call with steps in C."""

    def run():
        compiled.LIBRARY = BUILT
        try:
            return call()
        finally:
            compiled.LIBRARY = None

    return run


def keep_both(config, group):
    """The group, and one in which the library's steps are in C, where it has them."""
    fast = [one for one in group.timings if one.plain or one.method == IN_C]
    found = [replace(group, timings=[one for one in group.timings if one.method != IN_C])]
    if any(not one.plain for one in fast):
        found.append(Group(f"{group.name}, {AFTER}", fast, group.matched))
    for one in found:
        config.stash[ORDER].append(one.name)
        config.stash[RACES][one.name] = one


@pytest.fixture
def race(request):
    """``reproduce.campaigns.racing.race``, whose group is then shown and kept; ``fast``: what takes steps in C."""

    def run(name, racers, error, matched, fast=None):
        more = [Racer(IN_C, in_c(fast), racers[-1].rounds)] if fast and BUILT else []
        group = in_turns(name, [*racers, *more], error, matched)
        keep_both(request.config, group)
        return group

    return run


@pytest.fixture
def rates(request):
    """Operations a second: of a method, of its matrix products alone, and of products of large matrices."""

    def run(name, operations, method, products):
        large = np.random.default_rng(1).standard_normal((1000, 1000))
        racers = [
            Racer("the library's steps", method),
            Racer("their matrix products alone", products),
            Racer("products of 1000 × 1000 matrices", lambda: large @ large, share=2 * 1000**3 / operations),
        ]
        group = in_turns(name, racers, lambda _: 0.0, matched=0.0)
        best = group.timings[-1].seconds
        shown = [
            replace(
                one,
                reached=f"{operations / one.seconds / 1e9:.1f} GFlop/s, {best / one.seconds:.0%} of the best",
                error=None,
            )
            for one in group.timings
        ]
        request.config.stash[ORDER].append(name)
        request.config.stash[RACES][name] = replace(group, timings=shown)

    return run


@pytest.fixture
def growth(request):
    """How the time of each method grows, ``growth(name, letter, curves)``, timed in turns at every size.

    curves: method ↦ (size ↦ call); the exponent is the slope over the upper half of the sizes.
    plain: the methods that a user would otherwise run.
    fast: size ↦ a call whose steps are in C.
    """

    def run(name, letter, curves, plain=(), rounds=3, fast=None):
        if fast and BUILT:
            curves = curves | {IN_C: {size: in_c(call) for size, call in fast.items()}}
        racers = [
            Racer(f"{method}|{size}", call, rounds, plain=method in plain)
            for method, calls in curves.items()
            for size, call in calls.items()
        ]
        found = {one.method: one for one in in_turns(name, racers, lambda _: 0.0, matched=0.0).timings}
        shown = []
        for method, calls in curves.items():
            sizes = sorted(calls)
            taken = [found[f"{method}|{size}"].seconds for size in sizes]
            upper = slice(len(sizes) // 2 - (len(sizes) < 4), None)
            exponent = log_log_slope(np.array(sizes[upper], float), np.array(taken[upper]))
            times = ", ".join(f"{size}: {1e3 * seconds:.3g} ms" for size, seconds in zip(sizes, taken, strict=True))
            reached = f"{letter} = {times}; like {letter}^{exponent:.2f}"
            shown.append(replace(found[f"{method}|{sizes[-1]}"], method=method, reached=reached, error=None))
        keep_both(request.config, Group(name, sorted(shown, key=lambda one: -one.seconds)))

    return run


@pytest.fixture
def reach(request):
    """``reach(family, told, seconds)``: the largest size that was certified, what refused the next, and its time."""

    def run(family, told, seconds):
        name = "how far limits are certified, and the first refusals"
        every = request.config.stash[RACES].get(name, Group(name, [])).timings
        one = Timing(family, float(f"{max(seconds, 1e-4):.4g}"), 0.0, 1, told, None, False, "")
        request.config.stash[ORDER].append(name)
        request.config.stash[RACES][name] = Group(name, sorted([*every, one], key=lambda one: -one.seconds))

    return run


@pytest.fixture
def proof(request):
    """What a solver's proof takes of its time, ``proof(name, solve, prove, allowed)``, and how wide its enclosure is.

    solve: to an answer whose certificate has an enclosure.
    prove: to that certificate, or to the enclosure alone.
    allowed: the largest relative width.
    """

    def width(answer):
        certificate = getattr(answer, "certificate", answer)
        return getattr(certificate, "enclosure", certificate).width

    def run(name, solve, prove, allowed):
        racers = [Racer("the solver, its proof included", solve, 20), Racer("its proof alone", prove, 20)]
        group = in_turns(name, racers, width, allowed)
        taken = {one.method: one.seconds for one in group.timings}
        share = taken["its proof alone"] / taken["the solver, its proof included"]
        shown = [
            replace(
                one, reached=f"{share:.0%} of the time" if one.method == "its proof alone" else f"{one.reached} wide"
            )
            for one in group.timings
        ]
        request.config.stash[ORDER].append(name)
        request.config.stash[RACES][name] = replace(group, timings=shown)

    return run


@pytest.fixture
def costs(request):
    """What calls cost beside the first of them, a step, ``costs(name, racers, peak)``: time in steps, and memory.

    peak: method ↦ the most that a call of it holds, in MB.
    """

    def run(name, racers, peak):
        group = in_turns(name, racers, lambda _: 0.0, matched=0.0)
        unit = next(one.seconds for one in group.timings if one.method == racers[0].method)
        said = {one.method: f"{one.seconds / unit:.2g} steps, {peak(one.method):.1f} MB" for one in group.timings}
        shown = [replace(one, reached=said[one.method], error=None) for one in group.timings]
        request.config.stash[ORDER].append(name)
        request.config.stash[RACES][name] = replace(group, timings=shown)

    return run


@pytest.fixture
def timed(benchmark, request):
    """Time a call, ``timed(call, reached, group=…)``, and record what its answer reached.

    reached: answer ↦ its error, a number, or another thing worth showing beside the time, in words.
    plain: whether this is what a user would otherwise run; the group's ratios are to the fastest of these.
    caution: why a plain method is a weak one to compare with, in words.
    """

    def run(call, reached, *, group, rounds=1, plain=False, caution=""):
        benchmark.group = group
        request.config.stash[ORDER].append(group)
        shown = reached(benchmark.pedantic(call, rounds=rounds, warmup_rounds=int(rounds > 1)))
        words = isinstance(shown, str)
        benchmark.extra_info.update(
            reached=shown if words else f"{shown:.1e}", error=None if words else shown, plain=plain, caution=caution
        )

    return run


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    """One table a group, slowest first, with ratios taken within this run."""
    session = getattr(config, "_benchmarksession", None)
    benches = [bench for bench in session.benchmarks if bench.stats.data] if session is not None else []
    every = {group.name: group for group in groups(benches)} | config.stash[RACES]
    found = [every[name] for name in dict.fromkeys(config.stash[ORDER]) if name in every]
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
    if (to := config.getoption("--times-to")) and exitstatus == pytest.ExitCode.OK:
        to.write_text(json.dumps([asdict(group) for group in found]))


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


def peers():
    """The versions of those of peers.txt that are installed."""
    listed = (Path(__file__).parent / "peers.txt").read_text().splitlines()
    names = [line.partition("==")[0] for line in listed if not line.startswith("#")]
    there = {str(one.metadata["Name"]).lower(): one.version for one in metadata.distributions()}
    return {name: there[name.lower()] for name in names if name.lower() in there}


def keep(found, load):
    """Write the run into the book."""
    loaded = sorted({(one["architecture"], one["version"]) for one in threadpool_info() if "architecture" in one})
    blas = {f"OpenBLAS for {kind}": " and ".join(v for k, v in loaded if k == kind) for kind, _ in loaded}
    more = ", ".join(f"{name} {version}" for name, version in (peers() | blas).items())
    kept = finding(Book(ROOT), BENCHMARKS, None, as_counts(found, *load))
    write_finding(ROOT, replace(kept, host=f"{kept.host}, {more}"))
