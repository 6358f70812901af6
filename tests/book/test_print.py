"""A chapter on paper: nothing is cut, nothing is there to press, what is folded is opened or left out."""

from book.visits import Moment, Screen, Visits, asks
from playwright.sync_api import BrowserContext, Page

A4 = {"width": 794 - 2 * 60, "height": 1000}  # CSS pixels between the margins of print.css
# What is cut or should not be there: boxes that reach over the paper or hide a part of themselves, and buttons.
FOUND = """() => {
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 1;
    const name = (e) => `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`;
    const all = [...document.querySelectorAll("article *")].filter((e) => !e.closest("mjx-assistive-mml") && seen(e));
    const limit = document.documentElement.clientWidth + 1;
    const hides = (style) => style.overflowX !== "visible" && style.display !== "inline";
    const clips = (e) => hides(getComputedStyle(e)) && e.scrollWidth > e.clientWidth + 1;
    return {
        wide: all.filter((e) => e.getBoundingClientRect().right > limit
            && (e.matches("mjx-math") || !e.closest("mjx-container"))).map(name),
        clipped: all.filter((e) => clips(e) && !e.closest(".panels, mjx-container")).map(name),
        buttons: [...document.querySelectorAll("button, input, .bd-header-article, nav")].filter(seen).map(name),
        folded: [...document.querySelectorAll("details:not([open])")].filter(seen).map(name),
    };
}"""


@asks(Moment.PRINTED, Screen.NARROW)
def on_paper(page: Page, name: str) -> "dict[str, list[str]]":
    """What ``FOUND`` finds on a chapter as it is printed."""
    if not name.startswith("chapters/"):
        return {}
    before = page.viewport_size
    page.set_viewport_size(A4)  # type: ignore[arg-type]
    page.emulate_media(media="print")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    found: dict[str, list[str]] = page.evaluate(FOUND)
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    page.set_viewport_size(before)  # type: ignore[arg-type]
    return {what: some[:4] for what, some in found.items() if some}


def test_a_chapter_prints_without_cut_code_or_buttons(visits: Visits, names: list[str]) -> None:
    found = visits.answers(on_paper, Screen.NARROW, [name for name in names if name.startswith("chapters/")])
    assert len(found) >= 3  # one of each kind; all others are more, see ``names``
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_paper_is_white_in_the_dark_and_the_page_is_as_before_afterwards(wide: BrowserContext, site: str) -> None:
    page = wide.new_page()
    page.goto(f"{site}chapters/linear/max_margin.html")
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    before = page.locator("details.fold:not([open])").count()
    page.emulate_media(media="print")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("details.fold:not([open])").count() == 0 < before
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.locator("details.fold:not([open])").count() == before


def test_a_chapter_becomes_a_document_of_a4_pages(wide: BrowserContext, site: str) -> None:
    page = wide.new_page()
    page.goto(f"{site}chapters/initialization/time_warping.html", wait_until="load")
    page.evaluate("() => window.MathJax.startup.promise")
    printed = page.pdf(prefer_css_page_size=True)
    pages = printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") + printed.count(b"/Type/Page/")
    assert 3 <= pages <= 20
    assert b"/MediaBox [0 0 594.95996 841.91998]" in printed or b"[0 0 595" in printed
