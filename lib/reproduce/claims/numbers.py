"""A small table of numbers on a page: what was predicted beside what was measured."""

import html
from collections.abc import Sequence

from IPython.display import HTML

from reproduce.claims.record import ClaimError
from reproduce.claims.show import format_number


def numbers(headings: Sequence[str], rows: Sequence[Sequence[str | float]]) -> HTML:
    """A table whose cells are words or numbers, these in at most four significant digits.

    headings: one for each column; an empty one heads nothing.
    rows: as many cells each.

    Raises ClaimError for a row of another length.
    """
    for row in rows:
        if len(row) != len(headings):
            raise ClaimError(f"rows holds {list(row)}; each row must have {len(headings)} cells, one for each heading")
    head = "".join(f"<th>{html.escape(word)}</th>" if word else "<td></td>" for word in headings)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    return HTML(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")  # type: ignore[no-untyped-call]


def _cell(value: str | float) -> str:
    """A word as it is; a number as those of a claim, which may differ from machine to machine."""
    shown = html.escape(value) if isinstance(value, str) else f'<code class="n">{format_number(float(value))}</code>'
    return f"<td>{shown}</td>"
