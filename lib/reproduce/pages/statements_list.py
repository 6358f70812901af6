"""The statements of the sources as lists, one for each source, with what the book finds and where."""

from collections import Counter
from collections.abc import Mapping, Sequence

import yaml
from docutils import nodes

from reproduce.chapters.book import CHAPTERS, REGISTER
from reproduce.chapters.statements import (
    CHANGED,
    REFERENCES,
    STATEMENTS,
    VERDICTS,
    Statement,
    in_words,
    read_statements,
)
from reproduce.pages.atlas_map import marked_up
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.pieces import link, paragraph, raw
from reproduce.pages.templates import render


class StatementsDirective(BookDirective):
    """Every statement by source, the changed first. The content is YAML.

    Of each source it has its title, its authors, what was read, and whether that is the whole, slides or a part.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """How many there are, a choice of verdicts, and a section for each source, in the order given."""
        root = self.watched(STATEMENTS, REGISTER, REFERENCES)
        every = sorted(read_statements(root), key=lambda one: one.verdict not in CHANGED)
        sources: dict[str, dict[str, str]] = yaml.safe_load("\n".join(self.content))
        if nameless := {one.source for one in every} - set(sources):
            raise self.error(f"the statements have no title for the source {', '.join(sorted(nameless))}")
        made = [
            self.section(key, source, [one for one in every if one.source == key]) for key, source in sources.items()
        ]
        found = Counter(one.verdict for one in every)
        counts = {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}
        choice = raw(render("kinds", counts=counts))
        kept = [self.inline(said) for said in [sharpened(every, sources)] if said]
        return [self.inline(f"**{in_words(found.elements())}.**"), *kept, choice, *made]

    def section(self, key: str, source: dict[str, str], own: list[Statement]) -> nodes.section:
        """One source: what was read of it, how many statements it has, and the list of them."""
        title, authors = source["title"], source.get("authors")
        made = nodes.section(
            "", nodes.title("", f"{title} ({authors})" if authors else title), names=[nodes.fully_normalize_name(title)]
        )
        self.state.document.note_implicit_target(made, made)
        made += self.inline(f"{{cite:t}}`{key}`. {source['read']} {in_words(one.verdict for one in own)}.")
        made += nodes.bullet_list("", *map(self.item, own), classes=["statements"])
        return made

    def item(self, one: Statement) -> nodes.list_item:
        """One statement: verdict, place, words, note, and where to look."""
        whose = f" · {{cite:t}}`{one.paper}`" if one.paper else ""
        box = nodes.list_item("", classes=["statement", name := one.verdict.replace(" ", "-"), f"kind-{name}"])
        box += self.inline(one.verdict, "statement-verdict")
        box += self.inline(marked_up(one.place) + whose, "statement-place")
        box += self.inline(marked_up(one.statement), "statement-words")
        if one.note:
            box += self.inline(marked_up(one.note), "statement-note")
        if one.chapter:
            box += self.links(one)
        return box

    def links(self, one: Statement) -> nodes.paragraph:
        """The chapter, and the claims in the ledger."""
        words = link(self.titles()[one.chapter].chapter, self.address(f"{CHAPTERS}{one.chapter}"))
        for claim in one.claims:
            words += [nodes.Text(" · "), *link(claim.partition(".")[2], self.address(LEDGER, f"#{claim}"))]
        return paragraph(words, "statement-links")


def sharpened(every: Sequence[Statement], sources: Mapping[str, Mapping[str, str]]) -> str:
    """Of how much of the sources the sharpened statements are, in words; nothing where it is not said of each.

    every: all statements.
    sources: of each, by its key, ``as`` what it was read: the whole, slides or a part.
    """
    ways = Counter(source.get("as", "") for source in sources.values())
    found = Counter(sources[one.source].get("as", "") for one in every if one.verdict == "sharpened")
    if "" in ways or ways["whole"] != 1:
        return ""
    return (
        f"Only one of the sources was read whole: {found['whole']} of the {found.total()} sharpened are of it,"
        f" {found['slides']} of slides, {found['part']} of an introduction or abstracts; there the paper itself may"
        " have what we add."
    )
