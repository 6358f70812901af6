"""The diagonal network's two flows, all parameters and N numbers, are one; their derivatives are those they claim."""

import numpy as np
import pytest
import torch
from library.helpers import autograd

from implicit_bias.flows import follow
from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork, DualFlow


@pytest.fixture
def network():
    return DiagonalNetwork(*np.random.default_rng(2).standard_normal((4, 12)))


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_the_gradient_is_autograds(regression, network, reduction):
    x, y = torch.tensor(regression.x), torch.tensor(regression.y)

    def loss(theta):
        u_plus, v_plus, u_minus, v_minus = theta.reshape(4, 12)
        squares = (y - x @ (u_plus * v_plus - u_minus * v_minus)) ** 2 / 2
        return squares.mean() if reduction == "mean" else squares.sum()

    theta = np.random.default_rng(4).standard_normal(48)
    flow = DiagonalFlow(network, regression.x, regression.y, reduction)
    np.testing.assert_allclose(flow.gradient(theta), autograd(loss, theta), rtol=1e-10)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_both_flows_take_the_same_way(regression, network, reduction):
    data = network, regression.x, regression.y, reduction
    full, dual = DiagonalFlow(*data), DualFlow(*data)
    assert full.misfit(full.start) == pytest.approx(dual.misfit(dual.start), rel=1e-14)
    for t_end in (0.1, 1.0):
        ends = [flow.predictor(follow(flow, t_end=t_end, rtol=1e-12).final) for flow in (full, dual)]
        np.testing.assert_allclose(*ends, rtol=1e-8)
    end = follow(full, t_end=1.0, rtol=1e-12).final
    np.testing.assert_allclose(network.brackets(end), network.brackets(full.start), atol=1e-9)


def test_they_end_where_the_labels_are_fitted(regression, network):
    dual = DualFlow(network, regression.x, regression.y)
    w = dual.predictor(follow(dual, misfit=1e-10).final)
    assert np.linalg.norm(regression.y - regression.x @ w) == pytest.approx(1e-10, rel=1e-2)


def test_the_jacobian_is_the_velocitys(regression, network):
    flow, step = DualFlow(network, regression.x, regression.y), 1e-6
    state = 0.1 * np.random.default_rng(3).standard_normal(len(regression.y))
    for column, direction in zip(flow.jacobian(state).T, step * np.eye(state.size), strict=True):
        numeric = (flow.velocity(state + direction) - flow.velocity(state - direction)) / (2 * step)
        np.testing.assert_allclose(column, numeric, rtol=1e-6, atol=1e-6 * np.abs(column).max())


@pytest.mark.parametrize("flow", [DiagonalFlow, DualFlow])
def test_arrays_that_do_not_fit_are_refused(regression, network, flow):
    with pytest.raises(ValueError, match=r"x has shape \(6, 5\); it must be any × 12"):
        flow(network, regression.x[:, :5], regression.y)
    with pytest.raises(ValueError, match=r"y has shape \(5,\); it must be 6"):
        flow(network, regression.x, regression.y[:5])
    with pytest.raises(ValueError, match="reduction is 'max'; it must be one of mean, sum"):
        flow(network, regression.x, regression.y, "max")
