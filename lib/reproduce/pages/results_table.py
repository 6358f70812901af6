"""The results of a chapter: the table of its headline claims, and all claims folded under their number."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from docutils import nodes

from reproduce.claims.judge import used
from reproduce.claims.ledger import StoredClaim
from reproduce.claims.show import BROKEN
from reproduce.pages import quantities
from reproduce.pages.pieces import Words, code, paragraph, styled, table
from reproduce.pages.templates import as_day, render
from reproduce.running.last_run import LastRun, main_versions

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
    rows = _rows(claims)
    said = [text for row in rows for text in (row["entries"], row["off"], row["norm"])]
    key = {word: meaning for word, meaning in KEY.items() if any(word in text for text in said)}
    return render("results", rows=rows, key=key) if rows else ""


def printed_results(claims: Sequence[StoredClaim]) -> list[nodes.Node]:
    """The same for paper."""
    columns = ("quantity", "predicted", "measured", "off by", "otherwise")
    rows: list[list[Words]] = []
    for row in _rows(claims):
        off = [
            nodes.strong("", row["off"]),
            styled(row["norm"], "results-note"),
            styled(row["allowed"], "results-note"),
        ]
        broken = [nodes.Text(row["broken"]), styled(row["control"], "results-note")]
        rows.append([row["quantity"], row["predicted"], row["measured"], off, broken])
    return [table(columns, rows)] if rows else []


def all_claims(claims: Sequence[StoredClaim], count: str, elsewhere: Mapping[str, Sequence[Link]]) -> str:
    """All claims, folded unless one fails.

    claims: of one chapter, as stored.
    count: how many hold, in words.
    elsewhere: where else a claim is shown, by its id.
    """
    holds = all(claim.holds for claim in claims)
    return render("all_claims", holds=holds, count=count, claims=claims, elsewhere=elsewhere)


def last_run_note(claims: Sequence[StoredClaim], run: LastRun) -> nodes.paragraph:
    """When and with what the claims were executed, and how that is done again."""
    first = next((claim.id for claim in claims if claim.complete and claim.record["headline"]), claims[0].id)
    commit = f", commit {run.commit}" if run.commit else ""
    told = (
        f"Last run: {as_day(run.date)}, {run.seconds} s of one core, with {main_versions(run.versions)}, on {run.host}"
    )
    words = [
        nodes.Text(f"{told}{commit}. With your own parameters: "),
        code(f"python -m reproduce run {run.chapter}"),
        nodes.Text("; to check a claim: "),
        code(f"python -m reproduce check {first}"),
    ]
    return paragraph(words, "results-note", "results-run")


def _rows(claims: Sequence[StoredClaim]) -> list[Mapping[str, Any]]:
    return [_row(claim) for claim in claims if claim.complete and claim.record["headline"]]


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
        "control": f"{BROKEN[record['control']['kind']]}: {record['control']['what']}",
        "broken": quantities.broken(record),
    }
