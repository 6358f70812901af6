"""What the book found that no source of it states: each finding with its status, its picture and where it stands."""

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

STATUSES = ("proved here", "certified by computation", "formal derivation", "observed")
PICTURE = '<img class="found-picture" src="{}" alt="{}" width="{}" height="{}" loading="lazy" decoding="async">'


class FoundDirective(BookDirective):
    """One finding of the chapter that the argument names. The content are its words, written as in the chapter."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "status": lambda word: directives.choice(word, STATUSES),
        "proof": directives.unchanged_required,  # the label of the proposition
        "claims": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """The chapter's thumbnail, the status, the words, and links."""
        name = self.book.chapter(self.arguments[0]).name
        box, hero = nodes.container(classes=["found"]), hero_of(self.notebook(name))
        if hero is not None and not self.on_paper:
            box += raw(PICTURE.format(place(name), escape(hero.alt), WIDTH, HEIGHT))
        box += paragraph(self.options["status"], "found-status")
        box += self.parse_text_to_nodes(from_the_root("\n".join(self.content), name))
        box += self.links(name)
        return [box]

    def links(self, name: str) -> nodes.paragraph:
        """The chapter, the proposition and the claims."""
        stored = {claim.id: claim for claim in self.ledger(name).claims}
        asked = self.options.get("claims", "").split()
        if unknown := [one for one in asked if f"{name.partition('/')[2]}.{one}" not in stored]:
            raise self.error(f"{name} has no claim {', '.join(unknown)}")
        words = link(titles(self.book)[name].chapter, self.address(f"{CHAPTERS}{name}"))
        if "proof" in self.options:
            words += [nodes.Text(" · "), *self.inline(f"{{prf:ref}}`{self.options['proof']}`").children]
        for one in asked:
            claim = stored[f"{name.partition('/')[2]}.{one}"]
            words += [nodes.Text(" · "), *link(f"claim {one}", self.claim_address(claim))]
        return paragraph(words, "found-links")
