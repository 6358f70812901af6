"""What a chapter's page has besides its text: the table of results, the hero figure on top, folded parts."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from reproduce.book import Book
from reproduce.campaigns.finding import read_finding
from reproduce.campaigns.seeds import SEEDS
from reproduce.last_run import read_last_runs
from reproduce.pages.codes import changed
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.results_table import Link, results_table

logger = logging.getLogger(__name__)

INSTRUMENTS = "Instruments"
OPEN_FOLD, CLOSE_FOLD = '<details class="fold"><summary>{}</summary>', "</details>"


class ResultsDirective(BookDirective):
    """The results of the chapter in which it stands: its headline claims in a table, all of its claims folded."""

    def run(self) -> list[nodes.Node]:
        """The table, or a line that says that there is nothing to show."""
        root, chapter = Path(self.env.srcdir), self.env.docname.removeprefix("chapters/")
        ledger = self.ledger(chapter)
        if not ledger.claims:
            return [self.inline("This chapter stores no claim yet.")]
        seeds = self._fresh_seeds(chapter)
        elsewhere = {
            claim.id: [
                Link(f"{self.address(LEDGER)}?words={claim.id}", "in the ledger"),
                Link(f"{self.address('robustness')}?words={claim.id}", seeds.get(claim.id, "not run on fresh seeds")),
            ]
            for claim in ledger.claims
        }
        run = read_last_runs(Book(root)).get(chapter)
        return [nodes.raw("", results_table(ledger.claims, ledger.count, elsewhere, run), format="html")]

    def _fresh_seeds(self, chapter: str) -> dict[str, str]:
        """How often each claim that was run on fresh seeds held, and whether that was with other code."""
        root = Path(self.env.srcdir)
        known = read_finding(root, SEEDS, chapter)
        if known is None:
            return {}
        note = " (older code)" if changed(root, [known]) else ""
        return {id: f"{of['held']} of {of['runs']} fresh seeds{note}" for id, of in known.counts["claims"].items()}


class hero(nodes.General, nodes.Element):  # type: ignore[misc]
    """The place of the chapter's hero figure."""


class HeroDirective(SphinxDirective):
    """The output of the cell with the tag ``hero``, made below and shown here."""

    def run(self) -> list[nodes.Node]:
        """The place, which ``MoveHero`` fills."""
        return [hero()]


class MoveHero(SphinxTransform):
    """Moves the outputs of the cell with the tag ``hero`` to where the directive stands."""

    default_priority = 300

    def apply(self, **kwargs: Any) -> None:
        """Do it; a place without such a cell is dropped, and said."""
        for place in list(self.document.findall(hero)):
            cells = [node for node in self.document.findall(nodes.container) if "tag_hero" in node["classes"]]
            outputs = [part for cell in cells for part in cell.children if "cell_output" in part["classes"]]
            for part in outputs:
                part.parent.remove(part)
            if not outputs:
                logger.warning("no cell with the tag hero has an output", location=place)
            place.replace_self(outputs)


class FoldParts(SphinxTransform):
    """Folds what follows the first paragraph of a chapter's section "Instruments", and proofs of the class dropdown.

    A proof has no title of its own, which the theme's dropdown would need. Links into what is folded open it (code.js).
    """

    default_priority = 990

    def apply(self, **kwargs: Any) -> None:
        """Do it."""
        for box in list(self.document.findall(nodes.admonition)):
            proof = box.parent
            if "dropdown" in box["classes"] and proof.tagname == "proof_node":
                box["classes"].remove("dropdown")
                proof.insert(0, nodes.raw("", OPEN_FOLD.format("proof"), format="html"))
                proof.append(nodes.raw("", CLOSE_FOLD, format="html"))
        if not self.env.docname.startswith("chapters/"):
            return
        for section in self.document.findall(nodes.section):
            title = section.next_node(nodes.title)
            if title is None or title.parent is not section or title.astext() != INSTRUMENTS:
                continue
            start = section.index(title) + 1
            start += isinstance(section[start], nodes.paragraph) if start < len(section) else 0
            section.insert(start, nodes.raw("", OPEN_FOLD.format("show the instruments"), format="html"))
            section.append(nodes.raw("", CLOSE_FOLD, format="html"))


def register(app: Sphinx) -> None:
    """Register the directives and what is moved and folded."""
    app.add_directive("results", ResultsDirective)
    app.add_directive("hero", HeroDirective)
    app.add_transform(MoveHero)
    app.add_transform(FoldParts)
