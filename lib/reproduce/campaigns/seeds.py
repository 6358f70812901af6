"""Every chapter on fresh seeds: a sweep for each, whose outcome is kept with the book."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.campaigns.finding import Finding, Outcome, code_of, read_finding
from reproduce.campaigns.impossible import first_seed, missed
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import signature
from reproduce.chapters.seeded import SEED, without_seed
from reproduce.ground.errors import PressError
from reproduce.running.run_all import Watch
from reproduce.sweep.grid import Grid, parse_grid
from reproduce.sweep.summary import Summary
from reproduce.sweep.sweep import sweep

SEEDS = "seeds"
MOST = 1e9  # what is told of an error over the error allowed where that is more, as where none is allowed


def seed_grid(chapter: Chapter, code: str, count: int) -> Grid:
    """The fresh seeds of a chapter whose code has this hash; a PressError if it takes no seed."""
    parameters = signature(chapter.read(), chapter.name)
    if SEED not in parameters:
        raise PressError(f"{chapter.name} has no parameter {SEED}: its outcome is not random")
    start = first_seed(code)
    return parse_grid(parameters, [f"{SEED}={start}:{start + count}"], chapter.name, {})


def run_seeds(
    book: Book, chapter: Chapter, *, count: int, workers: int, scheduler: str | None, folder: Path, watch: Watch
) -> Outcome:
    """Run a chapter on the fresh seeds of its code.

    book, chapter: what to run, and where it stands.
    count: how many seeds.
    workers, scheduler: as for ``sweep``.
    folder: where the runs go; what is finished there is not run again.
    watch: told as that of ``sweep``.

    Returns what ``counted`` does, and what the seeds of earlier code found (``earlier``). Raises as ``sweep``; what is
    finished is kept and not run again.
    """
    code = code_of(book, chapter)
    grid = seed_grid(chapter, code, count)
    target = folder / chapter.name / code
    summary = sweep(book, chapter, grid, target, workers=workers, scheduler=scheduler, watch=watch)
    counts, failed = counted(grid, summary)
    return {**counts, "earlier": earlier(read_finding(book.root, SEEDS, chapter.name), code)}, failed


def earlier(last: Finding | None, code: str) -> list[dict[str, Any]]:
    """What the seeds of all code before this one found: on how many they ran, and the claims that missed one.

    last: what is kept of the chapter; None if nothing is.
    code: the hash of the code as it stands.
    """
    if last is None:
        return []
    known = {name: last.counts[name] for name in ("first_seed", "last_seed", "finished", "failed")}
    lost = {id: {name: of[name] for name in ("runs", "held", "controls")} for id, of in missed(last.counts).items()}
    one = {"code": last.code, "commit": last.commit, "date": last.date, **known, "missed": lost}
    return [kept for kept in [*last.counts["earlier"], one] if kept["code"] != code]


def counted(grid: Grid, summary: Summary) -> Outcome:
    """What a sweep over seeds found, and what did not hold in every run.

    Of each claim: in how many runs it is stated (``runs``), holds, and has a control that failed as it must
    (``controls``); the largest part of its tolerance that its error used, at most ``MOST``, and the seed of that run
    (``at``); whether all runs gave the same numbers (``same``).
    """
    seeds = grid.values[SEED]
    claims = {
        claim.id: {
            "runs": claim.runs,
            "held": claim.held,
            "controls": claim.controls,
            "worst": float(f"{min(claim.worst, MOST):.2g}"),
            "at": int(claim.worst_at.get(SEED, seeds[0])),
            "same": claim.same and claim.runs > 1,
        }
        for claim in summary.claims.values()
    }
    counts = {
        "first_seed": int(seeds[0]),
        "last_seed": int(seeds[-1]),
        "finished": summary.finished,
        "failed": summary.failed,
        "claims": claims,
    }
    lost = [
        f"{id}: held in {of['held']} of {of['runs']}, its control failed in {of['controls']}"
        for id, of in missed(counts).items()
    ]
    return counts, [*([f"{summary.failed} runs failed"] if summary.failed else []), *lost]


def same_with_every_seed(
    found: Iterable[Finding], notebooks: Mapping[str, NotebookNode] | None = None
) -> dict[str, bool]:
    """By its id whether a claim comes out with the same numbers on every seed; without those of which it is not known.

    Of equal errors the first is the worst: a finding that does not say it yet still tells the others.

    found: what the fresh seeds found.
    notebooks: by chapter name; what no finding knows is the same where its code does not hear of the seed.
    """
    known: dict[str, bool] = {}
    for chapter, notebook in (notebooks or {}).items():
        known |= {f"{Path(chapter).name}.{name}": True for name in without_seed(notebook)}
    for one in found:
        for id, of in one.counts["claims"].items():
            if "same" in of or of["at"] != one.counts["first_seed"]:
                known[id] = bool(of.get("same"))
    return known
