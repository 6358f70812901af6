"""The command ``sweep``."""

import sys
from pathlib import Path

import click

from reproduce.chapters.book import find_book, refuse_own_folders, shown
from reproduce.ground.errors import OK, PressError
from reproduce.ground.options import into
from reproduce.running.environment import cores

MOST_WITHOUT_YES = 10_000
FAILED_RUNS, MOST_FAILED_RUNS = 10, 100  # exit codes 11 … 110: how many runs failed


WORKERS = click.option(
    "--workers", type=click.IntRange(min=1), help="Kernels on this machine; by default one for each core."
)
SCHEDULER = click.option(
    "--scheduler", metavar="ADDRESS", help="Use a running Dask cluster, for example tcp://10.0.0.1:8786."
)


@click.command()
@click.argument("chapter")
@click.option("-p", "assignments", metavar="NAME=VALUES", multiple=True, help="Values of a parameter; may be repeated.")
@click.option("--paper", is_flag=True, help="Start from the paper's own scale; -p still wins.")
@WORKERS
@SCHEDULER
@click.option(
    "--shard",
    metavar="K/N",
    help="Only the points whose number, from 0 on, is K modulo N: one of N calls, at any time, into the same folder.",
)
@into("Where to; by default _build/sweeps/CHAPTER. What is finished there is not run again.")
@click.option(
    "--cell-limit",
    type=click.IntRange(min=1),
    default=3600,
    show_default=True,
    metavar="SECONDS",
    help="A run with a cell that takes longer counts as failed.",
)
@click.option("--yes", is_flag=True, help=f"Start even if there are more than {MOST_WITHOUT_YES} runs.")
def sweep(
    chapter: str,
    assignments: tuple[str, ...],
    paper: bool,
    workers: int | None,
    scheduler: str | None,
    shard: str | None,
    folder: Path | None,
    cell_limit: int,
    yes: bool,
) -> None:
    """Run CHAPTER over a grid of parameters and say where its claims hold.

    VALUES are joined by commas (width=100,300,1000). seed=0:20 is 0 to 19, scale=log:1e-5:1:9 nine numbers from 1e-5 to
    1, evenly spaced in the logarithm, scale=lin:0:1:5 five evenly spaced. Values of a list parameter are joined by
    semicolons. Every combination is run. Started again after an interruption, the command goes on where it was.

    The exit code is 0 if every run finished, whether or not its claims hold; 10 plus the number of failed runs, at most
    110, if some failed; 2 if something is not allowed, 3 if a folder cannot be written, 1 if the scheduler is gone or
    the book was changed meanwhile, 130 after Ctrl-C.
    """
    from reproduce.chapters import parameters, table
    from reproduce.running.progress import Progress
    from reproduce.sweep.grid import Grid, parse_grid, parse_shard
    from reproduce.sweep.report import as_text
    from reproduce.sweep.sweep import sweep as run_sweep

    refuse_both(workers, scheduler)
    book = find_book()
    one = book.chapter(chapter)
    target = book.build / "sweeps" / one.name if folder is None else refuse_own_folders(book, folder)
    known = parameters.signature(one.read(), one.name)
    base = parameters.paper_values(known, one) if paper else {}
    grid = parse_grid(known, assignments, one.name, base)
    if grid.size > MOST_WITHOUT_YES and not yes:
        raise PressError(f"the grid has {grid.size} points; add --yes to run more than {MOST_WITHOUT_YES}")
    if shard is not None:
        grid = parse_shard(grid, shard)
    click.echo(f"sweeping {one.name}: {grid.size} {'run' if grid.size == 1 else 'runs'} into {shown(target)}", err=True)
    with Progress(table.console()) as progress:
        summary = run_sweep(
            book,
            one,
            grid,
            target,
            workers=workers or cores(),
            scheduler=scheduler,
            cell_limit=cell_limit,
            watch=progress.watch,
            say=lambda line: click.echo(line, err=True),
        )
    table.console().print(as_text(summary, one.name))
    if summary.claims:
        click.echo("interval: of the rate at which a claim holds, if the runs are independent draws, such as seeds")
    click.echo(f"{summary.finished} of {summary.total} runs finished, {summary.failed} failed")
    if summary.total == Grid(grid.values).size:
        click.echo(f"table: {shown(target / 'claims.csv')}, .parquet")
        click.echo(f"page:  {shown(target / 'index.html')}")
    else:
        click.echo("table and page: written by the call after which no run of the grid is missing")
    sys.exit(exit_code(summary.failed))


def exit_code(failed: int) -> int:
    """0, or 10 plus the number of failed runs, at most 110."""
    return FAILED_RUNS + min(failed, MOST_FAILED_RUNS) if failed else OK


def refuse_both(workers: int | None, scheduler: str | None) -> None:
    """A usage error if both are given."""
    if workers is not None and scheduler is not None:
        raise click.UsageError("--workers and --scheduler exclude each other: a cluster has the workers it has")
