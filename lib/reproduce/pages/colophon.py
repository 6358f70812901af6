"""Who made the book, in which version, and when and with what its chapters were last run."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from reproduce.pages.citation import CITATION, Author, Citation, read_citation
from reproduce.pages.directive import BookDirective
from reproduce.pages.downloads import FOLDER, printed_name
from reproduce.pages.pieces import NOTE, Words, code, defined, folded, link, paragraph, styled
from reproduce.pages.templates import as_day
from reproduce.running.last_run import LastRun, environments, main_versions, period, read_last_runs

NOWHERE = "The book has no public address yet. The command to clone it stands here once there is a repository-code in "


class ColophonDirective(BookDirective):
    """Authors, version, last run and environment; with ``:cite:`` how to cite it, with ``:clone:`` to get it."""

    option_spec: ClassVar[dict[str, Any]] = {"cite": directives.flag, "clone": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The block, or the entry for BibTeX or the command, which have the theme's button to copy them."""
        root = self.watched(CITATION)
        citation, known = read_citation(root), read_last_runs(self.book)
        if "clone" in self.options:
            return [clone(citation)]
        if "cite" not in self.options:
            chapters = self.book.notebooks()
            runs = [known[name] for name in chapters if name in known]
            printed = f"{FOLDER}/{printed_name(root)}.pdf"
            return [colophon(citation, runs, len(chapters), printed if (root / printed).is_file() else "")]
        entry = citation.bibtex(self.year)
        block = nodes.literal_block(entry, entry, language="bibtex", classes=["cite"])
        return [block, paragraph(f"Not there yet: {citation.lacking}.", NOTE)] if citation.lacking else [block]


def clone(citation: Citation) -> nodes.Element:
    """The command that fetches the book, or that it has no address yet."""
    if not citation.repository:
        return paragraph([nodes.Text(NOWHERE), code(CITATION), nodes.Text(".")], NOTE)
    name = citation.repository.rstrip("/").rpartition("/")[2].removesuffix(".git")
    command = f"git clone {citation.repository}\ncd {name}"
    return nodes.literal_block(command, command, language="bash")


def colophon(citation: Citation, runs: Sequence[LastRun], chapters: int, printed: str = "") -> nodes.definition_list:
    """The block of authors, version, last run and environment.

    citation: what CITATION.cff says.
    runs: the last execution of each chapter that was ever executed.
    chapters: how many the book has.
    printed: the address of the book's PDF; empty if none is offered.
    """
    return defined(_rows(citation, runs, chapters, printed), "colophon")


def _rows(citation: Citation, runs: Sequence[LastRun], chapters: int, printed: str) -> Iterator[tuple[str, Words, str]]:
    """Names, what they stand for, and how that is set."""
    authors: list[nodes.Node] = []
    for author in citation.authors:
        authors += [*([nodes.Text("; ")] if authors else []), styled(_author(author))]
    yield "Author" if len(citation.authors) == 1 else "Authors", authors, "colophon-authors"
    released = f", released {citation.released}" if citation.released else ""
    yield "Version", citation.version + released, "colophon-version"
    if printed:
        words = [*link("the whole book as a PDF", printed), nodes.Text("; each chapter's page offers its own")]
        yield "On paper", words, "colophon-printed"
    if runs:
        count = "all" if len(runs) == chapters else f"{len(runs)} of"
        days = " to ".join(as_day(day.isoformat()) for day in dict.fromkeys(period(runs)))
        seconds = sum(run.seconds for run in runs)
        yield (
            "Last full run",
            f"{count} {chapters} chapters, {days}; {seconds} seconds of one core in all",
            "colophon-run",
        )
    for versions, host in environments(runs):
        packages = folded("all packages", [nodes.Text(f" {versions}")], "packages")
        yield "Environment", [nodes.Text(f"{main_versions(versions)}; {host}\n"), *packages], "colophon-environment"


def _author(author: Author) -> list[nodes.Node]:
    """A name, linked to where it is registered, and where that author works."""
    place = [nodes.Text(f", {author.affiliation}")] if author.affiliation else []
    return [*link(author.shown, author.orcid), *place]
