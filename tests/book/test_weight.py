"""What a page weighs on its first load, uncompressed, and what the build leaves out of style sheets and pages."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from book.visits import INLINE, Visits
from playwright.sync_api import Browser
from tiers import at_night

from reproduce.pages.weight import names_in, without_idle_files, without_unused

CHAPTER, FILM, OTHER = 2_000_000, 2_500_000, 1_200_000  # bytes, without what the formulas need of MathJax's fonts
FONTS = 160_000


def test_no_page_weighs_more_than_it_may(visits: Visits, html: Path, served: list[str]) -> None:
    heavy = {}
    for name, events in visits.events(served).items():
        foreign = [url for url in events["asked"] if not url.startswith(("/", *INLINE))]
        own = {urlsplit(url).path.removeprefix("/") for url in events["asked"] if url.startswith("/")}
        fonts = {file for file in own if file.endswith(".woff") and "/mathjax/" in file}
        weight, of_fonts = (sum((html / file).stat().st_size for file in part) for part in (own - fonts, fonts))
        text = (html / name).read_text(encoding="utf-8")
        moves = 'class="film"' in text or 'class="sliders"' in text  # and holds all of its pictures
        allowed = (FILM if moves else CHAPTER) if name.startswith("chapters/") else OTHER
        if weight > allowed or of_fonts > FONTS or foreign:
            heavy[name] = (weight, of_fonts, foreign)
    assert heavy == {}


@pytest.mark.parametrize("name", ["chapters/measures/sparse_deconvolution.html", at_night("symbols.html")])
def test_a_page_opened_as_a_file_sets_its_formulas(browser: Browser, html: Path, name: str) -> None:
    page = browser.new_context().new_page()
    wrong: list[str] = []
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((html / name).as_uri(), wait_until="load")
    page.evaluate("() => window.MathJax.startup.promise")
    formulas = page.locator("span.math, div.math").count()
    assert page.locator(":is(span, div).math mjx-container").count() >= formulas > 10
    assert page.locator("mjx-assistive-mml").count() >= formulas
    assert page.locator("mjx-merror").count() == 0
    assert wrong == []
    page.context.close()


def test_a_style_sheet_keeps_what_may_apply() -> None:
    sheet = ".used, .idle > a { color: red } .idle > a, .idle { top: 0 } p:not(.idle) { left: 0 } #idle { right: 0 }"
    kept = without_unused(sheet, {"used"})
    assert ".used" in kept
    assert "p:not(.idle)" in kept
    assert "top" not in kept
    assert "right" not in kept


def test_a_style_sheet_loses_what_is_empty_inside_a_condition() -> None:
    sheet = "@media print { .idle { top: 0 } } @media screen { .used { --a: 1; left: 3px } }"
    kept = without_unused(sheet, {"used"})
    assert "print" not in kept
    assert "--a" in kept
    assert "3px" in kept
    assert without_unused("@font-face { src: url(a) } @keyframes turn { to { top: 0 } }", set()).count("{") == 3


def test_the_names_of_a_page_are_its_classes_and_the_words_of_its_scripts() -> None:
    page = "<p class='one two' id=\"three\">four</p><script>box.className = 'five-six'</script>"
    assert {"one", "two", "three", "five-six"} <= names_in(page)
    assert "four" not in names_in(page)


def test_a_page_asks_only_for_files_that_serve_it() -> None:
    ask = '<script src="_static/panels.js?v=1"></script>\n<link href="_static/book.css" rel="stylesheet"/>'
    assert "panels.js" not in without_idle_files(ask + '<img class="picture">')
    assert "panels.js" in without_idle_files(ask + '<img class="panels-2">')
    assert "book.css" in without_idle_files(ask)
