"""The table that counts claims by their kind of evidence."""

from collections.abc import Callable

import pytest
from nbformat import NotebookNode

from reproduce.claims.ledger import judge
from reproduce.pages.claim_rows import Titles
from reproduce.pages.evidence_kinds import KINDS, counted

NAMED = {"sums/geometric": Titles("Geometric", "Sums"), "sums/zeta": Titles("Zeta", "Others")}
TWO = [{"id": f"geometric.{name}", "said": {"evidence": "observed"}} for name in ("limit", "rate")]


def test_claims_are_counted_by_part_and_kind(stored: Callable[..., NotebookNode]) -> None:
    zeta = stored({"id": "zeta.limit", "said": {"evidence": "proved here"}})
    table = counted(judge({"sums/geometric": stored(*TWO), "sums/zeta": zeta}).claims, NAMED)
    assert table.columns == ["part", *KINDS, "all"]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Sums", "", "", "", "", "2", "2"],
        ["Others", "1", "", "", "", "", "1"],
        ["all", "1", "", "", "", "2", "3"],
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_each_of_the_five_words_is_taken(stored: Callable[..., NotebookNode], kind: str) -> None:
    (claim,) = judge({"sums/geometric": stored({"said": {"evidence": kind}})}).claims
    assert (claim.record["evidence"], claim.objections) == (kind, ())
