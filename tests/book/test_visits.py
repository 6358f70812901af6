"""What is read off every page: each is opened once, as a newcomer sees it, and one failing question stops no other.

The window is opened wide and then made narrow: what stands where is compared with pages that are opened narrow.
"""

from pathlib import Path

import pytest
from book import visits as module
from book.visits import READY, Moment, Screen, Visits, asks, settle
from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.nightly  # tests of how the tests read pages

NAMES = ["rerun.html", "sweep.html"]
# A page of cards, one of tables, one of words, one of the reference, and a chapter with a film.
OF_EACH_KIND = (
    "intro.html",
    "ledger.html",
    "glossary.html",
    "api/limits/margin.html",
    "chapters/linear/max_margin.html",
)
# Where everything stands that is seen, and what the scripts have marked as too wide for its place.
PLACES = """() => [...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility()).flatMap((e) => {
    const { x, y, width, height, right } = e.getBoundingClientRect();
    const place = [x, y + scrollY, width, height].map(Math.round);
    return right > 0 && width && height ? [[e.tagName, ...place, e.tabIndex, e.matches(".wide-formula")].join()] : [];
})"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked but what the test asks."""
    monkeypatch.setattr(module, "ASKED", [])


@pytest.mark.usefixtures("asked")
def test_a_page_is_opened_once_and_its_answers_kept(browser: Browser, site: str, tmp_path: Path) -> None:
    @asks(Moment.LOADED, Screen.WIDE, Screen.NARROW)
    def width(page: Page, name: str) -> int:
        return int(page.evaluate("() => innerWidth"))

    first, second = Visits(browser, site, tmp_path), Visits(browser, site, tmp_path)
    assert first.answers(width, Screen.WIDE, NAMES) == dict.fromkeys(NAMES, 1400)
    assert second.answers(width, Screen.NARROW, NAMES) == dict.fromkeys(NAMES, 390)
    assert first.opened == [(f"/{name}", width, "light") for name in NAMES for width in (1400, 390)]
    assert second.opened == []
    events = second.events(NAMES[:1])["rerun.html"]
    assert "/rerun.html" in events["asked"]
    assert events["errors"] == events["failed"] == []
    first.close()
    second.close()


@pytest.mark.usefixtures("asked")
def test_questions_come_in_the_order_of_their_moments_and_one_that_fails_stops_no_other(
    browser: Browser, site: str, tmp_path: Path
) -> None:
    @asks(Moment.OPENED, Screen.WIDE)
    def at_the_end(page: Page, name: str) -> object:
        return page.evaluate("() => `${document.title} ${innerWidth}`")

    @asks(Moment.DARK, Screen.WIDE)
    def fails(page: Page, name: str) -> object:
        return page.evaluate("() => { document.title = 'changed'; throw new Error('planted') }")

    visits = Visits(browser, site, tmp_path)
    assert visits.answers(at_the_end, Screen.WIDE, NAMES[:1]) == {"rerun.html": "changed 1400"}
    with pytest.raises(AssertionError, match="planted"):
        visits.answers(fails, Screen.WIDE, NAMES[:1])
    with pytest.raises(AssertionError, match="there is no page none.html"):
        visits.answers(fails, Screen.WIDE, ["none.html"])
    visits.close()


@pytest.mark.usefixtures("asked")
def test_a_page_knows_nothing_of_the_one_before(browser: Browser, site: str, tmp_path: Path) -> None:
    @asks(Moment.PRESSED, Screen.WIDE)
    def met_before(page: Page, name: str) -> object:
        return page.evaluate("() => { const met = localStorage.met || ''; localStorage.met = 'yes'; return met; }")

    visits = Visits(browser, site, tmp_path)
    assert visits.answers(met_before, Screen.WIDE, NAMES) == dict.fromkeys(NAMES, "")
    visits.close()


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_a_window_made_narrow_is_as_one_that_was_opened_narrow(
    page: Page, narrow: BrowserContext, site: str, name: str
) -> None:
    opened = narrow.new_page()
    for one in (page, opened):
        one.goto(site + name, wait_until="load")
        one.evaluate(READY)
    page.set_viewport_size(Screen.NARROW.size)
    for one in (page, opened):
        settle(one)
    found = opened.evaluate(PLACES)
    assert len(found) > 100
    assert page.evaluate(PLACES) == found
