"""The risk's gradient by hand against autograd, for every combination."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from library.models.two_layer.cases import ACTIVATIONS, LOSSES, SCALES, autograd, risk, samples, start

from implicit_bias.losses import Logistic
from implicit_bias.models.two_layer import Risk, TwoLayer


@pytest.mark.parametrize("scaling", SCALES)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_value_and_gradient_are_autograds(activation, loss, scaling):
    w, a = start()
    problem = risk(activation, loss, "both", scaling)
    value, by_w, by_a = autograd(activation, loss, scaling, problem.data, w, a)
    assert problem.value(w, a) == pytest.approx(value, rel=1e-13)
    found = problem.gradient(w, a)
    np.testing.assert_allclose(found[0], by_w, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(found[1], by_a, rtol=1e-11, atol=1e-14)


@dataclass(frozen=True)
class Rescaled:
    """R(α(f − f₀))/α²: a loss that sees the outputs scaled and from their start."""

    loss: Logistic
    alpha: float
    begin: np.ndarray

    def value(self, f, y):
        return self.loss.value(self.alpha * (f - self.begin), y) / self.alpha**2

    def slope(self, f, y):
        return self.loss.slope(self.alpha * (f - self.begin), y) / self.alpha

    def hessian(self, f, y):
        return self.loss.hessian(self.alpha * (f - self.begin), y)

    def curvature(self, f, y):
        return self.loss.curvature(self.alpha * (f - self.begin), y)


def test_a_risk_takes_a_loss_that_wraps_another():
    w, a = start()
    net, data = TwoLayer(ACTIVATIONS["tanh"][0], scaling="1/sqrt(m)"), samples()
    begin = net.output(w, a, data.x)
    problem = Risk(net, data, Rescaled(Logistic(), 30.0, begin))
    moved = w + 0.01 * np.random.default_rng(4).standard_normal(w.shape)
    tensors = [torch.tensor(part, requires_grad=True) for part in (moved, a)]
    x, y, h0 = map(torch.tensor, (data.x, data.y, begin))
    f = tensors[1] @ torch.tanh(tensors[0] @ x.T) / np.sqrt(len(a))
    value = torch.nn.functional.softplus(-y * 30 * (f - h0)).mean() / 900
    for found, expected in zip(problem.gradient(moved, a), torch.autograd.grad(value, tensors), strict=True):
        np.testing.assert_allclose(found, expected.numpy(), rtol=1e-11, atol=1e-15)
