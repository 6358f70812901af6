"""The command ``pdf``."""

import sys

import click

from reproduce.chapters.book import find_book, shown
from reproduce.ground.errors import FAILED, OK


@click.command()
def pdf() -> None:
    """Set the stored book and each chapter as a PDF by LaTeX; nothing is run.

    The exit code is 0 if it is as it should be, 1 if LaTeX stops, a sign is missing or a line sticks out of the page, 2
    if LaTeX is not installed.
    """
    from reproduce.pages.publish import alone
    from reproduce.printed.build import print_book

    book = find_book()
    with alone(book):
        click.echo("setting the book from the stored outputs", err=True)
        path, log = print_book(book)
    click.echo(f"{shown(path)} ({path.stat().st_size / 1e6:.1f} MB)")
    wrong = list(log.sentences)
    for sentence in wrong:
        click.echo(f"✗ {sentence}", err=True)
    sys.exit(FAILED if wrong else OK)
