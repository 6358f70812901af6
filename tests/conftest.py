"""Signals as in a terminal, and the option ``--keep-counts``: mutants, spoiled claims and the pages that were read."""

import signal
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis.configuration import set_hypothesis_home_dir

from reproduce.book import Book
from reproduce.campaigns import (
    LIBRARY,
    MUTANTS,
    PAGES_READ,
    SPOILED,
    Mutants,
    PagesRead,
    Spoiled,
    read_mutants,
    read_spoiled,
    write_mutants,
    write_pages_read,
    write_spoiled,
)
from reproduce.environment import commit_of

ROOT = Path(__file__).parents[1]
OPTION = "--keep-counts"
ENDS = ("red", "stopped", "held_by_tests", "along", "equivalent", "surviving")
SPOILED_ENDS = ("refused", "same", "own", "listed", "idle", "passed")
Counted = TypeVar("Counted", Mutants, Spoiled)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help=f"write {MUTANTS}, {SPOILED}, {PAGES_READ} from what ran")


def pytest_configure(config: pytest.Config) -> None:
    heed_signals()
    set_hypothesis_home_dir(ROOT / "_build" / "cache" / "hypothesis")
    if config.getoption(OPTION) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Counts(ROOT), "counts")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First the file that builds the pages, then chapters, so that no worker waits for the build or ends with one.

    Then come the longest of the press, and last the library's tests: many short files, which the workers share out.
    """
    long = ("test_static.py", "test_sweep.py", "test_paper.py", "test_bad_input.py", "test_build.py", "test_run.py")
    places = ("test_accessibility.py", "chapters", *long, "", "library")
    ranks = {part: rank for rank, part in enumerate(places)}
    items.sort(
        key=lambda item: next((ranks[part] for part in item.path.relative_to(ROOT).parts if part in ranks), ranks[""])
    )


def heed_signals() -> None:
    """Signals that are ignored, as under nohup or after ``&`` in a script, are not: every process begun inherits it."""
    heeded = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL, signal.SIGTERM: signal.SIG_DFL}
    for number, handler in heeded.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


class Counts:
    """Collects what tests say of themselves by ``record_property``, in whichever process they ran.

    A test of a mutant records ``mutant``: its chapter, its kind and how it ended; another one ``possible``: its chapter
    and how many mutants it has of each kind. One of spoiled claims records ``spoiled``: its chapter, and for each way
    whether it must be refused and how many ended how. One of the pages records ``read``: the browser, and for each page
    opened its address, the width of the window and the mode.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mutants: Counter[tuple[str, str, str]] = Counter()
        self.possible: Counter[tuple[str, str]] = Counter()
        self.spoiled: dict[str, dict[str, tuple[bool, dict[str, int]]]] = {}
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
        if "possible" in said:
            chapter, kinds = said["possible"]
            self.possible.update({(chapter, kind): number for kind, number in kinds.items()})
        if "spoiled" in said:
            chapter, ways = said["spoiled"]
            self.spoiled[chapter] = ways
        if "read" in said and report.nodeid in self.passed:
            self.browser = said["read"]["browser"]
            self.read += [tuple(one) for one in said["read"]["pages"]]
            name = report.nodeid.rpartition("::")[2].partition("[")[0]
            self.checks += [sentence for sentence in [in_words(name)] if sentence not in self.checks]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        ends: Counter[str] = Counter()
        for (_, _, end), number in self.mutants.items():
            ends[end] += number
        if tried := ends.total():
            how = ", ".join(f"{ends[end]:,} {end.replace('_', ' ')}" for end in ENDS)
            share = f"{ends['surviving'] / tried:.2%} survive"
            terminalreporter.write_line(f"{tried:,} mutants of {self.possible.total():,}: {how}; {share}")

    def pytest_sessionfinish(self) -> None:
        book = Book(self.root)
        date, commit = datetime.now(UTC).date().isoformat(), commit_of(book)
        names = {one.short: one.name for one in book.chapters()} | {LIBRARY: LIBRARY}
        if self.mutants:
            found = of_mutants(self.mutants, self.possible, names, date, commit)
            write_mutants(self.root, beside(found, read_mutants(self.root), names))
        if self.spoiled:
            spoiled = of_spoiled(self.spoiled, names, date, commit)
            write_spoiled(self.root, beside(spoiled, read_spoiled(self.root), names))
        if self.read:
            opened = Counter(f"{width} pixels, {mode}" for _, width, mode in self.read)
            readings = {how: opened[how] for how in sorted(opened)}
            pages = len({page for page, _, _ in self.read})
            write_pages_read(self.root, PagesRead(date, commit, self.browser, pages, readings, self.checks))


def of_mutants(
    counted: "Counter[tuple[str, str, str]]",
    possible: "Counter[tuple[str, str]]",
    names: dict[str, str],
    date: str,
    commit: str,
) -> list[Mutants]:
    """One entry for each chapter and kind.

    counted: by the chapter's short name, the kind and the end.
    possible: how many there are, by the chapter's short name and the kind.
    names: a chapter's name by its short one.
    """
    found = []
    for short, kind in sorted({(short, kind) for short, kind, _ in counted}):
        ends = {end: counted[short, kind, end] for end in ENDS}
        tried = sum(ends.values())
        there = max(possible[short, kind], tried)
        found.append(Mutants(names.get(short, short), kind, there, tried, **ends, date=date, commit=commit))
    return found


def of_spoiled(
    counted: dict[str, dict[str, tuple[bool, dict[str, int]]]], names: dict[str, str], date: str, commit: str
) -> list[Spoiled]:
    """One entry for each chapter and way; ``counted`` as the tests record it."""
    return [
        Spoiled(
            chapter=names.get(short, short),
            way=way,
            must=must,
            claims=sum(ends.values()),
            **{end: ends.get(end, 0) for end in SPOILED_ENDS},
            date=date,
            commit=commit,
        )
        for short, ways in sorted(counted.items())
        for way, (must, ends) in ways.items()
    ]


def beside(found: Sequence[Counted], before: Sequence[Counted], names: dict[str, str]) -> list[Counted]:
    """What was found beside what is known of other chapters of the book."""
    now = {one.chapter for one in found}
    rest = [one for one in before if one.chapter in names.values() and one.chapter not in now]
    return sorted([*rest, *found], key=lambda one: one.chapter)


def in_words(name: str) -> str:
    """A test's name as a sentence."""
    return name.removeprefix("test_").replace("_", " ").capitalize()
