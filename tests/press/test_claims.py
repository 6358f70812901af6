"""What a claim's control and its tolerance must be: finite numbers, of kinds that the record tells apart."""

import html
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from nbformat import NotebookNode

from reproduce.claims import Altered, Claims, Control, Rival, refined, rounding, standard_error, stepping
from reproduce.claims.judge import objections, times_of, tolerance_of
from reproduce.claims.ledger import judge
from reproduce.claims.record import UNSAID, ClaimError, ControlRecord, Record, RivalRecord
from reproduce.claims.show import BROKEN, details, in_order
from reproduce.claims.wellformed import schema
from reproduce.claims.words import read_words, unsaid
from reproduce.pages.quantities import broken, off_by

Stored = Callable[..., NotebookNode]
UPPER = {"kind": "bound", "theory": 2.0, "measured": 1.9}


def record_of(notebook: NotebookNode) -> dict[str, Any]:
    record: dict[str, Any] = notebook.cells[0].outputs[0].metadata["claim"]
    return record


@pytest.mark.parametrize("measured", [float("inf"), float("nan"), [1.0, float("inf")], None])
def test_a_control_that_is_no_finite_number_is_red(stored: Stored, measured: Any) -> None:
    notebook = stored({"control": Control(measured)})
    said = "the control is no finite number, so the claim proves nothing"
    assert judge({"sums/geometric": notebook}).objections == [f"sums/geometric: claim geometric.limit: {said}"]
    assert record_of(notebook)["control"]["failed"] is False
    assert said in notebook.cells[0].outputs[0].data["text/plain"]


@pytest.mark.parametrize(
    ("control", "kind", "shown"),
    [
        (1.0, "premise", "another run"),
        (Control(1.0), "premise", "another run"),
        (Control(2.0, theory=1.0, anew=True), "premise", "another run"),
        (Control(2.0, theory=1.0), "formula", "formula altered"),
        (Altered(1.0), "formula", "formula altered"),
    ],
)
def test_another_run_and_an_altered_formula_are_told_apart(
    stored: Stored, control: Control | float, kind: str, shown: str
) -> None:
    notebook = stored({"control": control, "said": {"control": "the ratio is 2"}})
    record = record_of(notebook)
    assert record["control"]["kind"] == kind
    assert f"<dd>{shown}; <code" in notebook.cells[0].outputs[0].data["text/html"]
    assert f"<dd>{BROKEN[kind]}: the ratio is 2; <code" in details(record, words=True)
    assert judge({"sums/geometric": notebook}).holds


def test_the_text_says_that_another_run_is_a_contrast(stored: Stored) -> None:
    contrast = {"said": {"headline": "the sum", "contrast": "the ratio is 2", "control": ""}}
    notebook = stored({"control": 1.0, **contrast})
    record = record_of(notebook)
    assert (record["control"]["kind"], record["control"]["what"]) == ("contrast", "the ratio is 2")
    assert "for contrast: the ratio is 2; <code" in details(record, words=True)
    assert judge({"sums/geometric": notebook}).holds
    (said,) = judge({"sums/geometric": stored({"control": Altered(1.0), **contrast})}).objections
    assert said.endswith("its words have ':contrast:', and its call alters a formula")
    both = stored({"control": 1.0, "said": {"contrast": "the ratio is 2"}})
    assert "need one of ':control:' and ':contrast:'" in judge({"sums/geometric": both}).objections[0]


def test_what_is_far_off_is_shown_as_it_comes_out(stored: Stored) -> None:
    near, far = (record_of(stored({"control": value})) for value in (3.0, 3000.0))
    assert "control</dt><dd>premise broken" in details(far, words=True)
    assert "off by" in details(near).partition("<dt>control</dt>")[2]
    assert "off by" not in details(far).partition("<dt>control</dt>")[2]
    assert (broken(near), broken(far)) == ("3", "3000")
    assert (off_by(99), off_by(100.0)) == ("off by 99", "far off")


