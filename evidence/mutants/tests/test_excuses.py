"""An excuse is a comment on the line that it excuses: what it names, for whom it holds, and where it is refused."""

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from mutants.claim_excuses import REASONS, excused
from mutants.comments import comments, without_comments
from mutants.excuses import different, excuses, idle, is_named, misplaced, names
from mutants.places import LIBRARY, mutants, of_twin, operators

from reproduce.chapters.book import Book

ROOT = Path(__file__).parents[3]
CHAPTERS = Book(ROOT).chapters()
FILES = sorted(path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.py"))
MUTATED = [file for file in FILES if "# mutant" in (LIBRARY / file).read_text()]
HELD = re.compile(r"held by (test_\w+)$")


def names_on(found):
    """Of each change on a line, how it may be named."""
    lines = {}
    for one in found:
        lines.setdefault(one.line, []).append(one.names)
    return lines


def named_claims(source):
    """The names that stand in the calls of a chapter's claims."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    calls = [call for call in calls if ast.unparse(call.func).startswith("claims.") and call.args]
    return [call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)]


def excused_changes(code, chapter="a"):
    """The changes of a chapter's code that need not be noticed."""
    return [f"{one.before} → {one.after}" for one in of_twin(code) if one.excuse(chapter)]


@pytest.mark.parametrize("file", MUTATED)
def test_every_excuse_of_the_library_names_a_change(file):
    source = (LIBRARY / file).read_text()
    functions = {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)}
    assert idle(source, names_on([*mutants(file, functions), *operators(file, functions)])) == []
    named = {name for one in excuses(source) for name in one.chapters}
    assert named <= {chapter.short for chapter in CHAPTERS}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.short)
def test_every_excuse_of_a_chapter_names_a_change_and_fits_its_claim(chapter):
    twin = chapter.twin.read_text()
    code = runpy.run_path(str(ROOT / "evidence" / "mutants" / "chapters" / f"test_{chapter.short}.py"))["CODE"]
    assert idle(code, names_on(of_twin(code))) == []
    assert len(excuses(code)) == len(excuses(twin)), "an excuse in a cell that only draws"
    assert misplaced(twin) == []
    ids = [f"{chapter.short}.{name}" for name in named_claims(twin)]
    assert all(ids.count(id) == 1 for tag in REASONS for id in excused(chapter.short, twin, tag))


def test_the_tests_that_hold_what_no_claim_does_exist():
    sources = [*(LIBRARY / file for file in MUTATED), *(chapter.twin for chapter in CHAPTERS)]
    reasons = [one.reason for path in sources for one in excuses(path.read_text())]
    said = {held[1] for held in map(HELD.search, reasons) if held}
    assert said
    assert said <= {path.stem for path in (ROOT / "tests" / "library").rglob("test_*.py")}


@pytest.mark.parametrize(
    ("comment", "changes"),
    [
        ("", []),
        ("# mutant: why", ["d - 1 → d + 1", "1 → 2", "d / 3 → d * 3", "3 → 4", "x(d - 1) + d / 3 → x(d - 1) - d / 3"]),
        ("# mutant(d - 1): why", ["d - 1 → d + 1", "1 → 2"]),
        ("# mutant(1): why", ["1 → 2"]),
        ("# mutant(1 → 2; 3): why", ["1 → 2", "3 → 4"]),
        ("# mutant(d - 1 → d + 1): why", ["d - 1 → d + 1"]),
        ("# mutant(/): why", ["d / 3 → d * 3"]),
        ("# mutant(x… → …): why", ["x(d - 1) + d / 3 → x(d - 1) - d / 3"]),
    ],
)
def test_an_excuse_holds_for_what_it_names(comment, changes):
    line = "y = x(d - 1) + d / 3"
    for code in (f"{line}  {comment}\nz = d - 1", f"z = d - 1\n{comment}\n{line}"):
        assert sorted(excused_changes(code)) == sorted(changes)


def test_what_is_only_counted_is_excused_by_name_only():
    assert excused_changes("y = x.max()  # mutant: why") == []
    assert excused_changes("y = x.max()  # mutant(x.max): why") == ["x.max() → x.min()"]


def test_the_second_of_two_equal_changes_has_a_number():
    assert excused_changes("y = [7, 7]  # mutant([7, 7] → [8, 7]): why") == ["7 → 8"]
    assert len(excused_changes("y = f(-x) / f(-x)  # mutant(-x → +x (2)): why")) == 1
    assert excused_changes("y = x.sum(axis=0, initial=0)  # mutant(axis=0): why") == ["0 → 1"]


