"""The pages: the sources of the book staged under ``_build/source``, and HTML made from them by Jupyter Book."""

import copy
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from nbformat import NotebookNode

from reproduce.campaigns.finding import RECORDS
from reproduce.chapters.book import CONTENTS, Book, documents, shown
from reproduce.claims.words import with_words
from reproduce.ground.errors import PressError, RunFailed, writing
from reproduce.ground.files import locked, scratch, write_text
from reproduce.ground.reading import read_bytes, read_yaml
from reproduce.pages.downloads import stage_printed
from reproduce.running.notebooks import write_notebook
from reproduce.running.staleness import CODE

JUPYTER_BOOK = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"
FILES = (".yml", ".md", ".bib", ".ipynb", ".rst", ".cff", ".toml")
UNUSED = shutil.ignore_patterns(".*", "__pycache__")
IGNORED = shutil.ignore_patterns(".*", "__pycache__", "*.pyc")


def build_pages(book: Book, executed: Mapping[str, NotebookNode] | None = None) -> Path:
    """Build the HTML from scratch, with warnings as errors, and put it in the place of the last one.

    book: whose pages are built.
    executed: freshly executed notebooks by chapter name, whose outputs are shown instead of the stored ones.

    Returns the page to open. Raises RunFailed if the pages cannot be built; the last ones are then left as they were.
    """
    source, pages = book.build / "source", book.build / "html"
    with writing(book.build):
        book.build.mkdir(exist_ok=True)
    with scratch(book.build) as work, writing(book.build):
        stage(book, source, executed or {})
        stage_printed(book, source)
        made = jupyter_book(book, source, work, "html")
        if pages.exists():
            pages.rename(work / "replaced")  # removed with the scratch folder
        made.rename(pages)
    return pages / "index.html"


def jupyter_book(book: Book, source: Path, work: Path, builder: str) -> Path:
    """Let Jupyter Book build staged sources, with warnings as errors.

    book: whose log says what went wrong.
    source, work: folders of the sources, and to build in.
    builder: ``html`` or ``latex``.

    Returns the folder with what was built. Raises RunFailed if it cannot be built.
    """
    if find_spec("jupyter_book") is None:
        raise PressError("the pages are built by jupyter-book, which is not installed; 'make html' installs it")
    options = ["--path-output", str(work), "--builder", builder, "-W", "--keep-going", "--all", "-q"]
    done = subprocess.run(
        [sys.executable, "-c", JUPYTER_BOOK, "build", str(source), *options],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    if done.returncode != 0:
        log = book.build / "pages.log"
        write_text(log, done.stdout + done.stderr)
        raise RunFailed(f"the pages could not be built: {_complaint(done.stdout + done.stderr)}; see {shown(log)}")
    return work / "_build" / builder


def stage(book: Book, target: Path, executed: Mapping[str, NotebookNode]) -> None:
    """Copy what the book needs: configuration, pages, chapters, and the folders that the table of contents names."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    named = {Path(document).parts[0] for document in documents(read_yaml(book.root / CONTENTS)) if "/" in document}
    for path in sorted(book.root.iterdir()):
        hidden = path.name.startswith(".") or path == book.build
        if path.is_file() and path.suffix in FILES and not hidden:
            _copy(path, target / path.name)
        elif path.is_dir() and not hidden and (path.name in named or path.name.startswith("_")):
            shutil.copytree(path, target / path.name, ignore=IGNORED, copy_function=_copy)
    for folder in {*CODE, RECORDS.parts[0]} - named:  # what was found, and from which code it would be found now
        if (book.root / folder).is_dir():
            shutil.copytree(book.root / folder, target / folder, ignore=UNUSED, copy_function=_copy)
    for chapter in book.chapters():
        if chapter.name in executed:
            fresh = with_outputs(chapter.read(), executed[chapter.name])
            write_notebook(fresh, target / chapter.notebook.relative_to(book.root))


def with_outputs(stored: NotebookNode, executed: NotebookNode) -> NotebookNode:
    """A copy of a stored notebook with the outputs of an executed one that has the same code cells, in its words."""
    fresh = copy.deepcopy(stored)
    pairs = ([cell for cell in notebook.cells if cell.cell_type == "code"] for notebook in (fresh, executed))
    for mine, theirs in zip(*pairs, strict=True):
        mine.outputs, mine.execution_count = copy.deepcopy(theirs.outputs), theirs.execution_count
    return with_words(fresh)


def _copy(source: str | Path, target: str | Path) -> None:
    """One file; what goes wrong says whether it was read or written."""
    content = read_bytes(Path(source))
    with writing(Path(target)):
        Path(target).write_bytes(content)


@contextmanager
def alone(book: Book) -> Iterator[None]:
    """Let one build at a time work in a book's ``_build``; a PressError if another one is at work."""
    with writing(book.build):
        book.build.mkdir(exist_ok=True)
    with locked(book.build / ".lock", f"another build is at work in {shown(book.build)}; wait for it or stop it"):
        yield


def _complaint(log: str) -> str:
    """The first warning or error of a build's log, or its last line."""
    lines = [" ".join(line.split()) for line in log.splitlines() if line.strip()]
    marked = [line for line in lines if "WARNING" in line or "ERROR" in line]
    return (marked or lines[-1:] or ["no reason was given"])[0]
