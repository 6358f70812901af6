"""The commands ``export``, ``check`` and ``metadata``."""

import sys
from pathlib import Path

import click

from reproduce.chapters.book import find_book, shown
from reproduce.ground.errors import FAILED, OK


@click.command()
@click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
@click.option("-o", "target", metavar="FILE.zip", required=True, help="Where to; a file that is not there yet.")
def export(chapters: tuple[str, ...], target: str) -> None:
    """Pack CHAPTERS (by default all) into an archive that says what it vouches for and how each claim is checked.

    It is an RO-Crate: notebooks, scripts, claims, parameters, environment, library, and the sha256 of each file. The
    exit code is 0 if every claim in it holds, 1 if one does not (the archive says so), 2 if something is not allowed, 3
    if the file cannot be written.
    """
    from reproduce.archive.export import export as export_chapters

    book = find_book()
    ledger = export_chapters(book, [book.chapter(name) for name in chapters], Path(target))
    for sentence in ledger.objections:
        click.echo(f"✗ {sentence}", err=True)
    click.echo(f"archive: {shown(Path(target))} ({Path(target).stat().st_size / 1e6:.1f} MB); {ledger.count}")
    sys.exit(OK if ledger.holds else FAILED)


@click.command()
@click.argument("claims", nargs=-1, metavar="[CLAIM|CHAPTER]...")
def check(claims: tuple[str, ...]) -> None:
    """Execute the chapters of CLAIMS (by default all) anew and compare what comes out with what is stored.

    A CHAPTER stands for all its claims.
    On a machine as it was stored on, to the last digit; elsewhere a number may move by 1.5e-5 of its size, which is
    said. The exit code is 0 if every claim holds again and nothing else differs, and 1 if not.
    """
    from reproduce.running.check import check as check_claims
    from reproduce.running.check import find_claims, in_words

    book = find_book()
    found = find_claims(book, claims)
    for chapter in dict.fromkeys(claim.chapter for claim in found):
        click.echo(f"{chapter} will be executed", err=True)
    done = []
    for checked in check_claims(book, found, progress=sys.stderr.isatty()):
        click.echo((checked.fresh or checked.stored).line)
        for sentence in checked.objections:
            click.echo(f"  {sentence}")
        done.append(checked)
    click.echo(in_words(done))
    sys.exit(OK if all(checked.holds for checked in done) else FAILED)


@click.command()
def metadata() -> None:
    """Write codemeta.json, .zenodo.json and codecheck.yml again, from CITATION.cff and what the chapters store."""
    from reproduce.archive.metadata import write_metadata
    from reproduce.pages.citation import CITATION, read_citation

    book = find_book()
    for path in write_metadata(book):
        click.echo(shown(path))
    if lacking := read_citation(book.root).lacking:
        click.echo(f"{CITATION} has no {lacking} yet", err=True)
