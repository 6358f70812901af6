"""Signals as in a terminal, a limit to how long tests are begun, and ``--keep-counts``: the pages that were read."""

import gc
import signal
import time
from collections import Counter
from collections.abc import Generator
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


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected lives to the end: nobody looks through a million objects for garbage, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """First the file that builds the pages, then chapters and the press side by side, last the library's tests.

    A kernel computes and a test of the press waits for processes, so they share the cores; of either the longest come
    first, and those that read pages last, when these are built. The library's are many short files, which the workers
    share out at the end. With ``--seconds`` it is the other way round, so that most of them are reached.
    """
    long = ("test_static.py", "test_sweep.py", "test_paper.py", "test_bad_input.py", "test_build.py", "test_run.py")
    seconds: dict[Path, int] = {}  # of chapters
    others: dict[Path, int] = {}
    for item in items:
        parts = item.path.relative_to(ROOT).parts
        if (notebook := getattr(item.parent, "nb", None)) is not None:
            seconds[item.path] = -int(notebook.metadata.get("executed", {}).get("seconds", 0))
        elif "library" not in parts:
            others[item.path] = long.index(parts[-1]) if parts[-1] in long else len(long) + ("book" in parts)
    sides = [sorted(ranks, key=lambda path: ranks[path]) for ranks in (seconds, others)]
    places = {path: number / len(side) for side in sides for number, path in enumerate(side)}

    def place(item: pytest.Item) -> float:
        return -1 if item.path.name == "test_accessibility.py" else places.get(item.path, 1)

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
