"""What the campaigns write: read back, refused if it is anything else, and shown; a book without it says so."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from press.findings import CALLS, CHAPTER, FOUND

from reproduce.campaigns.finding import (
    RECORDS,
    SHAPES,
    WRITTEN_BY,
    Finding,
    Keep,
    finding,
    is_current,
    read_finding,
    read_findings,
    run_campaign,
    write_finding,
)
from reproduce.chapters.book import Chapter
from reproduce.ground.errors import PressError
from reproduce.pages.campaign_tables import TABLES, by_chapter, campaign_table
from reproduce.pages.claim_rows import Titles
from reproduce.pages.codes import as_of
from reproduce.pages.overview import overview, said_once, weakest
from reproduce.pages.tables import NOT_RUN, Table

if TYPE_CHECKING:
    from press.conftest import TinyBook

STATED = {CHAPTER: 3, "sums/zeta": 4}
each = pytest.mark.parametrize("campaign", list(WRITTEN_BY))


def table(*found: Finding, changed: tuple[str, ...] = ()) -> str:
    return "".join(node.astext() for node in campaign_table(found[0].campaign, found, changed, STATED))


def file_of(root: Path, found: Finding) -> Path:
    return root / RECORDS / found.campaign / ("geometric.json" if found.chapter else "book.json")


def test_every_campaign_has_a_shape_and_a_table() -> None:
    assert WRITTEN_BY.keys() == SHAPES.keys() == TABLES.keys() == FOUND.keys()


@each
def test_what_a_campaign_writes_is_read_back(tiny: "TinyBook", campaign: str) -> None:
    found = FOUND[campaign]
    assert read_finding(tiny.root, campaign, found.chapter) is None
    none = campaign_table(campaign, read_findings(tiny.book, campaign), (), STATED)
    assert "".join(node.astext() for node in none) == NOT_RUN
    write_finding(tiny.root, found)
    assert read_finding(tiny.root, campaign, found.chapter) == found
    assert file_of(tiny.root, found).is_file()
    page = table(found)
    assert "as of 0.1.0, commit abc, 2026-11-22" in page
    assert "2 cores, a processor; Python 3.11" in page


@each
def test_another_file_is_one_line(tmp_path: Path, campaign: str) -> None:
    found = FOUND[campaign]
    path = file_of(tmp_path, found)
    write_finding(tmp_path, found)
    content = json.loads(path.read_text())
    damaged: list[Any] = [5, [], None, {}, {"chapter": "x"}, [content]]
    damaged += [{name: value for name, value in content.items() if name != left_out} for left_out in content]
    damaged += [{**content, name: wrong} for name in content for wrong in (None, 3, ["x", 3])]
    damaged += [{**content, "more": 1}, {**content, "date": "yesterday"}, {**content, "chapter": "sums/other"}]
    for wrong in damaged:
        if wrong == content:
            continue
        path.write_text(json.dumps(wrong))
        with pytest.raises(PressError, match=f"is not what '{WRITTEN_BY[campaign]}' writes") as refusal:
            read_finding(tmp_path, campaign, found.chapter)
        assert str(refusal.value).isprintable()
    for text in ("", "{", "[" * 100_000):
        path.write_text(text)
        with pytest.raises(PressError, match="is not JSON"):
            read_finding(tmp_path, campaign, found.chapter)


def wrong_values(value: Any, put: Callable[[Any], Any]) -> list[Any]:
    """A nested value with each of its numbers replaced, one at a time, by what is no count."""
    if isinstance(value, dict):
        return [one for key in value for one in wrong_values(value[key], lambda new, key=key: put({**value, key: new}))]
    if isinstance(value, list):
        return [
            one
            for at in range(len(value))
            for one in wrong_values(value[at], lambda new, at=at: put([*value[:at], new, *value[at + 1 :]]))
        ]
    numbers: tuple[Any, ...] = (-1, "7", None, float("nan"), float("inf"), True)
    if type(value) is float:
        numbers = (*numbers, 10**400)
    return [put(new) for new in numbers] if type(value) in (int, float) else []


@each
def test_a_number_that_is_none_is_refused(tmp_path: Path, campaign: str) -> None:
    found = FOUND[campaign]
    for counts in wrong_values(found.counts, lambda new: new):
        write_finding(tmp_path, replace(found, counts=counts))
        if campaign == "paper" and counts["parameters"] != {"terms": 90}:
            continue  # a parameter may be anything
        if campaign == "benchmarks" and any(one["error"] is None for one in counts["groups"][0]["timings"]):
            continue  # what was reached need not be an error
        if campaign == "mutants" and None in (counts["constant"]["refused"], counts["constant"]["no_effect"]):
            continue  # older releases did not tell them apart
        with pytest.raises(PressError, match="writes"):
            read_finding(tmp_path, campaign, found.chapter)


def test_tables_show_what_was_bad_and_escape_it() -> None:
    page = table(FOUND["attacks"])
    assert "Calls &lt;of&gt; the library" in page
    assert "f(x=<nan>)" in page  # in a text node, which its writer escapes
    assert page.count('<tr class="fails">') == 2
    assert '<tr class="fails">' not in table(
        replace(FOUND["attacks"], counts={**FOUND["attacks"].counts, "classes": {"calls": {**CALLS, "bad": 0}}})
    )
    assert "ratio=0.9: geometric.limit failed" in table(FOUND["off_default"])
    paper = table(FOUND["paper"])
    assert all(
        text in paper for text in ("geometric.&lt;rate&gt;", "2 of 7", "1 chapter was not tried", "512 MB at most")
    )
    assert paper.count('<tr class="fails">') == 3  # the chapter, the one that was not run, and all together
    seeds = table(FOUND["seeds"])
    assert "0 of 1" in seeds
    assert all(said in seeds for said in ("1 of 1", "limit 17", "1 claims missed a seed"))
    assert ">geometric.limit<" in seeds
    spoiled = FOUND["spoiled"].counts["theory reversed"]
    both = {"theory reversed": spoiled, "tolerance × 10": {**spoiled, "must": False}}
    page = table(replace(FOUND["spoiled"], counts=both))
    assert page.count('<tr class="fails">') == page.count('<tr class="holds">') == 1
    page = table(FOUND["pages"])
    assert "390 pixels, light" in page
    assert "tests that all of them passed" in page


def test_mutants_are_summed_by_kind_and_what_old_records_do_not_know_is_said() -> None:
    one = FOUND["mutants"].counts["constant"]
    page = table(replace(FOUND["mutants"], counts={"constant": one, "operator": {**one, "surviving": 0}}))
    assert page.count('<tr class="fails">') == 2  # of the silent changes: the kind, and all of them
    assert "46%; 55% of those not excused" in page  # 6 of 13, and of 11, and of 9
    assert "what became of it" in page
    assert "not recorded" not in page
    older = {**one, "stopped": 3, "refused": None, "excused": 1, "no_effect": None}
    page = table(replace(FOUND["mutants"], counts={"constant": older}), replace(FOUND["mutants"], chapter=""))
    assert page.count("not recorded") == 4  # both columns, of the kind and of all
    alone = table(replace(FOUND["mutants"], counts={"constant": older}))
    assert not any(said in alone for said in ("not recorded", "no effect</th>"))  # no column of what no record knows


def test_a_finding_says_of_which_version_it_is_and_whether_the_code_has_changed() -> None:
    one, other = FOUND["seeds"], replace(FOUND["seeds"], chapter="sums/zeta", commit="d" * 40 + ", with changes")
    assert as_of([one], ()) == "as of 0.1.0, commit abc, 2026-11-22; 2 cores, a processor; Python 3.11"
    told = as_of([one, other], {"sums/zeta"})
    assert "commit abc, 2026-11-22; as of 0.1.0, commit dddddddddddd, with changes, 2026-11-22; the code has" in told
    assert table(one, other, changed=("sums/zeta",)).count("the code has changed since") == 2
    page = table(replace(FOUND["mutants"], code=""), changed=(CHAPTER,))
    assert page.count("whether its code has changed since is not recorded") == 1  # in the line below the tables


def test_only_code_and_parameters_make_a_finding_old(tiny: "TinyBook") -> None:
    chapter = tiny.chapter(CHAPTER)
    chapter.paper.write_text("terms: 90\n")
    kept = finding(tiny.book, "paper", chapter, {**FOUND["paper"].counts}, [])
    assert is_current(tiny.book, kept)
    chapter.paper.write_text("terms: 80\n")
    assert not is_current(tiny.book, kept)
    whole = finding(tiny.book, "pages", None, FOUND["pages"].counts)
    assert is_current(tiny.book, whole)
    (tiny.root / "lib" / "more.py").write_text("ONE = 1\n")
    assert not is_current(tiny.book, whole)


def test_a_campaign_runs_what_is_not_current_or_did_not_end_well(tiny: "TinyBook") -> None:
    chapters = [tiny.chapter(f"sums/{name}") for name in ("geometric", "zeta")]
    begun: list[str] = []
    told: list[bool] = []
    failed = ["terms=30: it failed"]

    def run(due: Sequence[Chapter], keep: Keep) -> None:
        for chapter in reversed(due):
            begun.append(chapter.short)
            keep(chapter, ({"ok": 1, "outside": 0, "refused": 0}, failed if chapter.short == "zeta" else []))

    def campaign(again: bool = False) -> list[bool]:
        begun.clear()
        told.clear()
        run_campaign(
            tiny.book,
            "off_default",
            chapters,
            run,
            again=again,
            ended=lambda found, earlier: told.append(earlier),
        )
        return told

    assert campaign() == [False, False]
    assert campaign() == [True, False]
    failed.clear()
    assert (campaign(), begun) == ([True, False], ["zeta"])
    assert campaign() == [True, True]
    assert campaign(again=True) == [False, False]


def test_the_evidence_that_is_older_is_told(tiny: "TinyBook") -> None:
    chapter = tiny.chapter(CHAPTER)
    write_finding(tiny.root, finding(tiny.book, "off_default", chapter, {"ok": 1, "outside": 0, "refused": 0}))
    done = tiny.ask("evidence")
    assert done.returncode == 0
    assert "off_default (make offdefault): 1 findings, 0 of older code" in done.stdout
    assert "attacks (make attack): not run yet" in done.stdout
    assert [tiny.ask("evidence", name).returncode for name in ("off_default", "attacks")] == [0, 1]
    write_finding(tiny.root, FOUND["off_default"])
    assert tiny.ask("evidence", "off_default").returncode == 1
    wrong = tiny.ask("evidence", "robustness")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


def told(tables: Sequence[Table]) -> dict[str, list[str]]:
    """What each row of some tables says, cell by cell."""
    return {
        one.cells[0].text: [" ".join([cell.text, *filter(None, cell.notes)]) for cell in one.cells[1:]]
        for of in tables
        for one in of.rows
    }


def test_an_overview_tells_what_all_campaigns_found() -> None:
    found = {campaign: [one] for campaign, one in FOUND.items()}
    said = told(overview(found, STATED))
    quiet = "the code is changed, and no error is raised"
    earlier = "1 of 1 earlier versions of a chapter missed some: 1 claims, and code was changed after it"
    days = "1 of the 1 earlier versions had the day as their first seed"
    outside = "2 outside the range that a chapter declares 1 refused by it"
    assert said == {
        quiet: ["7", "3", "1 by a library test", "2 1 move theory and measurement alike", "1 constant"],
        "the same, and an error is raised": ["3", "", "3 1 by a refusal of the book", "", "0"],
        "a claim's theory is spoiled": ["9", "3", "", "4", "2"],
        "bad input and damaged files": ["1,203", "", "1,202", "", "1"],
        "claims on fresh seeds": ["1", "0", "", f"1 {earlier} {days}"],
        "values of parameters off the defaults": ["11", "7", f"3 {outside}", "1"],
        "claims at the paper's scale": ["7", "2", "", "5 1 chapter was not tried"],
    }
    assert [cell.text for one in by_chapter(found, STATED).rows for cell in one.cells[1:]] == [
        "1 of 10", "1 of 1", "1 of 11", "1 of 3", *[NOT_RUN] * 4
    ]  # fmt: skip
    named = {chapter: Titles(f"A title of {chapter}", "A part") for chapter in STATED}
    assert [one.cells[0].text for one in by_chapter(found, STATED, named).rows] == [
        one.chapter for one in named.values()
    ]
    whole = overview(found, STATED)
    kept, note = said_once(whole)
    before, after = (sum(note in one.cells[0].notes for of in tables for one in of.rows) for tables in (whole, kept))
    assert note.startswith("version ")
    assert (before > 1, after) == (True, 0)
    assert weakest(found, 3, 2) == ("", "", "")
    wide = {"tolerance × 10": {**FOUND["spoiled"].counts["theory reversed"], "must": False, "refused": 4, "passed": 3}}
    said = told(overview({**found, "spoiled": [replace(FOUND["spoiled"], counts=wide)]}, STATED))
    assert said["tolerance × 10"][-1] == "3"
    first, weak, narrow = weakest({**found, "spoiled": [replace(FOUND["spoiled"], counts=wide)]}, 3, 2)
    assert first.startswith("Of 7 changes of a formula that raise no error, claims notice 3 and library tests 1.")
    assert "unnoticed for 3 of " in weak
    assert "of the 3 claims that predict a number, 2 fail" in narrow
    empty: dict[str, list[Finding]] = {campaign: [] for campaign in FOUND}
    assert overview(empty, STATED) == []
    failed = replace(FOUND["paper"], counts={**FOUND["paper"].counts, "claims": 0, "held": 0}, failed=["it took long"])
    said = told(overview({**empty, "paper": [failed]}, STATED))
    assert said == {
        "claims at the paper's scale": ["7", "0", "", "7 1 chapter stopped, as its row says, 1 chapter was not tried"]
    }