def test_a_call_shows_no_words(stored: Stored) -> None:
    order = {"kind": "ordering", "proved": None, "level": 0.5, "measured": [1.0, 2.0], "control": [2.0, 1.0]}
    for asked in ({"rival": Rival(3.0, factor=10)}, order):
        notebook = stored({**asked, "said": {"headline": "the sum", "control": "the ratio is 2"}})
        record, data = record_of(notebook), notebook.cells[0].outputs[0].data
        words = [record[name] for name in ("statement", "headline", "source", "evidence", "why")]
        words += [record["control"]["what"]]
        words += [record["rival"]["what"]] if record["rival"] else [html.escape(in_order(record["theory"]))]
        for word in words:
            assert word not in data["text/plain"] + data["text/html"]
            assert word in details(record, words=True) + record["statement"] + record["headline"]


def test_names_in_braces_stand_for_what_the_call_fills_in(stored: Stored) -> None:
    notebook = stored({"fill": {"n": 60, "q": f"{0.5:.2f}"}, "said": {"headline": "sum of {n} terms, q = {q}, {k}"}})
    assert record_of(notebook)["headline"] == "sum of 60 terms, q = 0.50, {k}"
    assert judge({"sums/geometric": notebook}).holds


def test_a_statement_with_formulas_has_a_plain_form(stored: Stored) -> None:
    marked = {
        "statement": "The series converges to $1/(1-q)$.",
        "said": {"plain": "The series converges to 1/(1 − q)."},
    }
    assert record_of(stored(marked))["statement"] == "The series converges to 1/(1 − q)."
    assert record_of(stored({"statement": "of \\[0, 1\\], \\$5 and 2 * 3 < 7\n& so on"}))["statement"] == (
        "of [0, 1], $5 and 2 * 3 < 7 & so on"
    )


def test_words_may_go_on_in_a_second_line() -> None:
    lines = [":because: rounding", "  of n terms", ":control: q = 2", "", "It", "converges."]
    words, marked = read_words([":evidence: proved here", *lines])
    assert (words.because, words.control, words.statement) == ("rounding of n terms", "q = 2", "It converges.")
    assert marked == "It converges."


def test_without_words_a_record_is_as_its_call_stores_it(stored: Stored) -> None:
    bare = unsaid(record_of(stored({"rival": Rival(3.0, factor=10)})))
    words = [bare[name] for name in ("statement", "evidence", "why")] + [
        bare[name]["what"] for name in ("control", "rival")
    ]
    assert set(words) == {UNSAID}
    assert (bare["headline"], bare["control"]["near"], bare["measured"]) == ("", "", 2.0 + 1e-12)


def test_an_edited_kind_is_caught(stored: Stored) -> None:
    notebook = stored({"control": Altered(1.0)})
    record_of(notebook)["control"]["kind"] = "premise"
    said = "\n".join(judge({"sums/geometric": notebook}).objections)
    assert "the box it shows does not follow from its record" in said
    assert "its digest does not match" in said


def test_an_ordering_that_fails_speaks_of_the_gap_and_not_of_a_tolerance(stored: Stored) -> None:
    order = {"kind": "ordering", "proved": None, "level": 2.0}
    notebook = stored({**order, "measured": [1.0, 2.0], "control": [2.0, 1.0]})
    said = "the measured values do not each exceed the one before by the gap demanded"
    assert judge({"sums/geometric": notebook}).objections == [f"sums/geometric: claim geometric.limit: {said}"]


@pytest.mark.parametrize("control", [Control, Altered])
def test_a_bound_refuses_a_control_that_brings_a_bound_of_its_own(stored: Stored, control: type[Control]) -> None:
    with pytest.raises(ClaimError, match=r"its control has a bound of its own, control\.theory, which anything could"):
        stored({**UPPER, "control": control(1.9, theory=1e-5)})


