"""The template of a chapter's page, as a reader meets it: what stands first, what lies open, what is folded."""

import re
from pathlib import Path

import pytest
from book.visits import READY, Moment, Screen, Visits, asks
from bs4 import BeautifulSoup
from playwright.sync_api import BrowserContext, Page
from tiers import thinned

HIGHEST, HIGHEST_NARROW = 1100, 1700  # pixels from the top at which the first picture must stand
OPEN_LINES = 60  # of code that may lie open
MOST_BARS = 8  # of folded code
LARGE = 1920  # pixels, the widest screen that is looked at
QUESTION = 'class="question"'  # which a page has that is told in the order of CONTRIBUTING.md

# Where the first picture stands, how many lines of code lie open, how many bars are seen, and which displays are cut.
SHAPE = """() => {
    const main = document.querySelector("article");
    const seen = (e) => e.checkVisibility() && e.getBoundingClientRect().height > 0;
    const large = (e) => e.getBoundingClientRect().height > 120 && e.getBoundingClientRect().width > 150;
    const pictures = [...main.querySelectorAll("img, svg, canvas")].filter((e) => seen(e) && large(e));
    const code = [...main.querySelectorAll("div.cell_input pre")].filter(seen);
    const cut = [...main.querySelectorAll("mjx-container[display='true'] > mjx-math")].filter(seen);
    return {
        first: Math.round(Math.min(...pictures.map((e) => e.getBoundingClientRect().top + scrollY))),
        lines: code.reduce((n, e) => n + e.textContent.trimEnd().split("\\n").length, 0),
        bars: [...main.querySelectorAll("div.cell details.hide")].filter(seen).length,
        cut: cut.filter((e) => e.scrollWidth > e.closest("div").clientWidth + 2).map((e) => e.textContent.slice(0, 40)),
    };
}"""
# The table of results: its rows and those that lead to no claim, where it stands, its links that lead to no one place,
# and the run.
RESULTS = """() => {
    const table = document.querySelector("table.results"), rows = [...table.querySelectorAll("tbody tr")];
    const top = (e) => e.getBoundingClientRect().top;
    const targets = [...table.querySelectorAll("a[href^='#']")].map((a) => a.getAttribute("href").slice(1));
    const first = document.querySelector("article h2"), own = document.querySelector("section#what-we-find h2");
    return {
        rows: rows.length,
        silent: rows.filter((row) => !row.querySelector("th a[href^='#claim-']")).length,
        above: top(table) < top(first),
        own: Boolean(own) && table.closest("section").id === "what-we-find",
        lost: targets.filter((id) => document.querySelectorAll(`[id='${id}']`).length !== 1),
        run: document.querySelector(".results-run").textContent,
    };
}"""


@pytest.fixture
def narrow_page(narrow: BrowserContext) -> Page:
    """An empty page on a phone."""
    return narrow.new_page()


@pytest.fixture
def chapters(names: list[str]) -> list[str]:
    """The pages of chapters."""
    return [name for name in names if name.startswith("chapters/")]


@pytest.fixture
def told(chapters: list[str], html: Path) -> list[str]:
    """The pages that are told in the new order."""
    return [name for name in chapters if QUESTION in (html / name).read_text(encoding="utf-8")]


@asks(Moment.LOADED, Screen.WIDE, Screen.NARROW)
def shape(page: Page, name: str) -> "dict[str, int | list[str]] | None":
    found: dict[str, int | list[str]] = page.evaluate(SHAPE) if name.startswith("chapters/") else None
    return found


@asks(Moment.LOADED, Screen.WIDE)
def results(page: Page, name: str) -> "dict[str, int | bool | str | list[str]] | None":
    found: dict[str, int | bool | str | list[str]] = page.evaluate(RESULTS) if name.startswith("chapters/") else None
    return found


def test_a_chapter_opens_with_its_picture_and_its_results_and_little_code(visits: Visits, chapters: list[str]) -> None:
    for name, found in visits.answers(shape, Screen.WIDE, chapters).items():
        assert found["first"] <= HIGHEST, name
        assert found["lines"] <= OPEN_LINES, name
        assert found["cut"] == [], name
    for name, table in visits.answers(results, Screen.WIDE, chapters).items():
        assert 2 <= table["rows"] <= 4, name
        assert table["silent"] == 0, name
        assert table["above"] or table["own"], name
        assert table["lost"] == [], name
        assert all(part in table["run"] for part in ("s of one core", "with Python 3.", "numpy", " cores")), name


