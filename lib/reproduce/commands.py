"""The commands: list, run, figure, sweep, seeds, offdefault, paper, evidence, ledger, check, export, metadata, build,
html, pdf, refresh, new, ready.
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reproduce.archive.command import check, export, metadata
from reproduce.campaigns.command import evidence, offdefault, seeds
from reproduce.campaigns.command import paper as paper_command
from reproduce.chapters.book import CONTENTS, REGISTER, Chapter, find_book, title
from reproduce.ground.errors import FAILED, OK, PressError, RunFailed, quoted
from reproduce.ground.options import into
from reproduce.printed.command import pdf
from reproduce.sweep.command import sweep

if TYPE_CHECKING:
    from reproduce.claims.ledger import Ledger
    from reproduce.running.run import Run

PROGRAM = "python -m reproduce"


class ChapterRun(click.Command):
    """``run`` whose help ends in the parameters of the chapter that is named before --help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the words, so that --help, which stops the parsing, can look for a chapter among them."""
        ctx.meta["words"] = list(args)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of parameters; nothing if no chapter is named."""
        words = [word for word in ctx.meta.get("words", []) if not word.startswith("-") and "=" not in word]
        if words:
            formatter.write(_parameters_as_text(find_book().chapter(words[0])))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """Rerun the chapters of this book, read what they claim, and build its pages."""


@commands.command("list")
@click.argument("chapter", required=False)
def list_(chapter: str | None) -> None:
    """Show all chapters, or the parameters of one CHAPTER."""
    from reproduce.chapters import table
    from reproduce.claims import ledger

    book = find_book()
    if chapter is not None:
        click.echo(_parameters_as_text(book.chapter(chapter)), nl=False)
        return
    rows = []
    for one in book.chapters():
        stored = one.read() if one.notebook.exists() else None
        rows.append(
            (one.name, title(stored), len(ledger.claims_of(one.name, stored)))
            if stored
            else (one.name, "(no notebook yet: refresh makes it)", 0)
        )
    table.console().print(table.of_chapters(rows))


@commands.command(cls=ChapterRun)
@click.argument("chapter")
@click.option("-p", "assignments", metavar="NAME=VALUE", multiple=True, help="Set a parameter; may be repeated.")
@click.option("--paper", is_flag=True, help="Start from the paper's own scale; -p still wins.")
@into("Where to; by default a folder of its own under _build/runs.")
def run(chapter: str, assignments: tuple[str, ...], paper: bool, folder: Path | None) -> None:
    """Run CHAPTER with your own parameters and judge its claims.

    'run CHAPTER --help' shows its parameters. The exit code is 0 if every claim holds, 1 if one does not or a cell
    fails, 2 if something is not allowed, 3 if the folder cannot be written, 130 after Ctrl-C.
    """
    from reproduce.chapters.book import shown

    done = _run(chapter, assignments, folder, paper=paper)
    _print_ledger(done.ledger)
    click.echo(f"notebook: {shown(done.notebook)}")
    sys.exit(OK if done.ledger.holds else FAILED)


