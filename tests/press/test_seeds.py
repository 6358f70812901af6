"""Fresh seeds: which they are, what is kept of them, and what is refused."""

import html
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from press.findings import CLAIM, CODE, FIRST, FOUND

from reproduce.campaigns import seeds
from reproduce.campaigns.finding import code_of, read_finding, read_findings, run_campaign, write_finding
from reproduce.campaigns.impossible import first_seed
from reproduce.campaigns.seeds import SEEDS, counted, earlier, same_with_every_seed
from reproduce.chapters.book import Book, Chapter
from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError
from reproduce.pages.codes import dated
from reproduce.pages.robustness_table import _at_worst, robustness_table, summary
from reproduce.sweep.grid import Grid
from reproduce.sweep.summary import Summary, pass_interval

if TYPE_CHECKING:
    from conftest import TinyBook

SEEDED = "terms: int = 60  # number of terms n, in [1, 1000]\nseed: int = 0  # seed of the ratio, in [0, 4294967295]"
RANDOM = """\
from reproduce.claims import Claims

ratio = 0.5 if seed % 2 == 0 else 0.99
claims = Claims("{chapter}")
claims.limit("limit", 1 / (1 - ratio), sum(ratio**k for k in range(terms)), proved=1e-9, control=0.0)"""
ONE = FOUND["seeds"]


def objected(root: Path, claim: dict[str, Any], code: str = CODE, **counts: Any) -> str:
    """What is objected to in a finding with these changes; empty if it is read."""
    changed = {**ONE.counts, **counts, "claims": {"geometric.limit": {**CLAIM, **claim}}}
    write_finding(root, replace(ONE, code=code, counts=changed))
    try:
        read_finding(root, SEEDS, ONE.chapter)
    except PressError as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"held": 25}, "held in 25 and controls failed in 20, of 20 runs"),
        ({"controls": 21}, "controls failed in 21"),
        ({"runs": 40, "held": 40, "controls": 40}, "of 40 runs"),
        ({"at": 7}, "the worst seed 7 is none of its seeds"),
        ({"held": 20, "worst": 1.5}, "the worst error is 1.5 of its tolerance, yet it held in 20 runs"),
        ({"held": 20, "worst": 0.5}, "failed is nothing, but named is geometric.limit: held"),
    ],
)
def test_a_finding_that_cannot_be_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    found = objected(tmp_path, change)
    assert said in found
    assert bool(found) is bool(said)


def test_seeds_that_were_chosen_or_do_not_add_up_are_refused(tmp_path: Path) -> None:
    assert first_seed(CODE) == FIRST
    assert first_seed("f" * 16) + 99 <= 4294967295
    chosen = objected(tmp_path, {"at": 7}, first_seed=5, last_seed=24)
    assert f"its first seed is 5; that of its code is {FIRST}" in chosen
    assert "its code no hash is no hash" in objected(tmp_path, {}, code="no hash")
    assert "20 runs finished and 1 failed, of 20 seeds" in objected(tmp_path, {}, failed=1)
    before = ONE.counts["earlier"]
    assert "told twice" in objected(tmp_path, {}, earlier=before * 2)
    assert "cannot have had these runs" in objected(tmp_path, {}, earlier=[{**before[0], "finished": 21}])


def test_what_the_seeds_of_earlier_code_found_stays(tmp_path: Path) -> None:
    assert earlier(None, CODE) == []
    assert earlier(ONE, CODE) == ONE.counts["earlier"]
    *before, last = earlier(ONE, "a" * 16)
    assert before == ONE.counts["earlier"]
    assert (last["code"], last["first_seed"]) == (CODE, FIRST)
    assert last["missed"] == {"geometric.limit": {"runs": 20, "held": 19, "controls": 20}}