def test_the_first_picture_stands_high_on_a_phone(visits: Visits, chapters: list[str]) -> None:
    for name, found in visits.answers(shape, Screen.NARROW, chapters).items():
        assert found["first"] <= HIGHEST_NARROW, name


def test_a_page_has_few_bars_of_code(visits: Visits, chapters: list[str]) -> None:
    for screen in (Screen.WIDE, Screen.NARROW):
        for name, found in visits.answers(shape, screen, chapters).items():
            assert found["bars"] <= MOST_BARS, name


def test_no_display_of_a_page_in_the_new_order_is_cut(visits: Visits, told: list[str], page: Page, site: str) -> None:
    for name, found in visits.answers(shape, Screen.NARROW, told).items():
        assert found["cut"] == [], name
    page.set_viewport_size({"width": LARGE, "height": Screen.WIDE.size["height"]})
    for name in told:
        page.goto(site + name)
        page.evaluate(READY)
        assert page.evaluate(SHAPE)["cut"] == [], name


def test_neighbouring_cells_of_folded_code_are_one_bar(html: Path, chapters: list[str]) -> None:
    neighbours = "div.cell:has(> details.hide) + div.cell:has(> details.hide)"
    found = {name: BeautifulSoup((html / name).read_bytes(), "html.parser").select(neighbours) for name in chapters}
    assert not any(found.values())


def test_one_switch_opens_all_code_and_is_remembered(page: Page, site: str) -> None:
    page.goto(f"{site}chapters/linear/max_margin.html")
    folds, switch = page.locator("div.cell details.hide"), page.locator("button.all-code")
    closed = "all => all.filter((fold) => !fold.open).length"
    assert folds.evaluate_all(closed) == folds.count() > 5
    switch.focus()
    page.keyboard.press("Enter")
    assert switch.get_attribute("aria-pressed") == "true"
    assert folds.evaluate_all(closed) == 0
    page.goto(f"{site}chapters/measures/sparse_deconvolution.html")
    assert page.locator("div.cell details.hide").evaluate_all(closed) == 0
    page.locator("button.all-code").click()
    assert page.locator("div.cell details.hide").evaluate_all(closed) > 5


@pytest.mark.parametrize("chapter", thinned(["linear/max_margin", "measures/sparse_deconvolution"], every=2))
def test_instruments_and_long_proofs_are_folded_and_a_link_opens_them(page: Page, site: str, chapter: str) -> None:
    page.goto(f"{site}chapters/{chapter}.html")
    instruments = page.locator("section[id^=instruments] > details.fold")
    assert instruments.count() == 1
    assert page.locator("details.fold .proof").count() >= 1
    claim = instruments.locator(".claim").first
    assert not claim.is_visible()
    page.goto(f"{site}chapters/{chapter}.html#{claim.get_attribute('id')}")
    page.wait_for_function("() => document.querySelector('section[id^=instruments] > details.fold').open")
    assert claim.is_visible()


def test_panels_stack_on_a_phone(narrow_page: Page, page: Page, site: str) -> None:
    address = f"{site}chapters/linear/max_margin.html"
    for one, stacked in ((narrow_page, True), (page, False)):
        one.goto(address)
        first, second = (panel.bounding_box() for panel in one.locator(".panels").first.locator("> span").all()[:2])
        below = first is not None and second is not None and second["y"] >= first["y"] + first["height"] - 1
        assert below is stacked


def test_no_name_in_braces_is_left_in_the_words_of_a_claim(html: Path) -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (html / "chapters").rglob("*.html")}
    heads = {name: re.findall(r'<p class="claim-head">(.*?)</p>', text, re.DOTALL) for name, text in pages.items()}
    assert sum(map(len, heads.values())) > len(pages)
    formula = re.compile(r'<span class="math[^>]*>.*?</span>', re.DOTALL)
    left = {
        name: [one for one in found if re.search(r"\{\w+\}", formula.sub("", one))] for name, found in heads.items()
    }
    assert {name: found for name, found in left.items() if found} == {}


def test_no_code_is_shown_with_what_excuses_it_before_the_tests(chapters: list[str], html: Path):
    source = {name: (Path(__file__).parents[2] / name).with_suffix(".py") for name in chapters}
    marked = [name for name in chapters if "# mutant" in source[name].read_text(encoding="utf-8")]
    shown = {name: BeautifulSoup((html / name).read_text(encoding="utf-8"), "html.parser") for name in marked}
    assert marked
    assert [name for name, page in shown.items() if any("# mutant" in code.text for code in page.select("pre"))] == []
