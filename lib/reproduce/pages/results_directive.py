"""What a chapter's page finds: the table of results, all claims folded below, when and with what it was executed."""

from collections.abc import Sequence
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from reproduce.campaigns.finding import read_finding
from reproduce.campaigns.seeds import SEEDS
from reproduce.chapters.book import CHAPTERS, Book
from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError
from reproduce.pages.codes import changed
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.pieces import raw
from reproduce.pages.results_table import Link, all_claims, last_run_note, printed_results, results_table
from reproduce.pages.what_we_find import author_table
from reproduce.running.last_run import read_last_runs


class ResultsDirective(BookDirective):
    """The results of the chapter in which it stands, and all of its claims folded below.

    The content is the table, in Markdown (``what_we_find``); without one the headline claims are shown as stored.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The table and the fold, or a line that says that there is nothing to show."""
        root, chapter = Path(self.env.srcdir), self.env.docname.removeprefix(CHAPTERS)
        ledger = self.ledger(chapter)
        if not ledger.claims:
            return [self.inline("This chapter stores no claim yet.")]
        seeds = self._fresh_seeds(chapter)
        elsewhere = {
            claim.id: [
                Link(self.address(LEDGER, f"?words={claim.id}"), "in the ledger"),
                Link(self.address("robustness", f"?words={claim.id}"), seeds.get(claim.id, "not run on fresh seeds")),
            ]
            for claim in ledger.claims
        }
        run = read_last_runs(Book(root)).get(chapter)
        note = [last_run_note(ledger.claims, run)] if run else []
        return [*self._table(ledger.claims), raw(all_claims(ledger.claims, ledger.count, elsewhere)), *note]

    def _table(self, claims: Sequence[StoredClaim]) -> list[nodes.Node]:
        if not self.content:
            return printed_results(claims) if self.on_paper else [raw(results_table(claims))]
        parsed = self.parsed()
        try:
            return [author_table(parsed, claims, links=not self.on_paper)]
        except PressError as wrong:
            raise self.error(str(wrong)) from None

    def _fresh_seeds(self, chapter: str) -> dict[str, str]:
        """How often each claim that was run on fresh seeds held, and whether that was with other code."""
        root = Path(self.env.srcdir)
        known = read_finding(root, SEEDS, chapter)
        if known is None:
            return {}
        note = " (older code)" if changed(root, [known]) else ""
        return {id: f"{of['held']} of {of['runs']} fresh seeds{note}" for id, of in known.counts["claims"].items()}


def register(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("results", ResultsDirective)