@pytest.mark.parametrize(
    ("comment", "holds"),
    [
        ("# mutant: why", {"a": True, "b": True, "": False}),
        ("# mutant in a: why", {"a": True, "b": False, "": False}),
        ("# mutant in a, b: why", {"a": True, "b": True, "": False}),
        ("# mutant anywhere: why", {"a": True, "b": True, "": True}),
    ],
)
def test_an_excuse_says_for_whom_it_holds(comment, holds):
    assert {chapter: bool(excused_changes(f"y = 7  {comment}", chapter)) for chapter in holds} == holds


def test_a_comment_alone_on_its_line_belongs_to_the_next_line_of_code():
    code = "x = [\n    # mutant: a\n    # mutant(2): b\n    1,\n\n    2,  # mutant: c\n]\n"
    code += "# mutant: d\n\n# e\ny = '# mutant: f'"
    assert list(comments(code, "mutant")) == [(4, ": a"), (4, "(2): b"), (6, ": c"), (11, ": d")]
    assert without_comments("x = '#'  # a\n# b") == ["x = '#'", ""]


@pytest.mark.parametrize(
    "comment", ["# mutant", "# mutants: why", "# mutant(1) why", "# mutant():", "# mutant in: why"]
)
def test_a_comment_that_is_no_excuse_is_refused(comment):
    with pytest.raises(AssertionError, match="no excuse"):
        excuses(f"y = 7  {comment}")


def test_an_excuse_that_names_nothing_is_found():
    code = "y = x  # mutant: why\nz = 7  # mutant(8; 7): another"
    assert idle(code, names_on(of_twin(code))) == [
        "line 1: '…' names no change, though why",
        "line 2: '8' names no change, though another",
    ]


def test_a_change_is_told_as_short_as_it_can_be():
    assert different("a - b", "a + b") == "- → +"
    assert different("f(x.y, y)", "f(y, x.y)") == "x.y, y → y, x.y"
    assert different("1e-06", "1.5e-06") == "1e-06 → 1.5e-06"
    assert names("d - 1", "d - 2", 2) == {"d - 1", "1", "1 → 2", "d - 1 → d - 2 (2)"}
    assert is_named("f(… → g", {"f(x)[0] → g"})
    assert not is_named("f[x]", {"fx"})


@pytest.mark.parametrize(
    ("kind", "reason", "fits"),
    [("below", "a bound with room", True), ("limit", "a bound with room", False), ("limit", "the start", True)],
)
def test_a_bound_is_no_reason_in_a_limit(kind, reason, fits):
    code = f"claims.{kind}(\n    'a',\n    theory=1.0,  # mutant: {reason}\n)"
    assert (misplaced(code) == []) is fits
    assert (misplaced(f"x = 1  # mutant: {reason}\ny = x\nclaims.{kind}('a', y)") == []) is fits


@pytest.mark.parametrize(
    ("tag", "kind", "reason"),
    [
        ("spoiled", "limit", "a bound with room"),
        ("spoiled", "above", "an ordering without a gap"),
        ("spoiled", "below", "it is good enough"),
        ("tolerance", "below", "the solver's own"),
        ("tolerance", "limit", "a bound with room"),
    ],
)
def test_a_reason_that_does_not_fit_a_claims_kind_is_refused(tag, kind, reason):
    with pytest.raises(AssertionError, match=f"a.b: '{reason}' is no reason of a claim of {kind}"):
        excused("a", f"claims.{kind}(  # {tag}: {reason}\n    'b',\n)", tag)


def test_a_reason_on_no_claim_is_refused():
    with pytest.raises(AssertionError, match="stands on no claim"):
        excused("a", "x = 1  # spoiled: a bound with room", "spoiled")
    assert excused("a", "claims.below(  # spoiled: a bound with room\n    'b',\n)", "spoiled") == {
        "a.b": "a bound with room"
    }


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.short)
def test_no_claim_reads_what_only_a_figure_makes(chapter):
    """The cells of figures are left out of the script: a name that is lost with them would stop every mutant."""
    code = runpy.run_path(str(ROOT / "evidence" / "mutants" / "chapters" / f"test_{chapter.short}.py"))["CODE"]
    lint = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821", "--output-format=concise", "-"]
    told = subprocess.run(lint, input=code, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
