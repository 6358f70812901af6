"""Separable sets know their maximum margin, and refuse what they cannot be."""

import numpy as np
import pytest

from implicit_bias.data import separable
from implicit_bias.limits.margin import max_margin


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("n", "d", "support"), [(40, 10, 5), (6, 3, 2), (5, 5, 5), (30, 60, 20)])
def test_separable_sets_have_the_margin_and_the_direction_they_were_built_with(seed, n, d, support):
    problem = separable(np.random.default_rng(seed), n, d, support=support, margin=0.7, slack=0.1)
    answer = max_margin(problem.signed)
    assert answer.margin == pytest.approx(0.7, rel=1e-10)
    np.testing.assert_allclose(answer.direction, problem.direction, atol=1e-10)
    assert answer.support.size == support
    assert answer.slack == pytest.approx(0.1 if n > support else np.inf, rel=1e-8)


def test_separable_sets_carry_both_labels_and_depend_only_on_their_generator():
    first, second = (separable(np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(first.x, second.x)
    assert set(first.y) == {-1.0, 1.0}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 1}, "n is 1; it must be a whole number of at least 2"),
        ({"d": 1}, "d is 1; it must be a whole number of at least 2"),
        ({"support": 11}, "support is 11; it must be a whole number of at least 2 and at most 10"),
        ({"support": 2.5}, "support is 2.5"),
        ({"margin": 0}, r"margin is 0; it must lie in \(0, inf\)"),
        ({"slack": float("nan")}, "slack is nan"),
    ],
)
def test_separable_refuses(change, words):
    with pytest.raises(ValueError, match=words):
        separable(np.random.default_rng(0), **{"n": 40, "d": 10, **change})
