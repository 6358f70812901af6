"""What a campaign finds out of a mutant, and keeps: the verdict of claims, of the library's tests, and the effect."""

import hashlib
import time
from functools import cache

from mutants.effects import ALONG, NONE, WITHIN, effect
from mutants.places import LIBRARY
from mutants.runs import NOTICED, executed, file_of_tests, promised, unchanged, values, verdict, verdict_of_tests
from mutants.store import keep, kept, key_of

ASKED = 3  # chapters at most that a change of the library is tried in, the fastest of those that execute it


def of_campaign(code, mutant):
    """The verdict on a mutant, that of an earlier run of the campaign if there is one.

    What no claim of the chapter notices in the library, the library's own tests are asked, and those that an excuse
    names; if they do not either, what it does to what is claimed.
    """
    key = key_of(code, mutant)
    answer = _kept_or(key, lambda: verdict(code, mutant, unchanged(code)[1]))
    for file in dict.fromkeys((file_of_tests(mutant), *promised(mutant))):
        if answer == WITHIN and file is not None:
            asked = hashlib.sha256(f"{key} {file.read_text()}".encode()).hexdigest()[:32]
            answer = _kept_or(asked, lambda file=file: verdict_of_tests(mutant, file))
    return _kept_or(f"effect {key}", lambda: effect_of(code, mutant)) if answer == WITHIN else answer


def effect_of(code, mutant):
    """What a mutant that no claim notices does to what is claimed (``effects.effect``)."""
    before, after = _unchanged_values(code), values(code, mutant)
    return effect(before, after) if isinstance(after, list) else WITHIN


def of_library(mutant, codes):
    """The verdict on a change of the library: of its own tests, then of chapters that execute the line.

    codes: the chapters' code.

    What nobody notices has the effect that it has in any of these chapters; none where no chapter executes the line.
    """
    for file in dict.fromkeys((file_of_tests(mutant), *promised(mutant))):
        answer = file and _kept_or(key_of(file.read_text(), mutant), lambda file=file: verdict_of_tests(mutant, file))
        if answer not in (None, WITHIN):
            return answer
    uses = [(_uses(code), code) for code in codes]
    executing = [(of["seconds"], code) for of, code in uses if mutant.line in of["lines"].get(mutant.module, ())]
    found = []
    for _, code in sorted(executing)[:ASKED]:
        answer = _kept_or(f"values {key_of(code, mutant)}", lambda code=code: _in_chapter(code, mutant))
        if answer.startswith(NOTICED):
            return answer
        found.append(answer)
    return next((answer for answer in (WITHIN, ALONG, NONE) if answer in found), WITHIN)


def _in_chapter(code, mutant):
    """The verdict of a chapter on a mutant; where it notices nothing, the effect."""
    answer = values(code, mutant, unchanged(code)[1])
    return effect(_unchanged_values(code), answer) if isinstance(answer, list) else answer


@cache
def _uses(code):
    """Which ``lines`` of the library a chapter's code executes, by module, and how many ``seconds`` that takes."""
    text = "".join([code, *(file.read_text() for file in sorted(LIBRARY.rglob("*.py")))])

    def found():
        begun = time.monotonic()
        lines = executed(code)
        return {"lines": lines, "seconds": time.monotonic() - begun}

    return _kept_or(f"lines {hashlib.sha256(text.encode()).hexdigest()[:32]}", found)


@cache
def _unchanged_values(code):
    return values(code)


def _kept_or(key, found):
    """The verdict that was kept under a key, or the one that is found now, which is kept."""
    answer = kept(key)
    if answer is None:
        answer = found()
        keep(key, answer)
    return answer
