"""A two-layer network over all inputs: autograd's gradient, dissipation, what is conserved."""

import numpy as np
import pytest
import torch

from implicit_bias.data import Teacher
from implicit_bias.kernels import relu_potential_gradient
from implicit_bias.models.population import PopulationFlow


@pytest.fixture
def network():
    rng = np.random.default_rng(0)
    teacher = Teacher(rng.standard_normal((2, 3)), rng.standard_normal(2))
    return PopulationFlow(rng.standard_normal((4, 3)), rng.standard_normal(4), teacher, "sphere")


def torch_risk(theta, net):
    m, d = net.w.shape
    places = torch.cat([theta[: m * d].reshape(m, d), torch.tensor(net.teacher.w)])
    charges = torch.cat([theta[m * d :] / m, -torch.tensor(net.teacher.a) / len(net.teacher.a)])
    lengths = places.norm(dim=1)
    cosine = (places @ places.T / torch.outer(lengths, lengths)).clamp(-1 + 1e-14, 1 - 1e-14)
    theta_ = torch.arccos(cosine)
    kernel = torch.outer(lengths, lengths) * (torch.sin(theta_) + (torch.pi - theta_) * cosine) / (2 * torch.pi * d)
    return charges @ kernel @ charges / 2


def test_velocity_is_minus_m_times_the_gradient(network):
    theta = torch.tensor(network.start, requires_grad=True)
    risk = torch_risk(theta, network)
    (gradient,) = torch.autograd.grad(risk, theta)
    assert network.value(network.start) == pytest.approx(float(risk.detach()), rel=1e-7)
    np.testing.assert_allclose(network.velocity(network.start), -4 * gradient.numpy(), rtol=1e-6, atol=1e-8)


def test_potential_and_dissipation(network):
    theta, step = network.start, 1e-6
    places, charges = network.residual_measure(theta)
    a = np.random.default_rng(3).standard_normal((5, 3))
    gradient = relu_potential_gradient(a, places, charges, "sphere")
    np.testing.assert_allclose(np.sum(a * gradient, axis=1), network.potential(theta, a), rtol=1e-12)
    velocity = network.velocity(theta)
    fall = (network.value(theta - step * velocity) - network.value(theta + step * velocity)) / (2 * step)
    assert fall == pytest.approx(network.dissipation(theta), rel=1e-6)
    rate = network.balance(theta + step * velocity) - network.balance(theta - step * velocity)
    np.testing.assert_allclose(rate, 0, atol=1e-14)
    x = np.random.default_rng(4).standard_normal((6, 3))
    _, b = network.weights(theta)
    np.testing.assert_allclose(network.output(theta, x), np.maximum(x @ network.w.T, 0) @ b / 4)


def test_refusals(network):
    with pytest.raises(ValueError, match=r"w has shape \(4, 2\); it must be any × 3"):
        PopulationFlow(np.ones((4, 2)), np.ones(4), network.teacher)
    with pytest.raises(ValueError, match=r"a has shape \(3,\); it must be 4"):
        PopulationFlow(np.ones((4, 3)), np.ones(3), network.teacher)
