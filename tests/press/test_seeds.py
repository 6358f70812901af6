"""Fresh seeds: which they are, what is kept of them, and what is refused."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproduce.errors import PressError
from reproduce.ledger import StoredClaim
from reproduce.pages.robustness_table import origins, robustness_table
from reproduce.robustness import ROBUSTNESS, Record, Robustness, pass_interval, read_robustness, write_robustness
from reproduce.sweep.seeds import first_seed

if TYPE_CHECKING:
    from conftest import TinyBook

SEEDED = "terms: int = 60  # number of terms n, in [1, 1000]\nseed: int = 0  # seed of the ratio, in [0, 4294967295]"
RANDOM = """\
from reproduce.claims import Control, claim

ratio = 0.5 if seed % 2 == 0 else 0.99
claim("{chapter}.limit", "The series converges.", source="Euclid IX.35", kind="limit", theory=1 / (1 - ratio),
      measured=sum(ratio**k for k in range(terms)), tolerance=1e-9, why="rounding",
      control=Control("nothing added", 0.0))"""
ONE = Robustness(
    chapter="sums/geometric",
    code="0123456789abcdef",
    date="2026-11-21",
    commit="abc",
    versions="Python 3.11",
    host="2 cores",
    first_seed=2026112100,
    last_seed=2026112119,
    finished=20,
    failed=0,
    claims={"geometric.limit": Record(runs=20, held=19, controls=20, worst=1.5, at=2026112103)},
)


def test_the_seeds_of_a_day_are_its_digits() -> None:
    assert first_seed(date(2026, 11, 21)) == 2026112100
    assert first_seed(date(4293, 12, 31)) + 99 <= 4294967295


def test_every_chapter_is_run_and_its_outcome_kept(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", RANDOM.format(chapter="geometric"), parameters=SEEDED)
    tiny.chapter("sums/zeta", RANDOM.format(chapter="zeta"), parameters=SEEDED)
    command = ("seeds", "--date", "2026-11-21", "--count", "3", "--workers", "2")
    done = tiny.call(*command)
    assert done.returncode == 1
    assert "✗ geometric.limit: held in 2 of 3, its control failed in 3" in done.stderr
    kept = read_robustness(tiny.root)
    assert list(kept) == ["sums/geometric", "sums/zeta"]
    record = kept["sums/zeta"].claims["zeta.limit"]
    assert (record.runs, record.held, record.controls, record.at) == (3, 2, 3, 2026112101)
    assert (kept["sums/zeta"].first_seed, kept["sums/zeta"].last_seed) == (2026112100, 2026112102)
    text = (tiny.root / ROBUSTNESS).read_text()
    assert tiny.call(*command, "zeta").returncode == 1  # nothing is left to run
    assert (tiny.root / ROBUSTNESS).read_text() == text


def test_a_chapter_without_a_seed_is_refused_before_anything_runs(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    done = tiny.call("seeds")
    assert (done.returncode, done.stderr.strip()) == (
        2,
        "error: sums/geometric has no parameter seed: its outcome is not random",
    )


def test_intervals_are_those_of_clopper_and_pearson() -> None:
    low, high = pass_interval(20, 20)
    assert (low, high) == (pytest.approx(0.025 ** (1 / 20)), 1.0)
    assert pass_interval(0, 20) == (0.0, pytest.approx(1 - low))
    assert pass_interval(15, 20) == (pytest.approx(0.5090, abs=1e-4), pytest.approx(0.9134, abs=1e-4))


def test_what_is_written_is_read_back_and_other_files_are_refused(tmp_path: Path) -> None:
    assert read_robustness(tmp_path) == {}
    write_robustness(tmp_path, [ONE])
    assert read_robustness(tmp_path) == {ONE.chapter: ONE}
    (tmp_path / ROBUSTNESS).write_text("- chapter: x\n  claims: {}\n")
    with pytest.raises(PressError, match="_robustness.yml is not what 'make seeds' writes"):
        read_robustness(tmp_path)


def test_the_page_shows_what_held_what_did_not_and_what_was_not_run() -> None:
    def stored(id: str) -> StoredClaim:
        return StoredClaim(ONE.chapter, {"id": id, "statement": f"states {id} < 1"}, "", "", ())

    claims = [stored("geometric.limit"), stored("geometric.new")]
    page = robustness_table(claims, {ONE.chapter: ONE}, lambda claim: f"#{claim.id}")
    assert page.count('<tr class="fails">') == 2
    assert "<b>19 of 20</b>" in page
    assert "not run yet" in page
    assert "states geometric.new &lt; 1" in page
    listed = origins([ONE], lambda chapter: True)
    assert "20 runs, seeds of 2026-11-21, 2026112100 to 2026112119" in listed
    assert "the chapter's code has changed since" in listed
    assert "changed" not in origins([ONE], lambda chapter: False)
    always = replace(ONE, claims={"geometric.limit": replace(ONE.claims["geometric.limit"], held=20)})
    for failed, good in ((0, 1), (1, 0)):  # a run that failed held nothing
        page = robustness_table(claims[:1], {ONE.chapter: replace(always, failed=failed)}, lambda claim: "#")
        assert page.count('<tr class="holds">') == good
