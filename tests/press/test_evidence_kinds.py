"""The table that counts claims by their kind of evidence."""

from collections.abc import Callable

import pytest
import yaml
from nbformat import NotebookNode

from reproduce.claims.ledger import judge
from reproduce.ground.errors import PressError
from reproduce.pages.claim_rows import Titles
from reproduce.pages.evidence_kinds import KINDS, counted, explained

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


def test_each_kind_is_explained_by_an_example_of_it(stored: Callable[..., NotebookNode]) -> None:
    five = [{"id": f"geometric.k{at}", "said": {"evidence": kind}} for at, kind in enumerate(KINDS)]
    claims = judge({"sums/geometric": stored(*five)}).claims
    told = {kind: {"means": f"m{at}", "example": f"geometric.k{at}"} for at, kind in enumerate(KINDS)}

    def said(**other: object) -> str:
        return yaml.safe_dump({**told, **other}, sort_keys=False)

    assert {kind: (means, one.id) for kind, (means, one) in explained(said(), claims).items()} == {
        kind: (words["means"], words["example"]) for kind, words in told.items()
    }
    for wrong in ("", "[1]", said(guessed={}), said(observed=1), said(observed={"means": "so"})):
        with pytest.raises(PressError, match="means and example of proved here, exact arithmetic, .*, in this order"):
            explained(wrong, claims)
    for example in ("geometric.k0", "geometric.none"):
        with pytest.raises(PressError, match=f"the example {example} is no claim that is observed"):
            explained(said(observed={"means": "so", "example": example}), claims)


@pytest.mark.parametrize("evidence", ["seen", ["observed"], None])
def test_a_claim_that_is_not_complete_is_of_no_kind(stored: Callable[..., NotebookNode], evidence: object) -> None:
    notebook = stored(*TWO)
    notebook.cells[0].outputs[0].metadata["claim"]["evidence"] = evidence
    claims = judge({"sums/geometric": notebook}).claims
    assert [cell.text for cell in counted(claims, NAMED).rows[-1].cells] == ["all", "", "", "", "", "1", "1"]
