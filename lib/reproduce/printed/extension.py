"""What Sphinx does otherwise when the book is printed: type, title page, no folded code."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import start_of_file
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from reproduce.chapters.book import Book, is_story
from reproduce.pages.citation import CITATION, read_citation
from reproduce.pages.downloads import printed_name
from reproduce.pages.pieces import latex
from reproduce.printed.columns import set_widths
from reproduce.printed.stored import for_paper, keeper
from reproduce.printed.text import code, escaped
from reproduce.running.last_run import read_last_runs

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


def dress(app: Sphinx, config: Config) -> None:
    """Paper, type, title page and preamble."""
    root = Path(app.srcdir)
    config.latex_engine = "xelatex"
    config.latex_documents = [(config.root_doc, f"{printed_name(root)}.tex", config.project, config.author, "manual")]
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


class ForPaper(SphinxPostTransform):
    """Sets what a page shows otherwise: proofs, titles of stories, stored HTML, tables; and where each page is."""

    formats = ("latex",)
    default_priority = 700  # when outputs have been chosen

    def run(self, **kwargs: Any) -> None:
        """Do it."""
        for box in list(self.document.findall(nodes.admonition)):
            if box.parent.tagname == "proof_node":
                plain_proof(box)
        for file in self.document.findall(start_of_file):
            if is_story(file["docname"]):
                plain_title(file)
            address = code(f"{self.config.html_baseurl}{file['docname']}.html")  # for what moves only there
            file.insert(0, latex(rf"\renewcommand{{\thispage}}{{{address}}}"))
        keep = keeper(Path(self.app.outdir))
        for raw in [raw for raw in self.document.findall(nodes.raw) if raw.get("format") == "html"]:
            raw.replace_self(for_paper(raw.astext(), keep))
        for table in list(self.document.findall(nodes.table)):
            set_widths(table)


def plain_proof(box: nodes.admonition) -> None:
    """Set a proof as text that ends in a square; as a box it would have a title bar without a title."""
    ends = box.astext().rstrip().endswith(r"\square")
    box.replace_self([*box.children, *([] if ends else [latex(END_OF_PROOF)])])


def plain_title(story: start_of_file) -> None:
    """Set the title of a part's story as a chapter without a number."""
    if (title := story.next_node(nodes.title)) is not None:
        words = escaped(title.astext())
        title.replace_self(latex(STORY_TITLE.format(words=words, place=story["docname"])))
