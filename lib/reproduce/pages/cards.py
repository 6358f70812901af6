"""A card for each chapter: its picture, its question, the answer in one sentence, and how long it takes to run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils import nodes
from nbformat import NotebookNode

from reproduce.chapters.book import CONTENTS, REGISTER, Book, parts_of, title
from reproduce.claims.ledger import claims_of, read_register
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_yaml
from reproduce.pages.atlas_map import Result
from reproduce.pages.directive import BookDirective
from reproduce.pages.live_picture import live_picture, script_place
from reproduce.pages.pieces import listed, raw
from reproduce.pages.templates import render
from reproduce.pages.thumbnails import HEIGHT, WIDTH, Hero, hero_of, place, write_thumbnail
from reproduce.running.last_run import LastRun, read_last_runs


@dataclass(frozen=True)
class Card:
    """One chapter in short.

    number: of the chapter in the book.
    chapter: ``part/chapter``.
    title: its first heading.
    hero: the figure of which its thumbnail is made; None without one.
    question, answer: one sentence each; empty where the register has none.
    seconds: of one core, when it was last refreshed; before that, what its claims say they took together.
    """

    number: int
    chapter: str
    title: str
    hero: Hero | None
    question: str
    answer: str
    seconds: int


class CardsDirective(BookDirective):
    """A card for each chapter, by part."""

    def run(self) -> list[nodes.Node]:
        """The cards."""
        contents = read_yaml(self.watched(CONTENTS) / CONTENTS)
        made = cards(contents, self.notebooks(), self.results(), read_last_runs(self.book))
        if not self.on_paper:
            return [raw(render("cards", parts=made, address=self.address, place=place, width=WIDTH, height=HEIGHT))]
        told = [(f"{card.number} {card.title}.", f" {card.question} {card.answer}") for _, own in made for card in own]
        return [listed([nodes.strong("", name), nodes.Text(words)] for name, words in told)]


def cards(
    contents: Mapping[str, Any],
    notebooks: Mapping[str, NotebookNode],
    results: Sequence[Result],
    runs: Mapping[str, LastRun],
) -> list[tuple[str, list[Card]]]:
    """The cards of a book, by part, in the order of its table of contents.

    contents: the table of contents.
    notebooks: the stored notebooks by chapter name.
    results: the register, which holds questions and answers.
    runs: how long each chapter took.
    """
    of = {result.chapter: result for result in results}
    number = 0
    made: list[tuple[str, list[Card]]] = []
    for caption, names in parts_of(contents):
        made.append((caption, []))
        for name in names:
            if name in notebooks:
                number += 1
                made[-1][1].append(_card(number, name, notebooks[name], of.get(name), runs.get(name)))
    return made


def _card(number: int, name: str, notebook: NotebookNode, result: Result | None, run: LastRun | None) -> Card:
    asked = (result.question, result.answer) if result else ("", "")
    seconds = run.seconds if run else sum(claim.record.get("seconds", 0) for claim in claims_of(name, notebook))
    return Card(number, name, title(notebook) or name, hero_of(notebook), *asked, seconds)


def write_pictures(book: Book, pages: Path) -> None:
    """Put the thumbnails of all chapters, and the scripts of their sliders, beside the pages."""
    if not (book.root / REGISTER).exists():
        return
    panels = {entry["chapter"]: str(entry.get("panel") or "") for entry in read_register(book.root / REGISTER)}
    for name, notebook in book.notebooks().items():
        hero, picture = hero_of(notebook), live_picture(notebook)
        if hero is not None:
            write_thumbnail(pages / place(name), hero, panels.get(name, ""))
        if picture is not None:
            path = pages / script_place(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, picture.script + "\n")
