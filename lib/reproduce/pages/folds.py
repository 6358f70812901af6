"""What lies folded on a chapter's page: what its author folds, instruments, long proofs, and code.

Neighbouring cells of folded code are one bar. Links into what is folded open it (code.js).
"""

import re
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from reproduce.chapters.book import CHAPTERS
from reproduce.pages.directive import BookDirective
from reproduce.pages.pieces import CLOSE, FOLD, OPEN, TITLED, folded, raw

INSTRUMENTS = "Instruments"
OPENED = OPEN.format(FOLD)
BEFORE_CODE_IS_HIDDEN = 150  # myst-nb puts a bar above the code of each cell at 199
TO_TESTS = re.compile(r"^[ ]*# (?:mutant|spoiled)\b.*\n?|[ ]*# (?:mutant|spoiled)\b.*$", re.MULTILINE)


class rest_fold(nodes.General, nodes.Element):  # type: ignore[misc]
    """The place from which on the rest of a section is folded; its children are the title of the fold."""


class FoldDirective(BookDirective):
    """A fold with a title; without content it holds the rest of the section, cells of code included."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The fold, or the place where ``FoldParts`` opens it."""
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        if self.content:
            return [*folded([nodes.strong("", "", *words)], self.parse_content_to_nodes()), *messages]
        return [rest_fold("", *words), *messages]


class FoldParts(SphinxTransform):
    """Folds the rest of a section where its author says so, what follows the first paragraph of "Instruments", proofs.

    A proof of the class dropdown has no title of its own, which the theme's dropdown would need.
    """

    default_priority = 990

    def apply(self, **kwargs: Any) -> None:
        """Do it."""
        if self.env.docname.startswith(CHAPTERS):
            for section in self.document.findall(nodes.section):
                self._instruments(section)
        for place in list(self.document.findall(rest_fold)):
            *opened, close = folded([nodes.strong("", "", *place.children)], [])
            place.parent.append(close)
            place.replace_self(opened)
        for box in list(self.document.findall(nodes.admonition)):
            proof = box.parent
            if "dropdown" in box["classes"] and proof.tagname == "proof_node":
                box["classes"].remove("dropdown")
                proof.insert(0, raw(f"{OPENED}proof{TITLED}"))
                proof.append(raw(CLOSE))

    def _instruments(self, section: nodes.section) -> None:
        """Fold a section of instruments, unless its author does."""
        title = section.next_node(nodes.title)
        folded = any(isinstance(one, rest_fold) or one.astext() == OPENED for one in section.children)
        if title is None or title.parent is not section or title.astext() != INSTRUMENTS or folded:
            return
        start = section.index(title) + 1
        start += isinstance(section[start], nodes.paragraph) if start < len(section) else 0
        section.insert(start, raw(f"{OPENED}show the instruments{TITLED}"))
        section.append(raw(CLOSE))


class PlainCode(SphinxTransform):
    """Leaves out of a cell's code, as it is shown, the comments that excuse a line before the tests of the tests."""

    default_priority = 990

    def apply(self, **kwargs: Any) -> None:
        """Do it."""
        for code in list(self.document.findall(nodes.literal_block)):
            said = TO_TESTS.sub("", code.astext()).strip("\n")
            if said != code.astext() and "cell_input" in code.parent.get("classes", ()):
                code.rawsource, code.children = said, [nodes.Text(said)]


class OneBar(SphinxPostTransform):
    """Puts the code of neighbouring folded cells under one bar, above what they show."""

    default_priority = BEFORE_CODE_IS_HIDDEN
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        parents = {id(cell.parent): cell.parent for cell in self.document.findall(nodes.container) if is_folded(cell)}
        for parent in parents.values():
            groups = [list(cells) for folded, cells in groupby(parent.children, is_folded) if folded]
            for first, *others in groups:
                for cell in others:
                    code = cell.pop(0)
                    first[0].extend(code.children)
                    if not cell.children:
                        parent.remove(cell)


def is_folded(node: nodes.Node) -> bool:
    """Whether a node is a cell of which the code, and only the code, is folded."""
    return isinstance(node, nodes.container) and bool(node.children) and node.get("hide_mode") == "input"
