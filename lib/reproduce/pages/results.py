"""What a chapter finds: the table of results, all claims folded below, when and with what it was executed."""

from collections.abc import Sequence

from docutils import nodes

from reproduce.campaigns.finding import read_finding
from reproduce.campaigns.seeds import SEEDS
from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError
from reproduce.pages.claim_rows import DETERMINISTIC
from reproduce.pages.codes import changed
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.pieces import code, folded, paragraph, raw
from reproduce.pages.templates import as_day, render
from reproduce.pages.what_we_find import author_table
from reproduce.running.last_run import LastRun, commit_of_run, main_versions, read_last_runs


class ResultsDirective(BookDirective):
    """The results of the chapter in which it stands, and all of its claims folded below.

    The content is the table, in Markdown (``what_we_find``).
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
                "in the ledger": self.address(LEDGER, f"#{claim.id}"),
                seeds.get(claim.id, "not run on fresh seeds"): self.address("robustness", f"#{claim.id}"),
            }
            for claim in ledger.claims
        }
        holds = all(claim.holds for claim in ledger.claims)  # what holds lies folded
        every = render("claims_list", holds=holds, count=ledger.count, claims=ledger.claims, elsewhere=elsewhere)
        run = read_last_runs(self.book).get(self.chapter)
        note = last_run_note(ledger.claims, run, commit_of_run(self.origin, run)) if run else []
        try:
            found = author_table(self.parse_content_to_nodes(), ledger.claims, links=not self.on_paper)
        except PressError as wrong:
            raise self.error(str(wrong)) from None
        return [found, raw(every), *note]

    def _fresh_seeds(self) -> dict[str, str]:
        """How often each claim held on fresh seeds, if one can change it, and whether that was with other code."""
        known, same = read_finding(self.book.root, SEEDS, self.chapter), self.same(self.chapter)
        told = {id: DETERMINISTIC for id, equal in same.items() if equal}
        if known is None:
            return told
        note = f" (code of {known.version}, changed since)" if changed(self.book.root, [known]) else ""
        seeds = {id: f"{of['held']} of {of['runs']} fresh seeds{note}" for id, of in known.counts["claims"].items()}
        return seeds | told


def last_run_note(claims: Sequence[StoredClaim], run: LastRun, commit: str) -> list[nodes.Node]:
    """When the claims were executed, and the commit that holds that code; folded, with what and how to repeat it."""
    first = next((claim.id for claim in claims if claim.complete and claim.record["headline"]), claims[0].id)
    when = f"Executed {as_day(run.date)}{f', commit {commit[:12]}' if commit else ''}"
    words = [
        nodes.Text(f"{run.seconds} s of one core, with {main_versions(run.versions)}, on {run.host}. "),
        nodes.Text("With your own parameters: "),
        code(f"python -m reproduce run {run.chapter}"),
        nodes.Text("; to check a claim: "),
        code(f"python -m reproduce check {first}"),
    ]
    return folded(when, [paragraph(words, "results-run")], "results-note")
