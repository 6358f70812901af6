"""What the book found and did not see in its sources: each finding with its status, its picture and where it stands."""

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from reproduce.chapters.book import CHAPTERS
from reproduce.pages.differences import from_the_root
from reproduce.pages.directive import BookDirective
from reproduce.pages.hero import place_of
from reproduce.pages.pieces import link, paragraph, raw
from reproduce.pages.quantities import allowed_in_short
from reproduce.pages.templates import render
from reproduce.pages.thumbnails import COLOURS, hero_of, panel_of

STATUSES = ("proposition", "certified", "formal derivation", "observation")


class FoundDirective(BookDirective):
    """One finding of the chapter that the argument names. The content are its words, written as in the chapter."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "brief": directives.flag,  # a sketch and the words alone, as the page begins with
        "picture": directives.unchanged_required,  # a figure of the chapter and the panels that show it: name 1 of 2
        "status": lambda word: directives.choice(word, STATUSES),
        "proof": directives.unchanged_required,  # a role and the label: of the proposition, or of the equation
        "claims": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """The status, the words, the picture, and links."""
        name = self.book.chapter(self.arguments[0]).name
        told = self.parse_text_to_nodes(from_the_root("\n".join(self.content), name))
        if "brief" in self.options:
            return [nodes.container("", raw(render("sketches", chapter=name)), *told, classes=["found-brief"])]
        told += [] if self.on_paper else [self._picture(name)]
        box = nodes.container("", paragraph(self.options["status"], "found-status"), *told, classes=["found"])
        words = link(self.titles()[name].chapter, self.address(f"{CHAPTERS}{name}"))
        words += [nodes.Text(" · "), *self.inline(self.options["proof"]).children]
        stored = {claim.id.partition(".")[2]: claim for claim in self.ledger(name).claims}
        for asked in self.options["claims"].split():
            if asked not in stored:
                raise self.error(f"{name} has no claim {asked}")
            claim = stored[asked]
            room = allowed_in_short(claim.record)
            words += [nodes.Text(" · "), *link(f"claim {asked}", self.claim_address(claim))]
            words += [nodes.Text(f" ({room})")] if room else []
        box += paragraph(words, "found-links")
        return [box]

    def _picture(self, name: str) -> nodes.container:
        """The panels, one below the other, each a link to its figure in the chapter."""
        figure, _, panels = self.options["picture"].partition(" ")
        stored = hero_of(self.notebook(name), figure)
        if stored is None:
            raise self.error(f"{name} stores no figure {figure}")
        there, box = self.address(f"{CHAPTERS}{name}", f"#{figure}"), nodes.container(classes=["found-picture"])
        for panel in panels.split(", "):
            address, path = place_of(self, f"{name}-{figure}-{panel.replace(' ', '-')}")
            panel_of(stored, panel).quantize(COLOURS).save(path, optimize=True)
            box += link([nodes.image(uri=address, alt=stored.alt)], there)
        return box
