"""The ledger, a chapter's parameters and the list of chapters as tables for the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from reproduce.chapters.parameters import Signature
from reproduce.claims.ledger import StoredClaim
from reproduce.claims.show import format_number, in_short

WIDTH_WITHOUT_TERMINAL = 100


class _Console(Console):
    """A console that leaves it to the command line to say what it means that nobody reads."""

    def on_broken_pipe(self) -> None:
        """Told while the error is handled, which goes on."""
        raise


def console() -> Console:
    """Standard output; where it is no terminal, lines are 100 characters wide."""
    plain = _Console(highlight=False)
    return plain if plain.is_terminal else _Console(highlight=False, width=WIDTH_WITHOUT_TERMINAL)


def of_claims(claims: Iterable[StoredClaim]) -> Group:
    """A table for each chapter, in which the ids are shown without the chapter's name."""
    chapters = groupby(claims, key=lambda claim: claim.chapter)
    return Group(*(_of_chapter(chapter, claims) for chapter, claims in chapters))


def _of_chapter(chapter: str, claims: Iterable[StoredClaim]) -> Table:
    """One row for each claim: verdict, id, measured, theory, off by, tolerance, control, rival, bound of seconds."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, title=chapter, title_justify="left")
    table.add_column("")
    table.add_column("claim", overflow="fold", ratio=1)
    for heading in ("measured", "theory", "off by", "allowed", "control", "rival"):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("≤ s", justify="right")
    for claim in claims:
        name = claim.id.removeprefix(f"{chapter.rsplit('/', 1)[-1]}.")
        mark = Text("✓", style="green") if claim.holds else Text("✗", style="bold red")
        record = claim.record
        if not claim.complete:
            table.add_row(mark, Text(name, style="bold red"))
            continue
        rival = record["rival"]
        table.add_row(
            mark,
            Text(name, style="" if claim.holds else "bold red"),
            in_short(record["measured"]),
            in_short(record["theory"]),
            format_number(record["error"]),
            _allowed(record),
            format_number(record["control"]["error"]),
            "" if rival is None else format_number(rival["error"]),
            str(record["seconds"]),
        )
    return table


def of_parameters(parameters: Signature, paper: Mapping[str, Any]) -> Table:
    """One row for each parameter: name, type, default, value at the paper's scale, range, meaning."""
    table = _plain("parameter", "type", "default", "paper", "range", "meaning")
    for parameter in parameters.values():
        value = str(paper[parameter.name]) if parameter.name in paper else ""
        cells = (parameter.name, parameter.type, str(parameter.default), value, parameter.range, parameter.meaning)
        table.add_row(*(Text(cell) for cell in cells))
    return table


def of_chapters(rows: Sequence[tuple[str, str, int]]) -> Table:
    """One row for each chapter: name, title, number of claims."""
    table = _plain("chapter", "title")
    table.add_column("claims", justify="right")
    for name, title, claims in rows:
        table.add_row(Text(name), Text(title), str(claims))
    return table


def _allowed(record: Mapping[str, Any]) -> str:
    """The tolerance with the sign of its inequality."""
    tolerance = format_number(record["tolerance"])
    return f"gap ≥ {tolerance}" if record["kind"] == "ordering" else f"≤ {tolerance}"


def _plain(*headings: str) -> Table:
    """A table whose columns break long words."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
