"""Stored notebooks executed again in place, from the text of their twins."""

import shutil
import tempfile
from pathlib import Path

import jupytext
from jupytext.combine import combine_inputs_with_outputs
from jupytext.compare import NotebookDifference, compare_notebooks
from jupytext.config import JupytextConfiguration, load_jupytext_config
from nbformat import NotebookNode

from reproduce.book import Book, Chapter, shown
from reproduce.claims import SECONDS
from reproduce.errors import RunFailed, writing
from reproduce.execute import CellFailed, execute, keep_failed, write_notebook
from reproduce.ledger import claims_of

TWIN = "py:percent"


def refresh(book: Book, chapter: Chapter) -> list[str]:
    """Execute a chapter with its default parameters and store notebook and twin.

    Where twin and notebook differ the twin's text wins; a notebook that would lose text is kept under ``_build``.

    Returns what a person should know, in sentences. Raises RunFailed if a cell fails; the stored files are then as they
    were, and the notebook with its traceback lies under ``_build``.
    """
    notes: list[str] = []
    source = _source(book, chapter, notes)
    with writing(book.build):
        book.build.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=book.build, prefix=".running-") as scratch:
            try:
                done = execute(source, chapter.notebook.parent, Path(scratch))
            except CellFailed as failure:
                kept = book.build / "failed" / f"{chapter.name}.failed.ipynb"
                raise RunFailed(f"{chapter.name} {keep_failed(failure, kept)}") from None
    keep_seconds(source, done)
    _store(chapter, done)
    return notes


def differences(chapter: Chapter) -> str:
    """How twin and notebook differ, in one line; empty if they agree."""
    if not chapter.twin.exists():
        return f"{chapter.twin.name} does not exist"
    try:
        compare_notebooks(read_twin(chapter), chapter.read(), TWIN)
    except NotebookDifference as difference:
        return " ".join(str(difference).split())
    return ""


def read_twin(chapter: Chapter) -> NotebookNode:
    """The notebook that a chapter's twin stands for, without outputs."""
    notebook: NotebookNode = jupytext.read(chapter.twin, fmt=TWIN, config=_config(chapter))
    notebook.metadata["jupytext"] = {"formats": f"ipynb,{TWIN}"}
    return notebook


def keep_seconds(stored: NotebookNode, done: NotebookNode) -> None:
    """Keep the stored seconds of a claim whose time fell into the next step, or every refresh would change a few."""
    before = {claim.id: claim.record.get("seconds") for claim in claims_of("", stored)}
    for claim in claims_of("", done):
        old = before.get(claim.id)
        if old in SECONDS and abs(SECONDS.index(old) - SECONDS.index(claim.record["seconds"])) == 1:
            claim.record["seconds"] = old


def _source(book: Book, chapter: Chapter, notes: list[str]) -> NotebookNode:
    """What to execute: the stored notebook, with the text of the twin where they differ."""
    if not chapter.twin.exists():
        return chapter.read()
    twin = read_twin(chapter)
    if not chapter.notebook.exists():
        notes.append(f"{chapter.name}: notebook made from {chapter.twin.name}")
        return twin
    stored = chapter.read()
    if not differences(chapter):
        return stored
    notes.append(f"{chapter.name}: text taken from {chapter.twin.name}, which differs from the notebook")
    if chapter.notebook.stat().st_mtime > chapter.twin.stat().st_mtime:
        kept = book.build / "replaced" / f"{chapter.name}.ipynb"
        with writing(kept):
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(chapter.notebook, kept)
        notes.append(f"{chapter.name}: the notebook was the newer of the two; it is kept as {shown(kept)}")
    merged: NotebookNode = combine_inputs_with_outputs(twin, stored, TWIN)
    return merged


def _store(chapter: Chapter, notebook: NotebookNode) -> None:
    text = jupytext.writes(notebook, fmt=TWIN, config=_config(chapter))
    with writing(chapter.notebook):
        write_notebook(notebook, chapter.notebook)
    with writing(chapter.twin):
        if not chapter.twin.exists() or chapter.twin.read_text(encoding="utf-8") != text:
            chapter.twin.write_text(text, encoding="utf-8")


def _config(chapter: Chapter) -> JupytextConfiguration:
    """The book's settings for twins, from its pyproject.toml."""
    return load_jupytext_config(str(chapter.notebook))
