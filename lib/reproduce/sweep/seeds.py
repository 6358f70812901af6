"""Every chapter on fresh seeds: a sweep for each, whose outcome is kept with the book."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from reproduce.book import Book, Chapter
from reproduce.environment import commit_of, environment
from reproduce.errors import PressError
from reproduce.parameters import signature
from reproduce.robustness import Record, Robustness, first_seed, read_robustness, write_robustness
from reproduce.running.engine import Watch
from reproduce.running.staleness import code_hash
from reproduce.sweep.grid import Grid, parse_grid
from reproduce.sweep.summary import Summary
from reproduce.sweep.sweep import sweep

SEED = "seed"


def seed_grid(chapter: Chapter, code: str, count: int) -> Grid:
    """The fresh seeds of a chapter whose code has this hash; a PressError if it takes no seed."""
    parameters = signature(chapter.read(), chapter.name)
    if SEED not in parameters:
        raise PressError(f"{chapter.name} has no parameter {SEED}: its outcome is not random")
    start = first_seed(code)
    return parse_grid(parameters, [f"{SEED}={start}:{start + count}"], chapter.name, {})


def run_seeds(
    book: Book,
    chapters: Sequence[Chapter],
    count: int,
    *,
    workers: int,
    scheduler: str | None,
    folder: Path,
    begin: Callable[[Chapter], None],
    watch: Watch,
) -> list[Robustness]:
    """Run chapters on the fresh seeds of their code; each chapter's outcome is written as soon as it is there.

    book, chapters: what to run, and where it stands.
    count: how many seeds.
    workers, scheduler: as for ``sweep``.
    folder: where the runs go; what is finished there is not run again.
    begin: told of each chapter before it is swept.
    watch: told as that of ``sweep``.

    Returns their outcomes. Raises as ``sweep`` does; what is finished is kept and not run again.
    """
    codes = {chapter.name: code_hash(book, chapter.read()) for chapter in chapters}
    grids = {chapter.name: seed_grid(chapter, codes[chapter.name], count) for chapter in chapters}
    known = read_robustness(book.root)
    for chapter in chapters:
        begin(chapter)
        grid, code = grids[chapter.name], codes[chapter.name]
        target = folder / chapter.name / code
        summary = sweep(book, chapter, grid, target, workers=workers, scheduler=scheduler, watch=watch)
        known[chapter.name] = _robustness(book, chapter, code, grid, summary)
        order = [one.name for one in book.chapters()]
        write_robustness(book.root, [known[name] for name in order if name in known])
    return [known[chapter.name] for chapter in chapters]


def _robustness(book: Book, chapter: Chapter, code: str, grid: Grid, summary: Summary) -> Robustness:
    here = environment(str(book.root))
    versions = ", ".join(f"{name} {version}" for name, version in here["versions"].items())
    seeds = [grid.fixed[SEED]] if SEED in grid.fixed else grid.axes[SEED]
    records = {
        claim.id: Record(
            claim.runs,
            claim.held,
            claim.controls,
            float(f"{claim.worst:.2g}"),
            int(claim.worst_at.get(SEED, seeds[0])),
        )
        for claim in summary.claims.values()
    }
    return Robustness(
        chapter=chapter.name,
        code=code,
        date=datetime.now(UTC).date().isoformat(),
        commit=commit_of(book),
        versions=f"Python {here['python']}, {versions}",
        host=f"{here['cores']} cores",
        first_seed=int(seeds[0]),
        last_seed=int(seeds[-1]),
        finished=summary.finished,
        failed=summary.failed,
        claims=records,
    )
