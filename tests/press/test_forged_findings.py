"""Findings of campaigns, forged in seventeen ways by the book's own functions: what becomes of each.

Refused by the reader; or it does not fit the code that it names (a finding of older code is shown as such); or it is
found when the finding is drawn and made again, by evidence/test_drawn_again.py; or it gets past, and the page names it.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reproduce.campaigns.finding import Finding, is_current, read_finding, read_findings, write_finding
from reproduce.campaigns.objections import AGAINST
from reproduce.chapters.book import Book
from reproduce.ground.errors import PressError

BOOK = Book(Path(__file__).parents[2])
PAGE = " ".join((BOOK.root / "tested.md").read_text(encoding="utf-8").split())
AGAIN = (BOOK.root / "evidence" / "test_drawn_again.py").read_text(encoding="utf-8")
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


def delete_survivors(tree: dict[str, Any]) -> None:
    tree["counts"] = {kind: of for kind, of in tree["counts"].items() if not of["surviving"]}
    tree["failed"] = []


def forget_failures(tree: dict[str, Any]) -> None:
    tree["failed"] = []


def tenfold(tree: dict[str, Any]) -> None:
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
    return lambda tree: first(tree["counts"]["claims"], lambda of: of["worst"] > 0.1).update(wrong)


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
    "failures at the paper's scale deleted": ("paper", forget_failures, "it has no claim, and did not fail"),
    "ten times as many attacks": ("attacks", tenfold, "named"),
    "good and bad are not all": (
        "attacks",
        lambda tree: first(tree["counts"]["classes"]).update(good=700),
        "660 cases, but 700 by how they ended",
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


def chosen(campaign: str) -> Finding:
    """A finding in which there is something to forge, and that fits the code as it stands."""

    def forgeable(one: Finding) -> bool:
        counts = one.counts
        if campaign == "mutants":
            return any(of["surviving"] for of in counts.values())
        if campaign == "paper":
            return bool(one.failed)
        if campaign == "off_default":
            return counts["refused"] > 0 and not [*AGAINST[campaign](one, BOOK.chapter(one.chapter))]
        return campaign != "spoiled" or any(of["passed"] for of in counts.values())

    return next(one for one in read_findings(BOOK, campaign) if forgeable(one))


@pytest.mark.parametrize("name", list(FORGERIES))
def test_a_forged_finding(tmp_path: Path, name: str) -> None:
    campaign, forge, fate = FORGERIES[name]
    true = chosen(campaign)
    path = tmp_path / "evidence" / "records" / campaign / f"{true.chapter.rpartition('/')[2] or 'book'}.json"
    write_finding(tmp_path, true)
    tree = json.loads(path.read_text())
    before = copy.deepcopy(tree)
    forge(tree)
    assert tree != before
    write_finding(tmp_path, replace(true, **tree))
    if not fate.startswith(("again: ", "fits not", "named", "older")):
        with pytest.raises(PressError, match=fate):
            read_finding(tmp_path, campaign, true.chapter)
        return
    found = read_finding(tmp_path, campaign, true.chapter)
    assert found is not None
    if fate == "fits not":
        assert [*AGAINST[campaign](found, BOOK.chapter(true.chapter))]
    elif fate == "older":
        assert not is_current(BOOK, found)
    elif fate == "named":
        assert ALWAYS in PAGE
        assert "the day" in PAGE
    else:
        assert f"def test_{fate.removeprefix('again: ')}" in AGAIN
        assert SILENT in PAGE