@pytest.mark.nightly  # sweeps cover it
def test_every_chapter_is_run_and_its_outcome_kept(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", RANDOM.format(chapter="geometric"), parameters=SEEDED)
    chapter = tiny.chapter("sums/zeta", RANDOM.format(chapter="zeta"), parameters=SEEDED)
    command = ("seeds", "--count", "3", "--workers", "2")
    done = tiny.call(*command)
    assert done.returncode == 1
    assert "; zeta.limit: held in " in done.stdout
    geometric, zeta = read_findings(tiny.book, SEEDS)
    assert (geometric.chapter, zeta.chapter) == ("sums/geometric", "sums/zeta")
    first = first_seed(code_of(tiny.book, chapter))
    assert (zeta.counts["first_seed"], zeta.counts["last_seed"]) == (first, first + 2)
    odd = [seed for seed in range(first, first + 3) if seed % 2]
    record = zeta.counts["claims"]["zeta.limit"]
    assert (record["runs"], record["held"], record["controls"], record["at"]) == (3, 3 - len(odd), 3, odd[0])
    assert record["same"] is False
    again = tiny.call(*command, "zeta")
    assert again.returncode == 1
    assert read_finding(tiny.root, SEEDS, "sums/zeta") == zeta  # nothing was left to run


def test_twenty_equal_results_are_the_same_with_every_seed() -> None:
    grid = Grid({"seed": [FIRST, FIRST + 1, FIRST + 2]})
    summary = Summary(grid.axes, grid.size)

    def claim(name: str, measured: float) -> dict[str, Any]:
        known = {
            "id": f"geometric.{name}",
            "statement": "",
            "kind": "limit",
            "holds": True,
            "control": {"failed": True},
        }
        return {**known, "error": 0.0, "tolerance": 1.0, "measured": measured, "seconds": measured}

    for place, (point, at) in enumerate(grid.placed_points()):
        claims = [claim("equal", 2.0) | {"seconds": place}, claim("drawn", 2.0 + (place == 1))]
        claims += [claim("once", 1.0)] * (place == 0)
        summary.add({"parameters": point, "status": "finished", "notebook": "", "claims": claims}, at)
    counts, missed = counted(grid, summary)
    assert missed == []
    found = replace(ONE, counts={**counts, "earlier": []})
    assert same_with_every_seed([found]) == {"geometric.equal": True, "geometric.drawn": False, "geometric.once": False}


def test_an_error_where_none_is_allowed_is_told_as_a_number() -> None:
    grid = Grid({"seed": [FIRST]})
    summary = Summary(grid.axes, grid.size)
    bound = {"id": "geometric.bound", "statement": "", "kind": "bound", "holds": False, "control": {"failed": True},
             "error": 0.5, "tolerance": 0.0, "measured": 1.5, "seconds": 1.0}  # fmt: skip
    for point, at in grid.placed_points():
        summary.add({"parameters": point, "status": "finished", "notebook": "", "claims": [bound]}, at)
    counts, failed = counted(grid, summary)
    assert (counts["claims"]["geometric.bound"]["worst"], len(failed)) == (1e9, 1)


def test_of_older_findings_only_those_that_differ_are_known() -> None:
    for at, known in ((FIRST, {}), (FIRST + 3, {"geometric.limit": False})):
        older = replace(ONE, counts={**ONE.counts, "claims": {"geometric.limit": {**CLAIM, "at": at}}})
        assert same_with_every_seed([older]) == known


def test_the_page_tells_the_same_from_other_numbers_and_from_what_is_not_recorded() -> None:
    claims = [StoredClaim(ONE.chapter, {"id": "geometric.limit", "statement": "states"}, "", "", ())]
    for same, words in (({"geometric.limit": True}, "deterministic"), ({"geometric.limit": False}, "other numbers"),
                        ({}, "not recorded")):  # fmt: skip
        page = robustness_table(claims, {ONE.chapter: ONE}, lambda claim: "#", same=same)
        assert f'data-seed="{words}"' in page
        assert ("none: all runs are one" in page) is (words == "deterministic")
        every = replace(ONE, counts={**ONE.counts, "claims": {"geometric.limit": {**CLAIM, "held": 20}}})
        page = robustness_table(claims, {ONE.chapter: every}, lambda claim: "#", same=same)
        assert ("<b>deterministic</b>" in page) is (words == "deterministic") is not ("<b>20 of 20</b>" in page)


def test_the_page_counts_runs_that_missed_and_claims_that_only_a_stop_cut() -> None:
    claims = [StoredClaim(ONE.chapter, {"id": "geometric.limit"}, "", "", ())]
    first, then = summary(claims, {ONE.chapter: ONE})
    assert first == "1 of 20 runs missed, in 1 of the 1 claims that a seed can change."
    assert then == " 1 of these claims missed a seed of earlier code, which was changed after it."
    (before,) = ONE.counts["earlier"]
    cut = {**before, "missed": {"geometric.limit": {"runs": 19, "held": 19, "controls": 19}}, "failed": 1}
    stopped = {ONE.chapter: replace(ONE, counts={**ONE.counts, "earlier": [cut]})}
    assert "after it, 1 of them only because a run stopped at an error." in summary(claims, stopped)[1]
    assert dated([ONE]) == "1 of the 1 earlier versions had the day as their first seed"
    own = {**before, "first_seed": first_seed(before["code"])}
    assert dated([replace(ONE, counts={**ONE.counts, "earlier": [own]})]) == ""


def test_a_chapter_without_a_seed_is_refused_before_anything_runs(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    done = tiny.ask("seeds")
    assert (done.returncode, done.stderr.strip()) == (
        2,
        "error: sums/geometric has no parameter seed: its outcome is not random",
    )


def test_intervals_are_those_of_clopper_and_pearson() -> None:
    low, high = pass_interval(20, 20)
    assert (low, high) == (pytest.approx(0.025 ** (1 / 20)), 1.0)
    assert pass_interval(0, 20) == (0.0, pytest.approx(1 - low))
    assert pass_interval(15, 20) == (pytest.approx(0.5090, abs=1e-4), pytest.approx(0.9134, abs=1e-4))


def test_the_page_shows_what_held_what_did_not_and_what_was_not_run() -> None:
    def stored(id: str) -> StoredClaim:
        return StoredClaim(ONE.chapter, {"id": id, "statement": f"states {id} < 1"}, "", "", ())

    claims = [stored("geometric.limit"), stored("geometric.new")]
    page = robustness_table(claims, {ONE.chapter: ONE}, lambda claim: f"#{claim.id}")
    older = robustness_table(claims, {ONE.chapter: ONE}, lambda claim: f"#{claim.id}", {}, {ONE.chapter})
    assert "(older code)" in older
    assert "(older code)" not in page
    assert "1 of the book's 2 claims were run on fresh seeds, 1 not yet" in html.unescape(page)
    assert "0 of 1 run held on every seed" in page
    assert 'data-seed="not run yet"' in page
    assert page.count('<tr class="fails"') == 2
    assert "<b>19 of 20</b>" in page
    assert "earlier code: 17 of 20" in page
    (before,) = ONE.counts["earlier"]
    held = {
        **before,
        "missed": {"geometric.limit": {"runs": 19, "held": 19, "controls": 19}},
        "finished": 19,
        "failed": 1,
    }
    cut = robustness_table(
        claims, {ONE.chapter: replace(ONE, counts={**ONE.counts, "earlier": [held]})}, lambda claim: "#"
    )
    assert "earlier code: 19 of 20, 1 stopped at an error" in cut
    assert "none: changed after a miss" in page
    never = replace(ONE, counts={**ONE.counts, "earlier": []})
    assert "…" in robustness_table(claims, {ONE.chapter: never}, lambda claim: "#")
    assert "not run yet" in page
    assert "states geometric.new &lt; 1" in page
    always = {"geometric.limit": {**CLAIM, "held": 20}}
    for failed in (0, 1):  # a run that did not end is no miss, and is said in the row and above the table
        one = replace(ONE, counts={**ONE.counts, "claims": always, "failed": failed})
        page = robustness_table(claims[:1], {ONE.chapter: one}, lambda claim: "#")
        assert page.count('<tr class="holds"') == 1
        assert page.count("1 run did not end") == 2 * failed
    passed = {"geometric.limit": {**CLAIM, "controls": 19, "worst": 0.0}}
    one = replace(ONE, counts={**ONE.counts, "claims": passed})
    page = robustness_table(claims[:1], {ONE.chapter: one}, lambda claim: "#")
    assert "its control passed once" in page
    assert page.count('<tr class="fails"') == 1


def test_what_missed_is_told_by_its_kind() -> None:
    passed = {**CLAIM, "held": 17, "controls": 17, "worst": 0.5}
    assert _at_worst("limit", passed) == "within its tolerance; its control passed on 3 of 20"
    assert _at_worst("limit", CLAIM) == "1.5 times the error allowed"
    assert _at_worst("ordering", {**CLAIM, "worst": 2.0}) == "a gap of about 50 % of the one demanded"
    assert _at_worst("ordering", {**CLAIM, "worst": 1e9}) == "the inequality fails"
    assert _at_worst("bound", {**CLAIM, "worst": 1.0}) == "at most 5 % beyond what is allowed"


def test_a_hundred_seeds_of_one_chapter_and_twenty_of_another_are_kept_side_by_side(
    tiny: "TinyBook", monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: dict[str, list[int]] = {}

    def stand_in(book: Book, chapter: Chapter, grid: Grid, folder: Path, **given: object) -> Summary:
        swept[chapter.name] = list(grid.axes["seed"])
        return Summary(grid.axes, grid.size, finished=grid.size)

    monkeypatch.setattr(seeds, "sweep", stand_in)
    chapters = [tiny.chapter(f"sums/{name}", parameters=SEEDED) for name in ("geometric", "zeta")]
    given: dict[str, Any] = {"workers": 1, "scheduler": None, "folder": tiny.root / "_build", "watch": print}
    for chapter, count in zip(chapters, (100, 20), strict=True):
        run = partial(seeds.run_seeds, tiny.book, count=count, **given)
        each = lambda due, keep, run=run: [keep(one, run(one)) for one in due]  # noqa: E731
        run_campaign(tiny.book, SEEDS, [chapter], each, again=False, ended=print)
    one, other = (first_seed(code_of(tiny.book, chapter)) for chapter in chapters)
    assert swept["sums/geometric"] == list(range(one, one + 100))
    assert swept["sums/zeta"] == list(range(other, other + 20))
    kept = {of.chapter: of.counts for of in read_findings(tiny.book, SEEDS)}
    assert {name: (of["first_seed"], of["last_seed"], of["finished"]) for name, of in kept.items()} == {
        "sums/geometric": (one, one + 99, 100),
        "sums/zeta": (other, other + 19, 20),
    }
    refused = tiny.ask("seeds", "--count", "101")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "101 is not in the range 1<=x<=100" in refused.stderr
