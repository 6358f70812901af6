"""The limit of a pattern against the closed form and against its program."""

import sys
from dataclasses import replace

import cvxpy
import numpy as np
import pytest
from library.helpers import SLOPE

from implicit_bias.data import Classification
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import pattern_limit, rank_two


@pytest.mark.parametrize("counts", [(3, 2), (1, 4), (5, 1)])
def test_the_limit_of_the_valid_pattern_is_the_closed_form(problem, counts):
    a = np.where(np.arange(sum(counts)) < counts[0], 1.0, -1.0) / np.sqrt(sum(counts))
    limit = rank_two(problem, SLOPE, *counts)
    found = pattern_limit(problem, SLOPE, a, np.sign(np.outer(a, problem.y)))
    np.testing.assert_allclose(found, limit.weights, atol=1e-9)


def test_the_limit_of_a_pattern_with_kinks_solves_its_program():
    stream = np.random.default_rng(7)
    problem = Classification(x=stream.standard_normal((4, 6)), y=np.array([1.0, 1.0, -1.0, -1.0]))
    a = np.array([1.0, 1.0, -1.0]) / np.sqrt(3)
    pattern = np.array([[1, 1, -1, 0], [1, 1, 0, -1], [0, -1, 1, 1]])
    w = cvxpy.Variable((3, 6))
    z = w @ problem.x.T
    slopes = np.where(pattern > 0, 1.0, SLOPE) * (pattern != 0)
    reached = cvxpy.sum(cvxpy.multiply(np.outer(a, problem.y) * slopes, z), axis=0)
    pinned = cvxpy.multiply((pattern == 0).astype(float), z) == 0
    cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(w)), [reached >= 1, pinned]).solve(solver=cvxpy.CLARABEL)
    found = pattern_limit(problem, SLOPE, a, pattern)
    np.testing.assert_allclose(found, w.value, atol=1e-6)
    with pytest.raises(CertificateError, match="no direction separates"):
        pattern_limit(problem, SLOPE, a, np.zeros((3, 4)))


def test_a_network_that_is_not_proved_is_refused_and_kept(monkeypatch):
    stream = np.random.default_rng(7)
    problem = Classification(x=stream.standard_normal((4, 6)), y=np.array([1.0, 1.0, -1.0, -1.0]))
    a, pattern = np.array([1.0, -1.0]), np.array([[1, 1, -1, 0], [-1, 0, 1, 1]])
    found = pattern_limit(problem, SLOPE, a, pattern)
    with pytest.raises(CertificateError, match="the network of the pattern is not certified") as refused:
        pattern_limit(problem, SLOPE, a, pattern, tol=1e-18)
    np.testing.assert_array_equal(refused.value.answer, found)
    held = refused.value.certificate.enclosure
    assert held.low <= 1 / np.linalg.norm(found) <= held.high
    right = sys.modules["implicit_bias.limits.margin.pattern"].max_margin
    rough = lambda z: replace(right(z), alpha=right(z).alpha * [1 + 1e-6, 1, 1, 1])  # noqa: E731
    monkeypatch.setattr(sys.modules["implicit_bias.limits.margin.pattern"], "max_margin", rough)
    with pytest.raises(CertificateError, match="the network of the pattern is not certified"):
        pattern_limit(problem, SLOPE, a, pattern)
