"""What a reader can change in a chapter: said above the cell of its parameters, on its page and in its notebook."""

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from reproduce.chapters.book import CHAPTERS
from reproduce.pages.folds import BEFORE_CODE_IS_HIDDEN
from reproduce.pages.pieces import code, link, paragraph

QUESTION = "What can I change here?"
HELP = "rerun"  # the page that says how
PARAMETERS = "tag_parameters"  # the class of their cell


class WhatToChange(SphinxPostTransform):
    """Says it above the parameters of a chapter."""

    default_priority = BEFORE_CODE_IS_HIDDEN - 2  # the reader's notebook has it too
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        if not self.env.docname.startswith(CHAPTERS):
            return
        for cell in list(self.document.findall(nodes.container)):
            if PARAMETERS in cell["classes"]:
                place = cell.parent.index(cell)
                cell.parent.insert(place, paragraph(self._words(), "what-to-change"))

    def _words(self) -> list[nodes.Node]:
        known = HELP in self.env.found_docs
        there = self.app.builder.get_relative_uri(self.env.docname, HELP) if known else ""
        how = " Each of these numbers, within the range behind it: in this chapter's notebook, of which you then run"
        return [
            nodes.strong("", QUESTION),
            nodes.Text(f"{how} all cells, or by "),
            code(f"python -m reproduce run {self.env.docname.removeprefix(CHAPTERS)} -p NAME=VALUE"),
            nodes.Text(
                ". What the code prints and draws comes out anew, below its cell. The figure at the top, the table of"
                " what we find, the words, and every ✓ in them stay those of the stored run. The page "
            ),
            *link("Rerun a chapter", there),
            nodes.Text(" says how to begin."),
        ]
