"""The whole book: every stale chapter run, the ledger checked and written, the pages built."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click
from nbformat import NotebookNode

from reproduce.campaigns.objections import objections
from reproduce.chapters import table
from reproduce.chapters.book import REGISTER, Book, Chapter
from reproduce.claims import ledger
from reproduce.ground.errors import FAILED, OK, RunFailed, writing
from reproduce.ground.files import demand_open_files, scratch, write_text
from reproduce.ground.reading import read_notebook
from reproduce.pages.publish import alone, build_pages, with_outputs
from reproduce.running import recheck
from reproduce.running.environment import cores
from reproduce.running.execute import execute, keep_failed
from reproduce.running.job import End, Job
from reproduce.running.last_run import last_run
from reproduce.running.notebooks import write_notebook
from reproduce.running.progress import Progress
from reproduce.running.run_all import Tally, Threads, run_all
from reproduce.running.staleness import (
    Stamp,
    executed_notebook,
    fingerprint,
    read_stamp,
    say_that_it_agrees,
    write_stamp,
)

SECONDS_TO_START = 2.0  # kernel and imports
SECONDS_IF_UNKNOWN = 10.0
SLIGHT = 3  # of the numbers that moved within their tolerance, so many are shown for each chapter


def build(book: Book, jobs: int | None = None) -> int:
    """Run what is stale, check and write the ledger, build the pages, and say where they are and how many claims hold.

    book: whose chapters are run.
    jobs: chapters at a time; by default one for each core.

    Returns the exit code: 0 if everything holds, 1 if a claim does not or a cell or the pages failed, 3 if a chapter
    could not be written. A chapter that failed is shown with its stored outputs.
    """
    demand_open_files()
    with alone(book):
        chapters = [chapter for chapter in book.chapters() if chapter.notebook.exists()]
        register = ledger.read_register(book.root / REGISTER)
        stale = [chapter for chapter in chapters if not _is_up_to_date(book, chapter)]
        _say_what_is_to_do(chapters, stale)
        failed = {name: end for name, end in _run(book, stale, jobs or cores()).items() if end.failure}

        executed = {
            chapter.name: with_outputs(chapter.read(), read_notebook(executed_notebook(book, chapter)))
            for chapter in chapters
            if chapter.name not in failed
        }
        judged = ledger.judge(executed, [entry for entry in register if entry["chapter"] not in failed])
        write_text(book.build / "ledger.json", json.dumps(judged.as_json(), indent=1, ensure_ascii=False) + "\n")
        complaints = [f"{name} {end.failure}" for name, end in failed.items()] + [*judged.objections]
        changed = _against_stored(book, chapters, executed) + objections(book)
        complaints += changed
        codes = [end.code for end in failed.values()] + ([] if judged.holds and not changed else [FAILED])
        click.echo("building the pages")
        try:
            last_line = f"open {build_pages(book, executed).as_uri()}"
        except RunFailed as failure:
            complaints.append(str(failure))
            codes.append(failure.exit_code)
            last_line = "the pages were not built"
        for complaint in complaints:
            click.echo(f"✗ {complaint}", err=True)
        click.echo(judged.count)
        click.echo(last_line)
    return max(codes, default=OK)


def _is_up_to_date(book: Book, chapter: Chapter) -> bool:
    stamp = read_stamp(book, chapter)
    return stamp is not None and stamp.hash == fingerprint(book, chapter.read())


def _against_stored(book: Book, chapters: Sequence[Chapter], executed: Mapping[str, NotebookNode]) -> list[str]:
    """What came out otherwise than it is stored, in sentences; what another processor may round so is only said.

    A chapter that came out as it is stored needs no test to execute it again.
    """
    found = []
    for chapter in chapters:
        if chapter.name not in executed:
            continue
        differences = recheck.differences(chapter.read(), executed[chapter.name])
        found += [f"{chapter.name}: {one.sentence}" for one in differences if not one.allowed]
        if all(one.allowed for one in differences):
            say_that_it_agrees(book, chapter)
        slight = [one for one in differences if one.allowed]
        if slight:
            click.echo(f"{chapter.name}: {len(slight)} stored numbers differ, as another processor may have them")
            for one in slight[:SLIGHT]:
                click.echo(f"  {one.sentence}")
    return found


def _say_what_is_to_do(chapters: Sequence[Chapter], stale: Sequence[Chapter]) -> None:
    fresh = len(chapters) - len(stale)
    if fresh:
        click.echo(f"{_chapters(fresh)} up to date")
    if stale:
        click.echo(f"{_chapters(len(stale))} to run")


def _chapters(count: int) -> str:
    return "1 chapter is" if count == 1 else f"{count} chapters are"


def _run(book: Book, stale: Sequence[Chapter], at_a_time: int) -> dict[str, End]:
    """Run chapters side by side, the longest first; how each ended, by its name."""
    if not stale:
        return {}
    jobs = [_Execution(book=book, chapter=one, name=one.name, expected=_expected_seconds(book, one)) for one in stale]
    jobs.sort(key=lambda job: job.expected, reverse=True)
    tally, ends = Tally(len(jobs), work=sum(job.expected for job in jobs)), dict[str, End]()

    def remembered(job: Job, end: End) -> str:
        ends[job.name] = end
        return _in_words(job, end)

    with Progress(table.console(), remembered) as progress, Threads(at_a_time) as executor:
        run_all(executor, lambda: at_a_time, iter(jobs), tally, progress.watch)
    return ends


@dataclass(frozen=True, kw_only=True)
class _Execution(Job):
    """A chapter executed; the notebook is kept below ``_build``, with a stamp of what it was made from."""

    def work(self) -> str:
        """Write notebook and stamp; beside them the notebook up to a cell that failed."""
        book, chapter, begun = self.book, self.chapter, time.monotonic()
        target = executed_notebook(book, chapter)
        failed = target.with_name(f"{chapter.short}.failed.ipynb")
        notebook = chapter.read()
        code = fingerprint(book, notebook)
        with scratch(book.build) as room:
            outcome = execute(notebook, chapter.notebook.parent, room)
        if outcome.where:
            return keep_failed(outcome, failed)
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            write_notebook(outcome.notebook, target)
            write_stamp(book, chapter, Stamp(code, time.monotonic() - begun))
            failed.unlink(missing_ok=True)
        return ""


def _in_words(job: Job, end: End) -> str:
    """How a chapter ended, in one line."""
    if end.failure:
        return f"✗ {job.name} in {end.seconds:.0f} s: {end.failure}"
    notebook = read_notebook(executed_notebook(job.book, job.chapter))
    return f"✓ {job.name} in {end.seconds:.0f} s: {ledger.judge({job.name: notebook}).count}"


def _expected_seconds(book: Book, chapter: Chapter) -> float:
    """What the last run here took, else the last one that was stored, else what its claims say they took."""
    if (stamp := read_stamp(book, chapter)) is not None:
        return stamp.seconds
    if (stored := last_run(chapter.name, chapter.read())) is not None:
        return stored.seconds
    told = [claim.record.get("seconds", 0) for claim in ledger.claims_of(chapter.name, chapter.read())]
    return SECONDS_TO_START + (float(sum(told)) or SECONDS_IF_UNKNOWN)
