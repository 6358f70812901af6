"""Losses in logarithms: right where floats reach, and far beyond."""

import numpy as np
import pytest
import torch

from implicit_bias import losses
from implicit_bias.losses import (
    LOSSES,
    Exponential,
    Logistic,
    SmoothMargin,
    Squared,
    margin_loss,
    smooth_margin,
    smooth_margin_weights,
)

FORMULAS = {"exponential": lambda m: torch.exp(-m), "logistic": lambda m: torch.log1p(torch.exp(-m))}


@pytest.mark.parametrize("name", LOSSES)
def test_value_and_slope_agree_with_autograd(name):
    m = torch.linspace(-20, 20, 81, dtype=torch.float64, requires_grad=True)
    value = FORMULAS[name](m)
    (slope,) = torch.autograd.grad(value.sum(), m)
    loss = margin_loss(name)
    np.testing.assert_allclose(loss.log_value(m.detach().numpy()), np.log(value.detach().numpy()), atol=1e-7)
    np.testing.assert_allclose(loss.log_slope(m.detach().numpy()), np.log(-slope.numpy()), atol=1e-12)


@pytest.mark.parametrize("name", LOSSES)
def test_tails_are_exponential_where_the_loss_itself_underflows(name):
    m = np.array([36.9, 37.1, 100.0, 5000.0])
    np.testing.assert_allclose(margin_loss(name).log_value(m), -m, rtol=1e-13)
    np.testing.assert_allclose(margin_loss(name).log_slope(m), -m, rtol=1e-13)


def test_unknown_loss():
    with pytest.raises(ValueError, match="loss is 'hinge'; it must be one of exponential, logistic"):
        margin_loss("hinge")


@pytest.mark.parametrize("beta", [1e-3, 1.0, 1e3, 1e6])
def test_smooth_margin_lies_between_its_bounds_and_its_weights_are_its_gradient(beta):
    m = np.random.default_rng(0).standard_normal(7)
    value = smooth_margin(m, beta)
    assert m.min() - 1e-12 <= value <= m.min() + np.log(m.size) / beta + 1e-12
    tensor = torch.tensor(m, requires_grad=True)
    soft = -(torch.logsumexp(-beta * tensor, 0) - np.log(m.size)) / beta
    (gradient,) = torch.autograd.grad(soft, tensor)
    assert value == pytest.approx(soft.item(), rel=1e-12, abs=1e-9)
    np.testing.assert_allclose(smooth_margin_weights(m, beta), gradient.numpy(), atol=1e-9)


softplus = torch.nn.functional.softplus
RISKS = {
    "squared": (Squared(), lambda f, y: ((f - y) ** 2).mean() / 2),
    "sum of squares": (Squared("sum"), lambda f, y: ((f - y) ** 2).sum() / 2),
    "exponential": (Exponential(), lambda f, y: torch.exp(-y * f).mean()),
    "logistic": (Logistic(), lambda f, y: softplus(-y * f).mean()),
    "smooth margin": (SmoothMargin(), lambda f, y: torch.logsumexp(-y * f, 0) - np.log(len(y))),
    "smooth logistic margin": (SmoothMargin(Logistic()), lambda f, y: torch.log(softplus(-y * f).mean())),
}


def outputs(seed, spread):
    stream = np.random.default_rng(seed)
    return spread * stream.standard_normal(6), stream.choice([-1.0, 1.0], 6)


