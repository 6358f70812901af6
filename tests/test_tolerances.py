"""A tolerance is derived and used: no chapter types its error, and on fresh seeds the worst is a thousandth at least.

Of bounds and orderings the error says on which side of a line a value lies, not how well it was measured: they have no
tolerance in this sense. Nor has a claim whose tolerance is a proof's bound, or a level.
"""

import ast
from pathlib import Path

import pytest
import yaml
from reproduce.robustness import read_robustness

from reproduce.book import Book
from reproduce.claims.ledger import claims_of
from reproduce.running.staleness import code_hash

BOOK = Book(Path(__file__).parents[1])
LISTED = yaml.safe_load((Path(__file__).parent / "tolerances.yml").read_text())
USED = 1e-3
CLEARLY_USED = 1e-2  # an entry is dead from here on: between the two the seeds decide
ONE_SIDED = ("bound", "ordering")


def idle(worst, kinds):
    """The claims, by id, whose tolerance could be a thousand times smaller."""
    return {id for id, part in worst.items() if part < USED and kinds.get(id) not in (None, *ONE_SIDED)}


def reasons(listed):
    """Why, by claim; each claim may be listed once."""
    found = {}
    for entry in listed:
        for id in entry["claims"]:
            assert id not in found, f"{id} is listed twice"
            found[id] = entry["because"]
    return found


def objections(worst, kinds, why):
    """What is wrong with the tolerances of some claims, or with their list of reasons, in sentences."""
    found = [
        f"{id} uses {worst[id]:.1g} of its tolerance: tighten it or say why" for id in idle(worst, kinds) - set(why)
    ]
    found += [
        f"{id} is listed, but uses {worst[id]:.1g} of its tolerance" for id in why if worst.get(id, 0) > CLEARLY_USED
    ]
    found += [f"{id} is listed, but is a {kinds[id]}" for id in why if kinds.get(id) in ONE_SIDED]
    return sorted(found)


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda chapter: chapter.name)
def test_no_tolerance_is_a_thousand_times_too_wide(chapter):
    known, notebook = read_robustness(BOOK.root).get(chapter.name), chapter.read()
    if known is None or known.code != code_hash(BOOK, notebook):
        pytest.skip(f"changed since its fresh seeds: make seeds CHAPTERS={chapter.name}")
    kinds = {
        claim.id: claim.record["kind"]
        for claim in claims_of(chapter.name, notebook)
        if claim.record["basis"] == "error"
    }
    worst = {id: record.worst for id, record in known.claims.items()}
    why = {id: reason for id, reason in reasons(LISTED).items() if id in kinds}
    assert objections(worst, kinds, why) == []


def test_every_listed_claim_exists():
    stored = {claim.id for chapter in BOOK.chapters() for claim in claims_of(chapter.name, chapter.read())}
    assert set(reasons(LISTED)) <= stored


def test_a_tolerance_that_is_never_used_is_found():
    worst, kinds = {"a.limit": 1e-5, "a.bound": 0.0}, {"a.limit": "limit", "a.bound": "bound"}
    assert objections(worst, kinds, {}) == ["a.limit uses 1e-05 of its tolerance: tighten it or say why"]
    assert objections(worst, kinds, {"a.limit": "the solver's own tolerance"}) == []


def test_a_reason_that_is_not_needed_is_found():
    kinds = {"a.limit": "limit", "a.bound": "bound"}
    said = objections({"a.limit": 0.5, "a.bound": 0.0}, kinds, {"a.limit": "…", "a.bound": "…"})
    assert said == ["a.bound is listed, but is a bound", "a.limit is listed, but uses 0.5 of its tolerance"]


OWN_UNITS = "1.0"  # of a comparison that is measured in units of its derived error


def typed_errors(code):
    """The claims of a script whose derived error is a number that somebody typed, not one that was computed."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    named = [(call, keyword.value) for call in calls for keyword in call.keywords if keyword.arg == "error"]
    return [
        ast.literal_eval(call.args[0])
        for call, value in named
        if not any(isinstance(part, ast.Name | ast.Attribute) for part in ast.walk(value))
        and ast.unparse(value) != OWN_UNITS
    ]


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda chapter: chapter.name)
def test_every_error_is_computed(chapter):
    assert typed_errors(chapter.twin.read_text()) == []


def test_a_typed_error_is_found():
    said = "claims.limit('a', 1, 1, error={})"
    assert typed_errors(said.format("1e-9")) == typed_errors(said.format("4 * 1e-9")) == ["a"]
    assert typed_errors(said.format("1.0")) == typed_errors(said.format("2 * gap")) == []
