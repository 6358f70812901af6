"""What a change that no claim notices does: nothing, move theory and measurement along, or hide in a tolerance."""

import pytest
from mutants.campaign import effect_of
from mutants.effects import ALONG, NONE, WITHIN, claimed, effect
from mutants.places import of_twin

CODE = """
from reproduce.claims import Claims

claims = Claims("a")
size, rate, bound = 2.0, 0.001, 9.0
claims.limit("b", size, size + rate, proved=0.01, control=9)
claims.below("c", bound, size, proved=0.01, control=99)
"""


def limit(theory, measured):
    return claimed("limit", theory, measured, 0.1, 1.0)


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (limit(1.0, 1.05), NONE),
        (limit(1.0 + 1e-14, 1.05), NONE),
        (limit(1.0, 1.06), WITHIN),
        (limit(2.0, 2.05), ALONG),
        (limit(1.05, 1.1), WITHIN),
        (limit([1.0, 1.0], [1.0, 1.0]), ALONG),
    ],
)
def test_the_effect_is_named(after, found):
    assert effect([limit(1.0, 1.05)], [after]) == found


def test_a_bound_with_room_is_no_excuse():
    assert effect([claimed("bound", 1.0, 0.5, 0.1, 1.0)], [claimed("bound", 2.0, 1.5, 0.1, 1.0)]) == WITHIN


def test_a_claim_that_is_gone_is_no_excuse():
    assert effect([limit(1.0, 1.0)], []) == WITHIN


@pytest.mark.parametrize(("before", "found"), [("2.0", ALONG), ("0.001", WITHIN), ("9.0", WITHIN)])
def test_mutants_of_a_chapter(before, found):
    (mutant,) = [one for one in of_twin(CODE) if one.before == before]
    assert effect_of(CODE, mutant) == found
