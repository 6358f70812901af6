"""Every chapter on fresh seeds: a sweep for each, whose outcome is kept with the book."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nbformat import NotebookNode

from reproduce.campaigns import MOST_SEEDS
from reproduce.campaigns.finding import Finding, Outcome, code_of, read_findings
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import signature
from reproduce.chapters.seeded import SEED, without_seed
from reproduce.ground.errors import PressError
from reproduce.running.run_all import Watch
from reproduce.sweep.grid import Grid, parse_grid
from reproduce.sweep.summary import Summary
from reproduce.sweep.sweep import sweep

SEEDS = "seeds"
RANGE = 2**32  # every chapter takes the seeds below it


def first_seed(code: str) -> int:
    """The first of a chapter's fresh seeds: digits of the hash of its code, so that nobody chose them."""
    return int(code[:8], 16) % (RANGE - MOST_SEEDS)


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

    Returns what ``counted`` does. Raises as ``sweep``; what is finished is kept and not run again.
    """
    code = code_of(book, chapter)
    grid = seed_grid(chapter, code, count)
    target = folder / chapter.name / code
    return counted(grid, sweep(book, chapter, grid, target, workers=workers, scheduler=scheduler, watch=watch))


def counted(grid: Grid, summary: Summary) -> Outcome:
    """What a sweep over seeds found, and what did not hold in every run.

    Of each claim: in how many runs it is stated (``runs``), holds, and has a control that failed as it must
    (``controls``); the largest part of its tolerance that its error used, and the seed of that run (``at``); whether
    all runs gave the same numbers (``same``).
    """
    seeds = grid.values[SEED]
    claims = {
        claim.id: {
            "runs": claim.runs,
            "held": claim.held,
            "controls": claim.controls,
            "worst": float(f"{claim.worst:.2g}"),
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
    missed = [
        f"{id}: held in {of['held']} of {of['runs']}, its control failed in {of['controls']}"
        for id, of in claims.items()
        if not of["held"] == of["controls"] == of["runs"]
    ]
    return counts, [*([f"{summary.failed} runs failed"] if summary.failed else []), *missed]


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


def objections(book: Book) -> list[str]:
    """What in the findings cannot be, in sentences: counts that do not add up, seeds that are not those of the code."""
    return [
        f"fresh seeds of {found.chapter}: {sentence}"
        for found in read_findings(book, SEEDS)
        for sentence in _against(found)
    ]


def _against(found: Finding) -> Iterator[str]:
    counts = found.counts
    seeds = counts["last_seed"] - counts["first_seed"] + 1
    if counts["finished"] + counts["failed"] != seeds:
        yield f"{counts['finished']} runs finished and {counts['failed']} failed, of {seeds} seeds"
    try:
        expected = first_seed(found.code)
    except ValueError:
        yield f"its code {found.code} is no hash"
    else:
        if counts["first_seed"] != expected:
            yield f"its first seed is {counts['first_seed']}; that of its code is {expected}"
    for id, of in counts["claims"].items():
        # A run that failed has the claims before the cell at which it stopped.
        if not (of["held"] <= of["runs"] and of["controls"] <= of["runs"] <= seeds):
            yield f"{id}: held in {of['held']} and controls failed in {of['controls']}, of {of['runs']} runs"
        if not counts["first_seed"] <= of["at"] <= counts["last_seed"]:
            yield f"{id}: the worst seed {of['at']} is none of its seeds"
        if of["held"] == of["runs"] and of["worst"] > 1:
            yield f"{id}: the worst error is {of['worst']:g} of its tolerance, yet it held in {of['held']} runs"