def test_a_bound_of_its_own_that_lies_near_says_why(stored: Stored) -> None:
    notebook = stored({**UPPER, "control": Altered(1.9, theory=1.0, near=True)})
    assert judge({"sums/geometric": notebook}).holds
    assert "; near the claim's own, as the bound is sharp up to 5 %" in details(record_of(notebook), words=True)


@pytest.mark.parametrize("flag", ["anew", "near"])
def test_a_theory_that_is_not_there_is_neither_anew_nor_near(stored: Stored, flag: str) -> None:
    with pytest.raises(ClaimError, match=r"control\.anew and control\.near are about a control\.theory"):
        stored({"control": Control(1.0, **{flag: True})})


def test_a_headline_demands_another_run_unless_it_is_an_identity(stored: Stored) -> None:
    altered = {"said": {"headline": "the sum"}, "control": Altered(1.0)}
    said = "it is a headline, and its control only alters a formula; measure another run"
    assert judge({"sums/geometric": stored(altered)}).objections == [f"sums/geometric: claim geometric.limit: {said}"]
    identity = stored({**altered, "kind": "identity"})
    assert record_of(identity)["headline"] == "the sum"
    assert judge({"sums/geometric": identity}).holds


def test_a_record_has_the_fields_of_its_schema() -> None:
    for part, known in (
        (Record, schema()),
        (ControlRecord, schema()["properties"]["control"]),
        (RivalRecord, schema()["properties"]["rival"]),
    ):
        assert [field.name for field in fields(part)] == list(known["properties"])
        assert [name for name in known["properties"] if name not in known["required"]] == ["times"] * (part is Record)
    Draft202012Validator.check_schema(schema())


def test_of_many_numbers_the_worst_is_shown(stored: Stored) -> None:
    theory, measured = np.zeros(20), np.zeros(20)
    measured[7] = -1e-10
    notebook = stored({"theory": theory, "measured": measured, "control": np.ones(20)})
    assert record_of(notebook)["worst"] == [0.0, -1e-10]
    box = notebook.cells[0].outputs[0].data["text/html"]
    assert '<code class="n">-1e-10</code> where they are furthest apart, of 20 numbers of norm' in box


def test_sizes_that_differ_are_each_measured_in_their_own(stored: Stored) -> None:
    parts = {
        "theory": [1e-6, 1.0],
        "measured": [1.1e-6, 1.01],
        "relative": "each",
        "control": [1.0] * 2,
    }
    record = record_of(notebook := stored({**parts, "proved": 0.15}))
    assert record["error"] == pytest.approx(0.1)
    assert record["worst"] == [1e-6, 1.1e-6]
    assert record["control"]["error"] == pytest.approx(1e6 - 1)
    assert judge({"sums/geometric": notebook}).holds
    box = notebook.cells[0].outputs[0].data["text/html"]
    assert "|measured − theory| / |theory|, each, ≤ 0.15" in box
    assert record_of(stored({**parts, "proved": 0.15, "relative": True}))["error"] == pytest.approx(0.01)


def test_a_rival_is_measured_in_the_units_of_the_claim(stored: Stored) -> None:
    parts = {
        "theory": [1e-6, 1.0],
        "measured": [1.1e-6, 1.0],
        "relative": "each",
        "control": [1.0] * 2,
    }
    far = Rival([2e-6, 1.0], factor=5)
    assert record_of(stored({**parts, "rival": far}))["rival"]["error"] == pytest.approx(0.9)


def test_a_theory_of_zero_has_no_size_of_its_own(stored: Stored) -> None:
    parts = {"theory": [0.0, 1.0], "measured": [0.0, 1.0], "control": [1.0] * 2}
    record = record_of(stored({**parts, "relative": "each"}))
    assert record["error"] == "inf"
    assert not record["passed"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"relative": "all"}, "relative is 'all'; it must be true, false or each"),
        ({**UPPER, "relative": True}, "relative is True, but a bound is measured as it is; leave it out"),
    ],
)
def test_a_unit_that_is_none_is_refused(stored: Stored, parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ClaimError, match=re.escape(said)):
        stored(parts)


