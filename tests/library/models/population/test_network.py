"""A two-layer network over all inputs: autograd's gradient, dissipation, what is conserved."""

import numpy as np
import pytest
import torch

from implicit_bias.data import Teacher
from implicit_bias.kernels import relu_potential_gradient
from implicit_bias.models.population import TwoLayerNetwork


@pytest.fixture
def network():
    rng = np.random.default_rng(0)
    teacher = Teacher(rng.standard_normal((2, 3)), rng.standard_normal(2))
    return TwoLayerNetwork(rng.standard_normal((4, 3)), rng.standard_normal(4), teacher, "sphere")


def torch_risk(theta, net):
    m, d = net.a.shape
    places = torch.cat([theta[: m * d].reshape(m, d), torch.tensor(net.teacher.a)])
    charges = torch.cat([theta[m * d :] / m, -torch.tensor(net.teacher.b) / len(net.teacher.b)])
    lengths = places.norm(dim=1)
    cosine = (places @ places.T / torch.outer(lengths, lengths)).clamp(-1 + 1e-14, 1 - 1e-14)
    theta_ = torch.arccos(cosine)
    kernel = torch.outer(lengths, lengths) * (torch.sin(theta_) + (torch.pi - theta_) * cosine) / (2 * torch.pi * d)
    return charges @ kernel @ charges / 2


def test_velocity_is_minus_m_times_the_gradient(network):
    theta = torch.tensor(network.parameters, requires_grad=True)
    risk = torch_risk(theta, network)
    (gradient,) = torch.autograd.grad(risk, theta)
    assert network.risk(network.parameters) == pytest.approx(float(risk.detach()), rel=1e-7)
    np.testing.assert_allclose(network.velocity(network.parameters), -4 * gradient.numpy(), rtol=1e-6, atol=1e-8)


def test_potential_and_dissipation(network):
    theta, step = network.parameters, 1e-6
    places, charges = network.residual_measure(theta)
    a = np.random.default_rng(3).standard_normal((5, 3))
    gradient = relu_potential_gradient(a, places, charges, "sphere")
    np.testing.assert_allclose(np.sum(a * gradient, axis=1), network.potential(theta, a), rtol=1e-12)
    velocity = network.velocity(theta)
    fall = (network.risk(theta - step * velocity) - network.risk(theta + step * velocity)) / (2 * step)
    assert fall == pytest.approx(network.dissipation(theta), rel=1e-6)
    rate = network.conserved(theta + step * velocity) - network.conserved(theta - step * velocity)
    np.testing.assert_allclose(rate, 0, atol=1e-14)
    x = np.random.default_rng(4).standard_normal((6, 3))
    _, b = network.layers(theta)
    np.testing.assert_allclose(network.output(theta, x), np.maximum(x @ network.a.T, 0) @ b / 4)


def test_refusals(network):
    with pytest.raises(ValueError, match=r"a has shape \(4, 2\); it must be any × 3"):
        TwoLayerNetwork(np.ones((4, 2)), np.ones(4), network.teacher)
    with pytest.raises(ValueError, match=r"b has shape \(3,\); it must be 4"):
        TwoLayerNetwork(np.ones((4, 3)), np.ones(3), network.teacher)
