"""How often each claim held on fresh seeds, as an HTML table that sorts and filters like the ledger."""

from collections.abc import Callable, Iterable, Mapping
from html import escape

from reproduce.claims.ledger import StoredClaim
from reproduce.pages.ledger_table import note, sortable
from reproduce.robustness import Record, Robustness

COLUMNS = ("held", "claim", "interval", "control", "worst", "seed")
NUMERIC = {"held", "interval", "control", "worst", "seed"}


def robustness_table(
    claims: Iterable[StoredClaim], known: Mapping[str, Robustness], place: Callable[[StoredClaim], str]
) -> str:
    """One row a claim of the book, whether or not it was run on fresh seeds.

    claims: those of the book, in its order.
    known: by chapter.
    place: the address of a claim in its chapter, relative to the page with the table.
    """
    rows = []
    for claim in claims:
        chapter = known.get(claim.chapter)
        record = chapter.claims.get(claim.id) if chapter is not None else None
        link = f'<a href="{escape(place(claim))}">{escape(str(claim.record.get("statement") or claim.id))}</a>'
        cells = {"claim": (f"{link}{note(claim.id)}", claim.id), **_cells(record)}
        good = chapter is not None and record is not None and _held_always(record, chapter)
        rows.append(("holds" if good else "fails", {name: cells[name] for name in COLUMNS}))
    return sortable(rows, {name: name in NUMERIC for name in COLUMNS}, "chapter, word")


def origins(known: Iterable[Robustness], changed: Callable[[str], bool]) -> str:
    """When and with what each chapter was run, as a list.

    known: the chapters that were run.
    changed: whether a chapter's code has changed since.
    """
    items = []
    for one in known:
        runs = one.finished + one.failed
        failed = f", <b>{one.failed} of {runs} runs failed</b>" if one.failed else ""
        stale = ", <b>the chapter's code has changed since</b>" if changed(one.chapter) else ""
        items.append(
            f"<li><code>{escape(one.chapter)}</code>: {runs} runs, seeds of {escape(one.date)}, {one.first_seed} to "
            f"{one.last_seed}{failed}{stale}{note(f'{one.versions}; {one.host}; commit {one.commit}')}</li>"
        )
    return f'<ul class="origins">{"".join(items)}</ul>'


def _held_always(record: Record, chapter: Robustness) -> bool:
    """Whether a claim held, and its control failed, in every run that was begun."""
    return record.held == record.controls == chapter.finished + chapter.failed


def _cells(record: Record | None) -> dict[str, tuple[str, str]]:
    """What stands in each column but the claim's, and what it is sorted by."""
    if record is None:
        return {"held": ("not run yet", "-1"), **{name: ("", "") for name in COLUMNS[2:]}}
    low, high = record.interval
    rate = record.held / record.runs
    return {
        "held": (f"<b>{record.held} of {record.runs}</b>", f"{rate}"),
        "interval": (f"{low:.3f} … {high:.3f}", f"{low}"),
        "control": (f"failed in {record.controls} of {record.runs}", f"{record.controls / record.runs}"),
        "worst": (f"{record.worst:.2g}", f"{record.worst}"),
        "seed": (f"{record.at}", f"{record.at}"),
    }