@pytest.mark.parametrize("spread", [0.1, 3.0])
@pytest.mark.parametrize("name", RISKS)
def test_a_risk_of_outputs_has_autograds_slope_and_hessian(name, spread):
    loss, formula = RISKS[name]
    f, y = outputs(0, spread)
    for labels in (y, 1.5 * y):  # a margin loss sees y f, whatever y is
        tensor, constant = torch.tensor(f, requires_grad=True), torch.tensor(labels)
        value = formula(tensor, constant)
        (slope,) = torch.autograd.grad(value, tensor)
        hessian = torch.autograd.functional.hessian(lambda f, y=constant: formula(f, y), tensor)
        assert loss.value(f, labels) == pytest.approx(value.item(), rel=1e-12)
        np.testing.assert_allclose(loss.slope(f, labels), slope.numpy(), rtol=1e-12)
        np.testing.assert_allclose(loss.hessian(f, labels), hessian.numpy(), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("spread", [0.1, 3.0, 30.0])
@pytest.mark.parametrize("name", RISKS)
def test_the_curvature_bounds_the_hessian(name, spread, seed):
    loss = RISKS[name][0]
    f, y = outputs(seed, spread)
    norm, bound = np.linalg.norm(loss.hessian(f, y), 2), loss.curvature(f, y)
    assert norm <= bound * (1 + 1e-12)
    if name in ("logistic", "smooth margin", "smooth logistic margin"):
        assert bound <= (1 if name.startswith("smooth") else 1 / (4 * y.size)) + 1e-12
    if not name.startswith("smooth"):
        assert bound == pytest.approx(norm)


@pytest.mark.parametrize("size", [800.0, 1e5, 1e300])
@pytest.mark.parametrize("name", ["smooth margin", "smooth logistic margin"])
def test_the_smooth_margin_neither_overflows_nor_underflows(name, size):
    """Margins ±10^5 and more: S is their minimum to within ln n, the weights sum to one at the least of them."""
    loss, y = RISKS[name][0], np.array([1.0, -1.0, 1.0])
    for sign in (1, -1):
        f = sign * size * np.array([1.0, -2.0, 1.5])
        least = np.min(y * f)
        logistic_of_negative = name == "smooth logistic margin" and sign < 0  # ln ℓ(m) = ln(−m) far below 0
        expected = -np.log(-np.sum(y * f) / 3) if logistic_of_negative else least
        assert abs(-loss.value(f, y) - expected) <= np.log(3) + 1e-9 * abs(expected)
        shares = loss.shares(f, y)
        assert np.all(np.isfinite(shares))
        assert shares.sum() == pytest.approx(3 / -np.sum(y * f) if logistic_of_negative else 1)
        assert np.all(np.isfinite(loss.hessian(f, y)))
        assert np.isfinite(loss.curvature(f, y))


def test_the_slope_of_the_logistic_loss_stays_finite_at_any_margin():
    f, y = np.array([1e300, -1e300, 800.0, -800.0]), np.ones(4)
    loss = Logistic()
    np.testing.assert_allclose(loss.slope(f, y), [0, -0.25, 0, -0.25], atol=1e-300)
    np.testing.assert_allclose(loss.hessian(f, y), 0, atol=1e-300)
    assert loss.value(f, y) == pytest.approx((1e300 + 800) / 4)


def test_the_smooth_margin_is_the_soft_minimum_at_beta_one():
    f, y = outputs(3, 2.0)
    assert -SmoothMargin().value(f, y) == pytest.approx(smooth_margin(y * f, 1.0), rel=1e-14)
    np.testing.assert_allclose(SmoothMargin().shares(f, y), smooth_margin_weights(y * f, 1.0), rtol=1e-13)


@pytest.mark.parametrize("beta", [1e-320, 1e-300, 1e-17, 1e-16, 1e-12, 1e-9, 1e-6])
def test_the_smooth_margin_tends_to_the_mean(beta):
    m = np.array([1.0, 2.0])  # F = 3/2 − β/8 + O(β³)
    assert losses.smooth_margin(m, beta) == pytest.approx(1.5 - beta / 8, rel=1e-15)
    np.testing.assert_allclose(losses.smooth_margin_weights(m, beta), 0.5 + beta / 4 * np.array([1, -1]), rtol=1e-13)


def test_another_reduction_is_refused():
    with pytest.raises(ValueError, match="reduction is 'max'; it must be one of mean, sum"):
        Squared("max")
