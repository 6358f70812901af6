"""The tests that a file of evidence/mutants/chapters has: of a chapter, that what is changed is noticed or excused."""

import hashlib
import os
from collections import Counter
from dataclasses import dataclass

import pytest

from mutants.campaign import of_campaign, of_library
from mutants.effects import ALONG, NONE, WITHIN
from mutants.excuses import HELD
from mutants.kinds import COUNTED
from mutants.places import everywhere, of_twin
from mutants.runs import NOTICED, promised, unchanged, verdict, verdict_of_tests

WHOLE = ""  # in the place of a chapter: changes of the library, whichever chapter executes them


@dataclass(frozen=True)
class Sizes:
    """How many changes are tried for a chapter; None for every one.

    constants: constants and minus signs of the library.
    operators: other changes of the library.
    own: changes of the chapter's own code.
    altered: changes of a chapter that are written out.
    library: changes of the library, whichever chapter executes them.
    """

    constants: int | None
    operators: int | None
    own: int | None
    altered: int | None
    library: int | None


CAMPAIGN = os.environ.get("MUTANTS", "")
SIZES = {"all": Sizes(None, None, None, None, None), "drawn": Sizes(30, 5, 5, None, 600)}.get(
    CAMPAIGN, Sizes(1, 1, 1, 2, 3)
)


def sample(found, count):
    """The drawn sample of some mutants, of the kinds that must be noticed; all of them if count is None."""
    if count is None:
        return found
    return sorted((mutant for mutant in found if mutant.kind not in COUNTED), key=lambda mutant: mutant.rank)[:count]


def altered(chapter, code, changes):
    """The test that a change of a chapter's own code is noticed: what stands there once, and what in its place."""
    drawn = sorted(changes, key=lambda change: hashlib.sha256(" → ".join(change).encode()).hexdigest())
    drawn = drawn[: SIZES.altered]

    @pytest.mark.parametrize(("before", "after"), drawn, ids=[f"{before} → {after}" for before, after in drawn])
    def change_of_the_chapter_is_noticed(before, after):
        counts = {text: code.count(text) for text, _ in changes}
        assert {text: count for text, count in counts.items() if count != 1} == {}, f"must stand once in {chapter}"
        answer = verdict(code.replace(before, after), patience=unchanged(code)[1])
        assert answer.startswith((f"red: {chapter}.", *NOTICED[1:])), answer

    return change_of_the_chapter_is_noticed


def checks(chapter, code, found):
    """The two tests of a chapter: it is green as it is, and each mutant is noticed or excused.

    chapter: with what the ids of its claims begin.
    """

    def chapter_itself_is_green(record_property):
        record_property("possible", (chapter, dict(Counter(mutant.kind for mutant in found))))
        assert unchanged(code)[0] == WITHIN

    @pytest.mark.parametrize("mutant", sample(found, SIZES.constants), ids=lambda mutant: mutant.name)
    def changed_constant_is_noticed(mutant, record_property):
        _notice(chapter, code, mutant, record_property)

    return chapter_itself_is_green, changed_constant_is_noticed


def operator_checks(chapter, code, found, must=()):
    """Two tests: the drawn changes of operators and of the chapter's code are noticed; those written out exist.

    found: the operators of the library that the chapter executes; those of the chapter's own code are added.
    must: changes of the chapter's own code, by ``Mutant.key``, that belong to every sample.
    """
    twin = of_twin(code)
    every = [*found, *twin]
    always = [mutant for mutant in twin if mutant.key in must]
    others = [mutant for mutant in twin if mutant not in always]
    own = [*always, *sample(others, None if SIZES.own is None else max(0, SIZES.own - len(always)))]

    def each_change_written_out_is_one_mutant(record_property):
        record_property("possible", (chapter, dict(Counter(mutant.kind for mutant in every))))
        assert sorted(mutant.key for mutant in always) == sorted(must)

    @pytest.mark.parametrize("mutant", [*sample(found, SIZES.operators), *own], ids=lambda mutant: mutant.name)
    def changed_operator_is_noticed(mutant, record_property):
        _notice(chapter, code, mutant, record_property)

    return each_change_written_out_is_one_mutant, changed_operator_is_noticed


def library_checks(chapters):
    """Two tests of the whole library: its changes are counted; what is changed anywhere is noticed.

    chapters: a function that gives the chapters' code.
    """
    every = everywhere()

    def the_library_has_mutants(record_property):
        record_property("possible", (WHOLE, dict(Counter(mutant.kind for mutant in every))))
        assert every

    @pytest.mark.parametrize("mutant", sample(every, SIZES.library), ids=lambda mutant: mutant.name)
    def changed_library_is_noticed(mutant, record_property):
        answer = of_library(mutant, chapters()) if CAMPAIGN else verdict_of_tests(mutant)
        if answer == WITHIN and not CAMPAIGN:
            answer = of_library(mutant, chapters())
        _judge(WHOLE, mutant, answer, record_property)

    return the_library_has_mutants, changed_library_is_noticed


def _notice(chapter, code, mutant, record_property):
    """Fail unless some claim of the chapter, or an error, notices a mutant; skip one that none does if that may be."""
    answer = of_campaign(code, mutant) if CAMPAIGN else verdict(code, mutant, unchanged(code)[1])
    for file in () if CAMPAIGN else promised(mutant):
        answer = verdict_of_tests(mutant, file) if answer == WITHIN else answer
    _judge(chapter, mutant, answer, record_property)


def _judge(chapter, mutant, answer, record_property):
    """Record how a mutant ended; fail if nothing notices it, and there is no reason why that may be."""
    counted = mutant.kind in COUNTED
    end = ended(answer, mutant.excuse(chapter))
    record_property("mutant", (chapter, mutant.kind, end, "" if counted or end != "surviving" else mutant.place))
    if end in ("along", "excused", "no_effect"):
        pytest.skip(mutant.excuse(chapter) or answer)
    if end == "surviving" and counted:
        pytest.skip("not noticed, and counted")
    own = f"red: {chapter}." if chapter else "red: "
    assert end not in ("surviving", "red") or answer.startswith(own), f"{mutant.place}: {answer}"


def ended(answer, reason):
    """How a mutant ended, for the counts: red, refused, stopped, held_by_tests, along, no_effect, excused or surviving.

    answer: of ``of_campaign`` or ``of_library``.
    reason: why it may stay green; None if it may not. That a test of the library holds it is none where it does not.
    """
    if answer == NONE:
        return "no_effect"
    if answer not in (ALONG, WITHIN):
        return {"tests": "held_by_tests"}.get(word := answer.partition(":")[0], word)
    if reason is None or HELD.search(reason):
        return "surviving"
    return "along" if answer == ALONG else "excused"
