"""Maximum margins: known answers, scales, rounding, sets that cannot be separated, solvers that fail."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from implicit_bias.data import separable
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import l1_max_margin, max_margin
from implicit_bias.limits.margin.l1_margin import certify_l1_max_margin
from implicit_bias.limits.margin.linear import certify_max_margin, enclose_margin


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
    module = sys.modules["implicit_bias.limits.margin.least_distance"]
    monkeypatch.setattr(sys.modules["implicit_bias.limits.margin.linear"], "active_support", lambda *given: None)
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


@pytest.mark.parametrize("solve", [max_margin, l1_max_margin])
@pytest.mark.parametrize(
    ("z", "inverse", "inverse_l1"),  # of the square of the margin, and of the margin in ℓ1
    [
        ([[1e-18, 0.0], [-0.3, 0.1]], 1 + 9 + 6e-17, 4.0),
        ([[1e-16, 0.0], [-1.0, 1.0]], 2.0, 2.0),
        ([[1e-20, 0.0], [-1.0, 1.0]], 2.0, 2.0),
    ],
)
def test_no_point_is_missed_where_rounding_is_larger_than_its_margin(solve, z, inverse, inverse_l1):
    """Of terms of 1e20 that cancel to 1 a float64 holds no digit: w has moved inwards."""
    answer, short = solve(z), z[0][0]
    exact = [sum(Fraction(a) * Fraction(b) for a, b in zip(row, answer.w, strict=True)) for row in z]
    assert min(exact) >= 1 - Fraction(1, 10**12)
    found = answer.certificate.enclosure
    margin = short / (np.sqrt(inverse) if solve is max_margin else inverse_l1)
    assert found.low <= margin * (1 + 1e-15)
    assert margin * (1 - 1e-15) <= found.high
    assert found.width < 1e-13
    size = np.linalg.norm(answer.w) if solve is max_margin else np.abs(answer.w).sum()
    assert 1 / size == pytest.approx(margin, rel=1e-13)


@pytest.mark.parametrize(
    "z",
    [
        [[-2, 0], [-2, -1], [-2, -1], [-2, 0]],
        [[-2, 0, -2], [-1, 1, -2], [-1, 2, -2]],
        [[-2, -2], [-2, 0], [-1, -1]],
        [[1, 0], [1, 0], [1, 0]],
        [[3.0]],
    ],
)
def test_what_is_said_of_a_degenerate_support_holds(z):
    answer = max_margin(z)
    assert np.all(answer.alpha >= 0)
    np.testing.assert_array_equal(answer.support, np.flatnonzero(answer.alpha > 0))
    np.testing.assert_array_equal(answer.vectors, np.array(z)[answer.support])
    assert np.all(np.isfinite(answer.residuals))
    assert np.isfinite(answer.contraction)
    assert answer.slack >= 0
    assert answer.decay == min(answer.slack, answer.contraction) >= 0
    np.testing.assert_allclose(answer.alpha @ np.array(z), answer.w, atol=1e-14)


def test_a_contraction_that_is_no_number_is_not_hidden():
    spoiled = type(answer := max_margin(np.eye(2)))(
        answer.w, -answer.alpha, answer.support, answer.vectors, answer.slack, answer.certificate
    )
    with np.errstate(invalid="ignore"):
        assert np.isnan(spoiled.contraction)


@pytest.mark.parametrize("solve", [max_margin, l1_max_margin])
def test_an_enclosure_wider_than_asked_for_is_refused_with_the_answer(solve):
    z = separable(np.random.default_rng(0), 20, 5, support=3).signed
    answer = solve(z)
    assert 0 < answer.certificate.enclosure.width < 1e-13
    with pytest.raises(CertificateError, match="is not certified: its value is proved to lie between") as refused:
        solve(z, tol=1e-18)
    np.testing.assert_array_equal(refused.value.answer.w, answer.w)
    assert 0 < refused.value.certificate.enclosure.width < 1e-13
    with pytest.raises(ValueError, match="tol is 0"):
        solve(z, tol=0)


@pytest.mark.parametrize("seed", range(20))
def test_the_enclosure_holds_the_margin_of_any_direction_and_any_weights(seed):
    """For a w and an α that are no optimum it is wide and holds the optimum; for a wrong w it starts below 0."""
    stream = np.random.default_rng(seed)
    z = separable(stream, 12, 3, support=3).signed
    for solve, certify, norm, power in (
        (max_margin, certify_max_margin, lambda w: np.linalg.norm(w), 2),
        (l1_max_margin, certify_l1_max_margin, lambda w: np.abs(w).sum(), 1),
    ):
        right = solve(z)
        w, alpha = right.w + 1e-3 * stream.standard_normal(3), right.alpha + 1e-3 * stream.uniform(-1, 1, 12)
        found = certify(z, w, alpha).enclosure
        assert found.low <= 1 / norm(right.w) <= found.high
        p = np.maximum(alpha, 0) / np.maximum(alpha, 0).sum()
        push = np.linalg.norm(p @ z) if power == 2 else np.abs(p @ z).max()
        assert found.low == pytest.approx((z @ w).min() / norm(w), rel=1e-12)
        assert found.high == pytest.approx(push, rel=1e-12)
        assert certify(z, -w, alpha).enclosure.low < 0
        with np.errstate(invalid="ignore"):
            assert certify(z, np.full(3, np.nan), alpha).enclosure.width == np.inf
        assert certify(z, w, -np.ones(12)).enclosure.width == np.inf


def test_multipliers_near_the_largest_float_have_a_residual():
    z = [[-2.6210581222462433e-149, 1.0279385285599816e-149], [-1.8584534060634424e-148, -6.4869327940836728e-149]]
    answer = max_margin([*z, [2.0577068839286765e-153, -9.3231896207950146e-154]])
    np.testing.assert_array_equal(answer.support, [0, 2])
    np.testing.assert_allclose(answer.residuals, -np.log(3) - np.log(answer.alpha[[0, 2]]), rtol=1e-15)


@pytest.mark.parametrize("of_l1", [False, True])
def test_the_units_of_direction_and_weights_do_not_enter_the_enclosure(of_l1):
    z = separable(np.random.default_rng(0), 12, 3, support=3).signed
    answer = l1_max_margin(z) if of_l1 else max_margin(z)
    found = enclose_margin(z, answer.w, answer.alpha, 1e-9, of_l1=of_l1)
    for one, other in ((900, -900), (-900, 900), (900, 900)):
        w, alpha = np.ldexp(answer.w, one), np.ldexp(answer.alpha, other)
        assert enclose_margin(z, w, alpha, 1e-9, of_l1=of_l1) == found
