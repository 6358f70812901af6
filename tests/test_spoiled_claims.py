"""Stored claims refuse a spoiled theory or measurement; where but a norm is stored, ``make mutants`` tries them.

Where theory is what was measured, only the control can refuse the claim: it must be told from the measurement too.
"""

from pathlib import Path

import pytest
from mutants.claim_excuses import excused
from mutants.spoiled import holding, spoils, stated

from reproduce.chapters.book import Book
from reproduce.claims.ledger import claims_of

BOOK = Book(Path(__file__).parents[1])


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda chapter: chapter.name)
def test_a_spoiled_claim_is_refused(chapter):
    listed = excused(chapter.short, chapter.twin.read_text(), "spoiled")
    claims = [stated(claim.record) for claim in claims_of(chapter.name, chapter.read())]
    assert holding({id: spoils(one, excused=id in listed) for one in claims if one for id in [one.record["id"]]}) == {}
