"""Why a change may stay unnoticed: a comment on its line.

``# mutant: the start`` excuses every change of its line but those that are only counted; with a bracket only what it
names, several of them behind a semicolon:

- ``# mutant(d - 1; 0.5): the start``: every change of this expression, and of this number, sign, factor or argument;
- ``# mutant(1 → 2; d - 1 → d + 1): the start``: this change of it, as short as it can be told, or with the expression
  around it.

``…`` stands for anything. In a file of the library an excuse holds for the claims of every chapter, with
``# mutant in max_margin: …`` for those of one or some; the tests of the library, or else some chapter, must notice the
change all the same. Of ``# mutant anywhere: …`` nothing need.
"""

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from mutants.comments import comments
from mutants.slices import not_feeding

FORM = re.compile(r"( anywhere| in (?P<chapters>\w+(?:, \w+)*))?(?:\((?P<what>.+)\))?: (?P<reason>\S.*)")
TOKEN = re.compile(r"\d[\w.]*(?:(?<=e)[-+]\d+)?|\w+(?:\.\w+)*|\*\*|//|[<>=!]=|\S")
HELD = re.compile(r"\bheld by (tests|test_\w+)$")  # how a reason ends: no claim notices it, a test of the library does
# Reasons that are true of claims of some kinds only: how they begin, and the kinds.
OF_KINDS = {"a bound": "below|above", "an ordering": "increasing"}


@dataclass(frozen=True)
class Excuse:
    """One comment.

    line: of the code that it excuses.
    anywhere: whether not even the tests of the library need notice the change.
    chapters: whose claims need not notice it; empty for all.
    what: the changes that it names; empty for all of the line.
    reason: why.
    """

    line: int
    anywhere: bool
    chapters: tuple[str, ...]
    what: tuple[str, ...]
    reason: str

    def holds_for(self, chapter: str) -> bool:
        """Whether a chapter need not notice the change; the library with its tests and all chapters, for ''."""
        return self.anywhere or (bool(chapter) and chapter in (self.chapters or (chapter,)))


@cache
def excuses(source: str) -> tuple[Excuse, ...]:
    """All excuses of a source; AssertionError for a comment that begins like one and is none."""
    found = []
    for line, said in comments(source, "mutant"):
        form = FORM.fullmatch(said)
        assert form is not None, f"line {line}: '# mutant{said}' is no excuse"
        chapters, what = (tuple(part.split(mark)) if part else () for part, mark in ((form[2], ", "), (form[3], "; ")))
        found.append(Excuse(line, form[1] == " anywhere", chapters, what, form["reason"]))
    return tuple(found)


def idle(source: str, names_on: Mapping[int, Sequence[Collection[str]]]) -> list[str]:
    """The parts of excuses that name no change of their line, in sentences.

    names_on: of each change on a line, how it may be named.
    """
    return [
        f"line {one.line}: '{what}' names no change, though {one.reason}"
        for one in excuses(source)
        for what in one.what or ("…",)
        if not any(is_named(what, known) for known in names_on.get(one.line, ()))
    ]


def names(before: str, after: str, number: int) -> set[str]:
    """How an excuse may name a change of an expression, which is the first, second, … of its kind on the line."""
    difference = different(before, after)
    return {before, difference.partition(" → ")[0], difference, again(f"{before} → {after}", number)}


def again(change: str, number: int) -> str:
    """A change with the number of its kind, from the second on."""
    return f"{change} ({number})" if number > 1 else change


def different(before: str, after: str) -> str:
    """Two expressions without what they begin and end with alike: ``- → +`` of ``a - b`` and ``a + b``."""
    old, new = list(TOKEN.finditer(before)), list(TOKEN.finditer(after))
    first = last = 0
    while first < min(len(old), len(new)) and old[first][0] == new[first][0]:
        first += 1
    while last < min(len(old), len(new)) - first and old[-1 - last][0] == new[-1 - last][0]:
        last += 1
    parts = [
        text[tokens[first].start() : tokens[-1 - last].end()] if first + last < len(tokens) else ""
        for text, tokens in ((before, old), (after, new))
    ]
    return " → ".join(parts)


def is_named(what: str, known: Collection[str]) -> bool:
    """Whether part of an excuse names a change of these names."""
    pattern = re.sub(r"[*?[]", r"[\g<0>]", what).replace("…", "*")
    return any(fnmatchcase(name, pattern) for name in known)


def misplaced(source: str) -> list[str]:
    """The excuses whose reason does not fit the kind of any claim that their line feeds, in sentences."""
    found = []
    for one in excuses(source):
        kinds = next((kinds for begin, kinds in OF_KINDS.items() if one.reason.startswith(begin)), None)
        idle = not_feeding(ast.parse(source), kind=kinds) if kinds else ()
        if any(part.lineno <= one.line <= (part.end_lineno or 0) for part in idle):
            found.append(f"line {one.line}: '{one.reason}' feeds no claim of {kinds.replace('|', ' or ')}")
    return found
