"""What is read off every page: each is opened once, as a newcomer sees it, and one failing question stops no other."""

from pathlib import Path

import pytest
from book.visits import ASKED, Moment, Screen, Visits, asks
from playwright.sync_api import Browser, Page

NAMES = ["rerun.html", "sweep.html"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked but what the test asks."""
    for screen in Screen:
        monkeypatch.setitem(ASKED, screen, [])


@pytest.mark.usefixtures("asked")
def test_a_page_is_opened_once_and_its_answers_kept(browser: Browser, site: str, tmp_path: Path) -> None:
    @asks(Moment.LOADED, Screen.WIDE, Screen.NARROW)
    def width(page: Page, name: str) -> int:
        return int(page.evaluate("() => innerWidth"))

    first, second = Visits(browser, site, tmp_path), Visits(browser, site, tmp_path)
    assert first.answers(width, Screen.WIDE, NAMES) == dict.fromkeys(NAMES, 1400)
    assert second.answers(width, Screen.WIDE, NAMES) == dict.fromkeys(NAMES, 1400)
    assert second.answers(width, Screen.NARROW, NAMES[:1]) == {"rerun.html": 390}
    assert first.opened == [(f"/{name}", 1400, "light") for name in NAMES]
    assert second.opened == [("/rerun.html", 390, "light")]
    events = second.events(Screen.WIDE, NAMES[:1])["rerun.html"]
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
        return page.evaluate("() => document.title")

    @asks(Moment.DARK, Screen.WIDE)
    def fails(page: Page, name: str) -> object:
        return page.evaluate("() => { document.title = 'changed'; throw new Error('planted') }")

    visits = Visits(browser, site, tmp_path)
    assert visits.answers(at_the_end, Screen.WIDE, NAMES[:1]) == {"rerun.html": "changed"}
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
