"""The command ``offdefault``."""

import sys

import click

from reproduce.book import find_book, shown
from reproduce.errors import FAILED, OK


@click.command()
@click.argument("chapters", nargs=-1)
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one for each core.")
def offdefault(chapters: tuple[str, ...], workers: int | None) -> None:
    """Run CHAPTERS (by default all) with each numeric parameter at half and at double its default.

    The outcome is kept for a page of the book. The exit code is 0 if every run was in order or was refused with a
    reason, and 1 if one was not.
    """
    from reproduce import table
    from reproduce.campaigns import OFF_DEFAULT
    from reproduce.running.pool import cores
    from reproduce.running.progress import Progress
    from reproduce.sweep.off_default import run_off_default

    book = find_book()
    asked = [book.chapter(name) for name in chapters] or book.chapters()
    with Progress(table.console()) as progress:
        found = run_off_default(
            book,
            asked,
            workers=workers or cores(),
            folder=book.build / "offdefault",
            begin=lambda chapter: click.echo(f"{chapter.name}: off its defaults", err=True),
            watch=progress.watch,
        )
    for one in found:
        for point in one.not_ok:
            click.echo(f"✗ {one.chapter}: {point}", err=True)
    wrong = sum(len(one.not_ok) for one in found)
    click.echo(
        f"{sum(one.ok for one in found)} in order, {sum(one.refused for one in found)} refused, {wrong} not in order"
    )
    click.echo(f"written: {shown(book.root / OFF_DEFAULT)}")
    sys.exit(FAILED if wrong else OK)
