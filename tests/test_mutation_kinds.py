"""What gathers numbers is changed to its opposite, in each of its spellings; these mutants are in no drawn sample."""

import pytest
from mutation_kinds import COUNTED
from mutation_testing import of_twin, sample


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
