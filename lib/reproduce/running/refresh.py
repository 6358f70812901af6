"""Stored notebooks executed again in place, from the text of their twins."""

from collections import Counter
from datetime import datetime

import jupytext
from jupytext.combine import combine_inputs_with_outputs
from jupytext.compare import NotebookDifference, compare_notebooks
from jupytext.config import JupytextConfiguration, load_jupytext_config
from nbformat import NotebookNode

from reproduce.chapters.book import Book, Chapter, shown
from reproduce.claims.ledger import claims_of
from reproduce.claims.record import SECONDS
from reproduce.claims.words import with_words
from reproduce.ground.errors import PressError, RunFailed, one_line, writing
from reproduce.ground.files import replacing, scratch, write_text
from reproduce.ground.reading import read_bytes, read_text
from reproduce.running.execute import execute, keep_failed
from reproduce.running.last_run import last_run, say_when, seconds_of_children
from reproduce.running.notebooks import code_cells, write_notebook
from reproduce.running.whole import demand_claims, demand_whole

TWIN = "py:percent"


def refresh(book: Book, chapter: Chapter, *, force: bool = False) -> list[str]:
    """Execute a chapter with its default parameters and store notebook and twin.

    Where twin and notebook differ the twin's text wins; a notebook that loses text by it is kept under ``_build``.

    book, chapter: what to execute, and where it stands.
    force: store also a text that is not whole: without the cell of parameters, or without claims that are registered.

    Returns what a person should know, in sentences. Raises PressError for a text that is not whole, RunFailed if a cell
    fails or a registered claim is not stored; the stored files are then as they were, and a notebook that was executed
    lies under ``_build``.
    """
    notes: list[str] = []
    source = _source(chapter, notes)
    if not force:
        demand_whole(book, chapter, source)
    with writing(book.build):
        book.build.mkdir(exist_ok=True)
    failed = book.build / "failed" / f"{chapter.name}.failed.ipynb"
    begun = seconds_of_children()
    with scratch(book.build) as room:
        outcome = execute(source, chapter.notebook.parent, room)
    done = outcome.notebook
    if outcome.where:
        raise RunFailed(f"{chapter.name} {keep_failed(outcome, failed)}")
    if not force:
        demand_claims(book, chapter, done, failed)
    keep_seconds(source, done)
    say_when(book, last_run(chapter.name, source), done, seconds_of_children() - begun)
    _keep_replaced(book, chapter, done, notes)
    _store(chapter, done)
    return notes


def join_words(book: Book, chapter: Chapter) -> list[str]:
    """Store a chapter's text with what its last execution gave: words change, also those of claims, and no code.

    book, chapter: what to store, and where it stands.

    Returns what a person should know, in sentences. Raises PressError if a code cell is another one than was executed.
    """
    notes: list[str] = []
    stored, source = chapter.read(), _source(chapter, notes)
    demand_whole(book, chapter, source)
    if code_cells(stored) != code_cells(source):
        raise PressError(f"the code of {chapter.name} is not what was executed; 'refresh' without --words executes it")
    done = with_words(source)
    _keep_replaced(book, chapter, done, notes)
    _store(chapter, done)
    return notes


def out_of_step(chapter: Chapter) -> str:
    """How twin and notebook differ, in one line; empty if they agree."""
    if not chapter.twin.exists():
        return f"{chapter.twin.name} does not exist"
    try:
        compare_notebooks(read_twin(chapter), chapter.read(), TWIN)
    except NotebookDifference as difference:
        return " ".join(str(difference).split())
    return ""


def read_twin(chapter: Chapter) -> NotebookNode:
    """The notebook that a chapter's twin stands for, without outputs; a PressError if it stands for none."""
    text = read_text(chapter.twin)
    try:
        notebook: NotebookNode = jupytext.reads(text, fmt=TWIN, config=_config(chapter))
    except Exception as error:  # jupytext has no exception of its own for a header that is damaged
        raise PressError(f"{chapter.twin} is not a script in cells: {one_line(str(error))}") from None
    notebook.metadata["jupytext"] = {"formats": f"ipynb,{TWIN}"}
    return notebook


def keep_seconds(stored: NotebookNode, done: NotebookNode) -> None:
    """Keep the stored seconds of a claim whose time fell into the next step, or every refresh would change a few."""
    before = {claim.id: claim.record.get("seconds") for claim in claims_of("", stored)}
    for claim in claims_of("", done):
        old, new = before.get(claim.id), claim.record.get("seconds")
        if old in SECONDS and new in SECONDS and abs(SECONDS.index(old) - SECONDS.index(new)) == 1:
            claim.record["seconds"] = old


def _source(chapter: Chapter, notes: list[str]) -> NotebookNode:
    """What to execute: the stored notebook, with the text of the twin where they differ."""
    if not chapter.twin.exists():
        return chapter.read()
    twin = read_twin(chapter)
    if not chapter.notebook.exists():
        notes.append(f"{chapter.name}: notebook made from {chapter.twin.name}")
        return twin
    stored = chapter.read()
    if not out_of_step(chapter):
        return stored
    notes.append(f"{chapter.name}: text taken from {chapter.twin.name}, which differs from the notebook")
    merged: NotebookNode = combine_inputs_with_outputs(twin, stored, TWIN)
    return merged


def _keep_replaced(book: Book, chapter: Chapter, done: NotebookNode, notes: list[str]) -> None:
    """Keep the stored notebook under ``_build`` if some of its text is not in the one that takes its place.

    Its name ends in the time at which it was stored, so that no later refresh replaces it.
    """
    if not chapter.notebook.exists() or not _lines(chapter.read()) - _lines(done):
        return
    stored = datetime.fromtimestamp(chapter.notebook.stat().st_mtime)
    kept = book.build / "replaced" / f"{chapter.name}.{stored:%Y%m%d-%H%M%S}.ipynb"
    with writing(kept):
        kept.parent.mkdir(parents=True, exist_ok=True)
    with replacing(kept) as new:
        new.write_bytes(read_bytes(chapter.notebook))
    notes.append(f"{chapter.name}: the notebook loses text by it; as it was it is kept as {shown(kept)}")


def _lines(notebook: NotebookNode) -> "Counter[str]":
    return Counter(line for cell in notebook.cells for line in cell.source.splitlines())


def _store(chapter: Chapter, notebook: NotebookNode) -> None:
    """Each file appears whole; stopped between the two, the twin has the text of the new notebook already."""
    text = jupytext.writes(notebook, fmt=TWIN, config=_config(chapter))
    write_notebook(notebook, chapter.notebook)
    if not chapter.twin.exists() or read_text(chapter.twin) != text:
        write_text(chapter.twin, text)


def _config(chapter: Chapter) -> JupytextConfiguration:
    """The book's settings for twins, from its pyproject.toml."""
    return load_jupytext_config(str(chapter.notebook))