@pytest.mark.parametrize("parts", [{"because": "rounding"}, {"control": None}])
def test_a_part_that_is_a_word_or_missing_is_named(stored: Stored, parts: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=f"argument.*'{next(iter(parts))}'"):
        stored(parts)


def test_a_chapter_that_is_no_name_is_refused() -> None:
    with pytest.raises(ClaimError, match="id is 'On Sums.limit'; it must be chapter.name in lower-case letters"):
        Claims("On Sums").limit("limit", 1, 1, proved=0, control=2)


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
    derived = '4 times the derived error <code class="n">2e-10</code>, rounded up'
    assert derived in notebook.cells[0].outputs[0].data["text/html"]
    assert f"{derived}: rounding of n terms" in details(record, words=True)
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


@pytest.mark.parametrize("size", [1, 3, 20])
@pytest.mark.parametrize(
    ("share", "holding"), [(0.01, []), (0.05, ["0.95"]), (0.1, ["0.95", "1.05"]), (0.98, ["0.95", "1.05"])]
)
def test_it_is_stored_whether_five_percent_more_or_less_would_hold_as_well(
    stored: Stored, size: int, share: float, holding: list[str]
) -> None:
    theory = np.full(size, 2.0)
    record = record_of(
        stored({"theory": theory, "measured": 0.99 * theory, "proved": 2 * share, "control": 5 * theory})
    )
    assert [by for by, held in record["times"].items() if held] == holding
    assert times_of(record) == record["times"]
    relative = {"theory": theory, "measured": 0.99 * theory, "proved": share, "relative": True, "control": 5 * theory}
    assert record_of(stored(relative))["times"] == record["times"]


@pytest.mark.parametrize(
    "parts",
    [UPPER, {"theory": 0.0, "measured": 0.0}, {"kind": "ordering", "measured": [1.0, 2.0], "control": [2.0, 1.0]}],
)
def test_of_a_bound_an_ordering_and_a_residual_no_share_is_a_number(stored: Stored, parts: dict[str, Any]) -> None:
    assert record_of(stored(parts))["times"] is None


def test_what_was_not_recorded_is_computed_where_the_numbers_are_there(stored: Stored) -> None:
    for size, known in ((3, True), (20, False)):
        record = record_of(stored({"theory": np.ones(size), "measured": np.ones(size), "control": np.zeros(size)}))
        kept = record.pop("times")
        assert times_of(record) == (kept if known else None)
        assert not [one for one in objections(record) if "digest" not in one]
        record["times"] = {**kept, "1.05": True}
        wrong = "what would hold of theory times 0, .95 and 1.05 does not follow from the stored numbers"
        assert (wrong in objections(record)) is known


@pytest.mark.parametrize("size", [1, 20])
def test_a_run_whose_derived_tolerance_would_pass_theory_0_is_refused(stored: Stored, size: int) -> None:
    theory = np.full(size, -0.5)
    ask = {"theory": theory, "measured": 3 * theory, "proved": None, "control": 3000 * theory}
    notebook = stored({**ask, "error": 0.5})
    said = "theory 0 would hold as well, so the run is too small to judge"
    assert judge({"sums/geometric": notebook}).objections == [f"sums/geometric: claim geometric.limit: {said}"]
    assert said in notebook.cells[0].outputs[0].data["text/plain"]
    assert judge({"sums/geometric": stored({**ask, "error": 0.25})}).holds


def test_the_place_where_they_are_furthest_apart_is_held_to_the_numbers(stored: Stored) -> None:
    wrong = "the place where theory and measured are furthest apart does not follow from them"
    for size in (3, 20):
        theory = np.linspace(1.0, 2.0, size)
        record = record_of(stored({"theory": theory, "measured": theory + 1e-10 * theory, "control": 2 * theory}))
        assert wrong not in objections(record)
        for pair in ([1.0, 1.0], [2.0, 3.0], None):
            assert wrong in objections({**record, "worst": pair})
