"""What every directive shares that reads the chapters of the book that is being built."""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.seeds import SEEDS, same_with_every_seed
from reproduce.chapters.book import CHAPTERS, REGISTER, Book
from reproduce.claims.ledger import Ledger, StoredClaim, judge
from reproduce.pages.atlas_map import Result, read_results
from reproduce.pages.claim_rows import Titles, titles
from reproduce.running.environment import commit_of
from reproduce.running.last_run import period, read_last_runs

LEDGER = "ledger"  # its document
ROBUSTNESS = "robustness"  # that of the claims on fresh seeds
COMMIT = re.compile("[0-9a-f]{40,}")
ONLY_ON_THE_PAGE = r"\onlyonthepage{}"  # the preamble says it, with the address of the page
Made = TypeVar("Made")
MADE: WeakKeyDictionary[Sphinx, dict[str, object]] = WeakKeyDictionary()  # what many pages of one build ask for


class BookDirective(SphinxDirective):
    """A directive that reads the chapters of the book that is being built; its page is built anew when they change."""

    @property
    def book(self) -> Book:
        """The book."""
        return Book(Path(self.env.srcdir))

    @property
    def origin(self) -> Book:
        """The book in its repository, from which the sources of the build were staged."""
        above = Book(self.book.root.parent.parent)
        return above if above.build / "source" == self.book.root else self.book

    @property
    def commit(self) -> str:
        """The commit that holds the book as it is shown; empty where there is none."""
        commit = self._once("commit", lambda: commit_of(self.origin))
        return commit[:12] if COMMIT.fullmatch(commit) else ""

    @property
    def year(self) -> int:
        """That of the last run of a chapter."""
        runs = read_last_runs(self.book).values()
        return (period(runs)[1] if runs else date.today()).year

    @property
    def chapter(self) -> str:
        """``part/chapter`` of the page, if it is one."""
        return str(self.env.docname.removeprefix(CHAPTERS))

    def watched(self, *names: str) -> Path:
        """The root of the book; the page is built anew when one of these files of it changes."""
        for name in names:
            self.env.note_dependency(str(self.book.root / name))
        return self.book.root

    def notebook(self, name: str) -> NotebookNode:
        """The stored notebook of a chapter."""
        chapter = self._once(f"chapter {name}", lambda: self.book.chapter(name))
        self.watched(f"{CHAPTERS}{chapter.name}.ipynb")
        return self._once(f"notebook {chapter.name}", chapter.read)

    def stored(self) -> list[str]:
        """The chapters that have a notebook."""
        return self._once("stored", lambda: [one.name for one in self.book.chapters() if one.notebook.exists()])

    def notebooks(self) -> dict[str, NotebookNode]:
        """All stored notebooks by chapter name."""
        return {name: self.notebook(name) for name in self.stored()}

    def ledger(self, chapter: str = "") -> Ledger:
        """The stored claims of the book, or of one chapter."""
        notebooks = {name: self.notebook(name) for name in self.stored() if chapter in ("", name)}
        return self._once(f"ledger {chapter}", lambda: judge(notebooks))

    def same(self, chapter: str = "") -> dict[str, bool]:
        """By its id whether a claim, of one chapter or of all, is the same with every seed, as far as that is known."""
        notebooks = {chapter: self.notebook(chapter)} if chapter else self.notebooks()
        return self._once(f"same {chapter}", lambda: same_with_every_seed(read_findings(self.book, SEEDS), notebooks))

    def titles(self) -> dict[str, Titles]:
        """The titles of every chapter that has a notebook, and of its part, by the chapter's name."""
        return self._once("titles", lambda: titles(self.book))

    def _once(self, name: str, make: Callable[[], Made]) -> Made:
        """What has this name, made once in a build."""
        made = MADE.setdefault(self.env.app, {})
        if name not in made:
            made[name] = make()
        return cast(Made, made[name])

    def results(self) -> list[Result]:
        """All results of the register."""
        return read_results(self.watched(REGISTER) / REGISTER)

    @property
    def on_paper(self) -> bool:
        """Whether the book is printed, where nothing sorts and no page has an address."""
        return bool(self.env.app.builder.format != "html")

    def address(self, document: str, place: str = "") -> str:
        """The address of a page, relative to this one, or of a place in it; empty on paper."""
        if self.on_paper:
            return ""
        return f"{self.env.app.builder.get_relative_uri(self.env.docname, document)}{place}"

    def claim_address(self, claim: StoredClaim) -> str:
        """The address of a claim in its chapter."""
        return self.address(f"{CHAPTERS}{claim.chapter}", f"#claim-{claim.id}")

    def is_page(self, document: str) -> bool:
        """Whether a document is a page of this book."""
        return document in self.env.found_docs

    def inline(self, text: str, *classes: str) -> nodes.paragraph:
        """A paragraph of marked-up text."""
        children, messages = self.parse_inline(text)
        return nodes.paragraph("", "", *children, *messages, classes=list(classes))

    def words(self, *classes: str) -> nodes.paragraph:
        """The content as one paragraph."""
        return self.inline(" ".join(self.content), *classes)
