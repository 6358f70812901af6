"""The tests that a file of tests/mutations has: of a chapter, that what is changed is noticed or excused."""

import hashlib
import os
from collections import Counter
from dataclasses import dataclass

import pytest
import yaml

from mutation_testing.campaign import UNUSED, of_campaign, of_library
from mutation_testing.effects import ALONG, NONE, WITHIN
from mutation_testing.kinds import COUNTED
from mutation_testing.places import everywhere, of_twin
from mutation_testing.runs import ROOT, unchanged, verdict, verdict_of_tests
from reproduce.campaigns import LIBRARY

CONSTANTS: dict[str, set[str]] = {}  # of the library that a chapter's file tries: by the chapter, their keys
CHOICES = yaml.safe_load((ROOT / "tests" / "mutations" / "choices.yml").read_text(encoding="utf-8"))


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
        assert answer.startswith((f"red: {chapter}.", "stopped: ")), answer

    return change_of_the_chapter_is_noticed


def checks(chapter, code, found, equivalent):
    """The two tests of a chapter: it is green as it is, and each mutant is noticed or listed as equivalent.

    chapter: with what the ids of its claims begin.
    equivalent: the reason by ``Mutant.change``; a single place is excused by ``Mutant.key``, in choices.yml.
    """
    CONSTANTS[chapter] = {mutant.key for mutant in found}
    choices = CHOICES.get(chapter, {})

    def chapter_itself_is_green(record_property):
        record_property("possible", (chapter, dict(Counter(mutant.kind for mutant in found))))
        assert unchanged(code)[0] == WITHIN
        dead = equivalent.keys() - {mutant.change for mutant in found}
        assert not dead, f"excuses that match no mutant: {sorted(dead)}"

    @pytest.mark.parametrize("mutant", sample(found, SIZES.constants), ids=lambda mutant: mutant.name)
    def changed_constant_is_noticed(mutant, record_property):
        _notice(chapter, code, mutant, equivalent.get(mutant.change) or choices.get(mutant.key), record_property)

    return chapter_itself_is_green, changed_constant_is_noticed


def operator_checks(chapter, code, found, excused, must=()):
    """Two tests: the drawn changes of operators and of the chapter's code are noticed; each excuse names one of them.

    found: the operators of the library that the chapter executes; those of the chapter's own code are added.
    excused: the reason by ``Mutant.key``.
    must: changes of the chapter's own code, by ``Mutant.key``, that belong to every sample.

    What the chapter chooses is excused by name in choices.yml, or by ``Mutant.key`` as in ``excused``.
    """
    twin, choices = of_twin(code), CHOICES.get(chapter, {})
    every = [*found, *twin]
    always = [mutant for mutant in twin if mutant.key in must]
    others = [mutant for mutant in twin if mutant not in always]
    own = [*always, *sample(others, None if SIZES.own is None else max(0, SIZES.own - len(always)))]

    def each_excuse_names_one_mutant(record_property):
        record_property("possible", (chapter, dict(Counter(mutant.kind for mutant in every))))
        counts = {key: sum(mutant.key == key for mutant in every) for key in (*excused, *must)}
        assert {key: count for key, count in counts.items() if count != 1} == {}
        named = CONSTANTS.get(chapter, set()).union(*(mutant.binds for mutant in twin))
        dead = choices.keys() - named - {mutant.key for mutant in every}
        assert dead == set(), dead

    @pytest.mark.parametrize("mutant", [*sample(found, SIZES.operators), *own], ids=lambda mutant: mutant.name)
    def changed_operator_is_noticed(mutant, record_property):
        chosen = [choices[name] for name in sorted(mutant.binds) if name in choices]
        excuse = "; ".join(chosen) if 0 < len(mutant.binds) == len(chosen) else None
        excuse = excused.get(mutant.key) or choices.get(mutant.key) or excuse
        _notice(chapter, code, mutant, excuse, record_property)

    return each_excuse_names_one_mutant, changed_operator_is_noticed


def library_checks(chapters):
    """Two tests of the whole library: what is changed anywhere is noticed; each excuse names one change.

    chapters: a function that gives the chapters' code.

    Excused are changes by ``Mutant.place``, in choices.yml.
    """
    every = everywhere()
    choices = CHOICES.get(LIBRARY, {})

    def each_excuse_names_one_change_of_the_library(record_property):
        record_property("possible", (LIBRARY, dict(Counter(mutant.kind for mutant in every))))
        counts = Counter(mutant.place for mutant in every)
        assert {place: counts[place] for place in choices if counts[place] != 1} == {}

    @pytest.mark.parametrize("mutant", sample(every, SIZES.library), ids=lambda mutant: mutant.name)
    def changed_library_is_noticed(mutant, record_property):
        answer = of_library(mutant, chapters()) if CAMPAIGN else verdict_of_tests(mutant)
        if answer == WITHIN and not CAMPAIGN:
            answer = of_library(mutant, chapters())
        _judge(LIBRARY, mutant, answer, choices.get(mutant.place), record_property)

    return each_excuse_names_one_change_of_the_library, changed_library_is_noticed


def _notice(chapter, code, mutant, excuse, record_property):
    """Fail unless some claim of the chapter, or an error, notices a mutant; skip one that none does if that may be."""
    answer = of_campaign(code, mutant) if CAMPAIGN else verdict(code, mutant, unchanged(code)[1])
    _judge(chapter, mutant, answer, excuse, record_property)


def _judge(chapter, mutant, answer, excuse, record_property):
    """Record how a mutant ended; fail if nothing notices it, and there is no reason why that may be."""
    record_property("mutant", (chapter, mutant.kind, ended(answer, excuse)))
    if answer == UNUSED:
        pytest.skip(UNUSED)
    if answer.startswith((WITHIN, "effect: ")) and excuse is not None:
        pytest.skip(excuse)
    if answer == WITHIN and mutant.kind in COUNTED:
        pytest.skip("not noticed, and counted")
    noticed = ("red: ",) if chapter == LIBRARY else (f"red: {chapter}.",)
    assert answer.startswith((*noticed, "stopped: ", "tests: ", "effect: ")), f"{mutant.place}: {answer}"


def ended(answer, reason):
    """How a mutant ended, for the counts: red, stopped, held_by_tests, along, equivalent or surviving.

    answer: of ``of_campaign`` or ``of_library``.
    reason: why it may stay green; None if it may not.
    """
    for begin, end in (("tests: ", "held_by_tests"), (ALONG, "along"), (NONE, "equivalent"), (UNUSED, "equivalent")):
        if answer.startswith(begin):
            return end
    if answer != WITHIN:
        return answer.partition(":")[0]
    if reason is None:
        return "surviving"
    return "held_by_tests" if "tests/library" in reason else "equivalent"