@commands.command(cls=ChapterRun)
@click.argument("chapter")
@click.option("-p", "assignments", metavar="NAME=VALUE", multiple=True, help="Set a parameter; may be repeated.")
@click.option(
    "--format",
    "formats",
    metavar="FORMATS",
    default="svg,pdf,csv",
    show_default=True,
    help="Of svg and pdf, which are vectors, and csv, the plotted numbers: one, or several joined by commas.",
)
@click.option("--number", type=click.IntRange(min=1), help="Only this figure, counted on the chapter's page from 1 on.")
@into("Where to; by default the folder of such a run under _build/runs.")
def figure(chapter: str, assignments: tuple[str, ...], formats: str, number: int | None, folder: Path | None) -> None:
    """Run CHAPTER with your own parameters, as 'run' does, and write its figures as files.

    Where the same run lies there already and no code has changed since, it is taken. The exit code is that of 'run'.
    """
    from reproduce.chapters.book import shown
    from reproduce.running.figures import FORMATS, count_figures, write_figures

    asked = list(dict.fromkeys(one.strip() for one in formats.split(",")))
    if wrong := [one for one in asked if one not in FORMATS]:
        raise PressError(f"--format has {quoted(wrong[0])}; allowed are {', '.join(FORMATS)}, joined by commas")
    stored = count_figures(find_book().chapter(chapter).read())
    if number is not None and stored and number > stored:
        raise PressError(f"--number is {number}; {chapter} has {stored} {'figure' if stored == 1 else 'figures'}")
    done = _run(chapter, assignments, folder, again=False)
    chosen = done.figures if number is None else done.figures[number - 1 : number]
    written = list(write_figures(chosen, done.notebook.parent, asked))
    for path in written:
        click.echo(shown(path))
    click.echo(done.ledger.count)
    for sentence in done.ledger.objections:
        click.echo(f"✗ {sentence}", err=True)
    if not written:
        raise RunFailed(f"{chapter} drew no such figure")
    sys.exit(OK if done.ledger.holds else FAILED)


@commands.command()
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--executed", is_flag=True, help="Read the notebooks that 'build' executed instead of the stored ones.")
def ledger(as_json: bool, executed: bool) -> None:
    """Judge every claim of the book again from what its notebooks store."""
    from reproduce.claims import ledger as ledgers
    from reproduce.running.staleness import executed_notebooks

    book = find_book()
    notebooks = executed_notebooks(book) if executed else book.notebooks()
    judged = ledgers.judge(notebooks, ledgers.read_register(book.root / REGISTER))
    if as_json:
        click.echo(json.dumps(judged.as_json(), indent=1, ensure_ascii=False))
    else:
        _print_ledger(judged)
    sys.exit(OK if judged.holds else FAILED)


@commands.command()
@click.option("--jobs", type=click.IntRange(min=1), help="Chapters at a time; by default one for each core.")
def build(jobs: int | None) -> None:
    """Run every chapter that is not up to date, check the ledger, and build the pages from the fresh outputs."""
    from reproduce.build import build as build_book

    sys.exit(build_book(find_book(), jobs))


@commands.command()
def html() -> None:
    """Build the pages from the stored outputs; nothing is run."""
    from reproduce.pages.publish import alone, build_pages

    book = find_book()
    with alone(book):
        click.echo("building the pages from the stored outputs", err=True)
        page = build_pages(book)
    click.echo(f"open {page.as_uri()}")


@commands.command()
@click.argument("chapters", nargs=-1)
@click.option("--force", is_flag=True, help="Also store a text that lacks its parameters or registered claims.")
@click.option("--words", is_flag=True, help="Execute nothing: only text has changed, the words of claims for example.")
def refresh(chapters: tuple[str, ...], force: bool, words: bool) -> None:
    """Execute the stored notebooks of CHAPTERS (by default all) in place and bring their twins into step.

    A text that is not Python, or lacks the cell of parameters or a claim of the register, is not stored.
    """
    from reproduce.claims import ledger as ledgers
    from reproduce.running.refresh import join_words
    from reproduce.running.refresh import refresh as refresh_chapter

    book = find_book()
    failed = False
    for one in [book.chapter(name) for name in chapters] or book.chapters():
        if not words:
            click.echo(f"executing {one.name}", err=True)
        for note in join_words(book, one) if words else refresh_chapter(book, one, force=force):
            click.echo(note)
        for claim in ledgers.claims_of(one.name, one.read()):
            click.echo(claim.line)
            failed |= not claim.holds
    sys.exit(FAILED if failed else OK)


