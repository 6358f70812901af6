"""What gathers numbers is changed to its opposite, in each of its spellings; these mutants are in no drawn sample."""

import ast
import runpy
import sys
from types import SimpleNamespace

import pytest
from mutants.checks import sample
from mutants.kinds import COUNTED
from mutants.places import mutants, of_twin, places, unparsed
from mutants.runs import file_of_tests, green, verdict_of_tests


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("np.sum(x)", "np.mean(x)"),
        ("x.mean(axis=0)", "x.sum(axis=0)"),
        ("max(x)", "min(x)"),
        ("xp.maximum(x, 0)", "xp.minimum(x, 0)"),
        ("sum(x)", None),
        ("least.max", None),
    ],
)
def test_what_gathers_is_changed(code, changed):
    (mutant,) = [one for one in of_twin(code) if one.kind in COUNTED] or [None]
    assert (mutant and mutant.after) == changed


def test_a_drawn_sample_has_kinds_that_must_be_noticed():
    found = of_twin("y = x.max() + x.sum() - x.min()")
    assert {one.kind for one in sample(found, None)} == {*COUNTED, "operator"}
    assert {one.kind for one in sample(found, 2)} == {"operator"}


def test_every_change_is_taken_back() -> None:
    tree = ast.parse("x = max(min(a, 0.0), np.sum(b))\ny = f(a, b) - a * b**2\nz = -x < y\n")
    before, seen = ast.unparse(tree), set()
    for _, _, node, change in places(tree, top_level=True):
        unparsed(node, node, change)
        assert ast.unparse(tree) == before, change.__name__
        seen.add(change.__name__)
    assert {"regathered", "swapped", "exchanged", "turned", "plus", "another_constant"} <= seen


def test_the_tests_of_the_library_are_asked_where_no_claim_notices(monkeypatch):
    constant, *_ = mutants("rates.py")
    ran_before = runpy.run_path(str(file_of_tests(constant)))
    monkeypatch.setitem(sys.modules, "tests.library.test_rates", SimpleNamespace(**ran_before))
    assert green(file_of_tests(constant))
    assert verdict_of_tests(constant) == "tests: red"
    (own,) = of_twin("y = -x")
    assert verdict_of_tests(own) == "all claims hold"


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("y = f(x - 1, rtol=RTOL)", {"x - 1 → x + 1", "1 → 2"}),
        ("y = STEP * x", set()),
        ("y = x < TOL", set()),
        ("TOL, STEP = 1e-3, 2 * 4", set()),
        ("memory(\n    'm', 8 * m,\n)", set()),
        ("LAWS = {'a': 2.0 / x}", {"2.0 / x → 2.0 * x", "2.0 → 3.0"}),
    ],
)
def test_what_only_sets_effort_is_left_alone_and_not_its_line(code, changed):
    found = {f"{one.before} → {one.after}" for one in of_twin(code)}
    assert found == changed
