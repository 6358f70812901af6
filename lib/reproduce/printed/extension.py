"""What Sphinx does otherwise when the book is printed: type, title page, no folded code, and HTML as LaTeX."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import start_of_file
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from reproduce.book import Book, is_story
from reproduce.last_run import read_last_runs
from reproduce.pages.citation import CITATION, read_citation
from reproduce.printed.html_to_latex import keeper, to_latex
from reproduce.printed.offered import NAME
from reproduce.printed.tables import shares
from reproduce.printed.text import code, escaped

FONTS = r"""
\setmainfont{Linux Libertine O}
\setsansfont{Linux Biolinum O}
\setmonofont[Scale=.8,HyphenChar=None]{DejaVu Sans Mono}
"""
PREAMBLE = files("reproduce.printed").joinpath("preamble.tex").read_text(encoding="utf-8")
FOLDED = {"tag_hide-input", "tag_hide-cell", "tag_remove-input", "tag_remove-cell"}
INTRODUCTION = r"\chapter*{Introduction}\markboth{Introduction}{}"  # the first page has no title of its own in print
STORY_TITLE = (
    "\n\n\\chapter*{{{words}}}\\addcontentsline{{toc}}{{chapter}}{{{words}}}\\markboth{{{words}}}{{}}"
    "\\label{{\\detokenize{{{place}::doc}}}}\n\n"
)
END_OF_PROOF = r"\hfill$\square$"
MOVES = re.compile(r"\\still\{|\\onlyonthepage")  # what the preamble sets with the address of the page
AFTER_JUPYTER_BOOK = 900  # which appends to the preamble what this one has already


def dress(app: Sphinx, config: Config) -> None:
    """Paper, type, title page and preamble."""
    root = Path(app.srcdir)
    config.latex_engine = "xelatex"
    config.latex_documents = [(config.root_doc, f"{NAME}.tex", config.project, config.author, "manual")]
    config.latex_theme = "manual"
    config.latex_show_urls = "no"
    config.latex_use_xindy = False
    elements: dict[str, Any] = {
        "papersize": "a4paper",
        "pointsize": "10pt",
        "extraclassoptions": "openany,oneside",
        "fncychap": "",
        "fontpkg": FONTS,
        "sphinxsetup": "hmargin={24mm,24mm},vmargin={25mm,25mm},verbatimwithframe=false,"
        "VerbatimColor={HTML}{F5F5F5},InnerLinkColor={HTML}{004F80},OuterLinkColor={HTML}{004F80}",
        "figure_align": "htbp",
        "tableofcontents": r"\setcounter{tocdepth}{0}\sphinxtableofcontents" + INTRODUCTION,
        "preamble": PREAMBLE,
    }
    if (root / CITATION).exists():
        config.release = config.version = read_citation(root).version
    if runs := read_last_runs(Book(root)):
        elements["date"] = max(run.date for run in runs.values())
    told = ", ".join(filter(None, [config.release and f"Release {config.release}", elements.get("date", "")]))
    elements["preamble"] += f"\\hypersetup{{pdfsubject={{{told}}}}}\n"
    config.latex_elements = elements
    config.nb_mime_priority_overrides = [*config.nb_mime_priority_overrides, ("latex", "text/html", 5)]


class LeaveFoldedCode(SphinxPostTransform):
    """Code that lies folded on its page is not printed; what it gives is."""

    formats = ("latex",)
    default_priority = 1  # before outputs are chosen and cells set

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        for cell in list(self.document.findall(nodes.container)):
            if FOLDED & set(cell["classes"]):
                for part in [part for part in cell.children if "cell_input" in part.get("classes", [])]:
                    cell.remove(part)


class PlainProofs(SphinxPostTransform):
    """Sets a proof as text that ends in a square; as a box it would have a title bar without a title."""

    formats = ("latex",)
    default_priority = 700

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        for box in list(self.document.findall(nodes.admonition)):
            if box.parent.tagname == "proof_node":
                ends = box.astext().rstrip().endswith(r"\square")
                box.replace_self([*box.children, *([] if ends else [nodes.raw("", END_OF_PROOF, format="latex")])])


class PlainStories(SphinxPostTransform):
    """Sets the title of a part's story as a chapter without a number."""

    formats = ("latex",)
    default_priority = 700

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        for file in self.document.findall(start_of_file):
            if is_story(file["docname"]) and (title := file.next_node(nodes.title)) is not None:
                words, place = escaped(title.astext()), file["docname"]
                title.replace_self(nodes.raw("", STORY_TITLE.format(words=words, place=place), format="latex"))


class WidthsOfColumns(SphinxPostTransform):
    """Gives the columns of a table the widths that what they hold asks for; LaTeX would break no line in them."""

    formats = ("latex",)
    default_priority = 700

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        for table in self.document.findall(nodes.table):
            columns, rows = list(table.findall(nodes.colspec)), list(table.findall(nodes.row))
            if any(len(row) != len(columns) for row in rows):
                continue
            texts = [[row[k].astext() for row in rows] for k in range(len(columns))]
            for column, share in zip(columns, shares(texts), strict=True):
                column["colwidth"] = round(1000 * share)
            table["classes"].append("colwidths-given")


class HtmlOnPaper(SphinxPostTransform):
    """Turns what is HTML into LaTeX."""

    formats = ("latex",)
    default_priority = 700  # when outputs have been chosen

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        keep = keeper(Path(self.app.outdir))
        for raw in list(self.document.findall(nodes.raw)):
            if raw.get("format") == "html":
                text = to_latex(raw.astext(), keep)
                if MOVES.search(text):
                    text = rf"\renewcommand{{\thispage}}{{{code(self._page(raw))}}}{text}"
                raw.replace_self([nodes.raw("", text, format="latex")] if text else [])

    def _page(self, node: nodes.Element) -> str:
        """The address of the page on which a node stands."""
        while not node.get("docname") and node.parent is not None:  # which the section of each document has
            node = node.parent
        return f"{self.config.html_baseurl}{node.get('docname', self.config.root_doc)}.html"


def register(app: Sphinx) -> None:
    """Register the transforms and the dress."""
    app.connect("config-inited", dress, priority=AFTER_JUPYTER_BOOK)
    app.add_post_transform(LeaveFoldedCode)
    app.add_post_transform(PlainProofs)
    app.add_post_transform(PlainStories)
    app.add_post_transform(WidthsOfColumns)
    app.add_post_transform(HtmlOnPaper)
