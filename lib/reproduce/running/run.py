"""One run of a chapter with one's own parameters, into a folder of its own."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import Signature
from reproduce.claims.ledger import Ledger, judge
from reproduce.ground.errors import PressError, RunFailed, writing
from reproduce.ground.files import scratch
from reproduce.ground.reading import read_notebook
from reproduce.running.execute import execute, keep_failed
from reproduce.running.figures import VECTORS, Figure, figures_of
from reproduce.running.notebooks import write_notebook
from reproduce.running.staleness import fingerprint

LONGEST_SLUG = 100
MADE = "made"  # in a run's metadata: the checksum of what it holds, and of the code that it was made from


@dataclass(frozen=True)
class Run:
    """A finished run.

    notebook: where it lies.
    ledger: what it claims, judged with the parameters it ran with.
    figures: with their vectors.
    """

    notebook: Path
    ledger: Ledger
    figures: Sequence[Figure]


def run(
    book: Book,
    chapter: Chapter,
    parameters: Signature,
    values: Mapping[str, Any],
    folder: Path | None = None,
    *,
    progress: bool = False,
) -> Run:
    """Run a chapter and keep its notebook, figures also as vectors.

    book, chapter: what to run, and where it stands.
    parameters: the chapter's, for their defaults.
    values: checked values; those equal to their default are left alone.
    folder: where to; by default ``_build/runs/<chapter>/<the changed parameters>``.
    progress: show a bar of the cells on standard error.

    Raises RunFailed if a cell fails; the notebook with its traceback is then kept as ``<chapter>.failed.ipynb``.
    Raises WriteError if the folder cannot be written. After an interruption nothing is left.
    """
    changed = _changed(parameters, values)
    notebook = place_of(book, chapter, changed, folder)
    target, failed = notebook.parent, notebook.with_name(f"{chapter.short}.failed.ipynb")
    with _made(target), scratch(book.build if folder is None else target) as room:
        stored = chapter.read()
        code = fingerprint(book, stored)
        outcome = execute(stored, chapter.notebook.parent, room, changed, formats=list(VECTORS), progress=progress)
        if outcome.where:
            raise RunFailed(f"{chapter.name} {keep_failed(outcome, failed)}")
        outcome.notebook.metadata[MADE] = _checksum(outcome.notebook, code)
        with writing(notebook):
            write_notebook(outcome.notebook, notebook)
            failed.unlink(missing_ok=True)
    return _as_run(chapter, notebook, outcome.notebook)


def kept_run(
    book: Book, chapter: Chapter, parameters: Signature, values: Mapping[str, Any], folder: Path | None = None
) -> Run | None:
    """A run that lies where ``run`` would put it, if it is of the same values and the present code, and not edited.

    book, chapter, parameters, values, folder: as for ``run``.
    """
    changed = _changed(parameters, values)
    path = place_of(book, chapter, changed, folder)
    with suppress(PressError):
        kept = read_notebook(path)
        same = kept.metadata.get("papermill") == ({"parameters": changed} if changed else None)
        if same and kept.metadata.get(MADE) == _checksum(kept, fingerprint(book, chapter.read())):
            return _as_run(chapter, path, kept)
    return None


def place_of(book: Book, chapter: Chapter, changed: Mapping[str, Any], folder: Path | None) -> Path:
    """Where the notebook of a run lies, by the values that were changed, or in a folder that was named."""
    return (folder or book.build / "runs" / chapter.name / slug(changed)) / f"{chapter.short}.ipynb"


def _changed(parameters: Signature, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value != parameters[name].default}


def _checksum(notebook: NotebookNode, code: str) -> str:
    return hashlib.sha256(json.dumps([code, notebook.cells], sort_keys=True).encode()).hexdigest()


def _as_run(chapter: Chapter, path: Path, notebook: NotebookNode) -> Run:
    return Run(path, judge({chapter.name: notebook}), figures_of(notebook, chapter.short))


def slug(values: Mapping[str, Any]) -> str:
    """A folder name that says which parameters were changed; a long one is cut and ends in a hash of all of it."""
    if not values:
        return "default"
    lists = {name: value if isinstance(value, list) else [value] for name, value in sorted(values.items())}
    whole = ",".join(f"{name}={'+'.join(map(str, items))}" for name, items in lists.items())
    plain = re.sub(r"[^A-Za-z0-9._=,+-]", "_", whole)
    if plain == whole and len(plain) <= LONGEST_SLUG:
        return plain
    return f"{plain[:LONGEST_SLUG]}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"


@contextmanager
def _made(target: Path) -> Iterator[None]:
    """The folder ``target``; whatever happens, every folder made for it and left empty is removed."""
    made = [folder for folder in (target, *target.parents) if not os.path.exists(folder)]
    try:
        with writing(target):
            target.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for folder in made:
            with suppress(OSError):  # not empty, or never made
                folder.rmdir()
