"""Signals as in a terminal, and the option ``--keep-counts``: what the mutants came to and which pages were read."""

import signal
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reproduce.book import Book
from reproduce.campaigns import MUTANTS, PAGES_READ, Mutants, PagesRead, write_mutants, write_pages_read
from reproduce.environment import commit_of

ROOT = Path(__file__).parents[1]
OPTION = "--keep-counts"
ENDS = ("red", "stopped", "held_by_tests", "equivalent", "surviving")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help=f"write {MUTANTS} and {PAGES_READ} from the tests that ran")


def pytest_configure(config: pytest.Config) -> None:
    heed_signals()
    if config.getoption(OPTION) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Counts(ROOT), "counts")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First the file that builds the pages, then the library, so that a second worker does not wait for the build."""
    order = {"test_accessibility.py": 0, "library": 1}
    items.sort(key=lambda item: min(order.get(part, 2) for part in item.path.parts))


def heed_signals() -> None:
    """Signals that are ignored, as under nohup or after ``&`` in a script, are not: every process begun inherits it."""
    heeded = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL, signal.SIGTERM: signal.SIG_DFL}
    for number, handler in heeded.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


class Counts:
    """Collects what tests say of themselves by ``record_property``, in whichever process they ran.

    A test of a mutant records ``mutant``: its chapter, its kind and how it ended. A test of the pages records ``read``:
    the browser, and for each page opened its address, the width of the window and the mode.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mutants: Counter[tuple[str, str, str]] = Counter()
        self.read: list[tuple[str, int, str]] = []
        self.checks: list[str] = []
        self.browser = ""
        self.passed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)
        if report.when != "teardown":
            return
        said: dict[str, Any] = dict(report.user_properties)
        if "mutant" in said:
            self.mutants[tuple(said["mutant"])] += 1
        if "read" in said and report.nodeid in self.passed:
            self.browser = said["read"]["browser"]
            self.read += [tuple(one) for one in said["read"]["pages"]]
            name = report.nodeid.rpartition("::")[2].partition("[")[0]
            self.checks += [sentence for sentence in [in_words(name)] if sentence not in self.checks]

    def pytest_sessionfinish(self) -> None:
        book = Book(self.root)
        date, commit = datetime.now(UTC).date().isoformat(), commit_of(book)
        if self.mutants:
            names = {one.short: one.name for one in book.chapters()}
            write_mutants(self.root, of_mutants(self.mutants, names, date, commit))
        if self.read:
            opened = Counter(f"{width} pixels, {mode}" for _, width, mode in self.read)
            readings = {how: opened[how] for how in sorted(opened)}
            pages = len({page for page, _, _ in self.read})
            write_pages_read(self.root, PagesRead(date, commit, self.browser, pages, readings, self.checks))


def of_mutants(
    counted: "Counter[tuple[str, str, str]]", names: dict[str, str], date: str, commit: str
) -> list[Mutants]:
    """One entry for each chapter and kind.

    counted: by the chapter's short name, the kind and the end.
    names: a chapter's name by its short one.
    """
    found = []
    for short, kind in sorted({(short, kind) for short, kind, _ in counted}):
        ends = {end: counted[short, kind, end] for end in ENDS}
        found.append(Mutants(names.get(short, short), kind, sum(ends.values()), **ends, date=date, commit=commit))
    return found


def in_words(name: str) -> str:
    """A test's name as a sentence."""
    return name.removeprefix("test_").replace("_", " ").capitalize()
