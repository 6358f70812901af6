"""The ledger as an HTML table that sorts and filters in the browser, and as a plain one for paper."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from docutils import nodes

from reproduce.claims.judge import used
from reproduce.claims.ledger import StoredClaim
from reproduce.claims.wellformed import SCHEMA
from reproduce.pages import quantities
from reproduce.pages.claim_rows import Column, Titles, claim_rows, facets, printed_claim
from reproduce.pages.pieces import NOTE, Words, code, folded, listed, paragraph, styled, table
from reproduce.pages.templates import render
from reproduce.running.last_run import LastRun, environments

COLUMNS = (
    Column("verdict", "verdict", numeric=True),
    Column("chapter", "chapter", numeric=True),
    Column("claim", "claim"),
    Column("predicted", "predicted", numeric=True),
    Column("measured", "measured", numeric=True),
    Column("error", "error / allowed", numeric=True),
    Column("control", "control"),
    Column("rival", "rival"),
)


def ledger_table(
    claims: Sequence[StoredClaim],
    place: Callable[[StoredClaim], str],
    named: Mapping[str, Titles] | None = None,
    same: Mapping[str, bool] | None = None,
) -> str:
    """One row a claim.

    claims: in the order of the book.
    place: the address of a claim in its chapter, relative to the page with the table.
    named: the titles by chapter.
    same: by its id whether a claim came out the same with every seed; without it that is not known.
    """
    rows = claim_rows(claims, place, named or {}, same)
    for row, claim in zip(rows, claims, strict=True):
        row["good"], row["objections"] = claim.holds, "; ".join(claim.objections)
        row["numbers"] = _numbers(claim.record) if claim.complete else None
    caption = "Every claim of the book."
    return render(
        "ledger", rows=rows, columns=COLUMNS, facets=facets(rows), caption=caption, files="ledger", schema=SCHEMA
    )


def printed_ledger(claims: Iterable[StoredClaim]) -> nodes.table:
    """The same for paper, without the chapter, which the claim's name says, and without the rival."""
    columns = ("verdict", "claim", "predicted", "measured", "error / allowed", "control")
    return table(columns, map(_printed, claims))


def _printed(claim: StoredClaim) -> list[Words]:
    verdict = [nodes.strong("", "✓ holds" if claim.holds else "✗ FAILS"), styled("; ".join(claim.objections), NOTE)]
    if not claim.complete:
        return [verdict, printed_claim(claim), "", "", "", ""]
    of = _numbers(claim.record)
    error, control = [nodes.strong("", of["part"]), styled(of["off"], NOTE)], styled(of["control"], NOTE)
    return [verdict, printed_claim(claim), of["predicted"], of["measured"], error, [nodes.Text(of["broken"]), control]]


def executions(runs: Sequence[LastRun]) -> list[nodes.Node]:
    """When, with what and how long each chapter was executed in place, as a list; nothing where it is not known."""
    if not runs:
        return []
    items = []
    for one in runs:
        commit = f", commit {one.commit}" if one.commit else ""
        items.append([code(one.chapter), nodes.Text(f": {one.date}, {one.seconds} s of one core{commit}")])
    made = [
        paragraph(f"{'Or with' if at else 'With'} {versions}; {host}")
        for at, (versions, host) in enumerate(environments(runs))
    ]
    return folded("When, with what and how long each chapter was executed", [listed(items), *made], "fold origins")


def _numbers(record: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a claim, as they are shown and as they are sorted."""
    spare, rival = quantities.to_spare(record), record["rival"]
    allowed = quantities.allowed(record)
    return {
        "predicted": quantities.predicted(record),
        "predicted_key": _key(record["theory"]),
        "measured": quantities.quantity(record, "measured"),
        "measured_key": _key(record["measured"]),
        "rank": quantities.rank(record),
        "part": quantities.in_print(used(record)) if spare is None else f"{quantities.in_print(spare)} to spare",
        "used": used(record) if spare is None else None,
        "off": f"{quantities.off(record)}; {allowed}" if spare is None else allowed,
        "broken": quantities.broken(record),
        "control": record["control"]["what"],
        "rival": rival["what"] if rival else "",
        "rival_off": quantities.in_print(rival["error"]) if rival else "",
    }


def _key(stored: Any) -> str:
    """What a stored quantity is sorted by: itself, its first entry, or its norm."""
    if isinstance(stored, dict):
        stored = stored["norm"]
    return str(stored[0] if isinstance(stored, list) else stored)
