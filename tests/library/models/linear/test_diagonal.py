"""The diagonal network: its gradient against autograd, its reduction against the flow, what is conserved."""

import numpy as np
import pytest
import torch
from library.helpers import autograd

from implicit_bias.flows import gradient_flow
from implicit_bias.models.linear import DiagonalNetwork


@pytest.fixture
def network():
    return DiagonalNetwork(*np.random.default_rng(2).standard_normal((4, 12)))


def test_diagonal_gradient(regression, network):
    x, y = torch.tensor(regression.x), torch.tensor(regression.y)

    def loss(theta):
        u_plus, v_plus, u_minus, v_minus = theta.reshape(4, 12)
        return ((y - x @ (u_plus * v_plus - u_minus * v_minus)) ** 2).sum() / 2

    theta = np.random.default_rng(4).standard_normal(48)
    np.testing.assert_allclose(network.gradient(theta, regression.x, regression.y), autograd(loss, theta), rtol=1e-10)


def test_diagonal_reduction_is_the_flow_of_all_parameters(regression, network):
    x, y = regression.x, regression.y
    full = gradient_flow(
        lambda theta: -network.gradient(theta, x, y), network.parameters, t_end=0.3, method="DOP853", rtol=1e-12
    )
    reduced = gradient_flow(
        lambda mu: network.dual_velocity(mu, x, y),
        np.zeros(6),
        t_end=0.3,
        jacobian=lambda mu: network.dual_jacobian(mu, x),
        rtol=1e-12,
        atol=1e-14,
    )
    np.testing.assert_allclose(
        network.predictor(full.final), network.predictor_from_dual(x, reduced.final), rtol=1e-8, atol=1e-9
    )
    np.testing.assert_allclose(network.conserved(full.final), network.conserved(network.parameters), atol=1e-9)


def test_diagonal_dual_jacobian_is_the_derivative(regression, network):
    x, y, mu = regression.x, regression.y, 0.01 * np.random.default_rng(5).standard_normal(6)
    step = 1e-6
    numeric = np.stack([
        (network.dual_velocity(mu + step * e, x, y) - network.dual_velocity(mu - step * e, x, y)) / (2 * step)
        for e in np.eye(6)
    ], axis=1)  # fmt: skip
    np.testing.assert_allclose(network.dual_jacobian(mu, x), numeric, rtol=1e-6, atol=1e-6)


def test_diagonal_reduction_where_one_sign_only_can_be_reached(regression):
    a = np.full(12, 0.3)
    network = DiagonalNetwork(a, a, 0 * a, 0 * a)
    assert np.all(network.k == 0)
    w = network.predictor_from_dual(regression.x, np.full(6, 0.1))
    np.testing.assert_allclose(w, 0.09 * np.exp(0.2 * regression.x.sum(axis=0)))


def test_unbiased_initialization_has_the_papers_scale_shape_and_k():
    network = DiagonalNetwork.unbiased(3, 1e-3, 0.9)
    u, v = network.u_plus, network.v_plus
    np.testing.assert_allclose(u * v, 1e-3)
    np.testing.assert_allclose((v - u) / (v + u), 0.9)
    np.testing.assert_allclose(np.sqrt(network.k), 2 * (u**2 + v**2))
    np.testing.assert_allclose(np.sqrt(network.k), 4e-3 * (1 + 0.81) / (1 - 0.81))
    np.testing.assert_allclose(network.predictor(network.parameters), 0, atol=1e-18)


def test_diagonal_refuses():
    with pytest.raises(ValueError, match=r"shape is 1; it must lie in \(-1, 1\)"):
        DiagonalNetwork.unbiased(3, 1e-3, 1)
    with pytest.raises(ValueError, match=r"scale is 0; it must lie in \(0, inf\)"):
        DiagonalNetwork.unbiased(3, 0, 0)
    with pytest.raises(ValueError, match=r"v_minus has shape \(2,\); it must be 3"):
        DiagonalNetwork(np.ones(3), np.ones(3), np.ones(3), np.ones(2))
