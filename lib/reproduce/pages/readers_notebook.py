"""The reader's notebook of a chapter: its page as a notebook that reads well, and runs, outside of the book.

Its words are those of the page, numbers and citations resolved; its code cells those of the chapter with what they
store. The first cell says how to install what the chapter imports.
"""

import base64
import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from sphinx.transforms.post_transforms import SphinxPostTransform

from reproduce.chapters.book import CHAPTERS, Book
from reproduce.ground.reading import read_text
from reproduce.pages.downloads import READERS
from reproduce.pages.folds import BEFORE_CODE_IS_HIDDEN, TO_TESTS
from reproduce.pages.markdown import Markdown
from reproduce.pages.thumbnails import HERO, hero_of
from reproduce.running.environment import DISTRIBUTION, project
from reproduce.running.imports import files_used, packages
from reproduce.running.last_run import LIBRARY
from reproduce.running.notebooks import code_cells, write_notebook

REFERENCES = "references.html#"
ON_REQUEST = frozenset({"torch"})  # what the library imports only for who names it
NO_ADDRESS = """\
# What this chapter imports is installed where you have used 'make book'. Elsewhere run once, in a terminal in the
# folder of the book:"""
GLUED = "application/papermill.record/"
v4: Any = nbformat.v4  # which says nothing of its types


class ReadersNotebook(SphinxPostTransform):
    """Writes it, from the page with all of its numbers and links, and from the stored notebook."""

    default_priority = BEFORE_CODE_IS_HIDDEN - 1
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Do it, for a chapter."""
        path = Path(self.env.doc2path(self.env.docname))
        if self.env.docname.startswith(CHAPTERS) and path.suffix == ".ipynb":
            notebook = v4.new_notebook(cells=list(self._cells()))
            known = self._stored.metadata
            notebook.metadata.update({name: known[name] for name in ("kernelspec", "language_info") if name in known})
            for at, cell in enumerate(notebook.cells):
                cell.id = f"cell-{at}"
            target = Path(self.app.outdir).parent / READERS / f"{self.env.docname}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            write_notebook(notebook, target)

    def _cells(self) -> Iterator[NotebookNode]:
        """The cells: one that installs, then words up to each heading and each cell of code."""
        repository = str(self.config.html_theme_options.get("repository_url") or "")
        yield v4.new_code_cell(install(self._book, self._stored, repository))
        waiting: list[str] = []
        written = Markdown(self._number, self._address)
        for one in written.blocks(self.document.children):
            if waiting and (not isinstance(one, str) or one.startswith("#")):
                yield v4.new_markdown_cell("\n\n".join(waiting))
                waiting = []
            if isinstance(one, str):
                waiting.append(one)
                continue
            if "cell_index" in one:
                yield _code(self._stored.cells[one["cell_index"]])
            elif (hero := hero_of(self._stored)) is not None:  # where its output was moved
                shown = v4.new_markdown_cell(f"![{hero.alt}](attachment:hero.png)")
                shown.attachments = {"hero.png": {"image/png": base64.b64encode(hero.picture).decode()}}
                yield shown
            waiting = [self._caption(written, figure) for figure in one.findall(nodes.figure)]
        if waiting:
            yield v4.new_markdown_cell("\n\n".join(waiting))

    @cached_property
    def _book(self) -> Book:
        return Book(Path(self.env.srcdir))

    @cached_property
    def _stored(self) -> NotebookNode:
        return self._book.chapter(self.env.docname.removeprefix(CHAPTERS)).read()

    def _caption(self, written: Markdown, figure: nodes.figure) -> str:
        """What stands below a figure."""
        said = written.inside(figure.next_node(nodes.caption) or nodes.caption())
        return f"**Figure {self._number(figure)}.** {said}"

    def _number(self, node: nodes.Element) -> str:
        """The number that a node has on its page."""
        kind = str(node.get("countertype") or {"math_block": "displaymath"}.get(node.tagname, node.tagname))
        known = self.env.toc_fignumbers.get(self.env.docname, {}).get(kind.partition("_")[0], {})
        return next((".".join(map(str, known[id])) for id in node["ids"] if id in known), "")

    def _address(self, link: nodes.Element) -> str:
        """Where a link leads: to the work that is cited, or into the book where its address is known."""
        there = str(link.get("refuri") or f"#{link.get('refid', '')}")
        if "://" in there:
            return there
        if (cited := there.rpartition(REFERENCES)[2]) in self._works and REFERENCES in there:
            return self._works[cited]
        base = str(self.config.html_baseurl or "").rstrip("/")
        return urljoin(f"{base}/{self.env.docname}.html", there) if base else ""

    @cached_property
    def _works(self) -> dict[str, str]:
        """The address of each work that has one, by its place in the list of references."""
        domain: Any = self.env.get_domain("cite")
        found = {}
        for citation in domain.citations:
            fields = citation.entry.fields
            doi = f"https://doi.org/{fields['doi']}" if "doi" in fields else ""
            if address := fields.get("url") or doi:
                found[citation.citation_id] = address
        return found


def install(book: Book, notebook: NotebookNode, repository: str) -> str:
    """The cell that installs what a chapter imports; without an address it says where that is to be had.

    book, notebook: the chapter's.
    repository: its public address, or an empty one.
    """
    known = project(str(book.root))
    extras = f"[{','.join(extras_of(known.get('optional-dependencies', {}), book, notebook))}]"
    if repository and "name" in known:
        command = f"%pip install -q '{known['name']}{extras} @ git+{repository}'"
        return f"# Run this cell first. It installs what the chapter imports, once, in a minute or two.\n{command}"
    return f"{NO_ADDRESS}\n#   pip install '.{extras}'"


def extras_of(extras: Mapping[str, Sequence[str]], book: Book, notebook: NotebookNode) -> list[str]:
    """The extras that bring what a chapter imports, and what the library imports for it.

    extras: what each of them brings.
    book, notebook: the chapter's.
    """
    used = [path for path in files_used(book.root / LIBRARY, notebook) if path.suffix == ".py"]
    own = set[str]().union(*map(packages, code_cells(notebook)))
    library = set[str]().union(*(packages(read_text(path)) for path in used))
    needed = {one.lower() for package in own | (library - ON_REQUEST) for one in _distributions().get(package, ())}
    named = {
        name: {one for part in brought for one in DISTRIBUTION.findall(part)[:1]} for name, brought in extras.items()
    }
    by = [[name for name, brought in named.items() if wanted in brought] for wanted in needed]
    alone = {names[0] for names in by if len(names) == 1}
    return sorted(alone | {names[0] for names in by if names and not alone & set(names)})


def _code(stored: NotebookNode) -> Any:
    """A stored cell of code, without what only the book reads: comments for its tests, records, glued numbers."""
    tags = set(stored.metadata.get("tags", ()))
    made = v4.new_code_cell(TO_TESTS.sub("", stored.source).strip("\n"), execution_count=stored.execution_count)
    made.metadata.update({"tags": ["parameters"]} if "parameters" in tags else {})
    made.metadata.update({"jupyter": {"source_hidden": True}} if "hide-input" in tags else {})
    for output in copy.deepcopy(stored.outputs):
        data = output.get("data", {})
        if "claim" in output.get("metadata", {}):  # its box stands in the text
            del data["text/html"]
        if "metadata" in output:
            output.metadata.clear()
        if not (HERO in tags and "image/png" in data) and not any(name.startswith(GLUED) for name in data):
            made.outputs.append(output)
    return made


_distributions = cache(packages_distributions)
