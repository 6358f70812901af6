"""A tolerance is used: on fresh seeds, of whichever commit they are, the worst is a thousandth of it at least.

Of bounds and orderings the error says on which side of a line a value lies, not how well it was measured: they have no
tolerance in this sense. Nor has a claim whose tolerance is a proof's bound, or a level. A reason is a comment on the
claim (``mutants.claim_excuses``).
"""

from pathlib import Path

import pytest
from mutants.claim_excuses import excused

from reproduce.campaigns.finding import read_finding
from reproduce.chapters.book import Book
from reproduce.claims.ledger import claims_of

BOOK = Book(Path(__file__).parents[1])
USED = 1e-3
CLEARLY_USED = 1e-2  # a reason is dead from here on: between the two the seeds decide
ONE_SIDED = ("bound", "ordering")


def objections(worst, kinds, why):
    """What is wrong with the tolerances of some claims, or with their reasons, in sentences.

    worst: the largest part of its tolerance that a claim used, by id.
    kinds: the kind of each claim whose tolerance is derived from an error.
    why: the reasons.
    """
    idle = {id for id, part in worst.items() if part < USED and kinds.get(id) not in (None, *ONE_SIDED)}
    found = [f"{id} uses {worst[id]:.1g} of its tolerance: tighten it or say why" for id in idle - set(why)]
    found += [
        f"{id} is excused, but uses {worst[id]:.1g} of its tolerance" for id in why if worst.get(id, 0) > CLEARLY_USED
    ]
    found += [f"{id} is excused, but its tolerance is not derived from an error" for id in why if id not in kinds]
    return sorted(found)


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda chapter: chapter.name)
def test_no_tolerance_is_a_thousand_times_too_wide(chapter):
    known = read_finding(BOOK.root, "seeds", chapter.name)
    assert known is not None, f"make seeds CHAPTERS={chapter.name}"
    claims = claims_of(chapter.name, chapter.read())
    kinds = {claim.id: claim.record["kind"] for claim in claims if claim.record["basis"] == "error"}
    worst = {id: of["worst"] for id, of in known.counts["claims"].items()}
    assert objections(worst, kinds, excused(chapter.short, chapter.twin.read_text(), "tolerance")) == []


def test_a_tolerance_that_is_never_used_is_found():
    worst, kinds = {"a.limit": 1e-5, "a.bound": 0.0}, {"a.limit": "limit", "a.bound": "bound"}
    assert objections(worst, kinds, {}) == ["a.limit uses 1e-05 of its tolerance: tighten it or say why"]
    assert objections(worst, kinds, {"a.limit": "the solver's own"}) == []


def test_a_reason_that_is_not_needed_is_found():
    said = objections({"a.limit": 0.5}, {"a.limit": "limit"}, {"a.limit": "…", "a.level": "…"})
    assert said == [
        "a.level is excused, but its tolerance is not derived from an error",
        "a.limit is excused, but uses 0.5 of its tolerance",
    ]
