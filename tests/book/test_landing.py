"""The first page: its picture, a card for each chapter, who made the book, how to cite it, what is loaded at first."""

from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import bs4
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Response

from reproduce.chapters.book import CONTENTS, Book, documents, is_story, title
from reproduce.claims.ledger import claims_of
from reproduce.ground.reading import read_yaml
from reproduce.pages.atlas_map import read_results
from reproduce.pages.citation import read_citation
from reproduce.running.last_run import read_last_runs

ROOT = Path(__file__).parents[2]
MOST_BYTES = 1_200_000  # of everything the first page asks for before a reader does anything
STILL = "picture => [...picture.querySelectorAll('.moving')].map((path) => path.getAttribute('d'))"


@pytest.fixture(scope="module")
def landing(html: Path) -> bs4.BeautifulSoup:
    """The first page."""
    return bs4.BeautifulSoup((html / "intro.html").read_text(encoding="utf-8"), "html.parser")


def listed() -> list[str]:
    """The chapters of the table of contents."""
    found = documents(read_yaml(ROOT / CONTENTS))
    return [name.removeprefix("chapters/") for name in found if name.startswith("chapters/") and not is_story(name)]


def test_every_chapter_has_a_card_with_its_question_answer_and_seconds(landing: bs4.BeautifulSoup) -> None:
    results = {result.chapter: result for result in read_results(ROOT / "_atlas.yml")}
    runs, notebooks = read_last_runs(Book(ROOT)), Book(ROOT).notebooks()
    cards = landing.select(".chapter-card")
    assert [card.h3.a["href"] for card in cards] == [f"chapters/{name}.html" for name in listed()]
    for number, (name, card) in enumerate(zip(listed(), cards, strict=True), start=1):
        words = [
            part.text for part in card.select("h3 .card-number, h3 a, .card-question, .card-answer, .card-seconds")
        ]
        claimed = sum(claim.record["seconds"] for claim in claims_of(name, notebooks[name]))
        seconds = runs[name].seconds if name in runs else claimed
        assert seconds >= 1, name
        assert results[name].question.endswith("?"), name
        assert results[name].answer.endswith("."), name
        assert words == [
            str(number),
            title(notebooks[name]),
            results[name].question,
            results[name].answer,
            f"{seconds} s",
        ]


def test_every_card_shows_a_part_of_its_figure(landing: bs4.BeautifulSoup, html: Path) -> None:
    pictures = landing.select(".chapter-card img")
    assert len(pictures) == len(listed())
    for picture in pictures:
        assert len(picture["alt"]) > 20, picture["src"]
        assert picture["loading"] == "lazy"
        with Image.open(BytesIO((html / picture["src"]).read_bytes())) as drawn:
            assert (str(drawn.width), str(drawn.height)) == (picture["width"], picture["height"])
            ink = sum(drawn.convert("L").histogram()[:200]) / (drawn.width * drawn.height)
        assert 0.002 < ink < 0.9, picture["src"]


def test_only_the_questions_of_a_choice_are_drawn_as_boxes_with_an_arrow(page: Page, site: str) -> None:
    arrows = "all => all.map(one => getComputedStyle(one, '::after').content)"
    page.goto(f"{site}/intro.html")
    assert set(page.locator(".paths li > p, .paths li").evaluate_all(arrows)) == {"none"}
    page.goto(f"{site}/regime.html")
    assert page.locator(".questions li > p:first-child").evaluate_all(arrows) == ['"yes →"'] * 4


def test_the_pictures_of_the_cards_load(page: Page, site: str) -> None:
    page.goto(f"{site}intro.html")
    for picture in page.locator(".chapter-card img").all():
        picture.scroll_into_view_if_needed()
        page.wait_for_function("picture => picture.complete && picture.naturalWidth > 0", arg=picture.element_handle())


def test_the_picture_follows_the_keyboard(page: Page, site: str) -> None:
    page.goto(f"{site}intro.html")
    picture = page.locator(".live")
    before, said = picture.evaluate(STILL), picture.locator(".said").inner_text()
    for slider in picture.locator("input[type=range]").all():
        slider.focus()
        value = slider.input_value()
        page.keyboard.press("End")
        assert slider.input_value() != value
        changed = f"([picture, before]) => JSON.stringify(({STILL})(picture)) !== JSON.stringify(before)"
        page.wait_for_function(changed, arg=[picture.element_handle(), before])
        before = picture.evaluate(STILL)
    assert picture.locator(".said").inner_text() != said


def test_without_scripts_the_picture_stands_still(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}intro.html")
    drawn = page.locator(".live svg")
    assert drawn.count() == 2
    assert all(one.is_visible() for one in drawn.all())
    context.close()


