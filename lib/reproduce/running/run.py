"""One run of a chapter with one's own parameters, into a folder of its own."""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import Signature
from reproduce.claims.ledger import Ledger, judge
from reproduce.ground.errors import RunFailed, writing
from reproduce.ground.files import scratch
from reproduce.running.execute import execute, keep_failed
from reproduce.running.figures import Figure, take_figures
from reproduce.running.notebooks import write_notebook

LONGEST_SLUG = 100


@dataclass(frozen=True)
class Run:
    """A finished run.

    notebook: where it lies.
    ledger: what it claims, judged with the parameters it ran with.
    figures: in the formats that were asked for.
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
    formats: Sequence[str] = (),
    progress: bool = False,
) -> Run:
    """Run a chapter and keep its notebook.

    book, chapter: what to run, and where it stands.
    parameters: the chapter's, for their defaults.
    values: checked values; those equal to their default are left alone.
    folder: where to; by default ``_build/runs/<chapter>/<the changed parameters>``.
    formats: in which the figures are wanted besides PNG: svg, pdf.
    progress: show a bar of the cells on standard error.

    Raises RunFailed if a cell fails; the notebook with its traceback is then kept as ``<chapter>.failed.ipynb``.
    Raises WriteError if the folder cannot be written. After an interruption nothing is left.
    """
    changed = {name: value for name, value in values.items() if value != parameters[name].default}
    target = folder or book.build / "runs" / chapter.name / slug(changed)
    notebook, failed = (target / f"{chapter.short}{suffix}.ipynb" for suffix in ("", ".failed"))
    with _made(target), scratch(book.build if folder is None else target) as room:
        stored = chapter.read()
        outcome = execute(stored, chapter.notebook.parent, room, changed, formats=formats, progress=progress)
        figures = take_figures(outcome.notebook, chapter.short)
        if outcome.where:
            raise RunFailed(f"{chapter.name} {keep_failed(outcome, failed)}")
        with writing(notebook):
            write_notebook(outcome.notebook, notebook)
            failed.unlink(missing_ok=True)
    return Run(notebook, judge({chapter.name: outcome.notebook}), figures)


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
