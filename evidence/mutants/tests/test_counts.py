"""What tests say of mutants and spoiled claims becomes a finding of each chapter, and of the library as a whole."""

from types import SimpleNamespace

import pytest
from mutants import counts
from mutants.counts import Counts

from reproduce.campaigns.finding import SHAPES

BOOK = SimpleNamespace(root=".", chapters=lambda: [SimpleNamespace(short="a", name="sums/a")])


@pytest.fixture
def kept(monkeypatch):
    """What is kept, by campaign and chapter: counts and what failed."""
    found = {}
    made = lambda book, campaign, chapter, *rest: (campaign, chapter and chapter.name, *rest)  # noqa: E731
    monkeypatch.setattr(counts, "finding", made)
    monkeypatch.setattr(counts, "write_finding", lambda root, one: found.update({one[:2]: one[2:]}))
    return found


def counted(*said):
    """The counts after tests that recorded these properties."""
    plugin = Counts(BOOK)
    for name, value in said:
        plugin.pytest_runtest_logreport(SimpleNamespace(when="teardown", user_properties=[(name, value)]))
    plugin.pytest_sessionfinish()


def test_mutants_are_counted_by_chapter_and_kind(kept):
    red, left = ("mutant", ("a", "constant", "red", "")), ("mutant", ("a", "constant", "surviving", "twin.py: 1 → 2"))
    counted(
        red, red, left, ("possible", ("a", {"constant": 7, "operator": 2})), ("mutant", ("", "operator", "red", ""))
    )
    of_chapter, failed = kept["mutants", "sums/a"]
    assert failed == ["a twin.py: 1 → 2"]
    assert of_chapter.keys() == {"constant"}
    constant = of_chapter["constant"]
    assert constant.keys() == next(iter(SHAPES["mutants"].values())).keys()
    assert [constant[name] for name in ("possible", "made", "red", "surviving", "along")] == [7, 3, 2, 1, 0]
    assert kept["mutants", None][0]["operator"]["made"] == 1


def test_spoiled_claims_are_counted_by_chapter_and_way(kept):
    ways = {"theory reversed": (True, {"refused": 3, "passed": 1})}
    counted(("spoiled", ("a", ways, ["a.b: theory reversed"])))
    found, failed = kept["spoiled", "sums/a"]
    assert failed == ["a.b: theory reversed"]
    way = found["theory reversed"]
    assert way.keys() == next(iter(SHAPES["spoiled"].values())).keys()
    assert [way[name] for name in ("must", "claims", "refused", "passed", "same")] == [True, 4, 3, 1, 0]


def test_nothing_is_kept_of_a_chapter_that_did_not_run(kept):
    counted(("possible", ("a", {"constant": 7})))
    assert kept == {}
