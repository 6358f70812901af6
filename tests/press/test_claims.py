"""What a claim's control must be: a finite number, of one of two kinds that the record tells apart."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from nbformat import NotebookNode

from reproduce.claims import Altered, Claims, Control
from reproduce.claims.ledger import judge
from reproduce.claims.record import ClaimError, ControlRecord, Record, RivalRecord
from reproduce.claims.wellformed import schema

Stored = Callable[..., NotebookNode]
UPPER = {"kind": "bound", "theory": 2.0, "measured": 1.9}


def record_of(notebook: NotebookNode) -> dict[str, Any]:
    record: dict[str, Any] = notebook.cells[0].outputs[0].metadata["claim"]
    return record


@pytest.mark.parametrize("measured", [float("inf"), float("nan"), [1.0, float("inf")], None])
def test_a_control_that_is_no_finite_number_is_red(stored: Stored, measured: Any) -> None:
    notebook = stored({"control": Control("it diverges", measured)})
    said = "the control is no finite number, so the claim proves nothing"
    assert judge({"sums/geometric": notebook}).objections == [f"sums/geometric: claim geometric.limit: {said}"]
    assert record_of(notebook)["control"]["failed"] is False
    assert said in notebook.cells[0].outputs[0].data["text/plain"]


@pytest.mark.parametrize(
    ("control", "kind", "shown"),
    [
        (Control("the ratio is 2", 1.0), "premise", "premise broken: the ratio is 2; off by"),
        (Control("the ratio is 2", 2.0, theory=1.0, anew=True), "premise", "premise broken: the ratio is 2; off by"),
        (Control("the ratio is 2", 2.0, theory=1.0), "formula", "formula altered: the ratio is 2; off by"),
        (Altered("1 + q for 1 − q", 1.0), "formula", "formula altered: 1 + q for 1 − q; off by"),
    ],
)
def test_a_broken_premise_and_an_altered_formula_are_told_apart(
    stored: Stored, control: Control, kind: str, shown: str
) -> None:
    notebook = stored({"control": control})
    assert record_of(notebook)["control"]["kind"] == kind
    assert shown in notebook.cells[0].outputs[0].data["text/html"]
    assert judge({"sums/geometric": notebook}).holds


def test_an_edited_kind_is_caught(stored: Stored) -> None:
    notebook = stored({"control": Altered("1 + q for 1 − q", 1.0)})
    record_of(notebook)["control"]["kind"] = "premise"
    said = "\n".join(judge({"sums/geometric": notebook}).objections)
    assert "the box it shows does not follow from its record" in said
    assert "its digest does not match" in said


@pytest.mark.parametrize("control", [Control, Altered])
def test_a_bound_refuses_a_control_that_brings_a_bound_of_its_own(stored: Stored, control: type[Control]) -> None:
    with pytest.raises(ClaimError, match=r"its control has a bound of its own, control\.theory, which anything could"):
        stored({**UPPER, "control": control("a bound that is too small", 1.9, theory=1e-5)})


def test_a_bound_of_its_own_that_lies_near_says_why(stored: Stored) -> None:
    notebook = stored({**UPPER, "control": Altered("half of it", 1.9, theory=1.0, near="the bound is sharp up to 5 %")})
    assert judge({"sums/geometric": notebook}).holds
    assert "; near the claim's own, as the bound is sharp up to 5 %" in notebook.cells[0].outputs[0].data["text/html"]


@pytest.mark.parametrize("words", [{"anew": True}, {"near": "it is close"}])
def test_words_about_a_theory_that_is_not_there_are_refused(stored: Stored, words: dict[str, Any]) -> None:
    with pytest.raises(ClaimError, match=r"control\.anew and control\.near are about a control\.theory"):
        stored({"control": Control("the ratio is 2", 1.0, **words)})


def test_a_headline_demands_a_broken_premise_unless_it_is_an_identity(stored: Stored) -> None:
    altered = {"headline": "the sum", "control": Altered("1 + q for 1 − q", 1.0)}
    with pytest.raises(ClaimError, match="it is a headline, and its control only alters a formula; break the premise"):
        stored(altered)
    assert record_of(stored({**altered, "kind": "identity"}))["headline"] == "the sum"


def test_a_record_has_the_fields_of_its_schema() -> None:
    for part, known in (
        (Record, schema()),
        (ControlRecord, schema()["properties"]["control"]),
        (RivalRecord, schema()["properties"]["rival"]),
    ):
        names = {field.name for field in fields(part)} | ({"digest"} if part is Record else set())
        assert names == set(known["properties"]) == set(known["required"])


def test_of_many_numbers_the_worst_is_shown(stored: Stored) -> None:
    theory, measured = np.zeros(20), np.zeros(20)
    measured[7] = -1e-10
    notebook = stored({"theory": theory, "measured": measured, "control": Control("ones", np.ones(20))})
    assert record_of(notebook)["worst"] == [0.0, -1e-10]
    box = notebook.cells[0].outputs[0].data["text/html"]
    assert '<code class="n">-1e-10</code> where they are furthest apart, of 20 numbers of norm' in box


def test_a_part_that_is_not_known_is_refused(stored: Stored) -> None:
    with pytest.raises(ClaimError, match=r"claim geometric\.limit: why unknown"):
        stored({"why": "rounding"})


def test_a_part_that_is_missing_is_named() -> None:
    with pytest.raises(ClaimError, match=r"claim geometric\.limit: tolerance, because missing"):
        Claims("geometric", source="Euclid").limit(
            "limit", "It converges.", theory=1, measured=1, control=Control("x", 2)
        )
