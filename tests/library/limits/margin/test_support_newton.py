"""Support vectors by Newton's method: against least-distance programming, and where they are not told."""

import sys

import numpy as np
import pytest

from implicit_bias.data import separable
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import max_margin
from implicit_bias.limits.margin.support_newton import clear_support

linear = sys.modules["implicit_bias.limits.margin.linear"]
active_support = linear.active_support


def draws(n, d, seed):
    """Sets of many kinds, most of them separable."""
    generator = np.random.default_rng(seed)
    z = generator.standard_normal((n, d))
    corner = np.eye(1, d)
    yield "normal", z
    yield "separable", z + 3 * corner
    yield "doubled", np.vstack([z, z[: n // 2]]) + 2 * corner
    yield "lengths", (z + 3 * corner) * np.exp(3 * generator.standard_normal(n))[:, None]
    yield "far lengths", (z + 3 * corner) * 10.0 ** generator.integers(-150, 150, n)[:, None]
    yield "unit", (z + 3 * corner) * 10.0 ** generator.integers(-150, 150)
    yield "grid", np.round(z) + 3 * corner
    yield "nearly flat", z * np.append(1e-9, np.ones(d - 1)) + 1e-12 * corner
    yield "opposite", np.vstack([z, -z[:1]])
    yield "nearly opposite", np.vstack([z, -z[:1] + 1e-12 * generator.standard_normal(d)])


def solved(z, how, monkeypatch):
    """By one method where it answers, else by non-negative least squares."""
    monkeypatch.setattr(linear, "MANY", 1 if how == "Newton" else 10**9)
    monkeypatch.setattr(linear, "active_support", active_support if how == "active set" else lambda *given: None)
    try:
        return max_margin(z)
    except CertificateError as error:
        return str(error)


@pytest.mark.parametrize(("n", "d"), [(60, 8), (40, 40), (20, 70)])
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("how", ["Newton", "active set"])
def test_the_answer_is_that_of_least_distance_programming(n, d, seed, how, monkeypatch):
    for name, z in draws(n, d, seed):
        fast, slow = solved(z, how, monkeypatch), solved(z, "least squares", monkeypatch)
        if isinstance(slow, str):
            assert fast == slow, name
            continue
        np.testing.assert_array_equal(fast.support, slow.support, err_msg=name)
        size = np.abs(slow.w).max()
        np.testing.assert_allclose(fast.w / size, slow.w / size, atol=1e-11, err_msg=name)
        np.testing.assert_allclose(fast.alpha, slow.alpha, rtol=1e-8, err_msg=name)
        assert fast.slack == pytest.approx(slow.slack, rel=1e-8)
        assert fast.contraction == pytest.approx(slow.contraction, rel=1e-7, abs=1e-13)


@pytest.mark.parametrize(("n", "d", "support"), [(400, 60, 40), (100, 200, 80), (80, 80, 80)])
def test_large_sets_whose_answer_is_known(n, d, support):
    problem = separable(np.random.default_rng(3), n, d, support=support, margin=0.7)
    found = clear_support(problem.signed, np.ones(n))
    assert found is not None
    assert found.indices.size == support
    np.testing.assert_allclose(found.w, problem.direction / 0.7, atol=1e-12)
    np.testing.assert_allclose(found.force @ problem.signed, found.w, atol=1e-12)
    assert np.all(found.force[found.indices] > 0)
    answer = max_margin(problem.signed)
    assert answer.margin == pytest.approx(0.7, rel=1e-12)
    assert answer.certificate.worst < 1e-12


def test_it_does_not_answer_where_the_support_is_in_doubt():
    problem = separable(np.random.default_rng(4), 100, 40, support=20)
    z, bounds = problem.signed, np.ones(100)
    twice = np.flatnonzero(np.abs(z @ problem.direction - problem.margin) < 1e-9)[:1]
    assert clear_support(np.vstack([z, z[twice]]), np.ones(101)) is None  # a support vector twice
    assert clear_support(np.vstack([z, -z[:1]]), np.ones(101)) is None  # 0 in the hull
    touching = np.vstack([z, z[twice] + np.linalg.svd(problem.direction[None])[2][1:2]])
    assert clear_support(touching, np.ones(101)) is None  # a point on the margin that may carry nothing
    assert clear_support(z, bounds) is not None


def test_large_sets_that_cannot_be_separated_are_refused():
    z = np.random.default_rng(5).standard_normal((300, 40))
    with pytest.raises(
        CertificateError, match="^no direction separates the points by more than rounding: 0 is within "
    ):
        max_margin(z)


def test_a_wrong_support_is_refused(monkeypatch):
    problem = separable(np.random.default_rng(6), 100, 40, support=20)
    found = clear_support(problem.signed, np.ones(100))
    monkeypatch.setattr(linear, "active_support", lambda *given: None)
    monkeypatch.setattr(
        linear, "clear_support", lambda u, bounds: type(found)(found.indices, 0.9 * found.w, found.force)
    )
    with pytest.raises(CertificateError, match="the maximum-margin direction is not certified"):
        max_margin(problem.signed)
