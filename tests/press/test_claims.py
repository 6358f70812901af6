"""What a claim's control and its tolerance must be: finite numbers, of kinds that the record tells apart."""

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from nbformat import NotebookNode

from reproduce.claims import Altered, Claims, Control, Rival, refined, rounding, standard_error, stepping
from reproduce.claims.judge import objections, tolerance_of
from reproduce.claims.ledger import judge
from reproduce.claims.record import ClaimError, ControlRecord, Record, RivalRecord
from reproduce.claims.wellformed import schema
from reproduce.pages.quantities import norm

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


def test_an_ordering_that_fails_speaks_of_the_gap_and_not_of_a_tolerance(stored: Stored) -> None:
    order = {"kind": "ordering", "theory": "half of it, all of it", "proved": None, "level": 2.0}
    notebook = stored({**order, "measured": [1.0, 2.0], "control": Control("the other way round", [2.0, 1.0])})
    said = "the measured values do not each exceed the one before by the gap demanded"
    assert judge({"sums/geometric": notebook}).objections == [f"sums/geometric: claim geometric.limit: {said}"]


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


def test_sizes_that_differ_are_each_measured_in_their_own(stored: Stored) -> None:
    parts = {
        "theory": [1e-6, 1.0],
        "measured": [1.1e-6, 1.01],
        "relative": "each",
        "control": Control("ones", [1.0] * 2),
    }
    record = record_of(notebook := stored({**parts, "proved": 0.15}))
    assert record["error"] == pytest.approx(0.1)
    assert record["worst"] == [1e-6, 1.1e-6]
    assert record["control"]["error"] == pytest.approx(1e6 - 1)
    assert judge({"sums/geometric": notebook}).holds
    box = notebook.cells[0].outputs[0].data["text/html"]
    assert "|measured − theory| / |theory|, each, ≤ 0.15" in box
    assert norm(record) == "largest entry, in units of its own |predicted|"
    assert record_of(stored({**parts, "proved": 0.15, "relative": True}))["error"] == pytest.approx(0.01)


def test_a_rival_is_measured_in_the_units_of_the_claim(stored: Stored) -> None:
    parts = {
        "theory": [1e-6, 1.0],
        "measured": [1.1e-6, 1.0],
        "relative": "each",
        "control": Control("ones", [1.0] * 2),
    }
    far = Rival("twice the small one", [2e-6, 1.0], factor=5)
    assert record_of(stored({**parts, "rival": far}))["rival"]["error"] == pytest.approx(0.9)


def test_a_theory_of_zero_has_no_size_of_its_own(stored: Stored) -> None:
    parts = {"theory": [0.0, 1.0], "measured": [0.0, 1.0], "control": Control("ones", [1.0] * 2)}
    record = record_of(stored({**parts, "relative": "each"}))
    assert record["error"] == "inf"
    assert not record["passed"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"relative": "all"}, "relative is 'all'; it must be True, False or 'each'"),
        ({**UPPER, "relative": True}, "relative is True, but a bound is measured as it is; leave it out"),
    ],
)
def test_a_unit_that_is_none_is_refused(stored: Stored, parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ClaimError, match=re.escape(said)):
        stored(parts)


def test_a_part_that_is_not_known_is_refused(stored: Stored) -> None:
    with pytest.raises(ClaimError, match=r"claim geometric\.limit: why unknown"):
        stored({"why": "rounding"})


def test_a_part_that_is_missing_is_named() -> None:
    with pytest.raises(ClaimError, match=r"claim geometric\.limit: because missing"):
        Claims("geometric", source="Euclid").limit(
            "limit", "It converges.", theory=1, measured=1, proved=0, control=Control("x", 2)
        )


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"proved": None}, "nothing given; it must be one of error, proved, level"),
        ({"error": 1e-9}, "error, proved given; it must be one of error, proved, level"),
        ({"proved": -1.0}, "proved is -1.0; it must be a finite number, at least 0"),
        ({"proved": "wide"}, "proved is 'wide'; it must be a finite number, at least 0"),
        ({"proved": True}, "proved is True; it must be a finite number, at least 0"),
        ({"proved": np.inf}, "proved is inf; it must be a finite number, at least 0"),
        ({"proved": None, "error": 1e308}, "error is 1e+308; it must be a finite number, at least 0"),
        ({"proved": None, "error": 0}, "error is 0; what is exact is given as proved=0"),
    ],
)
def test_what_a_tolerance_follows_from_is_one_number_of_three(stored: Stored, parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ClaimError, match=re.escape(f"claim geometric.limit: {said}")):
        stored(parts)


@pytest.mark.parametrize("derived", [1e-9, 2.5e-10, 0.24999, 3.76, 1.7e-12, 5e-324, 1e300])
def test_a_tolerance_is_four_times_the_derived_error_rounded_up(derived: float) -> None:
    assert 4 * derived * (1 - 1e-8) <= tolerance_of("error", derived) <= 6 * derived
    assert tolerance_of("proved", derived) == tolerance_of("level", derived) == derived


def test_what_a_tolerance_follows_from_is_stored_and_shown(stored: Stored) -> None:
    notebook = stored({"proved": None, "error": 2e-10})
    record = record_of(notebook)
    assert (record["basis"], record["derived"], record["tolerance"]) == ("error", 2e-10, 1e-9)
    box = notebook.cells[0].outputs[0].data["text/html"]
    assert '4 times the derived error <code class="n">2e-10</code>, rounded up: rounding of n terms' in box
    record["derived"] = 1e-10
    assert "the stored tolerance does not follow from what it is derived from" in objections(record)


def test_the_errors_of_which_tolerances_are_made() -> None:
    assert rounding(10, size=2.0, condition=5.0) == 100 * np.finfo(float).eps
    assert stepping(1234, 1e-10, size=3.0) == pytest.approx(6e-7)
    assert stepping(0, 1e-10) == 0
    halved = [np.sum(np.exp((np.arange(n) + 0.5) / n)) / n for n in (50, 100)]  # the midpoint rule, of second order
    assert refined(halved[1], halved[0], ratio=2, order=2) == pytest.approx(np.e - 1 - halved[1], rel=1e-3)
    draws = np.arange(12.0).reshape(4, 3)
    np.testing.assert_allclose(standard_error(draws), np.std(draws, axis=0, ddof=1) / 2)
    np.testing.assert_allclose(standard_error(draws, axis=1), np.std(draws, axis=1, ddof=1) / np.sqrt(3))
