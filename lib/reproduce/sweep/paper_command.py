"""The command ``paper``."""

import sys
from typing import TYPE_CHECKING

import click

from reproduce.book import find_book, shown
from reproduce.errors import FAILED, OK

if TYPE_CHECKING:
    from reproduce.campaigns import AtPaper


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
@click.option("--again", is_flag=True, help="Run also what has not changed since it was last run to its end.")
def paper(chapters: tuple[str, ...], limit: float, again: bool) -> None:
    """Run CHAPTERS (by default all) at the paper's own scale, one after another.

    Time, memory and claims are kept for a page of the book. Started again after an interruption, the command goes on
    where it was. The exit code is 0 if every chapter reached its end and every claim holds, and 1 if not.
    """
    from reproduce import table
    from reproduce.campaigns import PAPER
    from reproduce.running.progress import Progress
    from reproduce.sweep.paper import run_paper

    book = find_book()
    asked = [book.chapter(name) for name in chapters] or book.chapters()
    with Progress(table.console(), lambda job, end: "") as progress:
        found = run_paper(
            book,
            asked,
            limit=60 * limit,
            again=again,
            folder=book.build / "paper",
            begin=lambda chapter: click.echo(f"{chapter.name}: at the paper's scale", err=True),
            watch=progress.watch,
            ended=lambda one, earlier: click.echo(f"{in_words(one)}{' (unchanged, not run again)' if earlier else ''}"),
        )
    good = sum(one.holds for one in found)
    click.echo(f"{good} of {len(found)} {'chapter' if len(found) == 1 else 'chapters'} in order")
    click.echo(f"written: {shown(book.root / PAPER)}")
    sys.exit(OK if good == len(found) else FAILED)


def in_words(one: "AtPaper") -> str:
    """An outcome in one line."""
    said = one.failure or f"{one.held} of {one.claims} claims hold{''.join(f', not {id}' for id in one.missed)}"
    return f"{'✓' if one.holds else '✗'} {one.chapter} in {one.seconds} s, {one.megabytes} MB: {said}"
