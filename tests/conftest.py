"""Signals as in a terminal, a limit to how long tests are begun, and ``--keep-counts``: the pages that were read."""

import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import notebooks
import pytest
from hypothesis.configuration import set_hypothesis_home_dir
from notebooks import Notebooks

from reproduce.campaigns.finding import finding, write_finding
from reproduce.chapters.book import Book

ROOT = Path(__file__).parents[1]
OPTION = "--keep-counts"
BEGUN = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(notebooks.OPTION, action="store_true", help="execute all notebooks, whatever was executed before")
    parser.addoption("--seconds", type=float, help="how long tests are begun; what is not reached is skipped")
    parser.addoption(OPTION, action="store_true", help="keep which pages were read for the book")


def pytest_configure(config: pytest.Config) -> None:
    heed_signals()
    config.pluginmanager.register(Notebooks(Book(ROOT), config.getoption(notebooks.OPTION)), "notebooks")
    set_hypothesis_home_dir(ROOT / "_build" / "cache" / "hypothesis")
    if config.getoption(OPTION) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Counts(ROOT), "counts")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """First the file that builds the pages, then chapters, so that no worker waits for the build or ends with one.

    Of chapters the longest comes first. Then come the longest of the press, and last the library's tests: many short
    files, which the workers share out. With ``--seconds`` it is the other way round, so that most of them are reached.
    """
    long = ("test_static.py", "test_sweep.py", "test_paper.py", "test_bad_input.py", "test_build.py", "test_run.py")
    places = ("test_accessibility.py", "chapters", *long, "", "library")
    ranks = {part: rank for rank, part in enumerate(places)}

    def place(item: pytest.Item) -> tuple[int, int]:
        parts = item.path.relative_to(ROOT).parts
        rank = next((ranks[part] for part in parts if part in ranks), ranks[""])
        notebook = getattr(item.parent, "nb", None)
        return rank, -int(notebook.metadata.get("executed", {}).get("seconds", 0)) if notebook else 0

    items.sort(key=place, reverse=config.getoption("--seconds") is not None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What is not reached within ``--seconds`` of the process's beginning is skipped."""
    limit = item.config.getoption("--seconds")
    if limit is not None and time.monotonic() - BEGUN > limit:
        pytest.skip("not reached in the time that was given: make test")


def heed_signals() -> None:
    """Signals that are ignored, as under nohup or after ``&`` in a script, are not: every process begun inherits it."""
    heeded = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL, signal.SIGTERM: signal.SIG_DFL}
    for number, handler in heeded.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


class Counts:
    """Collects what tests of the pages say of themselves by ``record_property``, in whichever process they ran.

    A test records ``read``: the browser, and for each page opened its address, the width of the window and the mode.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.read: list[tuple[str, int, str]] = []
        self.checks: list[str] = []
        self.browser = ""
        self.passed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)
        said: dict[str, Any] = dict(report.user_properties)
        if report.when == "teardown" and "read" in said and report.nodeid in self.passed:
            self.browser = said["read"]["browser"]
            self.read += [tuple(one) for one in said["read"]["pages"]]
            name = report.nodeid.rpartition("::")[2].partition("[")[0]
            self.checks += [sentence for sentence in [in_words(name)] if sentence not in self.checks]

    def pytest_sessionfinish(self) -> None:
        if self.read:
            opened = Counter(f"{width} pixels, {mode}" for _, width, mode in self.read)
            readings = {how: opened[how] for how in sorted(opened)}
            pages = len({page for page, _, _ in self.read})
            counts = {"browser": self.browser, "pages": pages, "readings": readings, "checks": self.checks}
            write_finding(self.root, finding(Book(self.root), "pages", None, counts))


def in_words(name: str) -> str:
    """A test's name as a sentence."""
    return name.removeprefix("test_").replace("_", " ").capitalize()
