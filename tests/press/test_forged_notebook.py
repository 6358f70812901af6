"""What a notebook stores, forged in the ways that no command once noticed, checksum, line and box renewed.

Each is found by the ledger, or when the chapter is executed anew, on any processor; or it gets past, and the page says
so. What a notebook stores stands for its execution here: that it comes out again is tested elsewhere.
"""

import base64
import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attacks.brush import edited_marks, edited_picture, encoded
from nbformat import NotebookNode

from reproduce.chapters.book import Book
from reproduce.claims import judge
from reproduce.claims.ledger import claims_of
from reproduce.claims.record import sealed
from reproduce.claims.show import box, line
from reproduce.running.recheck import differences

BOOK = Book(Path(__file__).parents[2])
CHAPTER = BOOK.chapter("mirror_flow/shifted_labels")
PAGE = " ".join((BOOK.root / "tested.md").read_text(encoding="utf-8").split())
CLAIM = "shifted_labels.jump"  # of several numbers, with a rival
Forged = Callable[[dict[str, Any]], object]  # changes a record in place


def perfect(record: dict[str, Any]) -> None:
    record["measured"], record["error"] = copy.deepcopy(record["theory"]), 0.0
    record["worst"] = [record["theory"][0]] * 2


def better(record: dict[str, Any]) -> None:
    """Half as far from theory, everywhere."""
    record["measured"] = [(t + m) / 2 for t, m in zip(record["theory"], record["measured"], strict=True)]
    of = {"relative": record["relative"], "side": record["side"]}
    record["error"] = judge.distance(record["kind"], record["theory"], record["measured"], **of)
    record["worst"] = judge.worst(record["kind"], record["theory"], record["measured"], **of)


def tighter(record: dict[str, Any]) -> None:
    record["derived"] /= 3
    record["tolerance"] = judge.tolerance_of(record["basis"], record["derived"])


def proved(record: dict[str, Any]) -> None:
    record["basis"], record["derived"] = "proved", record["tolerance"]


def of(part: str, name: str, change: Callable[[Any], Any]) -> Forged:
    return lambda record: record[part].update({name: change(record[part][name])})


FORGERIES: dict[str, Forged] = {
    "perfect agreement": perfect,
    "twice the agreement": better,
    "a third of the tolerance": tighter,
    "a control further off": of("control", "error", lambda error: 1.09 * error),
    "another kind of control": of("control", "kind", lambda kind: "formula" if kind != "formula" else "premise"),
    "a derived error called a proof": proved,
    "a greater factor of the rival": of("rival", "factor", lambda factor: 3 * factor),
    "another worst pair": lambda record: record.update(worst=record["worst"][::-1]),
}


def output_with(notebook: NotebookNode, wanted: Callable[[NotebookNode], bool]) -> NotebookNode:
    """The first output that is as wanted."""
    return next(one for cell in notebook.cells for one in cell.get("outputs", []) if wanted(one))


def edited(notebook: NotebookNode, forge: Forged) -> NotebookNode:
    """A copy in which the claim is forged, with checksum, line and box."""
    forged = copy.deepcopy(notebook)
    output = output_with(forged, lambda one: one.get("metadata", {}).get("claim", {}).get("id") == CLAIM)
    record = copy.deepcopy(dict(output.metadata.claim))
    forge(record)
    if "times" in record:
        record["times"] = judge.times_of(record) or None
    output.metadata.claim = sealed(record)
    output.data["text/plain"], output.data["text/html"] = line(output.metadata.claim), box(output.metadata.claim)
    return forged


def found(forged: NotebookNode, true: NotebookNode) -> list[str]:
    """What the ledger says of a forged notebook, and what its execution would, on another processor too."""
    forged.metadata["executed"]["host"] = "2 cores, another"
    said = [sentence for claim in claims_of(CHAPTER.name, forged) for sentence in claim.objections]
    return said + [one.sentence for one in differences(forged, true) if not one.allowed]


@pytest.fixture(scope="module")
def true() -> NotebookNode:
    return CHAPTER.read()


@pytest.mark.parametrize("name", list(FORGERIES))
def test_a_forged_claim_is_found(true: NotebookNode, name: str) -> None:
    assert found(copy.deepcopy(true), true) == []
    assert found(edited(true, FORGERIES[name]), true)


@pytest.mark.parametrize("where", ["picture", "numbers", "both"])
@pytest.mark.parametrize("colours", [1, 9], ids=["one curve", "all coloured marks"])
def test_a_figure_without_its_curves_is_found(true: NotebookNode, where: str, colours: int) -> None:
    forged = copy.deepcopy(true)
    output = output_with(forged, lambda one: "image/png" in one.get("data", {}))
    marks = output.metadata["image/png"]["drawn"]
    if where != "numbers":
        png = base64.b64decode(output.data["image/png"])
        for colour in [(0, 114, 178), (230, 159, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (213, 94, 0)][
            :colours
        ]:
            png = edited_picture(png, colour, "erase")
        output.data["image/png"] = encoded(png)
    if where != "picture":
        for _ in range(colours):
            last = max(number for number, mark in enumerate(marks) if mark.startswith("line2d"))
            marks = edited_marks(marks, last, "erase")
        output.metadata["image/png"]["drawn"] = marks
    assert found(forged, true)


def test_other_seconds_get_past_and_the_page_says_so(true: NotebookNode) -> None:
    assert found(edited(true, lambda record: record.update(seconds=3 if record["seconds"] == 1 else 1)), true) == []
    assert "seconds and the day" in PAGE
