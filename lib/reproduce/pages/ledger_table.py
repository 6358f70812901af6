"""The ledger as an HTML table that sorts and filters in the browser, and as a plain one for paper."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docutils import nodes

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.impossible import missed
from reproduce.campaigns.seeds import SEEDS
from reproduce.claims.judge import used
from reproduce.claims.ledger import StoredClaim
from reproduce.claims.show import BROKEN, verdict
from reproduce.claims.wellformed import SCHEMA
from reproduce.pages import quantities
from reproduce.pages.claim_rows import Column, Titles, claim_rows, for_print, sortable
from reproduce.pages.directive import LEDGER, ROBUSTNESS, BookDirective
from reproduce.pages.pieces import raw
from reproduce.pages.tables import Cell

COLUMNS = (
    Column("verdict", "verdict", numeric=True),
    Column("claim", "claim"),
    Column("predicted", "predicted", numeric=True),
    Column("measured", "measured", numeric=True),
    Column("error", "error / allowed", numeric=True),
    Column("five_percent", "passes with theory × .95 / × 1.05", on_paper=False),
    Column("control", "control"),
    Column("rival", "rival", on_paper=False),
)


class LedgerDirective(BookDirective):
    """Every claim of the book in one table."""

    def run(self) -> list[nodes.Node]:
        """The table, or a line that says that there is nothing to show."""
        claims = self.ledger().claims
        if not claims:
            return [self.inline("No chapter stores a claim yet.")]
        if self.on_paper:
            return [for_print(COLUMNS, claim_rows(claims, _cells))]
        return [raw(ledger_table(claims, self.claim_address, self.titles(), self.same()))]


class ClaimsDirective(BookDirective):
    """How many claims of the book hold, and how many of them miss a fresh seed, in one sentence."""

    def run(self) -> list[nodes.Node]:
        """The sentence, with links to the pages that list them."""
        ledger, found = self.ledger(), read_findings(self.book, SEEDS)
        lost = {(one.chapter, id) for one in found for id in missed(one.counts)}
        many = sum(claim.holds and (claim.chapter, claim.id) in lost for claim in ledger.claims)
        said = f"**{ledger.count}** in the run shown here; the {{doc}}`ledger </{LEDGER}>` lists them all."
        if found:
            runs = max(of["runs"] for one in found for of in one.counts["claims"].values())
            who = f"{many} of them {'misses' if many == 1 else 'miss'}" if many else "None of them misses"
            said += f" {who} at least one of {runs} {{doc}}`fresh seeds </{ROBUSTNESS}>`."
        return [self.inline(said)]


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
    rows = claim_rows(claims, _cells, place, named, same, cite="cite-")
    held = f"{sum(claim.holds for claim in claims)} of the book's {len(claims)} claims hold"
    return sortable(COLUMNS, rows, "hold", [held, five_percent_off(claims)], files="ledger", schema=SCHEMA)


def five_percent_off(claims: Sequence[StoredClaim]) -> str:
    """How many claims notice a theory that is 5 % off, how many do not, and how many predict no number."""
    words = [quantities.five_percent(claim.record) for claim in claims if claim.complete]
    noticed, silent = words.count("no / no"), sum("yes" in one for one in words)
    others = f"{silent} would pass with one or both, and {words.count('no number')} predict no number"
    return f"With a theory 5 % too small, and with one 5 % too large, {noticed} would fail; {others}"


def _cells(claim: StoredClaim, same: bool | None) -> tuple[bool, Cell, list[Cell]]:
    record, wrong = claim.record, "; ".join(claim.objections)
    first = Cell(verdict(claim.holds), "b", [wrong], key=1 if claim.holds else 0)
    if not claim.complete:
        return claim.holds, first, [Cell("")] * 6
    control, rival = record["control"], record["rival"]
    others = [
        Cell(quantities.predicted(record), key=_key(record["theory"])),
        Cell(quantities.quantity(record, "measured"), key=_key(record["measured"])),
        _error(record),
        Cell(five := quantities.five_percent(record), "b" if five == "no / no" else "", key=five),
        Cell(
            quantities.broken(record),
            "",
            [control["what"]],
            key=f"{BROKEN.get(control['kind'], '')}: {control['what']}",
        ),
        Cell(
            quantities.off_by(float(rival["error"])) if rival else "",
            "",
            [rival["what"]] if rival else [],
            key=rival["what"] if rival else "",
        ),
    ]
    return claim.holds, first, others


def _error(record: Mapping[str, Any]) -> Cell:
    """The part of the tolerance that the error uses, or of a bound that is kept what is to spare."""
    spare, allowed, rank = quantities.to_spare(record), quantities.allowed(record), quantities.rank(record)
    if spare is not None:
        return Cell(f"{quantities.in_print(spare)} to spare", "b", [allowed], key=rank)
    part = used(record)
    return Cell(quantities.in_print(part), "b", [f"{quantities.off(record)}; {allowed}"], key=rank, bar=part)


def _key(stored: Any) -> str:
    """What a stored quantity is sorted by: itself, its first entry, or its norm."""
    if isinstance(stored, dict):
        stored = stored["norm"]
    return str(stored[0] if isinstance(stored, list) else stored)
