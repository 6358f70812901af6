"""Tables of a campaign in the ledger's style, without its tools: what their cells hold, as text."""

from collections.abc import Sequence
from dataclasses import dataclass

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


def show(tables: Sequence[Table], told: str, checks: Sequence[str] = (), bad: Sequence[str] = ()) -> str:
    """Tables as HTML.

    tables: without any, the sentence stands alone.
    told: when and with what they were made.
    checks: what was looked at.
    bad: reasons of what did not end well, folded.
    """
    return render("campaign", tables=tables, told=told, checks=checks, bad=bad, most=MOST_LISTED)


def count(bad: int) -> Cell:
    """A number that is to be 0."""
    return Cell(f"{bad:,}", "b")
