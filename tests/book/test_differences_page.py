"""The page that collects where the chapters depart from their papers."""

from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from tiers import thinned

from reproduce.chapters.book import Book, title
from reproduce.pages.differences import ANCHOR, HEADING, KINDS, REMARK, from_the_root, section

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page(html: Path) -> BeautifulSoup:
    return BeautifulSoup((html / "differences.html").read_text(encoding="utf-8"), "html.parser")


def plain(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


@pytest.mark.parametrize("chapter", thinned([chapter.name for chapter in Book(ROOT).chapters()], every=9))
def test_every_chapter_has_its_section_and_the_page_has_all_of_it(
    page: BeautifulSoup, html: Path, chapter: str
) -> None:
    notebook = Book(ROOT).chapter(chapter).read()
    (link,) = page.select(f"article a[href='chapters/{chapter}.html#{ANCHOR}']")
    shown = link.find_parent("section")
    assert isinstance(shown, Tag)
    heading = title(notebook).replace("'", "’")
    assert shown.find(["h2", "h3"]).get_text().startswith(heading)  # type: ignore[union-attr]
    own = BeautifulSoup((html / f"chapters/{chapter}.html").read_text(encoding="utf-8"), "html.parser")
    place = own.find(id=ANCHOR)
    assert isinstance(place, Tag)
    points = place.select("li")
    assert points
    assert [plain(point) for point in shown.select("li")] == [plain(point) for point in points]


def test_a_point_is_of_the_kind_that_its_first_word_says(page: BeautifulSoup) -> None:
    points = page.select("article li[class*=kind-]")
    assert len(points) > 80
    for point in points:
        label = point.find(["strong", "em"])
        first = plain(label).split()[0].strip(".,:") if label and plain(point).startswith(plain(label)) else ""
        kind = next((kind for kind, words in KINDS.items() if first in words), REMARK)
        assert point["class"] == [f"kind-{kind.replace(' ', '-')}"], plain(point)
    assert {kind for kind in KINDS if not page.select(f"article li.kind-{kind.replace(' ', '-')}")} == set()


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("# Title\n\nwords"),
        nbformat.v4.new_markdown_cell(f"## Before\n\n## {HEADING}\n\n- one\n\n### Below\n\ntwo\n\n## After\n\nthree"),
    ]
    assert section(nbformat.v4.new_notebook(cells=cells)) == "- one\n\n### Below\n\ntwo"
    assert section(nbformat.v4.new_notebook(cells=cells[:1])) == ""


def test_references_to_documents_hold_from_another_folder() -> None:
    text = "{doc}`two`, {doc}`this <../b/three>`, {doc}`/glossary`, {eq}`four`"
    moved = "{doc}`/chapters/a/two`, {doc}`this </chapters/b/three>`, {doc}`/glossary`, {eq}`four`"
    assert from_the_root(text, "a/one") == moved
