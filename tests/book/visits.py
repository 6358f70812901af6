"""Every page opened once, and what the tests ask of it on each screen read off there and kept.

A module of tests says with ``asks`` what it wants to know of every page. Whoever needs a page first, in whichever
worker, opens it, asks everything, and writes the answers into a file; nobody opens the page again for any of them. The
narrow screen is the wide one made narrow, which ``test_visits`` compares with pages that are opened narrow.
"""

import fcntl
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from patience import PATIENCE
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, ViewportSize

from reproduce.ground.files import write_text

# What ``make test`` reads in the browser; the night reads all pages. Together they have every kind of box, table and
# block of code that a page has, but for a few inside a proof.
ONE_OF_EACH_KIND = (
    "intro.html",  # cards, and the picture that is moved
    "ledger.html",  # claims, to be sorted and filtered
    "atlas.html",  # boxes of settings and results
    "statements.html",
    "tested.html",  # the tables of campaigns
    "sweep.html",  # code of every language
    "glossary.html",
    "references.html",
    "api/limits/margin.html",  # the reference, with its formulas
    "chapters/linear/max_margin.html",  # a film, a picture that solves, two panels
    "chapters/initialization/diagonal_networks.html",  # sliders, a picture that solves
    "chapters/wide_networks/global_convergence.html",  # two panels, a film, a lemma
)
OF_THE_THEME = ("api/index.html", "genindex.html", "py-modindex.html")  # pages that no source has
INLINE = ("data:", "blob:")  # addresses that ask nobody
Question = Callable[[Page, str], Any]  # of a page and its name; the answer must be something that JSON can hold

# When the theme's and the book's scripts have marked what scrolls, 350 ms after a change of width. It is the page that
# waits, behind their own waits in its queue: on a busy machine all of them are late.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 450)))"

# When the formulas and the letters are there.
READY = """async () => {
    if (window.MathJax?.startup) await window.MathJax.startup.promise;
    await document.fonts.ready;
}"""


class Screen(Enum):
    """Width and height of the window; a page is opened on the first."""

    WIDE = 1400, 900
    NARROW = 390, 844

    @property
    def size(self) -> ViewportSize:
        width, height = self.value
        return {"width": width, "height": height}


class Moment(IntEnum):
    """When a page is asked: as it came, and then after each change that cannot be taken back."""

    LOADED = 0
    PRINTED = 1  # a question brings the page onto paper and back
    REPLACED = 2  # formulas may have other content, and the mode is another
    DARK = 3
    PRESSED = 4
    OPENED = 5


ASKED: list[tuple[Moment, Screen, Question]] = []


def asks(moment: Moment, *screens: Screen) -> Callable[[Question], Question]:
    """Ask every page on these screens, at this moment."""

    def register(question: Question) -> Question:
        ASKED.extend((moment, screen, question) for screen in screens)
        return question

    return register


def in_order() -> Iterator[tuple[Screen, Question]]:
    """The questions moment by moment, each time first on the screen that is there: to change it takes time."""
    here = Screen.WIDE
    for moment in Moment:
        asked = [(screen, question) for when, screen, question in ASKED if when is moment]
        for screen, question in sorted(asked, key=lambda one: one[0] is not here):
            here = screen
            yield screen, question


def name_of(question: Question) -> str:
    return f"{question.__module__}.{question.__name__}"


def key_of(screen: Screen, question: Question) -> str:
    return f"{screen.name} {name_of(question)}"


