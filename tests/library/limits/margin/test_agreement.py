"""The proof by intervals: it succeeds within the condition, and where it does, a general solver finds one point."""

import numpy as np
import pytest

from implicit_bias.data import Classification
from implicit_bias.limits.margin import agreement, margin_search, orthogonality, rank_two


def drawn(stream, n, d):
    return Classification(stream.standard_normal((n, d)) / np.sqrt(d), np.where(np.arange(n) < n // 2, 1.0, -1.0))


@pytest.mark.parametrize("slope", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("counts", [(3, 2), (1, 6)])
def test_it_succeeds_within_the_condition(slope, counts):
    stream = np.random.default_rng(0)
    allowed = slope**3 / (1 + slope + slope**2) / 5
    for _ in range(20):
        gram = np.triu(stream.choice([-1.0, 1.0], (6, 6)), 1) * allowed * 0.999
        lengths = stream.uniform(1, 3, 6)
        points = lengths[:, None] * np.linalg.cholesky(gram + gram.T + np.eye(6))
        for labels in (stream.choice([-1.0, 1.0], 6), -np.ones(6)):
            samples = Classification(points, labels)
            if orthogonality(samples, slope) > 1:
                assert agreement(samples, slope, *counts)
                assert rank_two(samples, slope, *counts).valid


def test_where_it_succeeds_there_is_one_point():
    stream = np.random.default_rng(1)
    proved = 0
    for _ in range(20):
        samples = drawn(stream, 4, 160)
        if agreement(samples, 0.5, 3, 2):
            proved += 1
            if proved <= 3:
                limit = rank_two(samples, 0.5, 3, 2)
                assert orthogonality(samples, 0.5) < 1  # beyond the condition
                _, values = margin_search(samples, 0.5, 3, 2, stream, starts=5)
                np.testing.assert_allclose(values, limit.multipliers.sum() / 2, rtol=1e-7)
    assert proved >= 3


def test_it_does_not_depend_on_units_or_order():
    stream = np.random.default_rng(2)
    for _ in range(20):
        samples = drawn(stream, 5, 150)
        order = stream.permutation(5)
        same = [Classification(c * samples.x[k], samples.y[k]) for c in (1, 1e6) for k in (np.arange(5), order)]
        answers = {agreement(one, 0.5, 2, 2) for one in same}
        swapped = agreement(Classification(samples.x, -samples.y), 0.5, 2, 2)
        assert answers == {swapped}


def test_it_fails_where_signs_are_wrong():
    assert not agreement(Classification(np.array([[1.0, 0.0], [0.9, 0.3]]), np.array([1.0, -1.0])), 0.1, 1, 1)
    assert not agreement(Classification(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([1.0, -1.0])), 0.5, 1, 1)
    stream = np.random.default_rng(3)
    for _ in range(50):
        samples = drawn(stream, 5, 15)
        assert rank_two(samples, 0.5, 2, 2).valid or not agreement(samples, 0.5, 2, 2)
