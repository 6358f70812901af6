"""Excess norms: zero where the theorem says so, above elsewhere, and what is refused."""

import numpy as np
import pytest
import torch
from torch import nn

from implicit_bias.measure.excess import excess, linear_weights, turns_excess
from implicit_bias.models.linear import DiagonalNetwork

X = np.random.default_rng(0).standard_normal((10, 30))
Y = X[:, :3] @ [1.0, -2.0, 1.5]


def descended(net, rate=3e-3, steps=3000):
    """The predictor after steps of descent on ½‖Xw − y‖²."""
    theta = net.start
    for _ in range(steps):
        slope = (X @ net.predictor(theta) - Y) @ X
        a, b, c, d = theta.reshape(4, -1)
        theta = theta - rate * np.concatenate([b * slope, a * slope, -d * slope, -c * slope])
    return net.predictor(theta)


@pytest.mark.parametrize("scale", [1.0, 0.1, 0.01])
def test_the_exact_flow_of_a_diagonal_network_has_no_excess_at_any_time(scale):
    net, rng = DiagonalNetwork.unbiased(30, scale, 0.3), np.random.default_rng(1)
    for size in (0.01, 0.1):
        row = excess(net.predictor_from_dual(X, size * rng.standard_normal(10)), X, "entropy", k=net.k)
        assert abs(row.value) <= 1e-11
        assert row.low <= row.value <= row.high
        assert row.high - row.low <= 1e-8


@pytest.mark.parametrize("scale", [0.1, 0.01])
def test_only_the_right_entropy_has_no_excess_as_the_steps_of_descent_shrink(scale):
    net = DiagonalNetwork.unbiased(30, scale, 0.0)
    coarse, fine = (descended(net, rate, steps) for rate, steps in ((3e-3, 3000), (3e-4, 30_000)))
    assert np.abs(X @ fine - Y).max() < 1e-5
    right = [excess(w, X, "entropy", k=net.k).value for w in (coarse, fine)]
    assert right[0] <= 1e-4
    assert right[1] <= 0.02 * right[0]  # of second order in what the steps change
    for factor in (2, 0.5):
        assert excess(fine, X, "entropy", k=factor * net.k).value >= 5e-4
    assert excess(fine, X, "l1").value > 0.1
    assert excess(fine, X, "l2").value > 0.03


def test_a_row_space_and_a_vertex_have_no_excess():
    w = np.linalg.lstsq(X, Y)[0]
    assert abs(excess(w, X).value) < 1e-12
    assert excess(w, X, "l1").value > 0.1
    sparse = np.zeros(30)
    sparse[:3] = 1.0, -2.0, 1.5
    assert abs(excess(sparse, X, "l1").value) < 1e-9
    assert excess(sparse, X).value > 0.1
    assert excess(w + np.eye(30)[0], X).value > 0


def test_linear_networks_are_read_off():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(30, 7, bias=False), nn.Linear(7, 1, bias=False)).double()
    truth = (net[1].weight @ net[0].weight).detach().numpy()[0]
    np.testing.assert_allclose(linear_weights(net, torch.as_tensor(X)), truth, atol=1e-14)
    bent = nn.Sequential(net[0], nn.ReLU(), net[1])
    with pytest.raises(ValueError, match="model is not x·w at x"):
        linear_weights(bent, torch.as_tensor(X))


def ramps(w, b, a):
    net = nn.Sequential(nn.Linear(1, len(w)), nn.ReLU(), nn.Linear(len(w), 1)).double()
    net[0].weight.data, net[0].bias.data = torch.tensor(w).double()[:, None], torch.tensor(b).double()
    net[2].weight.data = torch.tensor(a).double()[None]
    return net


def test_joining_the_points_has_no_excess_and_more_turns_have():
    x = torch.tensor([[-1.0], [0.0], [1.0], [2.0]]).double()
    joined = ramps([1.0, 1.0, 1.0], [1.0, 0.0, -1.0], [1.0, -2.0, 3.0])
    # the turn at the first point is one outside, which straight lines go without: Σ 6, least 5
    assert turns_excess(joined, x).value == pytest.approx(1 / 5)
    assert turns_excess(ramps([1.0, -1.0], [0.0, 0.0], [1.0, 2.0]), x).value == pytest.approx(0, abs=1e-12)
    both = ramps([1.0, -1.0, 1.0], [0.0, 0.0, -0.5], [1.0, 2.0, 4.0])
    assert turns_excess(both, x).value == pytest.approx(3 / 3 + 4 / 3 - 1 - 1, abs=0.5)
    assert turns_excess(both, x).value >= 0
    same = ramps([1.0, 2.0], [0.0, 0.0], [1.0, 0.25])  # turns at one place are one turn
    assert turns_excess(same, x).value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("unit", [False, True])
def test_a_small_start_turns_little_and_a_large_one_much(unit):
    rng = np.random.default_rng(0)
    x = torch.tensor([[-1.0], [-0.3], [0.4], [1.0]]).double()
    y = torch.tensor([[0.5], [-0.5], [0.5], [-0.5]]).double()
    m, size = 100, 1.0 if unit else 0.05
    turn = rng.uniform(0, 2 * np.pi, m)
    net = ramps(size * np.cos(turn), size * np.sin(turn), size * np.resize([1.0, -1.0], m))
    net[2].bias.data[:] = 0.0
    optimizer = torch.optim.SGD(net.parameters(), 0.002 if unit else 0.02, momentum=0.9)
    for _ in range(1000):
        optimizer.zero_grad()
        (0.5 * (net(x) - y) ** 2).sum().backward()
        optimizer.step()
    assert float((net(x) - y).detach().abs().max()) < 0.02
    found = turns_excess(net, x).value
    assert (found > 1) if unit else (0 <= found < 0.6)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"norm": "l3"}, "norm is 'l3'"),
        ({"norm": "entropy"}, "k is None"),
        ({"k": np.ones(30)}, "k is given"),
        ({"w": np.zeros(30)}, "w gives x @ w = 0"),
        ({"w": np.ones(29)}, r"w has shape \(29,\)"),
    ],
)
def test_a_bad_argument_is_refused_in_one_line(change, said):
    with pytest.raises(ValueError, match=said):
        excess(**({"w": np.ones(30), "x": X, "norm": "l2"} | change))


def test_other_networks_and_straight_lines_are_refused():
    x = torch.tensor([[-1.0], [0.0], [1.0]]).double()
    with pytest.raises(ValueError, match="model is not a Linear of one input"):
        turns_excess(nn.Linear(1, 1).double(), x)
    with pytest.raises(ValueError, match="x has 3 different points"):
        turns_excess(ramps([1.0], [5.0], [1.0]), x)