@commands.command()
@click.argument("name", metavar="PART/CHAPTER")
@click.option(
    "--source", metavar="KEY", default="", help="Its paper, a key of references.bib; asked for where missing."
)
def new(name: str, source: str) -> None:
    """Make a new chapter from the template, and enter it in the table of contents and the register of claims.

    Its script is small but whole: it runs, and its claims hold. What it says is to be replaced, and a test says what is
    left of it.
    """
    from reproduce.chapters.book import shown
    from reproduce.chapters.new import new as new_chapter

    if not source and sys.stdin.isatty():
        source = click.prompt("source, a key of references.bib", default="", show_default=False)
    made = new_chapter(find_book(), name, source)
    click.echo(f"made {shown(made.twin)} and {shown(made.paper)}; entered in {CONTENTS} and {REGISTER}")
    click.echo(f"next: {PROGRAM} refresh {made.name}, then {PROGRAM} ready {made.name} lists what is left")


@commands.command()
@click.argument("chapter")
def ready(chapter: str) -> None:
    """List what of the work on CHAPTER is done and what is not; nothing is executed.

    The exit code is 0 if nothing is left, and 1 if something is.
    """
    from reproduce.ready import items

    book = find_book()
    one = book.chapter(chapter)
    found = list(items(book, one))
    said: set[str] = set()
    for item in found:
        click.echo(f"{'✗' if item.left else '✓'} {item.what}")
        for sentence in item.left:
            if sentence not in said:  # what stands in the way of several parts
                click.echo(f"    {sentence}")
            said.add(sentence)
    done = sum(not item.left for item in found)
    click.echo(f"{one.name}: {done} of {len(found)} done")
    sys.exit(OK if done == len(found) else FAILED)


def _run(
    chapter: str,
    assignments: tuple[str, ...],
    folder: Path | None,
    *,
    paper: bool = False,
    again: bool = True,
) -> "Run":
    """Run a chapter with parameters as they stand on the command line; a run that is there already, if not again."""
    from reproduce.chapters import parameters
    from reproduce.chapters.book import refuse_own_folders, shown
    from reproduce.running.run import kept_run
    from reproduce.running.run import run as run_chapter

    book = find_book()
    one = book.chapter(chapter)
    target = None if folder is None else refuse_own_folders(book, folder)
    known = parameters.signature(one.read(), one.name)
    values = parameters.paper_values(known, one) if paper else {}
    values |= parameters.parse(known, assignments, one.name)
    parameters.check_relations(known, values)
    if not again and (kept := kept_run(book, one, known, values, target)):
        click.echo(f"taken from {shown(kept.notebook)}, which is of the present code", err=True)
        return kept
    click.echo(f"running {one.name}", err=True)
    return run_chapter(book, one, known, values, target, progress=sys.stderr.isatty())


commands.add_command(check)
commands.add_command(export)
commands.add_command(metadata)
commands.add_command(pdf)
commands.add_command(sweep)
commands.add_command(seeds)
commands.add_command(offdefault)
commands.add_command(paper_command)
commands.add_command(evidence)


def _print_ledger(judged: "Ledger") -> None:
    """The claims as a table, how many hold, and everything that is wrong."""
    from reproduce.chapters import table

    table.console().print(table.of_claims(judged.claims))
    click.echo(judged.count)
    for sentence in judged.objections:
        click.echo(f"✗ {sentence}", err=True)


def _parameters_as_text(chapter: Chapter) -> str:
    """A chapter's title and its parameters as a table."""
    from reproduce.chapters import parameters, relations, table

    notebook = chapter.read()
    known = parameters.signature(notebook, chapter.name)
    paper = parameters.paper_values(known, chapter) if chapter.paper.exists() else {}
    console = table.console()
    with console.capture() as captured:
        console.print(f"{chapter.name}: {title(notebook)}", markup=False)
        console.print(table.of_parameters(known, paper))
        ends = [(f"{one.name} in {one.range}", one.reason) for one in known.values() if one.reason]
        for text, reason in [*ends, *((f"where {one.text}", one.reason) for one in known.relations)]:
            console.print(f"{text}{relations.because(reason)}", markup=False, soft_wrap=True)
    return captured.get()
