"""A card for each chapter: its picture, its question, the answer in one sentence, and how long it takes to run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from nbformat import NotebookNode

from reproduce.chapters.book import CHAPTERS, parts_of, title
from reproduce.claims.ledger import claims_of
from reproduce.pages.atlas_map import Result
from reproduce.pages.pieces import listed
from reproduce.pages.templates import render
from reproduce.pages.thumbnails import HEIGHT, WIDTH, hero_of, place
from reproduce.running.last_run import LastRun


@dataclass(frozen=True)
class Card:
    """One chapter in short.

    number: of the chapter in the book.
    chapter: ``part/chapter``.
    title: its first heading.
    picture, alt: where its thumbnail lies, and what is drawn; empty without one.
    question, answer: one sentence each; empty where the register has none.
    seconds: of one core, when it was last refreshed; before that, what its claims say they took together.
    """

    number: int
    chapter: str
    title: str
    picture: str
    alt: str
    question: str
    answer: str
    seconds: int

    @property
    def document(self) -> str:
        """The page of the chapter."""
        return f"{CHAPTERS}{self.chapter}"


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


def cards_list(parts: Sequence[tuple[str, Sequence[Card]]], address: Any) -> str:
    """Cards as HTML.

    parts: captions with their cards.
    address: where a card leads.
    """
    return render("cards", parts=parts, address=address, width=WIDTH, height=HEIGHT)


def printed_cards(parts: Sequence[tuple[str, Sequence[Card]]]) -> nodes.bullet_list:
    """The same for paper: titles, questions and answers."""
    every = [card for _, made in parts for card in made]
    return listed(
        [nodes.strong("", f"{card.number} {card.title}."), nodes.Text(f" {card.question} {card.answer}")]
        for card in every
    )


def _card(number: int, name: str, notebook: NotebookNode, result: Result | None, run: LastRun | None) -> Card:
    hero = hero_of(notebook)
    return Card(
        number=number,
        chapter=name,
        title=title(notebook) or name,
        picture=place(name) if hero else "",
        alt=hero.alt if hero else "",
        question=result.question if result else "",
        answer=result.answer if result else "",
        seconds=run.seconds if run else sum(claim.record.get("seconds", 0) for claim in claims_of(name, notebook)),
    )
