"""Of a chapter's code, what feeds a claim is changed, and what does not is left alone."""

import ast

import pytest
from mutants.slices import not_feeding

CLAIM = "claims.limit('a', {theory}, 0.0, error=small, control=Control(other))"


def idle(code, theory="t"):
    """The first lines of the statements that are left alone."""
    tree = ast.parse(code + "\n" + CLAIM.format(theory=theory))
    return [ast.unparse(one).partition("\n")[0] for one in sorted(not_feeding(tree, ("error", "control")), key=_line)]


def _line(statement):
    return statement.lineno


@pytest.mark.parametrize(
    ("code", "left_alone"),
    [
        ("t = 1", []),
        ("s = 1\nt = s", []),
        ("s = 1\nu = s", ["s = 1", "u = s"]),
        ("other = 2\nsmall = 3\nt = 1", ["other = 2", "small = 3"]),
        ("t = []\nt.append(s)\ns = 1", []),
        ("t = {}\nt['k'] = s\ns = 1\nu = t", ["u = t"]),
        ("t, u = f()", []),
        ("def f(s):\n    return s + k\nk, s = 1, 2\nt = f(3)", []),
        ("def f(s):\n    return s + k\nk = 1\ns = 2\nt = f(3)", ["s = 2"]),
        ("t = [u for u in s]\nu = 1\ns = 2", ["u = 1"]),
        ("for i in s:\n    t = i\n    u = i\ns = 1", ["u = i"]),
        ("for i in s:\n    u = i\ns = 1\nt = 1", ["for i in s:", "u = i", "s = 1"]),
        ("for i in t:\n    i.append(s)\nt, s = [[]], 1", []),
        ("def f():\n    t.append(s)\nt, s = [], 1\nf()", []),
        ("if s:\n    t = 1\nelse:\n    u = 1\ns = 1", ["u = 1"]),
    ],
)
def test_what_feeds_no_claim_is_left_alone(code, left_alone):
    assert idle(code) == left_alone


def test_a_claim_in_a_loop_or_a_function_counts():
    loop = "s = 1\nu = 2\nfor i in s:\n    " + CLAIM.format(theory="i")
    function = "s = 1\nu = 2\ndef f():\n    " + CLAIM.format(theory="s")
    for code in (loop, function):
        assert {ast.unparse(one) for one in not_feeding(ast.parse(code), ("error", "control"))} == {"u = 2"}


def test_code_without_claims_is_taken_whole():
    assert not_feeding(ast.parse("x = 1"), ()) == set()
