"""The ledger as an HTML table that sorts and filters in the browser, and reads as cards on a narrow screen."""

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from reproduce.claims.ledger import StoredClaim
from reproduce.claims.show import bound_in_words, in_short

COLUMNS = ("verdict", "claim", "measured", "theory", "off by", "control", "rival", "seconds")
POWER = re.compile(r"\d\S*e-\d+")
NUMERIC = {"measured", "theory", "off by", "seconds"}


def ledger_table(claims: Iterable[StoredClaim], place: Callable[[StoredClaim], str]) -> str:
    """One row a claim.

    claims: in the order of the book.
    place: the address of a claim in its chapter, relative to the page with the table.
    """
    rows = [("holds" if claim.holds else "fails", _cells(claim, place(claim))) for claim in claims]
    return sortable(rows, {name: name in NUMERIC for name in COLUMNS}, "chapter, word, FAILS")


def sortable(
    rows: Iterable[tuple[str, Mapping[str, tuple[str, str]]]], columns: Mapping[str, bool], placeholder: str
) -> str:
    """A table that the page's script sorts and filters.

    rows: the class of each, and for each of its columns the HTML shown and the text it is sorted by.
    columns: for each, whether it is sorted as numbers.
    placeholder: what the empty filter says.
    """
    body = "".join(f'<tr class="{kind}">{_row(cells)}</tr>' for kind, cells in rows)
    head = "".join(
        f'<th scope="col" data-sort="{"number" if numeric else "text"}"><button type="button">{name}</button></th>'
        for name, numeric in columns.items()
    )
    return (
        '<div class="ledger">'
        f'<p class="ledger-tools" hidden><label>Filter <input type="search" placeholder="{placeholder}" '
        'autocomplete="off"></label> <output></output></p>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def claims_list(claims: Iterable[StoredClaim]) -> str:
    """The claims of one page as a list: verdict, statement with a link to its place, source."""
    items = "".join(
        f'<li class="{"holds" if claim.holds else "fails"}"><b>{_mark(claim)}</b> '
        f'<a href="#claim-{escape(claim.id)}">{escape(str(claim.record.get("statement") or claim.id))}</a>'
        f"{note(str(claim.record.get('source') or ''))}</li>"
        for claim in claims
    )
    return f'<ul class="chapter-claims">{items}</ul>'


def _mark(claim: StoredClaim) -> str:
    return "✓ holds" if claim.holds else "✗ FAILS"


def _row(cells: Mapping[str, tuple[str, str]]) -> str:
    return "".join(
        f'<td data-label="{name}" data-key="{escape(key)}">{cell}</td>' for name, (cell, key) in cells.items()
    )


def _cells(claim: StoredClaim, address: str) -> dict[str, tuple[str, str]]:
    """What stands in each column, and what it is sorted by."""
    record = claim.record
    objections = "" if claim.holds else note("; ".join(claim.objections))
    verdict = (f"<b>{_mark(claim)}</b>{objections}", "1" if claim.holds else "0")
    if not claim.complete:
        return {"verdict": verdict, "claim": (f'<a href="{escape(address)}">{escape(claim.id)}</a>', claim.id)}
    control, rival = record["control"], record["rival"]
    statement = (
        f'<a href="{escape(address)}">{escape(record["statement"])}</a>'
        f'<span class="ledger-note"><code>{escape(claim.id)}</code> {escape(record["source"])}</span>'
    )
    off = f"{_text(record['error'])}{note(bound_in_words(record))}{note(record['why'])}"
    return {
        "verdict": verdict,
        "claim": (statement, claim.id),
        "measured": (_text(record["measured"]), _key(record["measured"])),
        "theory": (_text(record["theory"]), _key(record["theory"])),
        "off by": (off, _key(record["error"])),
        "control": (f"off by {_text(control['error'])}{note(control['what'])}", control["what"]),
        "rival": (_rival(rival), rival["what"] if rival else ""),
        "seconds": (escape(f"≤ {record['seconds']}"), str(record["seconds"])),
    }


def _rival(rival: dict[str, Any] | None) -> str:
    return "" if rival is None else f"off by {_text(rival['error'])}{note(rival['what'])}"


def note(words: str) -> str:
    """Smaller words below what they explain."""
    unbroken = POWER.sub(r'<span class="unbroken">\g<0></span>', escape(words))
    return f'<span class="ledger-note">{unbroken}</span>'


def _text(quantity: Any) -> str:
    return escape(in_short(quantity))


def _key(stored: Any) -> str:
    """What a stored quantity is sorted by: itself, its first entry, or its norm."""
    if isinstance(stored, dict):
        stored = stored["norm"]
    return str(stored[0] if isinstance(stored, list) else stored)
