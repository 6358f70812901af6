"""The results of a chapter: the table of its headline claims, and all claims folded under their number."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from reproduce.claims.judge import used
from reproduce.claims.ledger import StoredClaim
from reproduce.last_run import LastRun
from reproduce.pages import quantities
from reproduce.pages.templates import render

KEY = {
    quantities.KEPT: "on the right side of the bound, with so much to spare",
    quantities.AT_WORST: "of many numbers, those that are furthest apart, or nearest to the bound",
}


class Link(NamedTuple):
    """An address with the words that lead to it."""

    address: str
    words: str


def results_table(claims: Sequence[StoredClaim]) -> str:
    """The headline claims, one row each; empty where there is none.

    claims: of one chapter, as stored.
    """
    rows = [_row(claim) for claim in claims if claim.complete and claim.record["headline"]]
    said = [text for row in rows for text in (row["entries"], row["off"], row["norm"])]
    key = {word: meaning for word, meaning in KEY.items() if any(word in text for text in said)}
    return render("results", rows=rows, key=key) if rows else ""


def all_claims(
    claims: Sequence[StoredClaim], count: str, elsewhere: Mapping[str, Sequence[Link]], run: LastRun | None
) -> str:
    """All claims, folded unless one fails, and when and with what they were executed.

    claims: of one chapter, as stored.
    count: how many hold, in words.
    elsewhere: where else a claim is shown, by its id.
    run: the chapter's last execution, if it is known.
    """
    holds = all(claim.holds for claim in claims)
    first = next((claim.id for claim in claims if claim.complete and claim.record["headline"]), claims[0].id)
    return render("all_claims", holds=holds, count=count, claims=claims, elsewhere=elsewhere, run=run, first=first)


def _row(claim: StoredClaim) -> Mapping[str, Any]:
    record = claim.record
    part = used(record)
    return {
        "id": claim.id,
        "holds": claim.holds,
        "quantity": record["headline"],
        "words": record["kind"] == "ordering",
        "predicted": quantities.predicted(record),
        "measured": quantities.quantity(record, "measured"),
        "entries": quantities.entries(record),
        "off": quantities.off(record),
        "norm": quantities.norm(record),
        "part": min(1.0, part),
        "allowed": quantities.allowed(record),
        "control": record["control"]["what"],
        "broken": quantities.broken(record),
    }
