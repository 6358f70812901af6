"""Findings of campaigns, forged in seventeen ways by the book's own functions: what becomes of each.

Refused by the reader; or it does not fit the code that it names (a finding of older code is shown as such); or it is
found when the finding is drawn and made again, by evidence/test_drawn_again.py; or it gets past, and the page names it.
"""

import copy
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from press.findings import CHAPTER, CLAIM, FOUND

from reproduce.campaigns.finding import Finding, is_current, read_finding, write_finding
from reproduce.campaigns.objections import AGAINST
from reproduce.campaigns.off_default import values_of
from reproduce.chapters.parameters import signature
from reproduce.ground.errors import PressError

if TYPE_CHECKING:
    from press.conftest import TinyBook

ROOT = Path(__file__).parents[2]
PAGE = " ".join((ROOT / "tested.md").read_text(encoding="utf-8").split())
AGAIN = (ROOT / "evidence" / "test_drawn_again.py").read_text(encoding="utf-8")
Forged = Callable[[dict[str, Any]], object]  # changes the JSON of a finding in place


def first(counts: dict[str, Any], wanted: Callable[[Any], bool] = bool) -> Any:
    """The first of the values that is as wanted."""
    return next(of for of in counts.values() if wanted(of))


def book_red(tree: dict[str, Any]) -> None:
    for of in tree["counts"].values():
        of["red"] += of["surviving"] + of["excused"]
        of["surviving"] = of["excused"] = 0
    tree["failed"] = []


def book_refused(tree: dict[str, Any]) -> None:
    for of in tree["counts"].values():
        of["refused"] += of["passed"]
        of["passed"] = 0
    tree["failed"] = []


def delete_survivors(tree: dict[str, Any]) -> None:
    tree["counts"] = {kind: of for kind, of in tree["counts"].items() if not of["surviving"]}
    tree["failed"] = []


def forget_failures(tree: dict[str, Any]) -> None:
    tree["failed"] = []


def tenfold(tree: dict[str, Any]) -> None:
    for of in tree["counts"]["classes"].values():
        of["good"], of["bad"] = of["cases"], 0
    tree["failed"] = []
    for of in [*tree["counts"]["classes"].values(), *tree["counts"]["kills"].values()]:
        of.update({name: 10 * number for name, number in of.items() if isinstance(number, int)})


def a_tenth(tree: dict[str, Any]) -> None:
    for group in tree["counts"]["groups"]:
        for one in group["timings"]:
            one["seconds"] /= 10


def twice_the_seeds(tree: dict[str, Any]) -> None:
    of = tree["counts"]
    of["last_seed"], of["finished"] = of["last_seed"] + of["finished"], 2 * of["finished"]


def of_claim(**wrong: Any) -> Forged:
    return lambda tree: first(tree["counts"]["claims"]).update(wrong)


def of_counts(**wrong: Any) -> Forged:
    return lambda tree: tree["counts"].update(wrong)


def other_code(tree: dict[str, Any]) -> None:
    tree["code"] = "ab" * 8
    shift = int("ab" * 4, 16) % (2**32 - 100) - tree["counts"]["first_seed"]
    for name in ("first_seed", "last_seed"):
        tree["counts"][name] += shift
    for of in tree["counts"]["claims"].values():
        of["at"] += shift


SILENT = "a consistent forgery that is not drawn"
ALWAYS = "more seeds, attacks or pages than there were"
# What is forged, in which campaign, how, and what becomes of it.
FORGERIES: dict[str, tuple[str, Forged, str]] = {
    "a million red": ("mutants", lambda tree: first(tree["counts"]).update(red=1_000_000), "but 1000"),
    "survivors booked as red": ("mutants", book_red, "again: mutants_of_a_chapter"),
    "rows with survivors deleted": ("mutants", delete_survivors, "again: every_place_was_tried"),
    "none refused": ("off_default", of_counts(refused=0), "fits not"),
    "spoiled claims that hold booked as refused": ("spoiled", book_refused, "again: spoiled_claims_of_a_chapter"),
    "failures at the paper's scale deleted": ("paper", forget_failures, "3 claims, but 2 by how they ended"),
    "ten times as many attacks": ("attacks", tenfold, "named"),
    "good and bad are not all": (
        "attacks",
        lambda tree: first(tree["counts"]["classes"]).update(good=700),
        "1200 cases, but 701 by how they ended",
    ),
    "8,000 pages": ("pages", of_counts(pages=8000), "8000 pages were read, by opening"),
    "an invented check": (
        "pages",
        lambda tree: tree["counts"]["checks"].append("All is proved"),
        "again: a_check_of_the",
    ),
    "a tenth of all times": ("benchmarks", a_tenth, "again: times_that_are_measured"),
    "another day": ("seeds", lambda tree: tree.update(date="2026-12-24"), "named"),
    "40 seeds for 20": ("seeds", twice_the_seeds, "of 20 runs"),
    "a better worst error": ("seeds", of_claim(worst=0.01), "again: a_claim_does_on_a_seed"),
    "held 19": ("seeds", of_claim(held=19), "but named is nothing"),
    "controls 3 of 20": ("seeds", of_claim(controls=3), "but named is nothing"),
    "other code with its seeds": ("seeds", other_code, "older"),
}


def true(tiny: "TinyBook", campaign: str) -> Finding:
    """A finding of the small book in which there is something to forge."""
    chapter, found = tiny.chapter(CHAPTER), FOUND[campaign]
    if campaign == "off_default":
        values = sum(len(values_of(one)) for one in signature(chapter.read(), chapter.name).values())
        found = replace(found, counts=dict.fromkeys(found.counts, 0) | {"ok": values - 1, "refused": 1}, failed=[])
    if campaign == "seeds":
        claims = {"geometric.limit": {**CLAIM, "held": 20, "worst": 0.5}}
        found = replace(found, counts={**found.counts, "claims": claims}, failed=[])
    return found


@pytest.mark.parametrize("name", list(FORGERIES))
def test_a_forged_finding(tiny: "TinyBook", name: str) -> None:
    campaign, forge, fate = FORGERIES[name]
    found = true(tiny, campaign)
    tree = copy.deepcopy(asdict(found))
    forge(tree)
    assert tree != asdict(found)
    write_finding(tiny.root, Finding(**tree))
    if not fate.startswith(("again: ", "fits not", "named", "older")):
        with pytest.raises(PressError, match=fate):
            read_finding(tiny.root, campaign, found.chapter)
        return
    forged = read_finding(tiny.root, campaign, found.chapter)
    assert forged is not None
    if fate == "fits not":
        chapter = tiny.book.chapter(CHAPTER)
        assert [*AGAINST[campaign](found, chapter)] == []
        assert [*AGAINST[campaign](forged, chapter)]
    elif fate == "older":
        assert not is_current(tiny.book, forged)
    elif fate == "named":
        assert ALWAYS in PAGE
        assert "the day" in PAGE
    else:
        assert f"def test_{fate.removeprefix('again: ')}" in AGAIN
        assert SILENT in PAGE
