"""What the book found and did not see in its sources: each finding with its status, its picture and where it stands."""

from html import escape
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from reproduce.chapters.book import CHAPTERS
from reproduce.pages.claim_rows import titles
from reproduce.pages.differences import from_the_root
from reproduce.pages.directive import BookDirective
from reproduce.pages.pieces import link, paragraph, raw
from reproduce.pages.thumbnails import HEIGHT, WIDTH, hero_of, place

STATUSES = ("proposition with proof", "certified by computation", "formal derivation", "observed")
PICTURE = f'<img class="found-picture" src="{{}}" alt="{{}}" width="{WIDTH}" height="{HEIGHT}" loading="lazy">'


class FoundDirective(BookDirective):
    """One finding of the chapter that the argument names. The content are its words, written as in the chapter."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "status": lambda word: directives.choice(word, STATUSES),
        "proof": directives.unchanged_required,  # a role and the label: of the proposition, or of the equation
        "claims": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """The chapter's thumbnail, the status, the words, and links."""
        name = self.book.chapter(self.arguments[0]).name
        box, hero = nodes.container(classes=["found"]), hero_of(self.notebook(name))
        if hero is not None and not self.on_paper:
            box += raw(PICTURE.format(place(name), escape(hero.alt)))
        box += paragraph(self.options["status"], "found-status")
        box += self.parse_text_to_nodes(from_the_root("\n".join(self.content), name))
        words = link(titles(self.book)[name].chapter, self.address(f"{CHAPTERS}{name}"))
        words += [nodes.Text(" · "), *self.inline(self.options["proof"]).children]
        stored = {claim.id.partition(".")[2]: claim for claim in self.ledger(name).claims}
        for asked in self.options["claims"].split():
            if asked not in stored:
                raise self.error(f"{name} has no claim {asked}")
            words += [nodes.Text(" · "), *link(f"claim {asked}", self.claim_address(stored[asked]))]
        box += paragraph(words, "found-links")
        return [box]
