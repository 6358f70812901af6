"""Every chapter at the paper's own scale: one run each, with its seconds and its memory."""

import shutil
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from reproduce.campaigns.finding import Keep, Outcome
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import paper_values, signature
from reproduce.running.environment import commit_of
from reproduce.running.job import End, Job
from reproduce.running.run_all import Tally, Watch
from reproduce.running.staleness import fingerprint
from reproduce.sweep.point import Point
from reproduce.sweep.record import RUN_FINISHED
from reproduce.sweep.store import Store
from reproduce.sweep.sweep import run_points, with_remedy

PAPER = "paper"


def run_paper(
    book: Book,
    chapters: Sequence[Chapter],
    keep: Keep,
    *,
    limit: float,
    workers: int,
    scheduler: str | None,
    folder: Path,
    watch: Watch,
    again: bool,
) -> None:
    """Run chapters with their ``.paper.yaml``.

    book, chapters: what to run, and where it stands.
    keep: given of each chapter what ``outcome`` returns, as soon as it has ended.
    limit: seconds that each may take; one that takes longer, or fails, is an outcome too.
    workers, scheduler: as for ``sweep``.
    folder: where the runs go.
    watch: told as that of ``sweep``.
    again: run also what was run to its good end with the same code and parameters.

    Raises PressError if a parameter is not allowed, and else as ``sweep``.
    """
    commit = commit_of(book)
    points = {
        chapter.name: Point(
            book=book,
            chapter=chapter,
            name=chapter.name,
            values=values_of(chapter),
            code=fingerprint(book, chapter.read()),
            store=Store((folder / chapter.name).resolve()),
            commit=commit,
            limit=limit,
        )
        for chapter in chapters
    }
    tally = Tally(len(points))

    def told(tally: Tally, job: Job | None, end: End | None) -> None:
        watch(tally, job, end)
        if job is not None and end is not None:
            point = points[job.name]
            keep(job.chapter, outcome(point.values, point.store.find(point.values).record))

    with ExitStack() as held:
        for point in points.values():
            held.enter_context(point.store.opened(point.chapter))
            if again:
                shutil.rmtree(point.store.folder(point.values), ignore_errors=True)
            point.store.refuse_foreign(point.values, point.chapter)
        codes = {point.chapter: point.code for point in points.values()}
        jobs = iter(points.values())
        given: dict[str, Any] = {"workers": workers, "scheduler": scheduler, "watch": told}
        stopped = run_points(book, codes, folder, jobs, tally, **given) if points else None
    if stopped is not None:
        raise with_remedy(stopped, tally.finished, tally.total)


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
