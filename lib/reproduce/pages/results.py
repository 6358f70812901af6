"""What a chapter finds: the table of results, all claims folded below, when and with what it was executed."""

from collections.abc import Mapping, Sequence
from typing import Any

from docutils import nodes

from reproduce.campaigns.finding import read_finding
from reproduce.campaigns.seeds import SEEDS
from reproduce.claims.judge import used
from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError
from reproduce.pages import quantities
from reproduce.pages.codes import changed
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.pieces import Words, code, paragraph, raw, styled, table
from reproduce.pages.templates import as_day, render
from reproduce.pages.what_we_find import author_table
from reproduce.running.last_run import LastRun, main_versions, read_last_runs

KEY = {
    quantities.KEPT: "on the right side of the bound, with so much to spare",
    quantities.AT_WORST: "of many numbers, those that are furthest apart, or nearest to the bound",
}


class ResultsDirective(BookDirective):
    """The results of the chapter in which it stands, and all of its claims folded below.

    The content is the table, in Markdown (``what_we_find``); without one the headline claims are shown as stored.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The table and the fold, or a line that says that there is nothing to show."""
        ledger = self.ledger(self.chapter)
        if not ledger.claims:
            return [self.inline("This chapter stores no claim yet.")]
        seeds = self._fresh_seeds()
        elsewhere = {
            claim.id: {
                "in the ledger": self.address(LEDGER, f"?words={claim.id}"),
                seeds.get(claim.id, "not run on fresh seeds"): self.address("robustness", f"?words={claim.id}"),
            }
            for claim in ledger.claims
        }
        holds = all(claim.holds for claim in ledger.claims)  # what holds lies folded
        every = render("all_claims", holds=holds, count=ledger.count, claims=ledger.claims, elsewhere=elsewhere)
        run = read_last_runs(self.book).get(self.chapter)
        return [*self._table(ledger.claims), raw(every), *([last_run_note(ledger.claims, run)] if run else [])]

    def _table(self, claims: Sequence[StoredClaim]) -> list[nodes.Node]:
        if not self.content:
            return printed_results(claims) if self.on_paper else [raw(results_table(claims))]
        try:
            return [author_table(self.parse_content_to_nodes(), claims, links=not self.on_paper)]
        except PressError as wrong:
            raise self.error(str(wrong)) from None

    def _fresh_seeds(self) -> dict[str, str]:
        """How often each claim that was run on fresh seeds held, and whether that was with other code."""
        known = read_finding(self.book.root, SEEDS, self.chapter)
        if known is None:
            return {}
        note = " (older code)" if changed(self.book.root, [known]) else ""
        return {id: f"{of['held']} of {of['runs']} fresh seeds{note}" for id, of in known.counts["claims"].items()}


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
    columns = ("quantity", "predicted", "measured", "off by", "with the premise broken")
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
        "control": record["control"]["what"],
        "broken": quantities.broken(record),
    }
