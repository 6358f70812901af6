"""Losses in logarithms: right where floats reach, and far beyond."""

import numpy as np
import pytest
import torch

from implicit_bias.losses import LOSSES, margin_loss, smooth_margin, smooth_margin_weights

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