def test_the_picture_is_legible_on_a_phone(narrow: BrowserContext, site: str) -> None:
    page = narrow.new_page()
    page.goto(f"{site}intro.html")
    for one in page.locator(".live :is(svg, input)").all():
        box = one.bounding_box()
        assert box is not None
        assert box["width"] > 200
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_the_first_page_is_light(page: Page, site: str) -> None:
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if answer.status == 200 else None)
    page.goto(f"{site}intro.html", wait_until="networkidle")
    weights = {urlsplit(answer.url).path: len(answer.body()) for answer in answers}
    assert sum(weights.values()) <= MOST_BYTES, sorted(weights.items(), key=lambda item: -item[1])[:8]


def test_the_button_copies_the_entry_for_bibtex(wide: BrowserContext, site: str) -> None:
    wide.grant_permissions(["clipboard-read", "clipboard-write"])
    page = wide.new_page()
    page.goto(f"{site}intro.html")
    page.locator(".cite button.copybtn").click()
    page.locator(".cite button.copybtn.success").wait_for()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    citation = read_citation(ROOT)
    year = max(run.date for run in read_last_runs(Book(ROOT)).values())[:4]
    assert copied.strip() == citation.bibtex(int(year))
    assert copied.startswith("@misc{")
    for words in (citation.title, citation.version, *(author.shown for author in citation.authors)):
        assert words in copied


def test_the_authors_are_those_of_the_citation(landing: bs4.BeautifulSoup) -> None:
    citation = read_citation(ROOT)
    names = [author.text.split(",")[0] for author in landing.select(".colophon-authors > span")]
    assert names == [author.shown for author in citation.authors]
    assert landing.select_one(".colophon-version").text.startswith(citation.version)


def test_the_last_run_is_that_of_the_stored_notebooks(landing: bs4.BeautifulSoup) -> None:
    runs, chapters = read_last_runs(Book(ROOT)), listed()
    assert set(runs) <= set(chapters)
    words = landing.select_one(".colophon-run").text
    count = "all" if len(runs) == len(chapters) else f"{len(runs)} of"
    assert words.startswith(f"{count} {len(chapters)} chapters, ")
    assert f"{sum(run.seconds for run in runs.values())} seconds" in words
    shown = " ".join(one.text for one in landing.select(".colophon-environment"))
    assert all(run.versions in shown and run.host in shown for run in runs.values())


def test_planned_results_are_behind_a_toggle(page: Page, site: str) -> None:
    page.goto(f"{site}intro.html")
    planned = page.locator("table .atlas-chip.planned")
    there = page.locator("table .atlas-chip.published")
    results = len(read_results(ROOT / "_atlas.yml"))
    if there.count() >= results:  # nothing is planned, and nothing to be shown: one that is put there is hidden
        assert page.get_by_role("checkbox", name="planned").count() == 0
        page.add_style_tag(path=ROOT / "_static" / "atlas.css")  # rules that no page needs are left out of the build
        page.locator("table .atlas-chip.published").first.evaluate(
            """chip => chip.insertAdjacentHTML("afterend", '<span class="atlas-chip planned">a result</span>')"""
        )
        page.locator(".atlas-map").first.evaluate(
            """map => map.insertAdjacentHTML("afterbegin",
                '<label class="atlas-toggle"><input type="checkbox" class="atlas-planned"> planned</label>')"""
        )
    assert planned.count() > 0
    assert not any(one.is_visible() for one in planned.all())
    assert all(one.is_visible() for one in there.all())
    toggle = page.get_by_role("checkbox", name="planned")
    toggle.focus()
    page.keyboard.press("Space")
    assert all(one.is_visible() for one in planned.all())
    page.keyboard.press("Space")
    assert not any(one.is_visible() for one in planned.all())


def test_a_bar_marks_exactly_the_losses_with_a_tail(page: Page, site: str) -> None:
    page.goto(f"{site}intro.html")
    results = read_results(ROOT / "_atlas.yml")
    gold = page.locator(".atlas-legend .tail").evaluate("chip => getComputedStyle(chip).borderLeftColor")
    chips = page.locator("table .atlas-chip").evaluate_all(
        "chips => chips.map((chip) => [chip.textContent, getComputedStyle(chip).borderLeftColor])"
    )
    barred = {short for short, colour in chips if colour == gold}
    squared = {result.short for result in results if result.loss == "squared"}
    assert barred == {result.short for result in results} - squared


@pytest.mark.parametrize("width", [1400, 718])
def test_nothing_is_cut_in_print(browser: Browser, site: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(f"{site}intro.html")
    page.emulate_media(media="print")
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".chapter-card, .live, .path, .cite pre, .colophon, .atlas-map")]
            .filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
            .map((box) => box.className)"""
    )
    assert cut == []
    page.close()
