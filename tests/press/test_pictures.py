"""Figures that were edited: one curve erased, moved or painted anew, in the stored picture or in its numbers."""

import base64
import copy
import io
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from attacks.brush import CHANGES, Change, edited_marks, edited_picture
from nbformat import NotebookNode
from PIL import Image, ImageColor
from tiers import at_night

from implicit_bias.figures.style import COLORS
from reproduce.chapters.book import Book, Chapter
from reproduce.running.pictures import LEVELS, ink_apart, marks_otherwise, pictures_otherwise

CHAPTERS = Book(Path(__file__).parents[2]).chapters()
DRAWN_BY_DAY = 3  # so many chapters are left out between two of which the pictures are forged in every run of the tests
SOME = [one if k % DRAWN_BY_DAY == 0 else at_night(one) for k, one in enumerate(CHAPTERS)]
PALETTE = [ImageColor.getrgb(colour)[:3] for name, colour in COLORS.items() if name not in ("black", "grey")]
FEW = 300  # pixels: less is no curve
v4: Any = nbformat.v4

each_change = pytest.mark.parametrize("change", CHANGES)
some_chapters = pytest.mark.parametrize("chapter", SOME, ids=lambda chapter: chapter.name)


def shown(chapter: Chapter) -> list[NotebookNode]:
    """The outputs of a chapter that show a figure."""
    outputs = [output for cell in chapter.read().cells for output in cell.get("outputs", [])]
    return [output for output in outputs if "image/png" in output.get("data", {})]


def commonest(png: bytes) -> tuple[int, int, int] | None:
    """The colour of the book's palette that a picture shows most of."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    counted = {colour: count for count, colour in picture.getcolors(picture.width * picture.height) or ()}
    best = max(PALETTE, key=lambda colour: counted.get(colour, 0))
    return best if counted.get(best, 0) >= FEW else None


@some_chapters
def test_no_curve_of_a_stored_picture_can_be_edited_unnoticed(chapter: Chapter) -> None:
    for output in shown(chapter):
        png = base64.b64decode(output.data["image/png"])
        colour = commonest(png)
        for change in CHANGES if colour else ():
            assert ink_apart(png, edited_picture(png, colour, change)) > LEVELS, change


@some_chapters
def test_no_mark_in_the_numbers_of_a_stored_picture_can_be_edited_unnoticed(chapter: Chapter) -> None:
    for output in shown(chapter):
        marks = output.metadata.get("image/png", {}).get("drawn", [])  # without, test_stored_chapters.py is red
        for number in range(len(marks)):
            for change in CHANGES:
                assert list(marks_otherwise(edited_marks(marks, number, change), marks)), (marks[number], change)


def test_most_pictures_have_curves_of_the_palette() -> None:
    pictures = [base64.b64decode(output.data["image/png"]) for chapter in CHAPTERS[::6] for output in shown(chapter)]
    assert sum(commonest(png) is not None for png in pictures) > 0.8 * len(pictures)


def picture(shift: float = 0.0) -> bytes:
    """A black line on white whose edges are soft, a little further to the right."""
    across = np.clip(2 - np.abs(np.arange(100) - 50 - shift), 0, 1)
    file = io.BytesIO()
    Image.fromarray(np.tile(255 - 255 * across, (50, 1)).astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def test_an_edge_that_another_processor_rounds_otherwise_is_the_same_and_a_line_elsewhere_is_not() -> None:
    assert 0 < ink_apart(picture(), picture(0.05)) < LEVELS / 2
    assert ink_apart(picture(), picture(3.0)) > LEVELS


@pytest.mark.parametrize("junk", [b"", b"no picture", picture()[:60]])
def test_what_is_no_picture_is_another(junk: bytes) -> None:
    assert ink_apart(picture(), junk) == np.inf
    assert ink_apart(junk, picture()) == np.inf


MARKS = ["line2d 1 of 0 0.45 0.7 1 0 0 0 0 2 0 0 0 @ 3: 1 2 3 4 5 6", "text 1 of 0 0 0 1 @ 1: 7 8 | off by 0.123"]


def output(png: bytes = picture(), marks: object = MARKS) -> NotebookNode:
    metadata = {"image/png": {"drawn": marks}} if marks is not None else {}
    made: NotebookNode = v4.new_output("display_data", {"image/png": base64.b64encode(png).decode()}, metadata=metadata)
    return made


def otherwise(stored: object, fresh: object, *, places: bool = True) -> list[tuple[str, str, str]]:
    return list(pictures_otherwise([stored], [fresh], places=places))


def test_what_differs_is_named() -> None:
    assert otherwise(output(), output()) == []
    moved = [MARKS[0].replace("3 4", "3.2 4"), MARKS[1]]
    assert otherwise(output(marks=moved), output()) == [("picture 1, mark 1 (line2d)", "3.2", "3")]
    said = [MARKS[0], MARKS[1].replace("0.123", "0.124")]
    assert otherwise(output(marks=said), output()) == [("picture 1, mark 2 (text)", "0.124", "0.123")]
    assert otherwise(output(marks=MARKS[1:]), output()) == [("picture 1, what is drawn", "1 marks", "2 marks")]
    ((what, stored, fresh),) = otherwise(output(picture(9)), output())
    assert what == "picture 1"
    assert stored != fresh
    assert len(list(pictures_otherwise([output()], [output(), output()]))) == 2


@pytest.mark.parametrize("marks", [None, "", {}, 3])
def test_a_figure_whose_numbers_are_not_recorded_is_named(marks: object) -> None:
    assert otherwise(output(marks=marks), output()) == [("picture 1, what is drawn", "not recorded", "2 marks")]


@pytest.mark.parametrize("marks", [["", ""], ["x", "y | z"], [3, None]])
def test_numbers_that_are_damaged_are_named(marks: object) -> None:
    assert len(otherwise(output(marks=marks), output())) == 2


@each_change
def test_where_another_arithmetic_rounds_otherwise_places_alone_are_not_compared(change: Change) -> None:
    stored = output(picture(9), edited_marks(MARKS, 0, change))
    assert bool(otherwise(stored, output(), places=False)) == (change != "move")


def test_a_still_of_a_film_is_compared_by_its_ink() -> None:
    def film(png: bytes) -> NotebookNode:
        still = f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}">'
        made: NotebookNode = v4.new_output("display_data", {"text/html": still})
        return made

    assert otherwise(film(picture()), film(picture(0.05))) == []
    assert [what for what, _, _ in otherwise(film(picture()), film(picture(9)))] == ["picture 1"]


def test_metadata_of_another_kind_is_no_record() -> None:
    spoiled = copy.deepcopy(output())
    spoiled.metadata = {"image/png": "drawn"}
    assert otherwise(spoiled, output())[0][1] == "not recorded"
