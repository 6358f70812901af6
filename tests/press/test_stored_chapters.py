"""Every chapter as it is stored: executed from top to bottom, in step with its twin, and fit to be published."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reproduce.campaigns.finding import RECORDS, WRITTEN_BY, read_findings
from reproduce.campaigns.objections import objections
from reproduce.chapters import parameters
from reproduce.chapters.book import REGISTER, Book, Chapter
from reproduce.chapters.new import leftovers
from reproduce.claims import ledger
from reproduce.running.notebooks import normalised
from reproduce.running.refresh import out_of_step

BOOK = Book(Path(__file__).parents[2])
CHAPTERS = BOOK.chapters()
LARGEST = 2_000_000  # bytes
LARGEST_NUMBERS = 20_000  # bytes of what one figure draws, and of what it plots
OUTSIDE = re.compile(r"\{glue:text\}`[^`]+`\s?\\?%")  # a unit behind a glued number
FORMULA = re.compile(r'papermill\.record/text/plain": ".*\$.*')  # in a glued number, where no page sets it
OF_THIS_MACHINE = re.compile(
    r"/(home|root|tmp|usr|opt|var|Users)/|[A-Z]:\\|site-packages|<[\w.]+ object at 0x|ipykernel_\d"
)
VERDICT = re.compile(r"\b(True|False)\b")

pytestmark = pytest.mark.filterwarnings("default")  # jupytext's and nbformat's own
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=[chapter.name for chapter in CHAPTERS])


def texts(chapter: Chapter, *, opened: bool = False) -> list[str]:
    """Everything in the outputs that a reader sees as text; if opened, of the cells whose code is not hidden alone."""
    found: list[str] = []
    for cell in chapter.read().cells:
        hidden = "hide-input" in cell.metadata.get("tags", [])
        for output in [] if opened and hidden else cell.get("outputs", []):
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
    assert out_of_step(chapter) == ""


@each_chapter
def test_what_its_figures_draw_is_stored_in_numbers(chapter: Chapter) -> None:
    outputs = [output for cell in chapter.read().cells for output in cell.get("outputs", [])]
    about = [output.metadata.get("image/png", {}) for output in outputs if "image/png" in output.get("data", {})]
    assert about
    assert [one for one in about if not one.get("drawn")] == []
    for numbers in ("drawn", "plotted"):
        assert max(len(json.dumps(one.get(numbers))) for one in about) < LARGEST_NUMBERS


@each_chapter
def test_nothing_of_the_template_is_left(chapter: Chapter) -> None:
    assert leftovers(BOOK, chapter) == []


@each_chapter
def test_a_glued_number_of_a_page_in_the_new_order_has_its_unit_in_it(chapter: Chapter) -> None:
    text = chapter.twin.read_text(encoding="utf-8")
    assert "{question}" not in text or OUTSIDE.findall(text) == []


@each_chapter
def test_no_glued_number_has_a_formula_in_it_which_the_page_would_not_set(chapter: Chapter) -> None:
    assert FORMULA.findall(chapter.notebook.read_text(encoding="utf-8")) == []


@each_chapter
def test_nothing_in_it_differs_from_run_to_run(chapter: Chapter) -> None:
    assert chapter.read() == normalised(chapter.read())


@each_chapter
def test_no_output_shows_this_machine(chapter: Chapter) -> None:
    shown = [text for text in texts(chapter) if OF_THIS_MACHINE.search(text) or str(BOOK.root) in text]
    assert shown == []


@each_chapter
def test_an_open_cell_shows_numbers_and_no_verdicts(chapter: Chapter) -> None:
    assert [text for text in texts(chapter, opened=True) if VERDICT.search(text)] == []


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


def test_the_findings_on_fresh_seeds_add_up() -> None:
    assert objections(BOOK) == []


def test_every_finding_can_be_read() -> None:
    for campaign in WRITTEN_BY:
        files = len(list((BOOK.root / RECORDS / campaign).glob("*.json")))
        assert len(read_findings(BOOK, campaign)) == files, campaign
