"""What ``make bench`` keeps: read back, refused if it is anything else, and what is said of a comparison."""

import ast
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from math import inf
from pathlib import Path

import pytest
from press.findings import FOUND, finding

from reproduce.campaigns.benchmarks import Group, Timing, as_counts, groups_of
from reproduce.campaigns.finding import read_finding, write_finding
from reproduce.ground.errors import PressError
from reproduce.pages.benchmark_tables import _lead, _lines, benchmarks
from reproduce.pages.campaign_tables import campaign_table

ROOT = Path(__file__).parents[2]
LOOP = Timing("plain <loop>", 3.0, 0.0, 1, "5.0e-03", 5e-3, True, "")
SLOW = Timing("straw man", 90.0, 0.0, 1, "1.0e-10", 1e-10, True, "nobody would")
FLOW = Timing("exact flow", 0.5, 0.01, 5, "1.0e-09", 1e-9, False, "")
MEMORY = Timing("peak", 2.0, 0.0, 1, "84 MB peak", None, False, "")
GROUP = Group("a limit", [SLOW, LOOP, FLOW])
KEPT = finding("benchmarks", as_counts([GROUP, Group("memory", [MEMORY])], 0.31, 1.1), chapter="")

WHOLE = replace(FLOW, method="the solver, its proof included", reached="1.0e-10 wide")
PROOF = replace(WHOLE, method="its proof alone", seconds=0.1, reached="20% of the time")
GROUPS = [GROUP, Group("memory", [MEMORY]), Group("what the proof costs: a norm", [WHOLE, PROOF])]
PROVED = finding("benchmarks", as_counts(GROUPS, 0.31, 1.1), chapter="")


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    write_finding(tmp_path, KEPT)
    kept = read_finding(tmp_path, "benchmarks")
    assert kept == KEPT
    assert groups_of(kept) == [GROUP, Group("memory", [MEMORY])]


def test_a_time_that_is_no_time_is_refused() -> None:
    nothing = as_counts([Group("a limit", [replace(FLOW, seconds=0.0)])], 0.3, 1.1)
    with pytest.raises(PressError, match="not what 'make bench' writes; run it again"):
        groups_of(replace(FOUND["benchmarks"], counts=nothing))


def test_a_ratio_is_to_the_fastest_plain_method_that_solved_the_same_problem() -> None:
    assert [GROUP.ratio(one) for one in GROUP.timings] == [None, None, 180.0]
    alike = Group("a limit", [SLOW, replace(LOOP, error=9e-10), FLOW])
    assert alike.ratio(FLOW) == 6.0
    assert Group("a limit", [LOOP, FLOW]).ratio(FLOW) is None
    assert Group("memory", [MEMORY]).ratio(MEMORY) is None


def test_a_method_that_reaches_less_is_not_alike() -> None:
    assert GROUP.unlike(LOOP) == pytest.approx(5e6)
    assert [GROUP.unlike(one) for one in (SLOW, FLOW)] == [None, None]
    assert Group("a limit", [replace(LOOP, error=9e-9), FLOW]).unlike(LOOP) is not None
    exact = Group("a limit", [LOOP, replace(FLOW, error=0.0)])
    assert exact.unlike(LOOP) == inf
    assert exact.ratio(exact.timings[1]) is None
    near = replace(LOOP, error=5e-8)
    assert Group("a limit", [near, FLOW]).unlike(near) == pytest.approx(50)
    assert Group("a limit", [near, FLOW], matched=1e-7).unlike(near) is None


def test_the_library_has_no_ratio_to_a_method_that_reaches_far_more() -> None:
    fine, rough = replace(FLOW, error=2e-10), replace(FLOW, error=1e-7)
    group = Group("a limit", [SLOW, fine, rough], matched=1e-3)
    assert [group.ratio(one) for one in group.timings] == [None, 180.0, None]
    small = replace(FLOW, error=9e-10)
    best = replace(SLOW, error=1e-14)
    assert Group("a limit", [best, small], matched=1e-9).ratio(small) == 180.0  # both are rounding there
    assert Group("a limit", [best, small]).ratio(small) is None


def test_it_is_decided_who_is_ahead_where_the_spreads_are_less_than_the_difference() -> None:
    near = replace(LOOP, error=1e-9, seconds=0.6)
    for spread, low, high in ((0.02, 0.58 / 0.52, 0.62 / 0.48), (0.1, 0.5 / 0.6, 0.7 / 0.4)):
        group = Group("a limit", [replace(near, spread=spread), replace(FLOW, spread=spread)])
        assert group.reach() == pytest.approx((low, high))
        assert _lead(group) == (spread < 0.05)
    assert _lead(Group("a limit", [replace(near, seconds=0.3), FLOW])) == -1


