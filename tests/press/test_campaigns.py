"""What the campaigns write: read back, refused if it is anything else, and shown; a book without it says so."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import beside, of_mutants, of_spoiled

from reproduce.campaigns import (
    ATTACKS,
    MUTANTS,
    OFF_DEFAULT,
    AttackClass,
    Attacks,
    Mutants,
    OffDefault,
    PagesRead,
    Spoiled,
    read_attacks,
    read_mutants,
    read_off_default,
    read_pages_read,
    read_spoiled,
    write_attacks,
    write_mutants,
    write_off_default,
    write_pages_read,
    write_spoiled,
)
from reproduce.errors import PressError
from reproduce.pages.campaign_tables import (
    attacks_table,
    mutants_table,
    off_default_table,
    pages_table,
    seeds_table,
    spoiled_table,
)
from reproduce.pages.plain_tables import NOT_RUN
from reproduce.sweep.off_default import outcome, values_of

if TYPE_CHECKING:
    from press.conftest import TinyBook

FOUND = Attacks(
    date="2026-11-22",
    commit="abc",
    versions="Python 3.11",
    host="2 cores",
    seeds=[0, 7],
    seconds=600,
    damaged=12,
    kills={"INT": {"client": 2, "none": 1}},
    classes=[AttackClass("calls", "Calls <of> the library", 1200, 1199, 1)],
    bad=["1 × calls.one_argument: f(x=<nan>)"],
)
KIND = Mutants("sums/geometric", "constant", 40, 10, 4, 2, 1, 1, 1, 1, "2026-11-22", "abc")
WAY = Spoiled("sums/geometric", "theory reversed", True, 9, 3, 2, 1, 1, 0, 2, "2026-11-22", "abc")
OFF = OffDefault(
    "sums/geometric", "0" * 16, "2026-11-22", "abc", "Python 3.11", 7, 1, ["ratio=0.9: geometric.limit failed"]
)
READ = PagesRead("2026-11-22", "abc", "Chromium 1", 3, {"390 pixels, light": 3}, ["Nothing is wider than a phone"])


def test_a_book_without_campaigns_says_so(tmp_path: Path) -> None:
    assert read_attacks(tmp_path) is None
    assert read_pages_read(tmp_path) is None
    assert read_mutants(tmp_path) == []
    assert read_off_default(tmp_path) == []
    assert read_spoiled(tmp_path) == []
    tables = (
        attacks_table(None),
        mutants_table([]),
        off_default_table([], lambda name: False),
        pages_table(None),
        seeds_table([], lambda name: False),
        spoiled_table([]),
    )
    assert set(tables) == {f"<p>{NOT_RUN}</p>"}


def test_what_a_campaign_writes_is_read_back(tmp_path: Path) -> None:
    write_attacks(tmp_path, FOUND)
    write_mutants(tmp_path, [KIND])
    write_off_default(tmp_path, [OFF])
    write_pages_read(tmp_path, READ)
    write_spoiled(tmp_path, [WAY])
    assert read_spoiled(tmp_path) == [WAY]
    assert read_attacks(tmp_path) == FOUND
    assert read_mutants(tmp_path) == [KIND]
    assert read_off_default(tmp_path) == [OFF]
    assert read_pages_read(tmp_path) == READ


@pytest.mark.parametrize("content", ["- 5\n", "x: 1\n", "[]\n", "- {chapter: x}\n", "null\n"])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / ATTACKS).write_text(content)
    if content != "null\n":
        with pytest.raises(PressError, match="_attacks.yml is not what 'make attack' writes"):
            read_attacks(tmp_path)
    (tmp_path / MUTANTS).write_text(content)
    if content not in ("null\n", "[]\n"):
        with pytest.raises(PressError, match="_mutants.yml is not what 'make mutants' writes"):
            read_mutants(tmp_path)


def test_a_count_that_is_no_count_is_refused(tmp_path: Path) -> None:
    write_mutants(tmp_path, [replace(KIND, red=-1)])
    with pytest.raises(PressError, match="run it again"):
        read_mutants(tmp_path)
    write_off_default(tmp_path, [replace(OFF, ok="7")])  # type: ignore[arg-type]
    with pytest.raises(PressError, match=f"{OFF_DEFAULT} is not"):
        read_off_default(tmp_path)


def test_tables_show_what_was_bad_and_escape_it() -> None:
    page = attacks_table(FOUND)
    assert "Calls &lt;of&gt; the library" in page
    assert "f(x=&lt;nan&gt;)" in page
    assert "<b>1</b>" in page
    assert "over before" in page
    assert page.count('<tr class="fails">') == 2
    page = off_default_table([OFF], lambda name: True)
    assert "ratio=0.9: geometric.limit failed" in page
    assert "code has changed since" in page
    page = mutants_table([KIND, replace(KIND, kind="operator", surviving=0)])
    assert page.count('<tr class="holds">') == 1
    assert "<b>all</b>" in page
    assert "5.00% of what was tried is not noticed" in page
    assert "every place tried" not in page
    page = mutants_table([replace(KIND, possible=10), replace(KIND, chapter="sums/other")])
    assert page.count("sums/geometric") == 1
    assert "sums/other" not in page
    page = spoiled_table([WAY, replace(WAY, way="tolerance × 10", must=False)])
    assert page.count('<tr class="fails">') == page.count('<tr class="holds">') == 1
    assert "390 pixels, light" in pages_table(READ)


def test_mutants_are_counted_by_chapter_and_kind() -> None:
    ends = Counter({("geometric", "constant", "red"): 3, ("geometric", "constant", "surviving"): 1})
    possible = Counter({("geometric", "constant"): 7, ("geometric", "operator"): 2})
    (one,) = of_mutants(ends, possible, {"geometric": "sums/geometric"}, "2026-11-22", "abc")
    assert (one.chapter, one.possible, one.made, one.red, one.surviving, one.equivalent) == (
        "sums/geometric",
        7,
        4,
        3,
        1,
        0,
    )


def test_spoiled_claims_are_counted_by_chapter_and_way() -> None:
    counted = {"geometric": {"theory reversed": (True, {"refused": 3, "same": 1})}}
    (one,) = of_spoiled(counted, {"geometric": "sums/geometric"}, "2026-11-22", "abc")
    assert (one.chapter, one.must, one.claims, one.refused, one.same, one.passed) == (
        "sums/geometric",
        True,
        4,
        3,
        1,
        0,
    )


def test_counts_stand_beside_those_of_the_chapters_that_did_not_run() -> None:
    names = {"a": "sums/a", "b": "sums/b"}
    before = [replace(KIND, chapter=name) for name in ("sums/a", "sums/b", "sums/gone")]
    found = [replace(KIND, chapter="sums/a", made=11)]
    assert [(one.chapter, one.made) for one in beside(found, before, names)] == [("sums/a", 11), ("sums/b", 10)]


def test_a_run_off_the_defaults_is_in_order_refused_or_neither() -> None:
    def ended(status: str, reason: str = "", *holds: bool) -> dict[str, object]:
        return {"status": status, "reason": reason, "claims": [{"id": "a.b", "holds": one} for one in holds]}

    assert outcome(ended("finished", "", True, True), ("n",)) == "ok"
    assert outcome(ended("finished", "", True, False), ("n",)) == "a.b failed"
    assert outcome(ended("finished"), ("n",)) == "no claim was stated"
    assert outcome(ended("failed", "cell [4]: ValueError: n is 3; it must be at least 4"), ("n",)) == "refused"
    assert outcome(ended("failed", "cell [4]: IndexError: list index out of range"), ("n",)).startswith(
        "cell [4]: IndexError"
    )
    unnamed = "cell [4]: ValueError: no solution"
    assert outcome(ended("failed", unnamed), ("n",)) == unnamed
    assert outcome(None, ("n",)) == "the run left nothing"


def test_off_defaults_of_a_book_are_run_and_kept(tiny: "TinyBook") -> None:
    tiny.chapter(
        "sums/geometric", parameters="terms: int = 60  # number n, in [1, 100]\nratio: float = 0.5  # q, in (0, 1)"
    )
    done = tiny.call("offdefault", "--workers", "2")
    (one,) = read_off_default(tiny.root)
    # 30 terms leave 1e-9 of the series: the tolerance notices; 120 and a ratio of 1 are outside their ranges.
    assert (one.ok, one.refused) == (1, 2)
    assert [point.partition(":")[0] for point in one.not_ok] == ["terms=30"]
    assert (done.returncode, "1 in order, 2 refused, 1 not in order" in done.stdout) == (1, True), done.stderr


def test_off_its_defaults_a_chapter_refuses_what_breaks_a_relation(tiny: "TinyBook") -> None:
    lines = [
        "terms: int = 60  # number n, in [1, 100]",
        "ratio: float = 0.5  # q, in (0, 1)",
        "# where terms * ratio > 16",
    ]
    tiny.chapter("sums/geometric", parameters="\n".join(lines))
    assert tiny.call("offdefault").returncode == 0
    (one,) = read_off_default(tiny.root)
    assert (one.ok, one.refused, one.not_ok) == (0, 4, [])


def test_only_numbers_that_are_no_seeds_are_halved_and_doubled(tiny: "TinyBook") -> None:
    from reproduce.parameters import signature

    chapter = tiny.chapter("sums/geometric")
    known = signature(chapter.read(), chapter.name)
    values = {name: values_of(parameter) for name, parameter in known.items()}
    assert values == {
        "terms": [30, 120],
        "ratio": [0.25, 1.0],
        "rule": [],
        "rates": [[0.05, 0.1], [0.2, 0.4]],
        "loud": [],
    }
