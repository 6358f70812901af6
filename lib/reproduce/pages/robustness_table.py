"""How often each claim held on fresh seeds: an HTML table that sorts and filters like the ledger, and one for paper."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from docutils import nodes

from reproduce.campaigns.finding import Finding
from reproduce.claims.ledger import StoredClaim
from reproduce.pages.claim_rows import Column, Titles, claim_rows, facets, printed_claim
from reproduce.pages.pieces import NOTE, Words, code, folded, listed, styled, table
from reproduce.pages.quantities import in_print
from reproduce.pages.templates import render
from reproduce.sweep.summary import pass_interval

COLUMNS = (
    Column("held", "held", numeric=True),
    Column("chapter", "chapter", numeric=True),
    Column("claim", "claim"),
    Column("interval", "interval", numeric=True),
    Column("control", "control", numeric=True),
    Column("worst", "worst error / allowed", numeric=True),
    Column("seed", "at seed", numeric=True),
)
KEPT = "always kept"


def robustness_table(
    claims: Sequence[StoredClaim],
    known: Mapping[str, Finding],
    place: Callable[[StoredClaim], str],
    named: Mapping[str, Titles] | None = None,
    changed: Collection[str] = (),
    same: Mapping[str, bool] | None = None,
) -> str:
    """One row a claim of the book, whether or not it was run on fresh seeds.

    claims: those of the book, in its order.
    known: what the fresh seeds found, by chapter.
    place: the address of a claim in its chapter, relative to the page with the table.
    named: the titles by chapter.
    changed: the chapters whose code has changed since they were run.
    same: by its id whether a claim came out the same with every seed; without it that is not known.
    """
    rows = claim_rows(claims, place, named or {}, same)
    for row, claim in zip(rows, claims, strict=True):
        chapter = known.get(claim.chapter)
        record = _record(claim, chapter)
        row["good"] = chapter is not None and record is not None and _held_always(record, chapter)
        row["seeds"] = _seeds(record, str(claim.record.get("kind"))) if record and record["runs"] else None
        row["stale"] = claim.chapter in changed
    run = [row for row in rows if row["seeds"] is not None]
    older, alike = sum(row["stale"] for row in run), sum(row["same"] for row in run)
    caption = "; ".join(
        [f"{len(run)} of the book's {len(rows)} claims on fresh seeds"]
        + [f"{older} of them before their chapter's code was last changed"] * bool(older)
        + [f"{alike} came out the same with every seed, so that all their runs are one"] * bool(alike)
    )
    return render(
        "robustness", rows=rows, columns=COLUMNS, facets=facets(rows), caption=f"{caption}.", files="robustness"
    )


def printed_robustness(claims: Sequence[StoredClaim], known: Mapping[str, Finding]) -> nodes.table:
    """The same for paper, of the claims that were run."""
    rows: list[list[Words]] = []
    for claim in claims:
        record = _record(claim, known.get(claim.chapter))
        if record and record["runs"]:
            of = _seeds(record, str(claim.record.get("kind")))
            held, interval = f"{of['held']} of {of['runs']}", f"{of['low']:.3f} … {of['high']:.3f}"
            rows.append([held, printed_claim(claim), interval, f"failed in {of['controls']}", of["part"]])
    return table(("held", "claim", "interval", "control", "worst error / allowed"), rows)


def origins(known: Iterable[Finding], changed: Collection[str]) -> list[nodes.Node]:
    """When and with what each chapter was run, as a list.

    known: the chapters that were run.
    changed: those whose code has changed since.
    """
    items: list[Words] = []
    host = ""
    for one in known:
        of, late = one.counts, "; the code has changed since" if one.chapter in changed else ""
        runs = of["finished"] + of["failed"]
        when = f": as of {one.version}, {runs} runs on {one.date}, seeds {of['first_seed']} to {of['last_seed']}"
        failed = [nodes.Text(", "), nodes.strong("", f"{of['failed']} of {runs} runs failed")] if of["failed"] else []
        told = [code(one.chapter), nodes.Text(when), *failed, nodes.Text(f", commit {one.commit}{late}")]
        items.append([*told, *([styled(one.host, NOTE)] if one.host != host else [])])
        host = one.host
    return folded("When and with what each chapter was run", [listed(items)], "fold origins")


def _record(claim: StoredClaim, chapter: Finding | None) -> Mapping[str, Any] | None:
    """What the fresh seeds of its chapter found of a claim."""
    return chapter.counts["claims"].get(claim.id) if chapter is not None else None


def _held_always(record: Mapping[str, Any], chapter: Finding) -> bool:
    """Whether a claim held, and its control failed, in every run that was begun."""
    return bool(record["held"] == record["controls"] == chapter.counts["finished"] + chapter.counts["failed"])


def _seeds(record: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The counts of a claim of a kind, as they are shown and as they are sorted; a bound that was kept comes first."""
    low, high = pass_interval(record["held"], record["runs"])
    spare = kind == "bound" and record["worst"] == 0
    return {
        **record,
        "rate": record["held"] / record["runs"],
        "low": low,
        "high": high,
        "part": KEPT if spare else in_print(record["worst"]),
        "spare": spare,
        "rank": -1.0 if spare else record["worst"],
    }
