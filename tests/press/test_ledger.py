"""The ledger has teeth: what is edited, missing, doubled or stripped is named."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nbformat import NotebookNode
from rich.console import Console

from reproduce.chapters import table
from reproduce.claims import Altered, Rival, show
from reproduce.claims.ledger import StoredClaim, judge, read_register
from reproduce.claims.record import sealed
from reproduce.claims.words import with_words
from reproduce.ground.errors import PressError
from reproduce.pages.claim_rows import facets_of
from reproduce.pages.ledger_table import ledger_table
from reproduce.pages.quantities import five_percent
from reproduce.pages.templates import render

Stored = Callable[..., NotebookNode]
REGISTER = [{"chapter": "sums/geometric", "claims": ["geometric.limit"]}]
FIVE = "proved here, exact arithmetic, float with residual, trained and compared, observed"


def objections(notebook: NotebookNode, register: list[dict[str, Any]] | None = None) -> str:
    return "\n".join(judge({"sums/geometric": notebook}, REGISTER if register is None else register).objections)


def output_of(notebook: NotebookNode) -> Any:
    return notebook.cells[0].outputs[0]


def test_a_claim_that_holds_has_nothing_against_it(stored: Stored) -> None:
    ledger = judge({"sums/geometric": stored({})}, REGISTER)
    assert ledger.holds
    assert ledger.count == "1 claim holds"


def test_a_measurement_outside_its_tolerance_is_named(stored: Stored) -> None:
    notebook = stored({"measured": 2.1})
    assert objections(notebook) == "sums/geometric: claim geometric.limit: the measurement is outside its tolerance"
    assert judge({"sums/geometric": notebook}).count == "0 of 1 claim holds"


def test_a_control_that_passes_is_red(stored: Stored) -> None:
    assert "the control passes, so the claim proves nothing" in objections(stored({"control": 2.0}))


def test_a_rival_that_is_as_near_is_red(stored: Stored) -> None:
    rival = Rival(2.0, 10.0)
    assert "the rival theory is not far enough off" in objections(stored({"rival": rival}))


def test_an_edited_verdict_is_caught(stored: Stored) -> None:
    notebook = stored({"measured": 2.1})
    output_of(notebook).metadata["claim"]["passed"] = True
    assert "the stored verdict does not follow from the stored numbers" in objections(notebook)


@pytest.mark.parametrize("field", ["measured", "theory", "error", "tolerance"])
def test_an_edited_number_in_the_record_is_caught(stored: Stored, field: str) -> None:
    notebook = stored({})
    record = output_of(notebook).metadata["claim"]
    record[field] += 1e-6
    assert "geometric.limit" in objections(notebook)


@pytest.mark.parametrize(("old", "new"), [("2</code>", "3</code>"), ("✓", "✗"), ("a proved bound", "luck")])
def test_an_edited_box_is_caught(stored: Stored, old: str, new: str) -> None:
    notebook = stored({})
    output_of(notebook).data["text/html"] = output_of(notebook).data["text/html"].replace(old, new, 1)
    assert "the box it shows does not follow from its record" in objections(notebook)


def test_an_edited_line_is_caught(stored: Stored) -> None:
    notebook = stored({})
    output_of(notebook).data["text/plain"] = output_of(notebook).data["text/plain"].replace("1e-09", "1e-12")
    assert "the line it shows does not follow from its record" in objections(notebook)


@pytest.mark.parametrize("field", ["control", "why", "source", "evidence", "tolerance", "id"])
def test_a_record_that_lacks_something_is_refused(stored: Stored, field: str) -> None:
    notebook = stored({})
    del output_of(notebook).metadata["claim"][field]
    assert f"it has no {field}" in objections(notebook)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("control", None, "it has no control"),
        ("why", " ", "its why must be text that says something"),
        ("evidence", "seen", f"its evidence must be one of {FIVE}"),
        ("control", {"what": "", "measured": 1.0}, "its control has no kind, near, error, failed"),
    ],
)
def test_a_record_with_an_empty_part_is_refused(stored: Stored, field: str, value: object, said: str) -> None:
    notebook = stored({})
    output_of(notebook).metadata["claim"][field] = value
    assert said in objections(notebook)


def test_words_that_are_not_those_of_the_text_are_caught(stored: Stored) -> None:
    notebook = stored({})
    record = output_of(notebook).metadata["claim"]
    record["statement"] = "The series converges fast."
    output_of(notebook).metadata["claim"] = sealed(record)
    said = "its words are not those of the text; 'refresh --words' joins them"
    assert objections(notebook) == f"sums/geometric: claim geometric.limit: {said}"
    assert not objections(with_words(notebook))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "```{claim} limit",
            "```{claim} rate",
            "claim geometric.limit: its words are missing in the text: ```{claim} limit",
        ),
        ("```{claim} limit", "```{claim} rate", "sums/geometric: the words of claim 'rate' have no call"),
        (":because: rounding of n terms\n", "", "claim geometric.limit: its words have no ':because:'"),
        (":because: ", ":rival: another\n:because: ", "its words have ':rival:', and its call nothing of it"),
        (":because: rounding of n terms\n", ":because:\n", "the words of claim 'limit': ':because:' is empty"),
        (":because: ", ":why: ", "the words of claim 'limit': ':why:' is none of evidence, because, control"),
        (":because: ", ":source: so\n:because: ", "the words of claim 'limit': ':source:' stands there twice"),
        (
            ":evidence: float with residual\n",
            "",
            f"the words of claim 'limit': they have no ':evidence:'; it must be one of {FIVE}",
        ),
        (
            "float with residual",
            "seen",
            f"the words of claim 'limit': ':evidence:' is 'seen'; it must be one of {FIVE}",
        ),
        ("The series converges.", "", "the words of claim 'limit': they have no statement"),
        (
            "The series converges.",
            "It tends to $s$.",
            "the statement has marks; what tables show of it goes into ':plain:'",
        ),
        (":because: ", ":headline: the sum\n:because: ", "it is a headline, and its control only alters a formula"),
    ],
)
def test_words_that_do_not_fit_their_claim_are_named(stored: Stored, old: str, new: str, said: str) -> None:
    notebook = stored({"control": Altered(1.0)})
    text = notebook.cells[-1]
    assert old in text.source
    text.source = text.source.replace(old, new)
    assert said in objections(with_words(notebook))


def test_words_that_stand_twice_are_named(stored: Stored) -> None:
    notebook = stored({})
    notebook.cells[-1].source += "\n\n" + notebook.cells[-1].source
    assert objections(notebook) == "sums/geometric: the words of claim 'limit' stand twice in the text"


def test_an_id_used_twice_is_refused(stored: Stored) -> None:
    assert "claim geometric.limit is stored 2 times; an id may be used once" in objections(stored({}, {}))


def test_an_id_of_another_chapter_is_refused(stored: Stored) -> None:
    assert "its id must begin with geometric." in objections(stored({"id": "harmonic.limit"}))


def test_a_claim_that_vanished_is_missed(stored: Stored) -> None:
    register = [{"chapter": "sums/geometric", "claims": ["geometric.limit", "geometric.rate"]}]
    said = "sums/geometric: claim geometric.rate is registered, but no notebook stores it"
    assert objections(stored({}), register) == said


def test_a_claim_that_is_not_registered_is_refused(stored: Stored) -> None:
    assert objections(stored({}), []) == "sums/geometric: claim geometric.limit is not registered"


def test_a_claim_registered_for_another_chapter_is_refused(stored: Stored) -> None:
    register = [{"chapter": "sums/harmonic", "claims": ["geometric.limit"]}]
    said = "claim geometric.limit is registered for sums/harmonic, but stored in sums/geometric"
    assert objections(stored({}), register) == said


def test_a_claim_registered_twice_is_refused(stored: Stored) -> None:
    assert objections(stored({}), REGISTER * 2) == "claim geometric.limit is registered 2 times"


def test_a_planned_chapter_needs_no_claims(stored: Stored) -> None:
    assert not objections(stored({}), [*REGISTER, {"chapter": "sums/harmonic"}])


def test_stripped_outputs_are_caught(stored: Stored) -> None:
    notebook = stored({})
    notebook.cells[0].outputs = []
    notebook.cells[0].execution_count = None
    said = objections(notebook)
    assert "its outputs were stripped" in said
    assert "no claim is stored in it" in said
    assert "claim geometric.limit is registered, but no notebook stores it" in said


def test_cells_run_out_of_order_are_caught(stored: Stored) -> None:
    notebook = stored({}, {"id": "geometric.rate"})
    notebook.cells[0].execution_count, notebook.cells[1].execution_count = 2, 1
    assert "were not run once each from top to bottom" in objections(notebook)


def test_the_table_fits_100_columns_and_shows_every_number(stored: Stored) -> None:
    rival = Rival(3.0, 10.0)
    long = {
        "id": "geometric." + "a_long_name_" * 3,
        "theory": [0.0, 1.0, 2.0],
        "measured": [0.0, 1.0, 2.0],
        "control": [1.0, 2.0, 3.0],
    }
    judged = judge({"sums/geometric": stored({"rival": rival}, long)})
    console = Console(width=100, record=True, file=StringIO())
    console.print(table.of_claims(judged.claims))
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 100
    assert any("sums/geometric" in line for line in lines)
    row = next(line for line in lines if "limit" in line)
    for shown in ("✓", "2", "1e-12", "≤ 1e-09", "1"):
        assert shown in row


def test_json_has_records_chapter_and_verdict(stored: Stored) -> None:
    whole = judge({"sums/geometric": stored({"control": 2.0})}, REGISTER).as_json()
    assert json.loads(json.dumps(whole)) == whole
    assert whole["holds"] is False
    assert whole["claims"][0]["chapter"] == "sums/geometric"
    assert whole["claims"][0]["holds"] is False
    assert whole["claims"][0]["theory"] == 2.0


def test_a_register_that_is_no_list_of_results_is_refused(tmp_path: Path) -> None:
    register = tmp_path / "_atlas.yml"
    register.write_text("- result: nothing\n")
    with pytest.raises(PressError, match=r"_atlas\.yml must be a list of results"):
        read_register(register)


@pytest.mark.parametrize(
    ("part", "field", "value", "said"),
    [
        ("", "id", 5, "its id must be chapter.name in lower-case letters, digits and _"),
        ("", "id", "geometric.<b>x", "its id must be chapter.name"),
        ("", "statement", ["a"], "its statement must be text that says something"),
        ("", "kind", "guess", "its kind must be one of identity, limit, rate, bound, ordering"),
        ("", "kind", [], "its kind must be one of identity, limit, rate, bound, ordering"),
        ("", "kind", "ordering", "its theory must be text that says something"),
        ("", "side", {}, "its side must be one of upper, lower"),
        ("", "relative", 1, "its relative must be true, false or each"),
        ("", "theory", "a < b", "its theory must be a number"),
        ("", "theory", {}, "its theory must be a number"),
        ("", "theory", {"shape": [3], "norm": []}, "its theory must be a number"),
        ("", "measured", None, "its measured must be a number"),
        ("", "measured", float("nan"), "its measured must be a number"),
        ("", "measured", [[1.0]], "its measured must be a number"),
        ("", "measured", 10**400, "its measured must be a number"),
        ("", "theory", [1.0, 2.0], "its theory and measured do not fit"),
        ("", "measured", [], "its measured must be a number"),
        ("", "error", "small", "its error must be a finite number, or one of the words nan, inf, -inf"),
        ("", "error", float("inf"), "its error must be a finite number"),
        ("", "error", True, "its error must be a finite number"),
        ("", "tolerance", "1e-9", "its tolerance must be a finite number, at least 0"),
        ("", "tolerance", -1.0, "its tolerance must be a finite number, at least 0"),
        ("", "passed", "yes", "its passed must be true or false"),
        ("", "digest", 7, "its digest must be text that says something"),
        ("", "control", [], "its control is not a mapping"),
        ("", "rival", "none", "its rival is not a mapping"),
        ("control", "error", None, "its control's error must be a finite number"),
        ("", "seconds", "fast", "its seconds must be one of 1, 3, 10, 30, 100"),
        ("", "seconds", [1], "its seconds must be one of 1, 3, 10, 30, 100"),
        ("", "seconds", None, "its seconds must be one of 1, 3, 10, 30, 100"),
        ("", "seconds", 0, "its seconds must be one of 1, 3, 10, 30, 100"),
        ("", "seconds", 2.5, "its seconds must be one of 1, 3, 10, 30, 100"),
        ("", "seconds", True, "its seconds must be one of 1, 3, 10, 30, 100"),
        ("", "theory", {"norm": 1.0}, "its theory must be a number"),
        ("", "theory", [], "its theory must be a number"),
        ("", "measured", {"shape": [0], "norm": 0.0}, "its measured must be a number"),
        ("control", "what", 3, "its control's what must be text that says something"),
        ("control", "failed", 0, "its control's failed must be true or false"),
        ("rival", "factor", 0.5, "its rival's factor must be a finite number, at least 1"),
        ("rival", "value", "many", "its rival's value must be a number"),
    ],
)
def test_a_malformed_record_is_named(stored: Stored, part: str, field: str, value: object, said: str) -> None:
    notebook = stored({"rival": Rival(3.0, 10.0)})
    record = output_of(notebook).metadata["claim"]
    (record[part] if part else record)[field] = value
    assert said in objections(notebook)
    judged = judge({"sums/geometric": notebook})
    Console(file=StringIO()).print(table.of_claims(judged.claims))
    assert "\n" not in "".join(judged.objections)
    assert not judged.holds


@pytest.mark.parametrize("record", [5, [], "claim", True, [{"id": "geometric.limit"}]])
def test_a_record_that_is_no_mapping_is_named(stored: Stored, record: object) -> None:
    notebook = stored({})
    output_of(notebook).metadata["claim"] = record
    assert "claim (without id): its record is not a mapping" in objections(notebook)
    assert json.dumps(judge({"sums/geometric": notebook}).as_json())


def test_a_record_cannot_say_of_itself_that_it_holds(stored: Stored) -> None:
    notebook = stored({"measured": 2.1})
    output_of(notebook).metadata["claim"]["holds"] = True
    assert judge({"sums/geometric": notebook}).as_json()["claims"][0]["holds"] is False


def test_a_rival_without_a_number_is_not_far_enough_off(stored: Stored) -> None:
    notebook = stored({"rival": Rival(3.0, 10.0)})
    output_of(notebook).metadata["claim"]["rival"]["error"] = "nan"
    assert "the rival theory is not far enough off" in objections(notebook)


def test_a_box_escapes_what_it_shows(stored: Stored) -> None:
    record = dict(output_of(stored({})).metadata["claim"])
    record |= {"id": "x.<script>", "why": "<script>", "source": "<script>", "statement": "<script>"}
    assert "<script>" not in show.box(record) + show.details(record, words=True)


def test_a_box_and_a_row_escape_also_what_no_record_may_hold(stored: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    (claim,) = judge({"sums/geometric": stored({"rival": Rival(3.0, 10.0)})}).claims
    claim.record.update({"id": "<i>", "seconds": "<i>", "theory": {"shape": ["<i>"], "norm": "<i>"}})
    claim.record["rival"]["factor"] = "<i>"
    monkeypatch.setattr(StoredClaim, "complete", True)
    for shown in (
        show.box(claim.record),
        ledger_table([claim], lambda _: "#"),
        render("claims_list", holds=True, count="<i>", claims=[claim], elsewhere={}),
    ):
        assert "<i>" not in shown
        assert "&lt;i&gt;" in shown


@pytest.mark.parametrize(
    ("source", "whose"),
    [
        ("Soudry et al. 2018, Theorem 3", "paper"),
        ("the authors' published code, run as it is", "paper"),
        ("Azulay et al. 2021, Section 7.2, under condition (26) as read here", "paper"),
        ("limit: Azulay et al. 2021, Appendix E; rate derived in this chapter", "paper and ours"),
        ("Even et al. 2023; proved here", "paper and ours"),
        ("derived in this chapter, from Weyl's inequalities", "ours"),
        ("construction of the data", "ours"),
    ],
)
def test_a_claim_is_chosen_by_whose_it_is(stored: Stored, source: str, whose: str) -> None:
    (claim,) = judge({"sums/geometric": stored({})}).claims
    claim.record["source"] = source
    assert facets_of(claim, "Sums")["source"] == whose


def test_the_table_says_whether_a_theory_that_is_wrong_by_5_percent_would_pass(stored: Stored) -> None:
    residual = {"theory": 0.0, "measured": 0.0}
    wide = {"theory": np.ones(20), "measured": np.ones(20), "proved": 0.07, "control": np.zeros(20)}
    for asked, shown in (({}, "no / no"), (residual, "no number"), (wide, "yes / yes")):
        (claim,) = judge({"sums/geometric": stored(asked)}).claims
        assert five_percent(claim.record) == shown
        assert shown in ledger_table([claim], lambda _: "#")
    del claim.record["times"]
    assert five_percent(claim.record) == "not recorded"


@pytest.mark.parametrize("text", ["claims: 5", "- chapter: a/b\n  claims: 5", "- chapter: a/b\n  claims: [[a]]",
                                  "- chapter: [a]", "- 5", "7", "- chapter: a/b\n  claims: {a: b}"])  # fmt: skip
def test_a_register_of_another_form_is_one_line(tmp_path: Path, text: str) -> None:
    register = tmp_path / "_atlas.yml"
    register.write_text(text)
    with pytest.raises(PressError, match=r"^_atlas\.yml") as refusal:
        read_register(register)
    assert "\n" not in str(refusal.value)
