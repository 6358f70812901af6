"""The book, built once from the stored chapters and shared by all tests, and a browser to read it in."""

import fcntl
import os
import shutil
import threading
from collections.abc import Generator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from book.kept import Passed, of_pages
from book.visits import OF_THE_THEME, ONE_OF_EACH_KIND, Screen, Visits
from patience import PATIENCE
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from reproduce.chapters.book import Book
from reproduce.pages.publish import build_pages, stage

ROOT = Path(__file__).parents[2]
INTEGRATION = os.environ.get("CI") == "true"
# The first of these that there is; the first one draws pages as the others do, without the window of a program around.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The network flags keep the browser from calling home: the pages must do without any other host, and so must it.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test may wait for the pages, or open all that no other has opened: on a busy machine that takes its time."""
    for item in items:
        if "html" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(1800))


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this session that all workers have."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def html(shared: Path) -> Path:
    """The folder of the pages, built with warnings as errors from a clean copy; once, whichever worker comes first.

    Where the copy and the packages are those of the last session, its pages are read again; in integration never.
    """
    copy = Book(shared / "book")
    kept = (shared if INTEGRATION else ROOT / "_build") / "read"
    with (shared / "book.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not copy.root.exists():
            stage(Book(ROOT), copy.root, {})
        pages = kept / of_pages(copy)
        if not pages.exists():
            build_pages(copy)
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir(parents=True)
            shutil.move(copy.build / "html", kept / "half")  # from another disk it takes its time
            (kept / "half").rename(pages)
    return pages


@pytest.fixture(scope="session")
def passed(html: Path) -> Passed:
    """The tests that passed on these pages."""
    return Passed(html, found_browser())


@pytest.fixture(autouse=True)
def unread(request: pytest.FixtureRequest) -> None:
    """Skip what passed on the same pages before, where only what a commit can break is asked for."""
    once = request.config.getoption("markexpr") == "not nightly" and not INTEGRATION
    if once and "html" in request.fixturenames and request.node.nodeid in request.getfixturevalue("passed"):
        pytest.skip("it passed on the same pages before; 'make nightly' reads them again")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" and report.passed and "html" in item.fixturenames:
        Passed(item.funcargs["html"], found_browser()).add(item.nodeid)
    return report


def found_browser() -> str | None:
    """The first browser that there is."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")  # it ends with its module: a test of the press counts what listens in its process
def site(html: Path) -> Iterator[str]:
    """The address at which the pages are served on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(html)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(
    scope="module"
)  # it ends with its module: Playwright leaves an event loop running, which moves nbclient
def browser() -> Iterator[Browser]:
    """Chromium; without one the test is skipped, or fails where CI=true."""
    found = found_browser()
    if found is None:
        message = f"no browser: none of {', '.join(CHROMIUM)} is installed, so the pages were not read in one"
        if INTEGRATION:
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def wide(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A fresh profile on a wide screen."""
    yield from profile(browser, request, Screen.WIDE)


@pytest.fixture
def narrow(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A fresh profile on a screen of 390 pixels."""
    yield from profile(browser, request, Screen.NARROW)


def profile(browser: Browser, request: pytest.FixtureRequest, screen: Screen) -> Iterator[BrowserContext]:
    """A fresh profile; what is read in it is recorded with the test, for the counts."""
    context, width = browser.new_context(viewport=screen.size, color_scheme="light"), screen.size["width"]
    context.set_default_timeout(1000 * PATIENCE)
    mode = "dark" if "dark" in request.node.name else "light"
    pages: list[tuple[str, int, str]] = []
    context.on("page", lambda page: page.on("load", lambda page: pages.append((urlsplit(page.url).path, width, mode))))
    yield context
    context.close()
    read = {"browser": f"Chromium {browser.version}", "pages": pages}
    request.node.user_properties.append(("read", read))


@pytest.fixture
def visits(browser: Browser, site: str, shared: Path, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """What was read off every page; the pages that this test opened are recorded with it, for the counts."""
    visits = Visits(browser, site, shared / "visits")
    yield visits
    visits.close()
    read = {"browser": f"Chromium {browser.version}", "pages": visits.opened}
    request.node.user_properties.append(("read", read))


@pytest.fixture(params=["one of each kind", pytest.param("all others", marks=pytest.mark.nightly)])
def names(html: Path, request: pytest.FixtureRequest) -> list[str]:
    """All pages but those that the theme makes, in two parts."""
    folders = ("_static", "_modules", "_sources")
    files = ("index.html", "genindex.html", "py-modindex.html")
    found = [page.relative_to(html) for page in html.rglob("*.html")]
    every = {p.as_posix() for p in found if p.parts[0] not in folders and p.name not in files}
    assert every > {*ONE_OF_EACH_KIND, *(f"chapters/{one.name}.html" for one in Book(ROOT).chapters())}
    return sorted(every - set(ONE_OF_EACH_KIND)) if request.param == "all others" else list(ONE_OF_EACH_KIND)


@pytest.fixture
def served(names: list[str]) -> list[str]:
    """The same, and with all others the pages that the theme makes."""
    return names if names[0] in ONE_OF_EACH_KIND else [*names, *OF_THE_THEME]


@pytest.fixture
def page(wide: BrowserContext) -> Iterator[Page]:
    """An empty page on a wide screen."""
    page = wide.new_page()
    yield page
    page.close()
