"""The sections "Differences from the paper" of all chapters on one page, read from the stored notebooks."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from docutils import nodes
from nbformat import NotebookNode

from reproduce.pages.directive import BookDirective
from reproduce.pages.pieces import raw
from reproduce.pages.templates import render

HEADING = "Differences from the paper"
ANCHOR = "differences-from-the-paper"
KINDS = {
    "corrected": ("Corrected", "Misprint"),
    "changed": ("Changed", "Redrawn"),
    "added": ("Added", "Beyond", "Faster", "Ours", "Sharpened", "Sharper"),
    "not reproduced": ("Left", "Not"),
    "read": ("Read", "Recalled"),
}
REMARK = "remark"
HEADINGS = re.compile(r"^#{1,2} (.*)$", re.MULTILINE)
GLUED = re.compile(r"(\{glue:text\}`)([^`:]+)(:[^`]+)?`")
LABEL = re.compile(r"^(?::(?:name|label): .*|\(.*\)=)\n", re.MULTILINE)
FILE = re.compile(r"^(:file: )(?!/)(.+)$", re.MULTILINE)
DOCUMENT = re.compile(r"(\{doc\}`(?:[^`<]*<)?)(?!/)([^`<>]+)")


def section(notebook: NotebookNode, heading: str = HEADING) -> str:
    """The text below a heading of a notebook, up to the next one of its level; empty if there is none."""
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        found = list(HEADINGS.finditer(cell.source))
        starts = [*(match.start() for match in found), len(cell.source)]
        for match, end in zip(found, starts[1:], strict=True):
            if match[0] == f"## {heading}":
                return str(cell.source[match.end() : end].strip())
    return ""


def from_the_root(text: str, chapter: str) -> str:
    """Text of a chapter whose references to documents, files and values hold on a page at the root, without labels.

    >>> from_the_root("{doc}`two` and {doc}`this <../b/three>`, {doc}`/glossary`", "a/one")
    '{doc}`/chapters/a/two` and {doc}`this </chapters/b/three>`, {doc}`/glossary`'
    >>> from_the_root("{glue:text}`rate`", "a/one")
    '{glue:text}`chapters/a/one.ipynb::rate:s`'
    >>> from_the_root(":file: ../../_static/table.csv", "a/one")
    ':file: _static/table.csv'
    """

    def there(place: str) -> str:
        return posixpath.normpath(posixpath.join("/chapters", posixpath.dirname(chapter), place))

    def moved(match: re.Match[str]) -> str:
        return match[1] + there(match[2])

    def filed(match: re.Match[str]) -> str:
        return match[1] + there(match[2]).removeprefix("/")

    def glued(match: re.Match[str]) -> str:
        return f"{match[1]}chapters/{chapter}.ipynb::{match[2]}{match[3] or ':s'}`"

    return FILE.sub(filed, DOCUMENT.sub(moved, GLUED.sub(glued, LABEL.sub("", text))))


class DifferencesDirective(BookDirective):
    """Where each chapter departs from its paper, by part, each with a link to the section in the chapter."""

    def run(self) -> list[nodes.Node]:
        """A choice of kinds, and a section for each part and, in it, for each chapter that has such a section."""
        rest = self.parse_text_to_nodes("\n".join(self.lines()), allow_section_headings=True)
        page = next(self.state.document.findall(nodes.section))  # which holds the sections by now
        found: Counter[str] = Counter()
        for point in page.findall(nodes.list_item):
            if point.parent.parent.parent.parent is page:  # of a chapter, in a part
                first = re.split(r"\W", point.astext(), maxsplit=1)[0]
                kind = next((kind for kind, words in KINDS.items() if first in words), REMARK)
                point["classes"] = [f"kind-{kind.replace(' ', '-')}"]
                found[kind] += 1
        counts = {kind: found[kind] for kind in (*KINDS, REMARK) if found[kind]}
        first_part = next(part for part in page.children if isinstance(part, nodes.section))
        page.insert(page.index(first_part), raw(render("kinds", counts=counts)))
        return rest

    def lines(self) -> Iterator[str]:
        """The page's text."""
        notebooks, named = self.notebooks(), self.titles()
        found = {result.chapter: f"*{result.question}* {{cite:t}}`{result.source}`" for result in self.results()}
        for part, names in groupby(named, key=lambda name: named[name].part):
            told = {name: section(notebooks[name]) for name in names}
            if any(told.values()):
                yield from (f"## {part}", "")
            for name, text in told.items():
                if text:
                    title = named[name].chapter
                    yield from (f"### {title}", "", found[name], "", *from_the_root(text, name).splitlines(), "")
                    yield from (f"[In the chapter](/chapters/{name}.ipynb#{ANCHOR})", "")
