"""Every chapter at the paper's own scale: one run each, with its seconds and its memory."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reproduce.campaigns.finding import Outcome
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import paper_values, signature
from reproduce.running.run_all import Watch
from reproduce.sweep.grid import Grid
from reproduce.sweep.record import RUN_FINISHED
from reproduce.sweep.store import Store
from reproduce.sweep.sweep import sweep

PAPER = "paper"


def run_paper(book: Book, chapter: Chapter, *, limit: float, folder: Path, watch: Watch, again: bool) -> Outcome:
    """Run a chapter with its ``.paper.yaml``.

    book, chapter: what to run, and where it stands.
    limit: seconds that it may take; one that takes longer, or fails, is an outcome too.
    folder: where the run goes.
    watch: told as that of ``sweep``.
    again: run also what was run to its good end with the same code and parameters.

    Returns what ``outcome`` does. Raises PressError if a parameter is not allowed, and else as ``sweep``.
    """
    values = values_of(chapter)
    store = Store((folder / chapter.name).resolve())
    if again:
        shutil.rmtree(store.folder(values), ignore_errors=True)
    grid = Grid({name: [value] for name, value in values.items()})
    sweep(book, chapter, grid, store.root, cell_limit=max(1, round(limit)), limit=limit, watch=watch)
    return outcome(values, store.find(values).record)


def values_of(chapter: Chapter) -> dict[str, Any]:
    """The parameters of a chapter at the paper's scale; PressError if one is not allowed."""
    return paper_values(signature(chapter.read(), chapter.name), chapter)


def outcome(values: Mapping[str, Any], record: Mapping[str, Any] | None) -> Outcome:
    """What came of a run: its counts, and what failed.

    values: the parameters it ran with.
    record: what the run left; None if it left nothing.

    The counts are the wall-clock time in ``seconds``, the start of the kernel included; the largest resident memory of
    the kernel in ``megabytes``; how many claims were stated, and how many of them hold. Failed are those that do not,
    and first of all, if the run did not reach its end, why.
    """
    left = record or {"seconds": 0.0, "megabytes": 0, "claims": [], "status": "", "reason": "the run left nothing"}
    missed = [claim["id"] for claim in left["claims"] if not claim["holds"]]
    counts = {
        "parameters": dict(values),
        "seconds": round(left["seconds"]),
        "megabytes": left["megabytes"],
        "claims": len(left["claims"]),
        "held": len(left["claims"]) - len(missed),
    }
    failure = "" if left["status"] == RUN_FINISHED else left["reason"]
    nothing = "" if failure or left["claims"] else "no claim was stated"
    return counts, [said for said in (failure, nothing, *missed) if said]
