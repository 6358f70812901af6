"""Every chapter at the paper's own scale: one run each, with its seconds and its memory."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reproduce.campaigns.finding import Finding, run_campaign
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import paper_values, signature
from reproduce.running.run_all import Watch
from reproduce.sweep.grid import Grid
from reproduce.sweep.record import FINISHED
from reproduce.sweep.store import Store
from reproduce.sweep.sweep import sweep

PAPER = "paper"


def run_paper(
    book: Book, chapters: Sequence[Chapter], *, limit: float, folder: Path, watch: Watch, again: bool, **told: Any
) -> list[Finding]:
    """Run chapters with their ``.paper.yaml``, one after another; each finding is written as soon as it is there.

    book, chapters: what to run, and where it stands.
    limit: seconds that one chapter may take; one that takes longer, or fails, is an outcome too.
    folder: where the runs go.
    watch: told as that of ``sweep``.
    again: run also what was run to its good end with the same code and parameters.
    told: ``begin`` and ``ended`` of ``run_campaign``.

    Returns their findings. Raises PressError before anything runs if a parameter is not allowed, and else as ``sweep``.
    """
    asked = {chapter.name: paper_values(signature(chapter.read(), chapter.name), chapter) for chapter in chapters}

    def run(chapter: Chapter) -> tuple[Mapping[str, Any], list[str]]:
        values = asked[chapter.name]
        store = Store((folder / chapter.name).resolve())
        if again:
            shutil.rmtree(store.folder(values), ignore_errors=True)
        sweep(book, chapter, Grid({}, values), store.root, cell_limit=max(1, round(limit)), limit=limit, watch=watch)
        return outcome(values, store.find(values).record)

    return run_campaign(book, PAPER, chapters, run, again=again, **told)


def outcome(values: Mapping[str, Any], record: Mapping[str, Any] | None) -> tuple[Mapping[str, Any], list[str]]:
    """What came of a run: its counts, and what failed.

    values: the parameters it ran with.
    record: what the run left; None if it left nothing.

    The counts are the wall-clock time in ``seconds``, the start of the kernel included; the largest resident memory of
    the kernel in ``megabytes``; how many claims were stated, and how many of them hold. Failed are those that do not,
    and first of all, if the run did not reach its end, why.
    """
    left = record or {"seconds": 0.0, "claims": [], "status": "", "reason": "the run left nothing"}
    missed = [claim["id"] for claim in left["claims"] if not claim["holds"]]
    counts = {
        "parameters": dict(values),
        "seconds": round(left["seconds"]),
        "megabytes": left.get("megabytes", 0),
        "claims": len(left["claims"]),
        "held": len(left["claims"]) - len(missed),
    }
    failure = "" if left["status"] == FINISHED else left["reason"]
    nothing = "" if failure or left["claims"] else "no claim was stated"
    return counts, [said for said in (failure, nothing, *missed) if said]
