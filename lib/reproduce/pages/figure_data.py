"""The numbers of a figure as a CSV file beside its page, and at the end of its caption a link to it."""

from pathlib import Path

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx

from reproduce.chapters.book import CHAPTERS, Book
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_notebook
from reproduce.running.figures import table_of


def named(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """The cells whose output is a figure with a name, by that name."""
    figures = {cell.metadata.get("mystnb", {}).get("figure", {}).get("name"): cell for cell in notebook.cells}
    return {name: cell for name, cell in figures.items() if name}


def tables(notebook: NotebookNode) -> dict[str, str]:
    """The CSV of each figure that has a name and stores its numbers."""
    found = {}
    for name, cell in named(notebook).items():
        for output in cell.get("outputs", []):
            if table := table_of(output):
                found[name] = table
    return found


def write_tables(book: Book, pages: Path) -> None:
    """Put them beside the pages of the chapters."""
    for chapter, notebook in book.notebooks().items():
        for name, text in tables(notebook).items():
            write_text((pages / CHAPTERS / chapter).with_name(f"{name}.csv"), text)


def link_tables(app: Sphinx, document: nodes.document) -> None:
    """Link them from the captions; not on paper."""
    page = Path(app.env.doc2path(app.env.docname))
    known = tables(read_notebook(page)) if page.suffix == ".ipynb" and app.builder.format == "html" else {}
    for figure in document.findall(nodes.figure):
        for name in known.keys() & set(figure["names"]):
            link = nodes.reference("", "Data (csv)", refuri=f"{name}.csv", internal=True)
            figure.next_node(nodes.caption).extend([nodes.Text(" "), link])
