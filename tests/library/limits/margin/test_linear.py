"""Maximum margins: known answers, scales, sets that cannot be separated, solvers that fail."""

import sys

import numpy as np
import pytest

from implicit_bias.data import separable
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import l1_max_margin, max_margin


def test_max_margin_of_two_points_is_known():
    answer = max_margin([[2.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    np.testing.assert_allclose(answer.w, [0.5, 1.0], atol=1e-12)
    np.testing.assert_allclose(answer.alpha, [0.25, 1.0, 0.0], atol=1e-12)
    assert answer.margin == pytest.approx(1 / np.sqrt(1.25))
    assert answer.slack == pytest.approx(6.5)
    np.testing.assert_allclose(answer.residuals, [-np.log(0.75), -np.log(3.0)], atol=1e-12)
    assert answer.decay == answer.contraction == pytest.approx(1.0)  # z₁ ⊥ z₂: the matrix (z_i·z_j α_j) is the identity


def test_max_margin_scales_with_the_points():
    z = separable(np.random.default_rng(0), 20, 5, support=3).signed
    np.testing.assert_allclose(max_margin(1e6 * z).w, 1e-6 * max_margin(z).w, rtol=1e-10)
    np.testing.assert_allclose(max_margin(1e-6 * z).w, 1e6 * max_margin(z).w, rtol=1e-10)


@pytest.mark.parametrize("solve", [max_margin, l1_max_margin])
def test_margins_of_sets_that_are_not_separable_are_refused(solve):
    z = np.array([[1.0, 0.2], [-1.0, 0.3], [0.1, -1.0]])
    with pytest.raises(CertificateError, match="no direction separates the points"):
        solve(z)
    with pytest.raises(CertificateError, match="no direction separates the points"):
        solve(np.zeros((2, 2)))


@pytest.mark.parametrize("wrong", [[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
def test_max_margin_refuses_a_solver_that_returns_a_wrong_support(monkeypatch, wrong):
    module = sys.modules["implicit_bias.limits.margin.linear"]
    monkeypatch.setattr(module, "nnls", lambda *args, **kwargs: (np.array(wrong), 1.0))
    with pytest.raises(CertificateError, match="the maximum-margin direction is not certified"):
        max_margin([[2.0, 0.0], [0.0, 1.0], [5.0, 5.0]])


def test_the_linear_program_is_refused_at_another_vertex_and_mended_where_rough(monkeypatch):
    module, part = sys.modules[l1_max_margin.__module__], "ineqlin"
    right, problem = module.linprog, separable(np.random.default_rng(0), 20, 5, support=3).signed
    expected = l1_max_margin(problem)

    def spoil(change):
        def solver(*args, **kwargs):
            answer = right(*args, **kwargs)
            change(answer)
            return answer

        monkeypatch.setattr(module, "linprog", solver)

    def rough(answer):
        answer.x, answer[part].marginals = answer.x * 0.9, answer[part].marginals * 1.1

    def another_support(answer):
        answer.x = np.roll(answer.x, 1)

    def another_dual(answer):
        answer[part].marginals = np.roll(answer[part].marginals, 1)

    spoil(rough)
    np.testing.assert_allclose(l1_max_margin(problem).w, expected.w, rtol=1e-12)
    for wrong in (another_support, another_dual):
        spoil(wrong)
        with pytest.raises(CertificateError, match="is not certified"):
            l1_max_margin(problem)


def test_l1_margin_is_at_least_that_of_any_direction():
    z = separable(np.random.default_rng(0), 20, 5, support=3).signed
    best = 1 / np.abs(l1_max_margin(z).w).sum()
    for w in np.random.default_rng(1).standard_normal((2000, 5)):
        assert (z @ w).min() / np.abs(w).sum() <= best + 1e-12
    l2 = max_margin(z).w
    assert (z @ l2).min() / np.abs(l2).sum() <= best + 1e-12


def test_the_contraction_is_the_least_eigenvalue_whatever_the_lengths_of_the_samples():
    z = np.array([[8.0, 0.0, 0.3], [0.1, 0.5, 0.0], [0.0, 0.2, 32.0], [40.0, 40.0, 40.0]])
    answer = max_margin(z)
    on = z[answer.support]
    least = np.min(np.linalg.eigvals(on @ on.T * answer.alpha[answer.support]).real)
    assert answer.contraction == pytest.approx(least, rel=1e-9)