def test_a_start_from_a_neighbour_s_solution_has_no_ratio() -> None:
    warm, near = replace(FLOW, method="exact flow, from the cell before"), replace(LOOP, error=1e-9)
    group = Group("a cell", [near, FLOW, warm])
    assert [group.ratio(one) for one in group.timings] == [None, 6.0, None]
    (table,) = benchmarks([finding("benchmarks", as_counts([group], 0.3, 0.4), chapter="")], (), {})
    assert "it starts from a neighbour's solution: no ratio is given" in table.rows[-1].cells[0].notes


def test_the_picture_has_a_line_for_each_family() -> None:
    near = replace(LOOP, error=1e-9)
    names = (
        "both layers, m = 5",
        "conic descent on the torus, m = 3",
        "20 steps of conic descent",
        "a limit to t = 1",
        "a limit: m = 2",
    )
    lines = _lines([(6.0 / at, Group(name, [near, FLOW])) for at, name in enumerate(names, 1)])
    assert [(name, said, len(dots)) for name, said, dots in lines] == [
        ("steps of a wide network", "6", 1), ("conic descent", "2 to 3", 2), ("a limit", "1.2 to 1.5", 2)]  # fmt: skip


def test_the_tables_warn_of_weak_methods_and_escape() -> None:
    page = "".join(node.astext() for node in campaign_table("benchmarks", [PROVED], (), {}))
    assert "plain &lt;loop&gt;" in page
    assert "its error is 5·10⁶ times the library&#39;s: no ratio is given" in page
    assert "nobody would" in page
    assert "it is faster on 1 of 1 problems, as fast on 0 and slower on 0: in the median 180 times faster" in page
    told = "Of 1 problems where errors were compared, the library's fastest method is ahead of the fastest other one"
    assert f"{told} that we timed on 1" in page
    assert "further problems" not in page
    assert "1 groups have no rival and are only timed" in page
    assert "Groups without a rival</summary>memory" in page
    assert "a limit</summary>" in page
    assert page.count("<circle") == 1
    assert "<title>a limit: 180 times faster</title>" in page
    assert '>0.5</td>\n<td data-label="proof alone, seconds">0.1</td>' in page
    assert 'id="benchmarks-1"' in page
    assert ">error</th>" in page
    assert ">measured instead</th>" in page
    assert "<b>exact flow</b>" in page
    assert "<b>peak</b>" not in page  # nothing that is not the library's stands beside it
    assert "; processes that wanted a core: 0.3 before, 1.1 at the end" in page
    assert page.count("<table>") == 4


def test_of_a_family_over_sizes_both_ends_are_compared() -> None:
    """What is slower when it is small is not hidden by what is faster when it is large."""
    ours = replace(FLOW, error=None, reached="m = 10: 4 ms, 100: 8 ms, 1000: 20 ms; like m^0.35")
    other = replace(LOOP, error=None, reached="m = 10: 1 ms, 100: 9 ms, 1000: 1.2e+02 ms; like m^1.04")
    family = Group("a flow against m", [other, ours])
    assert [(of.name, of.best()) for of in family.ends()] == [
        ("a flow against m: m = 10", 0.25),
        ("a flow against m: m = 1000", 6.0),
    ]
    assert [of.best() for of in GROUP.ends()] == [180.0]
    kept = finding("benchmarks", as_counts([family], 0.3, 0.4), chapter="")
    page = "".join(node.astext() for node in campaign_table("benchmarks", [kept], (), {}))
    assert "For 2 further problems, the smallest and largest size of a family, only times were compared" in page
    assert "not errors: faster on 1, equal on 0, slower on 1." in page
    assert "in the median" not in page
    assert page.count('class="behind loose') == 1
    assert "m = 10 to 1000" in page
    assert '<td data-label="library: growth, ± some tenths">m⁰·³</td>' in page
    beside = '<span class="ledger-note">beside plain &lt;loop&gt;</span>'
    assert f'<td data-label="at the smallest">4 times slower{beside}</td>' in page
    assert "a flow against m; no error was compared</summary>" in page


@pytest.mark.parametrize(
    "file", sorted(Path(__file__).parents[2].glob("benchmarks/**/*.py")), ids=lambda file: file.stem
)
def test_what_a_benchmark_imports_of_the_library_is_there(file: Path) -> None:
    """Benchmarks are run before a release only; a name that has moved would be found out then."""
    wanted = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
    ours = [(node.module, one.name) for node in wanted if node.module for one in node.names]
    ours = [(module, name) for module, name in ours if module.startswith(("implicit_bias", "reproduce"))]
    missing = [f"{module}.{name}" for module, name in ours if not hasattr(import_module(module), name)]
    assert missing == []


@pytest.mark.nightly
def test_a_benchmark_that_states_a_claim_does_it_as_chapters_do() -> None:
    """What is timed once a release is otherwise not seen to run when the words of a claim change."""
    one = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    command = [sys.executable, "-m", "pytest", "-q", "benchmarks", "-k", "only_states_a_claim or takes_no_time"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | one, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
