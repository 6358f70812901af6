"""Every page opened once on each screen, and what the tests ask of it read off there and kept.

A module of tests says with ``asks`` what it wants to know of every page. Whoever needs a page first, in whichever
worker, opens it, asks everything, and writes the answers into a file; nobody opens the page again for any of them.
"""

import fcntl
import json
from collections.abc import Callable, Iterable
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Request

from reproduce.files import write_text

OF_THE_THEME = ("api/index.html", "genindex.html", "py-modindex.html")  # pages that no source has
INLINE = ("data:", "blob:")  # addresses that ask nobody
Question = Callable[[Page, str], Any]  # of a page and its name; the answer must be something that JSON can hold

# When the formulas and the letters are there.
READY = """async () => {
    if (window.MathJax?.startup) await window.MathJax.startup.promise;
    await document.fonts.ready;
}"""


class Screen(Enum):
    """Width and height of the window."""

    WIDE = 1400, 900
    NARROW = 390, 844


class Moment(IntEnum):
    """When a page is asked: as it came, and then after each change that cannot be taken back."""

    LOADED = 0
    PRINTED = 1  # a question brings the page onto paper and back
    DARK = 2  # a question sets the mode itself
    REPLACED = 3  # formulas may have other content
    PRESSED = 4
    OPENED = 5


ASKED: dict[Screen, list[tuple[Moment, str, Question]]] = {screen: [] for screen in Screen}


def asks(moment: Moment, *screens: Screen) -> Callable[[Question], Question]:
    """Ask every page that is opened on these screens, at this moment."""

    def register(question: Question) -> Question:
        for screen in screens:
            ASKED[screen].append((moment, name_of(question), question))
            ASKED[screen].sort(key=lambda one: one[0])
        return question

    return register


def name_of(question: Question) -> str:
    return f"{question.__module__}.{question.__name__}"


class Visits:
    """The answers of the pages; ``opened`` are those that were opened to get them, with width and mode."""

    def __init__(self, browser: Browser, site: str, folder: Path) -> None:
        self.browser, self.site, self.folder = browser, site, folder
        self.opened: list[tuple[str, int, str]] = []
        self._contexts: dict[Screen, BrowserContext] = {}
        folder.mkdir(exist_ok=True)

    def answers(self, question: Question, screen: Screen, names: Iterable[str]) -> dict[str, Any]:
        """What each page answered. A page on which the question itself failed fails the test that wants to know."""
        kept = {name: one["answers"][name_of(question)] for name, one in self._visited(screen, list(names)).items()}
        failed = [f"{name}: {one['failed']}" for name, one in kept.items() if "failed" in one]
        if failed:
            raise AssertionError("\n".join(failed))
        return {name: one["answer"] for name, one in kept.items()}

    def events(self, screen: Screen, names: Iterable[str]) -> dict[str, dict[str, list[str]]]:
        """For each page the ``errors``, the addresses ``asked`` for and the requests that ``failed``, until ready.

        The book's own addresses begin with a slash.
        """
        return {name: one["events"] for name, one in self._visited(screen, list(names)).items()}

    def close(self) -> None:
        for context in self._contexts.values():
            context.close()

    def _visited(self, screen: Screen, names: list[str]) -> dict[str, Any]:
        """First what nobody has opened yet; what another worker has open at that moment is waited for at the end."""
        done: dict[str, Any] = {}
        for flag in (fcntl.LOCK_NB, 0):
            for name in names:
                if name not in done:
                    path = self.folder / f"{screen.name}-{name.replace('/', '-')}.json"
                    with path.with_suffix(".lock").open("w") as lock:
                        try:
                            fcntl.flock(lock, fcntl.LOCK_EX | flag)
                        except BlockingIOError:
                            continue
                        if not path.exists():
                            write_text(path, json.dumps(self._visit(screen, name)))
                        done[name] = json.loads(path.read_text(encoding="utf-8"))
        return {name: done[name] for name in names}

    def _visit(self, screen: Screen, name: str) -> dict[str, Any]:
        width, height = screen.value
        if screen not in self._contexts:
            size = {"width": width, "height": height}
            self._contexts[screen] = self.browser.new_context(viewport=size, color_scheme="light")  # type: ignore[arg-type]
        page = self._contexts[screen].new_page()
        events = watched(page)
        response = page.goto(self.site + name, wait_until="load")
        if response is None or not response.ok:
            raise AssertionError(f"there is no page {name}")
        page.evaluate(READY)
        events = {what: [url.replace(self.site, "/") for url in some] for what, some in events.items()}
        answers = {key: answer(question, page, name) for _, key, question in ASKED[screen]}
        modes = ["light", *["dark"][: any("dark" in key for _, key, _ in ASKED[screen])]]
        self.opened += [(urlsplit(page.url).path, width, mode) for mode in modes]
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")  # the next page comes as to a newcomer
        page.close()
        return {"events": events, "answers": answers}


def answer(question: Question, page: Page, name: str) -> dict[str, Any]:
    """The answer, or why there is none: a question that fails does not keep the others from being asked."""
    try:
        return {"answer": question(page, name)}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


def watched(page: Page) -> dict[str, list[str]]:
    """Lists that fill with what happens on a page."""
    events: dict[str, list[str]] = {"errors": [], "asked": [], "failed": []}

    def failed(request: Request) -> None:
        # A request that is still open when the next page is opened is aborted; nothing is wrong with it.
        if request.failure != "net::ERR_ABORTED":
            events["failed"].append(f"{request.url}: {request.failure}")

    page.on("console", lambda message: events["errors"].append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: events["errors"].append(str(error)))
    page.on("request", lambda request: events["asked"].append(request.url))
    page.on("requestfailed", failed)
    return events
