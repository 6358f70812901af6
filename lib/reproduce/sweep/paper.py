"""Every chapter at the paper's own scale: one run each, with its seconds and its memory."""

import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reproduce.book import Book, Chapter
from reproduce.campaigns import AtPaper, read_paper, write_paper
from reproduce.environment import commit_of, environment
from reproduce.parameters import paper_values, signature
from reproduce.running.engine import Watch
from reproduce.running.pool import cores
from reproduce.running.staleness import code_hash
from reproduce.sweep.grid import Grid
from reproduce.sweep.record import FINISHED
from reproduce.sweep.store import Store
from reproduce.sweep.sweep import sweep


def run_paper(
    book: Book,
    chapters: Sequence[Chapter],
    *,
    limit: float,
    again: bool,
    folder: Path,
    begin: Callable[[Chapter], None],
    watch: Watch,
    ended: Callable[[AtPaper, bool], None],
) -> list[AtPaper]:
    """Run chapters with their ``.paper.yaml``, one after another; each outcome is written as soon as it is there.

    book, chapters: what to run, and where it stands.
    limit: seconds that one chapter may take; one that takes longer, or fails, is an outcome too.
    again: run also what was run to its end with the same code and parameters.
    folder: where the runs go.
    begin: told of each chapter before it is run.
    watch: told as that of ``sweep``.
    ended: told of each outcome, and whether it is an earlier one.

    Returns their outcomes. Raises PressError before anything runs if a parameter is not allowed, and else as ``sweep``.
    """
    asked = {chapter.name: paper_values(signature(chapter.read(), chapter.name), chapter) for chapter in chapters}
    known = {one.chapter: one for one in read_paper(book.root)}
    for chapter in chapters:
        last, code = known.get(chapter.name), code_hash(book, chapter.read())
        if last is not None and not again and not last.failure and last.is_current(chapter, code):
            ended(last, True)
            continue
        begin(chapter)
        values = asked[chapter.name]
        store = Store((folder / chapter.name).resolve())
        if again:
            shutil.rmtree(store.folder(values), ignore_errors=True)
        sweep(book, chapter, Grid({}, values), store.root, cell_limit=max(1, round(limit)), limit=limit, watch=watch)
        known[chapter.name] = outcome(book, chapter, code, values, store.find(values).record)
        order = [one.name for one in book.chapters()]
        write_paper(book.root, [known[name] for name in order if name in known])
        ended(known[chapter.name], False)
    return [known[chapter.name] for chapter in chapters]


def outcome(
    book: Book, chapter: Chapter, code: str, values: Mapping[str, Any], record: Mapping[str, Any] | None
) -> AtPaper:
    """What came of a run.

    book, chapter: what was run, and where it stands.
    code: hash of the chapter's code.
    values: the parameters it ran with.
    record: what the run left; None if it left nothing.
    """
    here = environment(str(book.root))
    versions = ", ".join(f"{name} {version}" for name, version in here["versions"].items())
    left = record or {"seconds": 0.0, "claims": [], "status": "", "reason": "the run left nothing"}
    missed = [claim["id"] for claim in left["claims"] if not claim["holds"]]
    return AtPaper(
        chapter=chapter.name,
        code=code,
        parameters=dict(values),
        date=datetime.now(UTC).date().isoformat(),
        commit=left["environment"]["commit"] if record else commit_of(book),
        versions=f"Python {here['python']}, {versions}",
        machine=machine(),
        seconds=round(left["seconds"]),
        megabytes=left.get("megabytes", 0),
        claims=len(left["claims"]),
        held=len(left["claims"]) - len(missed),
        missed=missed,
        failure="" if left["status"] == FINISHED else left["reason"],
    )


def machine() -> str:
    """This machine in words: the cores that may be used, and the processor as the system names it."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return f"{cores()} {'core' if cores() == 1 else 'cores'}, {processor}"
