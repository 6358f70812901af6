"""What every directive shares that reads the chapters of the book that is being built."""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.seeds import SEEDS, same_with_every_seed
from reproduce.chapters.book import Book
from reproduce.claims.ledger import Ledger, StoredClaim, judge

LEDGER = "ledger"  # its document
ONLY_ON_THE_PAGE = r"\onlyonthepage{}"  # the preamble says it, with the address of the page


class BookDirective(SphinxDirective):
    """A directive that reads the chapters of the book that is being built."""

    def ledger(self, chapter: str = "") -> Ledger:
        """The stored claims of the book, or of one chapter; the page is built anew when a notebook of them changes."""
        asked = [one for one in Book(Path(self.env.srcdir)).chapters() if chapter in ("", one.name)]
        stored = [one for one in asked if one.notebook.exists()]
        for one in stored:
            self.env.note_dependency(self.env.doc2path(f"chapters/{one.name}"))
        return judge({one.name: one.read() for one in stored})

    def same(self) -> dict[str, bool]:
        """By its id whether a claim came out the same with every seed, as far as that is known."""
        return same_with_every_seed(read_findings(Book(Path(self.env.srcdir)), SEEDS))

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
        return self.address(f"chapters/{claim.chapter}", f"#claim-{claim.id}")

    def is_page(self, document: str) -> bool:
        """Whether a document is a page of this book."""
        return document in self.env.found_docs

    def parsed(self) -> list[nodes.Node]:
        """The content, read as the text around it is."""
        box = nodes.container()
        box.document = self.state.document
        self.state.nested_parse(self.content, self.content_offset, box)
        return list(box.children)

    def inline(self, text: str, *classes: str) -> nodes.paragraph:
        """A paragraph of marked-up text."""
        children, messages = self.state.inline_text(text, self.lineno)
        return nodes.paragraph("", "", *children, *messages, classes=list(classes))
