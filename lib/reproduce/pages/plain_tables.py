"""Tables of a campaign in the ledger's style, without its tools: what their cells hold, and plain ones for paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from docutils import nodes

from reproduce.pages import pieces
from reproduce.pages.pieces import NOTE, folded, listed, paragraph, raw, styled
from reproduce.pages.templates import render

NOT_RUN = "Not run yet."
MOST_LISTED = 50


@dataclass(frozen=True)
class Cell:
    """What stands in a cell.

    text: shown as it is; an empty cell is not shown on a phone.
    style: ``b`` or ``code``, or empty.
    notes: smaller lines below it.
    """

    text: str
    style: str = ""
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Row:
    """A row: whether there is nothing to object to, and its cells, of which the first says what it is about."""

    good: bool
    cells: Sequence[Cell]


@dataclass(frozen=True)
class Table:
    """Headings and rows."""

    columns: Sequence[str]
    rows: Sequence[Row]


def row(good: bool, *cells: Cell | str) -> Row:
    """A row, of which plain cells are given as text."""
    return Row(good, [Cell(cell) if isinstance(cell, str) else cell for cell in cells])


def show(
    tables: Sequence[Table], told: str, checks: Sequence[str] = (), bad: Sequence[str] = (), *, on_paper: bool = False
) -> list[nodes.Node]:
    """Tables and what is said about them.

    tables: without any, the sentence stands alone.
    told: when and with what they were made.
    checks: what was looked at.
    bad: reasons of what did not end well, folded.
    on_paper: whether they are printed.
    """
    made: list[nodes.Node] = [*map(_printed, tables)] if on_paper else [raw(render("campaign", tables=tables))]
    if checks:
        made.append(listed(checks, "origins"))
    if bad:
        more = [f"and {len(bad) - MOST_LISTED} more"] if len(bad) > MOST_LISTED else []
        made += folded("What did not end well", [listed([*bad[:MOST_LISTED], *more])])
    return [*made, paragraph([styled(told, NOTE)] if tables else told)]


def _printed(of: Table) -> nodes.table:
    """A table for paper."""
    return pieces.table(of.columns, [[_words(cell) for cell in one.cells] for one in of.rows])


def _words(cell: Cell) -> list[nodes.Node]:
    node = {"b": nodes.strong, "code": nodes.literal}.get(cell.style)
    return [node("", cell.text) if node else nodes.Text(cell.text), *(styled(note, NOTE) for note in cell.notes)]


def count(bad: int) -> Cell:
    """A number that is to be 0."""
    return Cell(f"{bad:,}", "b")
