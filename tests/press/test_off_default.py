"""Chapters off their defaults: which values are tried, and how a run is judged."""

from pathlib import Path
from typing import TYPE_CHECKING

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.off_default import OFF_DEFAULT, OUTSIDE, outcome, refused, values_of
from reproduce.chapters.book import Book
from reproduce.chapters.parameters import signature

if TYPE_CHECKING:
    from press.conftest import TinyBook


def test_a_run_off_the_defaults_is_in_order_refused_or_neither() -> None:
    def ended(status: str, reason: str = "", *holds: bool) -> dict[str, object]:
        return {"status": status, "reason": reason, "claims": [{"id": "a.b", "holds": one} for one in holds]}

    assert outcome(ended("finished", "", True, True), ("n",)) == "ok"
    assert outcome(ended("finished", "", True, False), ("n",)) == "a.b failed"
    assert outcome(ended("finished"), ("n",)) == "no claim was stated"
    assert outcome(ended("failed", "cell [4]: ValueError: n is 3; it must be at least 4"), ("n",)) == "refused"
    assert outcome(ended("failed", "cell [4]: IndexError: list index out of range"), ("n",)).startswith(
        "cell [4]: IndexError"
    )
    unnamed = "cell [4]: ValueError: no solution"
    assert outcome(ended("failed", unnamed), ("n",)) == unnamed
    assert outcome(None, ("n",)) == "the run left nothing"


def test_off_defaults_of_a_book_are_run_and_kept(tiny: "TinyBook") -> None:
    tiny.chapter(
        "sums/geometric", parameters="terms: int = 60  # number n, in [1, 100]\nratio: float = 0.5  # q, in (0, 1)"
    )
    done = tiny.call("offdefault", "--workers", "2")
    (one,) = read_findings(tiny.book, OFF_DEFAULT)
    # 30 terms leave 1e-9 of the series: the tolerance notices; 120 and a ratio of 1 are outside their ranges.
    assert one.counts == {"ok": 1, "outside": 2, "refused": 0}
    assert [point.partition(":")[0] for point in one.failed] == ["terms=30"]
    assert done.returncode == 1, done.stderr
    assert "1 in order, 2 outside the declared range, 0 refused, 1 not in order" in done.stdout


def test_off_its_defaults_a_chapter_refuses_what_breaks_a_relation(tiny: "TinyBook") -> None:
    lines = [
        "terms: int = 60  # number n, in [1, 100]",
        "ratio: float = 0.5  # q, in (0, 1)",
        "# where terms * ratio > 16",
    ]
    tiny.chapter("sums/geometric", parameters="\n".join(lines))
    assert tiny.ask("offdefault").returncode == 0
    (one,) = read_findings(tiny.book, OFF_DEFAULT)
    assert (one.counts, one.failed) == ({"ok": 0, "outside": 2, "refused": 2}, [])


def test_only_numbers_that_are_no_seeds_are_halved_and_doubled(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    known = signature(chapter.read(), chapter.name)
    values = {name: values_of(parameter) for name, parameter in known.items()}
    assert values == {
        "terms": [30, 120],
        "ratio": [0.25, 1.0],
        "rule": [],
        "rates": [[0.05, 0.1], [0.2, 0.4]],
        "loud": [],
    }


def test_a_range_of_the_book_that_ends_within_a_factor_of_two_says_why() -> None:
    book = Book(Path(__file__).parents[2])
    silent = []
    for chapter in book.chapters():
        known = signature(chapter.read(), chapter.name)
        for parameter in known.values():
            ends = [refused(known, {parameter.name: value}, chapter.name) for value in values_of(parameter)]
            if OUTSIDE in ends and not parameter.reason:
                silent.append(f"{chapter.name}: {parameter.name} in {parameter.range}")
    assert silent == []
