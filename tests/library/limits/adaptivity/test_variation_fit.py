"""The fit with a penalty on the variation norm: known answers, feasible dual points, programs on a grid, bad input."""

import sys

import numpy as np
import pytest

from implicit_bias.data import Samples
from implicit_bias.limits.adaptivity import fit_bound, variation_fit
from implicit_bias.limits.adaptivity.variation_fit import certify_variation_fit
from implicit_bias.limits.certificate import CertificateError


def sample(seed, n=16):
    stream = np.random.default_rng(seed)
    x = np.column_stack([stream.uniform(-1, 1, (n, 2)), np.ones(n)])
    return Samples(x, np.abs(x[:, 0]) + 0.05 * stream.standard_normal(n))


def test_orthogonal_points_are_shrunk_one_by_one():
    fit = variation_fit(Samples(np.eye(3)[:2], np.array([2.0, -3.0])), 0.1)
    # response (1/2)(r₁u₁₊ + r₂u₂₊): the signs differ, so that each point has a neuron of its own
    np.testing.assert_allclose(fit.predict(np.eye(3)[:2]), [1.8, -2.8], rtol=1e-5)
    assert fit.value == pytest.approx(2 * 0.2**2 / 4 + 0.1 * 4.6, rel=1e-6)


def test_a_large_penalty_leaves_nothing():
    data = sample(0)
    fit = variation_fit(data, 100.0)
    assert fit.masses.size == 0
    assert fit.value == pytest.approx(np.mean(data.y**2) / 2, rel=1e-12)
    np.testing.assert_array_equal(fit.predict(data.x), 0)


@pytest.mark.parametrize("seed", range(3))
def test_no_function_of_random_neurons_does_better_and_every_function_proves_less(seed):
    data, stream = sample(seed), np.random.default_rng(seed + 10)
    fit = variation_fit(data, 5e-3)
    assert 0 <= fit.value - fit.bound <= 1e-6 * fit.value
    for scale in (0.01, 0.1, 1.0):
        u, masses = stream.standard_normal((6, 3)), scale * stream.standard_normal(6)
        u /= np.linalg.norm(u, axis=1)[:, None]
        outputs = np.maximum(data.x @ (fit.directions[0] + scale * u).T, 0) @ masses + fit.predict(data.x)
        size = np.linalg.norm(fit.directions[0] + scale * u, axis=1) @ np.abs(masses) + np.abs(fit.masses).sum()
        assert np.mean((outputs - data.y) ** 2) / 2 + 5e-3 * size >= fit.bound
        assert fit_bound(data, 5e-3, outputs) <= fit.value * (1 + 1e-12)
    assert fit_bound(data, 5e-3, fit.predict(data.x)) == pytest.approx(fit.value, rel=1e-6)
    assert fit_bound(data, 5e-3, data.y) == 0


@pytest.mark.parametrize(
    ("outputs", "penalty", "bound"),
    [
        ([0.0, 0.0], 10.0, 13 / 4),  # r = y, and s = 1 is feasible
        ([0.0, 0.0], 0.1, (13 / 15 - 13 / 450) / 2),  # the largest response is 3/2, so that s = 1/15
        ([1.5, -2.0], 2.0, 3.2),  # s = 16/5, the largest response 1/2
        ([1.5, -2.0], 1.5, (12 - 5.625) / 2),  # s = 3
        ([5.0, -9.0], 1.0, 0.0),  # r·y < 0
    ],
)
def test_what_outputs_prove_by_hand(outputs, penalty, bound):
    """max of (s r·y − s²‖r‖²/2)/n over s ≥ 0 that keep the responses (s/2)(r₁u₁₊ + r₂u₂₊) within the penalty."""
    data = Samples(np.eye(3)[:2], np.array([2.0, -3.0]))
    assert fit_bound(data, penalty, outputs) == pytest.approx(bound, rel=1e-9)


@pytest.mark.parametrize(("of_x", "of_y"), [(2.0**40, 1.0), (1.0, 2.0**40), (2.0**-30, 2.0**50)])
def test_it_follows_the_units(of_x, of_y):
    data, penalty = sample(1), 5e-3
    fit, same = (variation_fit(Samples(b * data.x, c * data.y), b * c * penalty) for b, c in ((1.0, 1.0), (of_x, of_y)))
    assert same.value == pytest.approx(of_y**2 * fit.value, rel=1e-6)
    assert same.bound == pytest.approx(of_y**2 * fit.bound, rel=1e-6)
    assert np.abs(same.masses).sum() == pytest.approx(of_y / of_x * np.abs(fit.masses).sum(), rel=1e-4)


@pytest.mark.parametrize(("seed", "n", "penalty"), [(2, 32, 2e-3), (3, 32, 5e-3), (0, 40, 1e-2), (0, 48, 2e-3)])
def test_programs_whose_residuals_grow_by_rounding_are_solved(seed, n, penalty):
    # where residuals of 1e-13 alone are allowed, Clarabel gives up on the first cell, which is active at all points
    fit = variation_fit(sample(seed, n), penalty)
    assert fit.certificate.worst <= 1e-5
    assert 0 <= fit.value - fit.bound <= 1e-6 * fit.value


@pytest.mark.parametrize(("seed", "n", "penalty"), [(0, 24, 2e-3), (1, 24, 5e-3), (3, 48, 2e-3)])
def test_of_rounds_that_differ_by_rounding_the_one_that_proves_most_is_the_answer(seed, n, penalty):
    # the last round but one has the same J, its residual proves it to 1e-7 only
    assert variation_fit(sample(seed, n), penalty).certificate.worst <= 2e-8


def test_neurons_that_differ_by_little_are_told_from_the_best():
    data = sample(3)
    fit = variation_fit(data, 5e-3)
    near = fit.directions + 1e-3 * np.random.default_rng(4).standard_normal(fit.directions.shape)
    near /= np.linalg.norm(near, axis=1)[:, None]
    assert certify_variation_fit(data, 5e-3, near, fit.masses).worst > 1e-5
    assert certify_variation_fit(data, 5e-3, fit.directions, fit.masses * np.nan).worst == np.inf


def test_an_answer_that_is_not_best_is_refused(monkeypatch):
    module = sys.modules["implicit_bias.limits.adaptivity.variation_fit"]
    monkeypatch.setattr(module, "ROUNDS", 2)
    with pytest.raises(CertificateError, match="the fit of least variation norm is not certified"):
        variation_fit(sample(0), 1e-3)


@pytest.mark.parametrize(
    ("data", "penalty", "said"),
    [
        (Samples(np.eye(4), np.ones(4)), 0.1, "it must be any × 3"),
        (Samples(np.eye(3), np.ones(3)), 0.0, "penalty is 0; it must lie in"),
        (Samples(np.eye(3), np.ones(3)), -1.0, "penalty is -1"),
        (Samples(np.array([[1.0, 0, 0], [0, 0, 0]]), np.ones(2)), 0.1, "x holds a row of zeros"),
    ],
)
def test_what_is_no_problem_is_refused_in_one_line(data, penalty, said):
    with pytest.raises(ValueError, match=said) as refused:
        variation_fit(data, penalty)
    assert "\n" not in str(refused.value)