class Visits:
    """The answers of the pages; ``opened`` are those that were opened to get them, with width and mode."""

    def __init__(self, browser: Browser, site: str, folder: Path) -> None:
        self.browser, self.site, self.folder = browser, site, folder
        self.opened: list[tuple[str, int, str]] = []
        self._page: Page | None = None
        folder.mkdir(exist_ok=True)

    def answers(self, question: Question, screen: Screen, names: Iterable[str]) -> dict[str, Any]:
        """What each page answered. A page on which the question itself failed fails the test that wants to know."""
        key = key_of(screen, question)
        kept = {name: one["answers"][key] for name, one in self._visited(list(names)).items()}
        failed = [f"{name}: {one['failed']}" for name, one in kept.items() if "failed" in one]
        if failed:
            raise AssertionError("\n".join(failed))
        return {name: one["answer"] for name, one in kept.items()}

    def events(self, names: Iterable[str]) -> dict[str, dict[str, list[str]]]:
        """For each page the ``errors``, the addresses ``asked`` for and the requests that ``failed``, until ready.

        The book's own addresses begin with a slash.
        """
        return {name: one["events"] for name, one in self._visited(list(names)).items()}

    def close(self) -> None:
        if self._page is not None:
            self._page.context.close()

    def _visited(self, names: list[str]) -> dict[str, Any]:
        """First what nobody has opened yet; what another worker has open at that moment is waited for at the end."""
        done: dict[str, Any] = {}
        for flag in (fcntl.LOCK_NB, 0):
            for name in names:
                if name not in done:
                    path = self.folder / f"{name.replace('/', '-')}.json"
                    with path.with_suffix(".lock").open("w") as lock:
                        try:
                            fcntl.flock(lock, fcntl.LOCK_EX | flag)
                        except BlockingIOError:
                            continue
                        if not path.exists():
                            write_text(path, json.dumps(self._visit(name)))
                        done[name] = json.loads(path.read_text(encoding="utf-8"))
        return {name: done[name] for name in names}

    def _visit(self, name: str) -> dict[str, Any]:
        page, here = self._newcomer(), Screen.WIDE
        with watched(page) as events:
            response = page.goto(self.site + name, wait_until="load")
            if response is None or not response.ok:
                raise AssertionError(f"there is no page {name}")
            page.evaluate(READY)
        answers = {}
        for screen, question in in_order():
            if screen is not here:
                page.set_viewport_size(screen.size)
                settle(page)
                here = screen
            answers[key_of(screen, question)] = answer(question, page, name)
            mode = "dark" if "dark" in name_of(question) else "light"
            if (state := (urlsplit(page.url).path, screen.size["width"], mode)) not in self.opened:
                self.opened.append(state)
        return {
            "events": {what: [url.replace(self.site, "/") for url in some] for what, some in events.items()},
            "answers": answers,
        }

    def _newcomer(self) -> Page:
        """The window as a newcomer has it: nothing is open or remembered, and the mouse is nowhere.

        It is always the same one: a browser opens a page in it in half the time that it takes in a new one.
        """
        if self._page is None:
            context = self.browser.new_context(viewport=Screen.WIDE.size, color_scheme="light")
            context.set_default_timeout(1000 * PATIENCE)
            self._page = context.new_page()
        elif self._page.url.startswith(self.site):
            self._page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self._page.goto("about:blank")
        self._page.set_viewport_size(Screen.WIDE.size)
        self._page.mouse.move(0, 0)
        return self._page


def settle(page: Page) -> None:
    """Wait until the scripts are done with a page that is new or has another width."""
    page.evaluate(SETTLED)


def answer(question: Question, page: Page, name: str) -> dict[str, Any]:
    """The answer, or why there is none: a question that fails does not keep the others from being asked."""
    try:
        return {"answer": question(page, name)}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


@contextmanager
def watched(page: Page) -> Iterator[dict[str, list[str]]]:
    """Lists that fill with what happens on a page, meanwhile."""
    events: dict[str, list[str]] = {"errors": [], "asked": [], "failed": []}

    def said(message: ConsoleMessage) -> None:
        if message.type == "error":
            events["errors"].append(message.text)

    def raised(error: Error) -> None:
        events["errors"].append(str(error))

    def asked(request: Request) -> None:
        events["asked"].append(request.url)

    def failed(request: Request) -> None:
        # A request that is still open when the next page is opened is aborted; nothing is wrong with it.
        if request.failure != "net::ERR_ABORTED":
            events["failed"].append(f"{request.url}: {request.failure}")

    heard = {"console": said, "pageerror": raised, "request": asked, "requestfailed": failed}
    for event, listener in heard.items():
        page.on(event, listener)  # type: ignore[call-overload]
    yield events
    for event, listener in heard.items():
        page.remove_listener(event, listener)
