"""Every chapter as it is stored: executed from top to bottom, in step with its twin, and fit to be published."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from reproduce.robustness import objections, read_robustness

from reproduce import parameters
from reproduce.book import REGISTER, Book, Chapter
from reproduce.claims import judge, ledger
from reproduce.running.notebooks import normalised
from reproduce.running.refresh import differences
from reproduce.running.run import run
from reproduce.running.staleness import code_hash

BOOK = Book(Path(__file__).parents[2])
CHAPTERS = BOOK.chapters()
LARGEST = 2_000_000  # bytes
OF_THIS_MACHINE = re.compile(
    r"/(home|root|tmp|usr|opt|var|Users)/|[A-Z]:\\|site-packages|<[\w.]+ object at 0x|ipykernel_\d"
)

pytestmark = pytest.mark.filterwarnings("default")  # jupytext's and nbformat's own
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=[chapter.name for chapter in CHAPTERS])


def texts(chapter: Chapter) -> list[str]:
    """Everything in the outputs that a reader sees as text."""
    found: list[str] = []
    for cell in chapter.read().cells:
        for output in cell.get("outputs", []):
            data: dict[str, Any] = output.get("data", {"text/plain": output.get("text", "")})
            found += ["".join(value) for kind, value in data.items() if kind.startswith("text/")]
    return found


def test_there_are_chapters() -> None:
    assert CHAPTERS


@each_chapter
def test_it_was_run_from_top_to_bottom_without_an_error(chapter: Chapter) -> None:
    assert ledger.unfinished(chapter.name, chapter.read()) == []


@each_chapter
def test_notebook_and_twin_agree(chapter: Chapter) -> None:
    assert differences(chapter) == ""


@each_chapter
def test_nothing_in_it_differs_from_run_to_run(chapter: Chapter) -> None:
    assert chapter.read() == normalised(chapter.read())


@each_chapter
def test_no_output_shows_this_machine(chapter: Chapter) -> None:
    shown = [text for text in texts(chapter) if OF_THIS_MACHINE.search(text) or str(BOOK.root) in text]
    assert shown == []


@each_chapter
def test_no_output_needs_a_widget_or_was_a_warning(chapter: Chapter) -> None:
    outputs = [output for cell in chapter.read().cells for output in cell.get("outputs", [])]
    assert [output for output in outputs if "widget" in " ".join(output.get("data", {}))] == []
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


@each_chapter
def test_no_claim_is_shown_twice(chapter: Chapter) -> None:
    """A claim's record echoed at the end of its cell shows numbers that differ between machines."""
    echoes = [text for text in texts(chapter) if text.startswith("{'id': ")]
    assert echoes == []


@each_chapter
def test_it_is_small_enough_to_clone(chapter: Chapter) -> None:
    assert chapter.notebook.stat().st_size < LARGEST


@each_chapter
def test_its_parameters_and_those_of_the_paper_are_declared(chapter: Chapter) -> None:
    known = parameters.signature(chapter.read(), chapter.name)
    assert known
    assert parameters.paper_values(known, chapter)


def test_the_ledger_holds() -> None:
    judged = ledger.judge(BOOK.notebooks(), ledger.read_register(BOOK.root / REGISTER))
    assert judged.objections == []
    assert judged.claims


@each_chapter
def test_two_to_four_claims_are_headlines(chapter: Chapter) -> None:
    headlines = [claim.id for claim in ledger.claims_of(chapter.name, chapter.read()) if claim.record["headline"]]
    assert 2 <= len(headlines) <= 4, headlines


def test_the_page_of_fresh_seeds_adds_up() -> None:
    assert objections(BOOK.root, ledger.judge(BOOK.notebooks()).claims) == []


def test_a_seed_of_the_page_of_fresh_seeds_is_no_worse_than_it_says(tmp_path: Path) -> None:
    """One chapter, another each day, at the seed at which one of its claims came nearest to its tolerance."""
    known = read_robustness(BOOK.root)
    unchanged = [chapter for chapter in CHAPTERS if chapter.name in known]
    unchanged = [chapter for chapter in unchanged if known[chapter.name].code == code_hash(BOOK, chapter.read())]
    if not unchanged:
        pytest.skip("every chapter has changed since its fresh seeds, as the page says")
    chapter = unchanged[date.today().toordinal() % len(unchanged)]
    entries = known[chapter.name].claims
    seed = max(entries.values(), key=lambda entry: entry.worst).at
    values = parameters.signature(chapter.read(), chapter.name)
    rerun = run(BOOK, chapter, values, {"seed": seed}, tmp_path)
    for claim in rerun.ledger.claims:
        entry = entries[claim.id]
        assert judge.used(claim.record) <= entry.worst + max(0.1, 0.2 * entry.worst), claim.id


@each_chapter
def test_every_claim_was_tried_on_the_same_fresh_seeds(chapter: Chapter) -> None:
    known = read_robustness(BOOK.root)
    if chapter.name not in known:
        pytest.skip(f"not run on fresh seeds yet, as the page says: make seeds CHAPTERS={chapter.name}")
    entry = known[chapter.name]
    assert entry.claims.keys() == {claim.id for claim in ledger.claims_of(chapter.name, chapter.read())}
    # A run that failed, which the page says, has only the claims before the cell at which it stopped.
    assert all(entry.finished <= record.runs <= entry.finished + entry.failed for record in entry.claims.values())
    assert entry.finished + entry.failed >= 20
