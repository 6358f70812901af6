"""The gradient in blocks and in place against the plain one and autograd; what it refuses."""

import numpy as np
import pytest
import torch
from library.helpers import refusal

from implicit_bias.activations import RELU, LeakyReLU
from implicit_bias.data import clusters
from implicit_bias.flows import ScheduledDescent, drive
from implicit_bias.losses import SmoothMargin, Squared, margin_loss
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer, blocked

LOSSES = [SmoothMargin(), SmoothMargin(margin_loss("logistic")), Squared("sum")]


def flow_of(m, n, d, *, scaling="1/m", loss=LOSSES[0], trained="both", activation=RELU):
    """A network on clusters, at a Gaussian start."""
    data, start = np.random.default_rng(m).spawn(2)
    points = clusters(data, n, 3, d=d, labels="random")
    risk = Risk(TwoLayer(activation, trained, scaling), points, loss)
    return risk.of_weights(start.standard_normal((m, d)), start.standard_normal(m))


@pytest.mark.parametrize("scaling", ["1/m", "1/sqrt(m)", 1])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("m", "n", "d"), [(1, 9, 3), (7, 10, 4), (300, 40, 6)])
@pytest.mark.parametrize("few", [0, blocked.FEW])
def test_it_is_the_plain_gradient(monkeypatch, few, m, n, d, loss, scaling):
    monkeypatch.setattr(blocked, "FEW", few)
    flow = flow_of(m, n, d, scaling=scaling, loss=loss)
    fast = BlockedGradient(flow.risk, m)
    plain = flow.gradient(flow.start)
    np.testing.assert_allclose(fast.gradient(flow.start), plain, rtol=1e-11, atol=1e-13 * np.abs(plain).max())
    outputs = flow.outputs(flow.start)
    np.testing.assert_allclose(fast.outputs(flow.start), outputs, rtol=1e-11, atol=1e-13 * np.abs(outputs).max())


@pytest.mark.parametrize("block", [1, 90, 400, 10**6])
def test_no_size_of_a_block_changes_it(monkeypatch, block):
    """Of one neuron, of blocks that do not divide their number, of all."""
    monkeypatch.setattr(blocked, "BLOCK", block)
    monkeypatch.setattr(blocked, "FEW", 0)
    flow = flow_of(23, 30, 5)
    plain = flow.gradient(flow.start)
    found = BlockedGradient(flow.risk, 23).gradient(flow.start)
    np.testing.assert_allclose(found, plain, rtol=1e-11, atol=1e-13 * np.abs(plain).max())


def test_it_is_autograds():
    m, n, d = 50, 20, 4
    flow = flow_of(m, n, d)
    x, y = torch.tensor(flow.risk.data.x), torch.tensor(flow.risk.data.y)
    theta = torch.tensor(flow.start, requires_grad=True)
    outputs = torch.relu(x @ theta[: m * d].reshape(m, d).T) @ theta[m * d :] / m
    (torch.logsumexp(-y * outputs, 0) - np.log(n)).backward()
    expected = theta.grad.numpy()
    found = BlockedGradient(flow.risk, m).gradient(flow.start)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13 * np.abs(expected).max())


def test_a_trajectory_stays_the_same():
    m = 200
    flow = flow_of(m, 64, 15)
    fast = BlockedGradient(flow.risk, m)
    ends = [
        drive(ScheduledDescent(gradient, lambda k, theta: m * 0.5 / np.sqrt(k + 1)), flow.start, t_end=300).final
        for gradient in (flow.gradient, fast.gradient)
    ]
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-10 * np.abs(ends[0]).max())


def test_a_call_changes_neither_the_state_nor_an_earlier_answer():
    flow = flow_of(11, 12, 3)
    fast = BlockedGradient(flow.risk, 11)
    state = flow.start.copy()
    first = fast.gradient(state)
    kept = first.copy()
    fast.gradient(2 * state)
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(state, flow.start)


def test_only_relu_networks_of_which_both_layers_move():
    for flow in (flow_of(3, 9, 3, trained="output"), flow_of(3, 9, 3, activation=LeakyReLU(0.5))):
        refusal(lambda flow=flow: BlockedGradient(flow.risk, 3), "risk.net")
    refusal(lambda: BlockedGradient(flow_of(3, 9, 3).risk, 0), "m")
