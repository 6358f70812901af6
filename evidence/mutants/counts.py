"""How mutants and spoiled claims ended, counted as the findings of their campaigns have it."""

from collections import Counter
from typing import Any

import pytest

from reproduce.campaigns.finding import finding, write_finding
from reproduce.campaigns.impossible import MUTANT_ENDS, SPOILED_ENDS
from reproduce.chapters.book import Book, Chapter


class Counts:
    """Collects what tests say of themselves by ``record_property``, in whichever process they ran.

    A test of a mutant records ``mutant``: its chapter, its kind, how it ended, and which it is if it must be noticed
    and is not; another one ``possible``: its chapter and how many mutants it has of each kind. The chapter is '' for
    the library as a whole. One of spoiled claims records ``spoiled``: its chapter, for each way whether it must be
    refused and how many ended how, and what holds though it must not.
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self.mutants: dict[str, Counter[tuple[str, str]]] = {}
        self.possible: dict[str, Counter[str]] = {}
        self.spoiled: dict[str, dict[str, tuple[bool, dict[str, int]]]] = {}
        self.failed: dict[str, list[str]] = {"mutants": [], "spoiled": []}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":
            return
        said: dict[str, Any] = dict(report.user_properties)
        if "mutant" in said:
            chapter, kind, end, surviving = said["mutant"]
            self.mutants.setdefault(chapter, Counter())[kind, end] += 1
            self.failed["mutants"] += [f"{chapter} {surviving}"] if surviving else []
        if "possible" in said:
            chapter, kinds = said["possible"]
            self.possible.setdefault(chapter, Counter()).update(kinds)
        if "spoiled" in said:
            chapter, ways, held = said["spoiled"]
            self.spoiled[chapter] = ways
            self.failed["spoiled"] += held

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        ends: Counter[str] = Counter()
        for counted in self.mutants.values():
            for (_, end), number in counted.items():
                ends[end] += number
        if tried := ends.total():
            how = ", ".join(f"{ends[end]:,} {end.replace('_', ' ')}" for end in MUTANT_ENDS)
            places, share = (
                sum(one.total() for one in self.possible.values()),
                f"{ends['surviving'] / tried:.2%} survive",
            )
            terminalreporter.write_line(f"{tried:,} mutants of {places:,}: {how}; {share}")

    def pytest_sessionfinish(self) -> None:
        known: dict[str, Chapter | None] = {one.short: one for one in self.book.chapters()} | {"": None}
        for name in known:
            if name in self.mutants:
                counts = of_mutants(self.mutants[name], self.possible.get(name, Counter()))
                self._keep("mutants", known[name], counts, f"{name} ")
            if name in self.spoiled:
                self._keep("spoiled", known[name], of_spoiled(self.spoiled[name]), f"{name}.")

    def _keep(self, campaign: str, chapter: Chapter | None, counts: dict[str, dict[str, Any]], begin: str) -> None:
        failed = [one.strip() for one in self.failed[campaign] if one.startswith(begin)]
        write_finding(self.book.root, finding(self.book, campaign, chapter, counts, failed))


def of_mutants(ended: "Counter[tuple[str, str]]", possible: "Counter[str]") -> dict[str, dict[str, Any]]:
    """The counts of one chapter by kind.

    ended: by kind and end.
    possible: how many there are, by kind.
    """
    counts = {}
    for kind in sorted({kind for kind, _ in ended}):
        ends = {end: ended[kind, end] for end in MUTANT_ENDS}
        made = sum(ends.values())
        counts[kind] = {"possible": max(possible[kind], made), "made": made, **ends}
    return counts


def of_spoiled(ended: dict[str, tuple[bool, dict[str, int]]]) -> dict[str, dict[str, Any]]:
    """The counts of one chapter by way; ``ended`` as its test records it."""
    return {
        way: {"must": must, "claims": sum(ends.values()), **{end: ends.get(end, 0) for end in SPOILED_ENDS}}
        for way, (must, ends) in ended.items()
    }
