"""What ``make bench`` keeps: read back, refused if it is anything else, and what is said of a comparison."""

from dataclasses import replace
from pathlib import Path

import pytest
from reproduce.benchmarks import Benchmarks, Group, Timing, read_benchmarks, write_benchmarks

from reproduce.errors import PressError
from reproduce.pages.benchmark_tables import benchmark_tables
from reproduce.pages.plain_tables import NOT_RUN

LOOP = Timing("plain <loop>", 3.0, 0.0, 1, "5.0e-03", 5e-3, True, "")
SLOW = Timing("straw man", 90.0, 0.0, 1, "1.0e-10", 1e-10, True, "nobody would")
FLOW = Timing("exact flow", 0.5, 0.01, 5, "1.0e-09", 1e-9, False, "")
MEMORY = Timing("peak", 2.0, 0.0, 1, "84 MB peak", None, False, "")
GROUP = Group("a limit", [SLOW, LOOP, FLOW])
FOUND = Benchmarks(
    "2026-11-22", "abc", "Python 3.11", "2 cores, a processor", [0.3, 1.1], [GROUP, Group("memory", [MEMORY])]
)


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    assert read_benchmarks(tmp_path) is None
    write_benchmarks(tmp_path, FOUND)
    assert read_benchmarks(tmp_path) == FOUND


@pytest.mark.parametrize("text", ["5", "[]", "date: x", "null\n---\n", "groups: [{name: x, timings: [5]}]"])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "_benchmarks.yml").write_text(text)
    with pytest.raises(PressError, match="_benchmarks.yml"):
        read_benchmarks(tmp_path)


@pytest.mark.parametrize("wrong", [{"seconds": 0.0}, {"seconds": "soon"}, {"spread": -1.0}, {"rounds": -1}])
def test_a_time_that_is_no_time_is_refused(tmp_path: Path, wrong: "dict[str, float | str]") -> None:
    timing = replace(FLOW, **wrong)  # type: ignore[arg-type]
    write_benchmarks(tmp_path, replace(FOUND, groups=[Group("a limit", [timing])]))
    with pytest.raises(PressError, match="_benchmarks.yml is not what 'make bench' writes; run it again"):
        read_benchmarks(tmp_path)


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
    assert Group("a limit", [LOOP, replace(FLOW, error=0.0)]).unlike(LOOP) is None
    near = replace(LOOP, error=5e-8)
    assert Group("a limit", [near, FLOW]).unlike(near) == pytest.approx(50)
    assert Group("a limit", [near, FLOW], matched=1e-7).unlike(near) is None


def test_the_tables_warn_of_weak_methods_and_escape(tmp_path: Path) -> None:
    assert NOT_RUN in benchmark_tables(None)
    page = benchmark_tables(FOUND)
    assert "plain &lt;loop&gt;" in page
    assert "its error is 5·10⁶ times the library&#39;s: no ratio is given" in page
    assert "nobody would" in page
    assert "load 0.3 and 1.1 before and after" in page
    assert page.count("<table>") == 2
