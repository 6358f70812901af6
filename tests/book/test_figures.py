"""Figures on the page: sharp on a dense screen, and no label smaller than a reader can read."""

import ast
import base64
import io
from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from book.visits import ONE_OF_EACH_KIND, Moment, Screen, Visits, asks
from PIL import Image
from playwright.sync_api import Page
from tiers import at_night

from implicit_bias.figures import style
from reproduce.chapters.book import Book, Chapter

BOOK = Book(Path(__file__).parents[2])
CHAPTERS = [one if f"chapters/{one.name}.html" in ONE_OF_EACH_KIND else at_night(one) for one in BOOK.chapters()]
LEAST_LABEL = 11  # pixels on a page that is 1,400 pixels wide
LEAST_DENSITY = 1.85  # pixels of the picture for one of the page
with plt.rc_context():
    style.use_style()
    TICK, LEGEND = plt.rcParams["font.size"], plt.rcParams["legend.fontsize"]  # where a cell says nothing else

SHOWN = """() => {
    document.querySelectorAll("details").forEach((one) => (one.open = true));
    return Object.fromEntries([...document.querySelectorAll("article .cell_output img")]
        .map((e) => [`${e.naturalWidth} × ${e.naturalHeight}`, e.getBoundingClientRect().width])
        .filter(([, width]) => width > 0));
}"""


def figures(chapter: Chapter) -> Iterator[tuple[str, Image.Image]]:
    """The source of each cell that shows a figure, with the figure."""
    for cell in chapter.read().cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield cell.source, Image.open(io.BytesIO(base64.b64decode(output.data["image/png"])))


@asks(Moment.OPENED, Screen.WIDE)
def widths_of_figures(page: Page, name: str) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(SHOWN) if name.startswith("chapters/") else {}
    return found


def least_size(source: str) -> float:
    """The smallest letters of a figure's cell, in points: what its calls name, and the style's where they name none."""
    sizes: list[float] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            named = {one.arg: one.value for one in node.keywords}
            given = [ast.literal_eval(named[name]) for name in ("fontsize", "labelsize") if name in named]
            if isinstance(node.func, ast.Attribute) and node.func.attr == "legend":
                sizes += given or [LEGEND]
            sizes += given
    ticks_are_named = any("labelsize" in line for line in source.splitlines())
    return min([*sizes, *([] if ticks_are_named else [TICK])])


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_figures_are_sharp_and_their_labels_legible(visits: Visits, chapter: Chapter) -> None:
    (shown,) = visits.answers(widths_of_figures, Screen.WIDE, [f"chapters/{chapter.name}.html"]).values()
    found = list(figures(chapter))
    assert found
    for source, image in found:
        width = shown[f"{image.width} × {image.height}"]
        inches = image.width / image.info["dpi"][0]
        assert image.width / width >= LEAST_DENSITY, source
        assert least_size(source) * width / inches / 72 >= LEAST_LABEL, source


@pytest.mark.nightly  # a test of this test
def test_the_smallest_letters_are_found() -> None:
    assert least_size("ax.plot(x)") == TICK
    assert least_size("ax.legend(loc='best')") == LEGEND
    assert least_size("ax.legend(fontsize=13)") == TICK
    assert least_size("ax.tick_params(labelsize=14)\nax.legend(fontsize=13)") == 13
    assert least_size("ax.annotate('a', (0, 0), fontsize=9)") == 9
