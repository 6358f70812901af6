"""A chapter as slides: what they show, how one moves through them, in the dark and on paper."""

import re
from io import BytesIO

from playwright.sync_api import Page
from pypdf import PdfReader

CHAPTER = "chapters/linear/max_margin.html"
NOW = ".deck > .now"
CUT = """() => [...document.querySelectorAll(".deck > article")].filter((one) => {
    [...one.parentElement.children].forEach((other) => other.classList.toggle("now", other === one));
    const wide = [...one.querySelectorAll("mjx-container, img")].some((inner) =>
        inner.getBoundingClientRect().right > one.getBoundingClientRect().right);
    return wide || one.scrollHeight > one.clientHeight + 1;
}).map((one) => one.textContent.slice(0, 60))"""


def opened(page: Page, site: str) -> Page:
    page.set_viewport_size({"width": 1400, "height": 800})
    page.goto(f"{site}{CHAPTER}?slides")
    page.wait_for_selector(f"{NOW}[data-at]")
    return page


def test_the_keys_lead_through_the_slides_and_back_to_the_page(page: Page, site: str) -> None:
    opened(page, site)
    shown = []
    for _ in range(6):
        shown.append(page.locator(f"{NOW} :is(h1, h2, strong)").first.inner_text())
        page.keyboard.press("ArrowRight")
    title, statement, figure, results, *last = shown
    assert title.startswith("On separable data")
    assert (statement, results) == ("The statement", "What we find")
    assert figure.startswith("The line turns")
    assert last == ["What to remember?"] * 2
    page.keyboard.press("Home")
    assert page.locator(f"{NOW} .question").is_visible()
    assert not page.locator(".bd-header-article").is_visible()
    page.keyboard.press("Escape")
    page.wait_for_url(f"{site}{CHAPTER}")
    assert page.locator(".bd-header-article").is_visible()
    assert page.locator('a[href="max_margin.html?slides"]').count() == 1


def test_nothing_is_cut_and_the_dark_is_dark(page: Page, site: str) -> None:
    opened(page, site)
    assert page.evaluate(CUT) == []
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark' }")
    colour = page.evaluate("() => getComputedStyle(document.querySelector('.deck')).backgroundColor")
    assert max(map(int, re.findall(r"\d+", colour)[:3])) < 60


def test_on_paper_a_slide_is_a_page(page: Page, site: str) -> None:
    printed = PdfReader(BytesIO(opened(page, site).pdf(prefer_css_page_size=True)))
    assert len(printed.pages) == 5
    assert {(one.mediabox.width, one.mediabox.height) for one in printed.pages} == {(1050, 600)}
    assert "What we find" in printed.pages[3].extract_text()
