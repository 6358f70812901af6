"""Tables of claims and campaigns: what their cells hold, set for a page as a card on a narrow screen, and for paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from docutils import nodes

from reproduce.pages import pieces
from reproduce.pages.pieces import NOTE, Words, folded, link, listed, paragraph, raw, styled
from reproduce.pages.templates import render

NOT_RUN = "Not run yet."
MOST_LISTED = 50


@dataclass(frozen=True)
class Cell:
    """What stands in a cell.

    text: shown as it is; an empty cell is not shown on a phone.
    style: ``b``, which tells good from bad, ``strong`` or ``code``, or empty.
    rest: what follows the text without its style.
    notes: smaller lines below it; empty ones are left out.
    name: of a claim, as code before the first note.
    cite: where it is said how the claim is cited; empty if that is not linked.
    address: where the text leads; empty if it is no link.
    key: by what rows are sorted; None in a table that is not.
    bar: the part of what is allowed that is drawn as a bar below; None for no bar.
    drawn: a drawing below, as ``pieces.drawn`` makes it.
    """

    text: str
    style: str = ""
    notes: Sequence[str] = ()
    name: str = ""
    cite: str = ""
    address: str = ""
    key: str | float | None = None
    bar: float | None = None
    drawn: str = ""
    rest: str = ""


@dataclass(frozen=True)
class Row:
    """A row.

    good: whether there is nothing to object to.
    cells: of which one says what the row is about, in a campaign's tables the first; a single one heads those below.
    facets: by what a reader may choose it, by name.
    words: by which the search finds it, besides its cells.
    """

    good: bool
    cells: Sequence[Cell]
    facets: Mapping[str, str] = field(default_factory=dict)
    words: str = ""


@dataclass(frozen=True)
class Table:
    """Headings, rows, the place on its page to which a link leads, and a title, if there are any."""

    columns: Sequence[str]
    rows: Sequence[Row]
    place: str = ""
    title: str = ""


def row(good: bool, *cells: Cell | str) -> Row:
    """A row, of which plain cells are given as text."""
    return Row(good, [Cell(cell) if isinstance(cell, str) else cell for cell in cells])


def show(tables: Sequence[Table], told: str, bad: Sequence[str] = (), *, on_paper: bool = False) -> list[nodes.Node]:
    """Tables and what is said about them.

    tables: without any, the sentence stands alone.
    told: when and with what they were made.
    bad: reasons of what did not end well, folded.
    on_paper: whether they are printed.
    """
    made: list[nodes.Node] = [*map(printed, tables)] if on_paper else [raw(render("campaign", tables=tables))]
    if bad:
        more = [f"and {len(bad) - MOST_LISTED} more"] if len(bad) > MOST_LISTED else []
        made += folded("What did not end well", [listed([*bad[:MOST_LISTED], *more])])
    if tables and "; as of " in told:  # of several commits
        return [*made, *folded("Of which code, and with what", [paragraph([styled(told, NOTE)])], "fold origins")]
    return [*made, paragraph([styled(told, NOTE)] if tables else told)]


def printed(of: Table) -> nodes.table:
    """A table for paper."""
    columns = [of.title or of.columns[0], *of.columns[1:]]
    rows = [[_words(cell) for cell in one.cells] for one in of.rows]
    return pieces.table(columns, [[*cells, *[""] * (len(columns) - len(cells))] for cells in rows])


def _words(cell: Cell) -> Words:
    node = {"b": nodes.strong, "strong": nodes.strong, "code": nodes.literal}.get(cell.style)
    notes: list[Words] = [note for note in cell.notes if note]
    if cell.name:
        notes[:1] = [[pieces.code(cell.name), *(nodes.Text(f" {note}") for note in notes[:1])]]
    text = [node("", cell.text)] if node else link(cell.text, cell.address)
    rest = [nodes.Text(cell.rest)] if cell.rest else []
    return [*text, *rest, *(styled(note, NOTE) for note in notes)]


def count(bad: int) -> Cell:
    """A number that is to be 0."""
    return Cell(f"{bad:,}", "b")
