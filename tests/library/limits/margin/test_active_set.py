"""Support vectors by the active-set method of DAQP: against non-negative least squares, and where they are not told."""

import numpy as np
import pytest

from implicit_bias.data import separable
from implicit_bias.limits.margin import active_set, max_margin
from implicit_bias.limits.margin.active_set import active_support
from implicit_bias.limits.margin.least_distance import by_least_squares


@pytest.mark.parametrize(("n", "d", "support"), [(50, 10, 5), (200, 30, 12), (8, 20, 6)])
@pytest.mark.parametrize("seed", range(3))
def test_the_answer_is_that_of_least_squares(n, d, support, seed):
    stream = np.random.default_rng(seed)
    u, bounds = separable(stream, n, d, support=support).signed, stream.uniform(0.5, 1, n)
    found = active_support(u, bounds)
    indices, w, force = by_least_squares(u, bounds)
    np.testing.assert_array_equal(found.indices, indices)
    np.testing.assert_allclose(found.w, w, atol=1e-12)
    np.testing.assert_allclose(found.force, force, atol=1e-11)


def test_a_point_that_the_method_would_forgive_is_not_forgiven():
    """DAQP's own tolerance, 1e-6, would leave the third point 1e-7 short."""
    answer = max_margin([[1.0, 0.0], [0.0, 1.0], [1.0 - 1e-7, 0.0]])
    np.testing.assert_array_equal(answer.support, [1, 2])
    assert np.min([[1.0, 0.0], [0.0, 1.0], [1.0 - 1e-7, 0.0]] @ answer.w) >= 1 - 1e-15


def test_what_is_in_doubt_is_left_to_others():
    u = separable(np.random.default_rng(0), 20, 5, support=3).signed
    ones = np.ones(21)
    assert active_support(u, ones[:20]) is not None
    assert active_support(np.vstack([u, -u[:1]]), ones) is None  # no direction separates them
    held = active_support(u, ones[:20]).indices[:1]
    assert active_support(np.vstack([u, u[held]]), ones) is None  # a support vector twice
    assert active_support(np.ones((2, 101)), np.ones(2)) is None  # many dimensions


@pytest.mark.parametrize("wrong", [[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
def test_a_wrong_support_of_daqp_is_not_believed(wrong, monkeypatch):
    monkeypatch.setattr(active_set.daqp, "solve", lambda *given, **named: (None, 0.0, 1, {"lam": np.array(wrong)}))
    z = np.array([[2.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    assert active_support(z, np.ones(3)) is None
    np.testing.assert_array_equal(max_margin(z).support, [0, 1])


def test_without_daqp_other_methods_find_the_same(monkeypatch):
    z = separable(np.random.default_rng(0), 50, 10, support=5).signed
    fast = max_margin(z)
    monkeypatch.setattr(active_set, "daqp", None)
    assert active_support(z, np.ones(50)) is None
    np.testing.assert_array_equal(max_margin(z).support, fast.support)
    np.testing.assert_allclose(max_margin(z).w, fast.w, atol=1e-13)
