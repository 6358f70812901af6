"""The commands ``seeds``, ``offdefault``, ``paper`` and ``evidence``."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reproduce.campaigns import MOST_SEEDS
from reproduce.chapters.book import Book, Chapter, find_book, shown
from reproduce.ground.errors import FAILED, OK, PressError
from reproduce.running.environment import cores
from reproduce.sweep.command import SCHEDULER, WORKERS, exit_code, refuse_both

if TYPE_CHECKING:
    from reproduce.campaigns.finding import Finding, Keep, Outcome
    from reproduce.running.job import End, Job
    from reproduce.running.run_all import Tally, Watch

AGAIN = click.option("--again", is_flag=True, help="Run also what is of the present code already.")


@click.command()
@click.argument("chapters", nargs=-1)
@click.option(
    "--count", type=click.IntRange(1, MOST_SEEDS), default=20, show_default=True, help="Seeds for each chapter."
)
@WORKERS
@SCHEDULER
@AGAIN
def seeds(chapters: tuple[str, ...], count: int, workers: int | None, scheduler: str | None, again: bool) -> None:
    """Run CHAPTERS (by default all) on fresh seeds and keep how often each claim held, for a page of the book.

    The seeds follow from the chapter's code, so that nobody chose them: code that changes draws new ones. Started again
    after an interruption, the command goes on where it was.

    The exit code is as for 'sweep', and 1 if every run finished but some claim did not hold in every one.
    """
    from reproduce.campaigns.finding import code_of
    from reproduce.campaigns.seeds import SEEDS, run_seeds, seed_grid

    refuse_both(workers, scheduler)
    run = _each(f"{count} seeds", run_seeds, count=count, workers=workers or cores(), scheduler=scheduler)

    def refused(book: Book, chapter: Chapter) -> None:
        seed_grid(chapter, code_of(book, chapter), count)

    found = _campaign(SEEDS, chapters, run, refused, again=again)
    claims, missed = (
        sum(map(len, of)) for of in ([one.counts["claims"] for one in found], [one.failed for one in found])
    )
    click.echo(f"{claims} claims on fresh seeds, {missed} failures")
    failed = sum(one.counts["failed"] for one in found)
    sys.exit(exit_code(failed) if failed else FAILED if missed else OK)


@click.command()
@click.argument("chapters", nargs=-1)
@WORKERS
@SCHEDULER
@AGAIN
def offdefault(chapters: tuple[str, ...], workers: int | None, scheduler: str | None, again: bool) -> None:
    """Run CHAPTERS (by default all) with each numeric parameter at half and at double its default.

    The outcome is kept for a page of the book. Started again after an interruption, the command goes on where it was.
    The exit code is 0 if every run was in order or was refused, and 1 if one was not.
    """
    from reproduce.campaigns.off_default import IN_ORDER, OFF_DEFAULT, run_off_default

    refuse_both(workers, scheduler)
    run = _each("off its defaults", run_off_default, workers=workers or cores(), scheduler=scheduler)
    found = _campaign(OFF_DEFAULT, chapters, run, again=again)
    ok, outside, refused = (sum(one.counts[name] for one in found) for name in IN_ORDER)
    wrong = sum(len(one.failed) for one in found)
    click.echo(f"{ok} in order, {outside} outside the declared range, {refused} refused, {wrong} not in order")
    sys.exit(FAILED if wrong else OK)


@click.command()
@click.argument("chapters", nargs=-1)
@click.option(
    "--limit",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="MINUTES",
    help="A chapter that takes longer counts as failed.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Chapters at a time on this machine; by default one, whose time is then its own.",
)
@SCHEDULER
@AGAIN
def paper(chapters: tuple[str, ...], limit: float, workers: int | None, scheduler: str | None, again: bool) -> None:
    """Run CHAPTERS (by default all) at the paper's own scale.

    Time, memory and claims are kept for a page of the book. Started again after an interruption, the command goes on
    where it was. The exit code is 0 if every chapter reached its end and every claim holds, and 1 if not.
    """
    from reproduce.campaigns.paper import PAPER, run_paper, values_of

    refuse_both(workers, scheduler)

    def run(book: Book, asked: Sequence[Chapter], keep: "Keep", *, folder: Path, watch: "Watch") -> None:
        def told(tally: "Tally", job: "Job | None", end: "End | None") -> None:
            if job is not None and end is None:
                click.echo(f"{job.name}: at the paper's scale", err=True)
            watch(tally, job, end)

        given: dict[str, Any] = {"workers": workers or 1, "scheduler": scheduler, "folder": folder, "again": again}
        run_paper(book, asked, keep, limit=60 * limit, watch=told, **given)

    found = _campaign(PAPER, chapters, run, lambda book, one: values_of(one), again=again)
    good = sum(not one.failed for one in found)
    click.echo(f"{good} of {len(found)} {'chapter' if len(found) == 1 else 'chapters'} in order")
    sys.exit(OK if good == len(found) else FAILED)


@click.command()
@click.argument("campaign", required=False)
def evidence(campaign: str | None) -> None:
    """Show of which commit the findings of every CAMPAIGN are, and which of them are of older code.

    With a CAMPAIGN the exit code is 1 if it has to be run for a release: if it was never run, or some of it is older.
    """
    from reproduce.campaigns.finding import WRITTEN_BY, is_current, read_findings

    book = find_book()
    if campaign is not None and campaign not in WRITTEN_BY:
        raise PressError(f"unknown campaign '{campaign}': {', '.join(WRITTEN_BY)}")
    for name in WRITTEN_BY if campaign is None else [campaign]:
        found = read_findings(book, name)
        older = [one for one in found if not is_current(book, one)]
        commits = ", ".join(dict.fromkeys(one.commit[:12] for one in found))
        said = f"{len(found)} findings, {len(older)} of older code; commit {commits}" if found else "not run yet"
        click.echo(f"{name} ({WRITTEN_BY[name]}): {said}")
    if campaign is not None:
        sys.exit(FAILED if older or not found else OK)


def _each(what: str, run: "Callable[..., Outcome]", **given: Any) -> Callable[..., None]:
    """Run chapters one after another, each with these arguments, and say of each before what is done."""

    def each(book: Book, chapters: Sequence[Chapter], keep: "Keep", **more: Any) -> None:
        for chapter in chapters:
            click.echo(f"{chapter.name}: {what}", err=True)
            keep(chapter, run(book, chapter, **given, **more))

    return each


def _campaign(
    name: str,
    chapters: Sequence[str],
    run: Callable[..., None],
    refused: Callable[[Book, Chapter], object] = lambda book, chapter: None,
    *,
    again: bool,
) -> "list[Finding]":
    """Run a campaign on the chapters of these names, by default all, and say how each ended and what failed.

    Before anything is run, each chapter may be refused.
    """
    from reproduce.campaigns.finding import RECORDS, run_campaign
    from reproduce.chapters import table
    from reproduce.running.progress import Progress

    def ended(one: "Finding", earlier: bool) -> None:
        how = " (unchanged, not run again)" if earlier else ""
        click.echo(f"{'✗' if one.failed else '✓'} {one.chapter}{how}{''.join(f'; {said}' for said in one.failed)}")

    book = find_book()
    asked = [book.chapter(short) for short in chapters] or book.chapters()
    for chapter in asked:
        refused(book, chapter)
    with Progress(table.console(), lambda job, end: "") as progress:
        found = run_campaign(
            book,
            name,
            asked,
            partial(run, book, folder=book.build / name, watch=progress.watch),
            again=again,
            ended=ended,
        )
    click.echo(f"written: {shown(book.root / RECORDS / name)}")
    return found
