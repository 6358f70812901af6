"""Stationarity: nearly 0 at a certified optimum, exactly 0 at a point that is none, and large where it should be."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from implicit_bias.data import Classification
from implicit_bias.limits.margin import variation_margin
from implicit_bias.measure.margin import margin
from implicit_bias.measure.stationarity import SENTENCE, stationarity


class Wrapped(nn.Module):
    """The same network, of which nothing is known."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


def two_layers(first, second):
    net = nn.Sequential(nn.Linear(first.shape[1], len(first), bias=False), nn.ReLU(), nn.Linear(len(first), 1, False))
    net[0].weight.data, net[2].weight.data = torch.as_tensor(first), torch.as_tensor(second)[None]
    return net.double()


def optimum(seed=0, n=10):
    """The network of largest margin on points of the plane: each of its neurons rests on kinks."""
    rng = np.random.default_rng(seed)
    x, y = np.column_stack([rng.standard_normal((n, 2)), np.ones(n)]), np.resize([1.0, -1.0], n)
    best = variation_margin(Classification(x, y))
    root = np.sqrt(np.abs(best.masses))
    return (
        two_layers(root[:, None] * best.directions, np.sign(best.masses) * root),
        torch.as_tensor(x),
        torch.as_tensor(y),
    )


def values(net, x, y, **options):
    return [row.value for row in stationarity(net, x, y, **options).curve]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_certified_optimum_is_stationary_over_the_hull_and_not_for_autograd(seed):
    net, x, y = optimum(seed)
    found = stationarity(net, x, y)
    assert found.hull == "exact"
    most = 1e-4
    assert max(row.value for row in found.curve) <= most
    # how far off depends on which of several best networks the program finds, and so on the processor
    assert min(values(net, x, y, radius=0.0)) > 100 * most
    assert min(values(Wrapped(net), x, y, draws=0)) > 100 * most
    assert max(values(Wrapped(net), x, y, draws=30, radius=1e-6)) <= 1e-4


def test_the_hull_is_not_so_wide_that_everything_is_stationary():
    net, x, y = optimum(0)
    kept = [part.data.clone() for part in net.parameters()]
    torch.manual_seed(0)
    for noise, least in ((0.01, 0.02), (0.05, 0.2)):
        for part, before in zip(net.parameters(), kept, strict=True):
            part.data = before * (1 + noise * torch.randn_like(before))
        if margin(net, x, y).normalized.value > 0:
            assert min(values(net, x, y)) > least


def test_autograd_jumps_between_neighbours_where_the_hull_stays():
    net, x, y = optimum(1)
    kept = [part.data.clone() for part in net.parameters()]
    hull, alone = [], []
    torch.manual_seed(0)
    for _ in range(4):
        for part, before in zip(net.parameters(), kept, strict=True):
            part.data = before * (1 + 1e-7 * torch.randn_like(before))
        hull += values(net, x, y, tau=[0.1])
        alone += values(net, x, y, tau=[0.1], radius=0.0)
    assert max(hull) < 1e-3
    assert min(alone) > 0.05


def saddle():
    x = torch.tensor([[1.0, 0.0, 0.0], [-0.1, 1.0, 0.0], [0.0, 0.0, 1.0]]).double()
    x = x / x.norm(dim=1, keepdim=True)
    return two_layers(x.numpy(), np.array([1.0, 1.0, -1.0])), x, torch.tensor([1, 1, -1])


def test_a_stationary_point_may_be_no_optimum_and_the_sentence_says_so():
    net, x, y = saddle()
    for options in ({}, {"radius": 0.0}):
        assert max(values(net, x, y, **options)) < 1e-12
    share = margin(net, x, y).share
    assert share.low <= share.value <= share.high
    assert share.value == pytest.approx(0.8301, abs=1e-5)
    found = stationarity(net, x, y)
    assert SENTENCE in repr(found)
    assert all(SENTENCE in repr(row) for row in found.curve)
    torch.manual_seed(0)
    apart = nn.Sequential(nn.Linear(3, 1, bias=False), nn.Tanh()).double()
    apart[0].weight.data = torch.tensor([[1.0, 1.0, -1.0]]).double()
    assert SENTENCE in repr(stationarity(apart, x, y).curve[0])  # where no theorem speaks


def test_what_epsilon_sees_and_what_not():
    net, x, y = saddle()
    net[0].weight.data[0] *= 1.2
    one = values(net, x, y)
    assert min(one) > 0.01
    for part in net.parameters():
        part.data *= 3.7
    assert values(net, x, y) == pytest.approx(one, rel=1e-9)  # Lyu and Li's own multipliers move
    assert values(net, 7 * x, y) == pytest.approx(one, rel=1e-9)
    net, x, y = saddle()
    net[0].weight.data *= 2
    net[2].weight.data /= 2
    assert min(values(net, x, y)) > 0.5  # the same function, out of balance
    torch.manual_seed(0)
    assert values(net, x, y)[0] == pytest.approx(15 / 17)  # the angle between (2, ½) and (½, 2)


def test_more_constraints_and_more_gradients_only_lower_it():
    net, x, y = optimum(2)
    torch.manual_seed(1)
    for part in net.parameters():
        part.data *= 1 + 1e-3 * torch.randn_like(part)
    curve = values(net, x, y)
    assert all(a >= b - 1e-9 for a, b in pairwise(curve))
    few, many = (values(Wrapped(net), x, y, draws=draws)[0] for draws in (2, 10))
    assert few >= many - 1e-9
    assert values(net, x, y, radius=1e-9)[0] >= curve[0] - 1e-9


def test_several_classes_and_biases_agree_with_autograd_where_nothing_is_near_a_kink():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 3)).double()
    x = torch.randn(12, 4).double()
    y = net(x).argmax(1)
    exact = stationarity(net, x, y, radius=0.0)
    other = stationarity(Wrapped(net), x, y, draws=0)
    assert (exact.hull, other.hull) == ("exact", "random")
    assert [row.value for row in exact.curve] == pytest.approx([row.value for row in other.curve], rel=1e-9)
    assert [one.name for one in exact.curve[0].failed] == ["homogeneous"]


def test_a_linear_classifier_of_largest_margin_is_stationary():
    from implicit_bias.limits.margin import matrix_margin

    torch.manual_seed(0)
    x = torch.randn(15, 5).double()
    y = (x @ torch.randn(5, 3).double()).argmax(1)
    net = nn.Linear(5, 3, bias=False).double()
    net.weight.data = torch.as_tensor(matrix_margin(x.numpy(), y.numpy()).w)
    assert max(values(net, x, y)) < 1e-6
    net.weight.data[0, 0] += 0.05
    assert values(net, x, y)[0] > 1e-2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tau": [0.0]}, "tau holds 0"),
        ({"tau": []}, r"tau has shape \(0,\)"),
        ({"radius": -1.0}, "radius is -1"),
        ({"draws": -1}, "draws is -1"),
        ({"y": torch.tensor([-1, -1, 1])}, "model separates x, y by -1 at least; it must be more than 0"),
        ({"rows": [7]}, "rows is .*; it must hold indices from 0 to 2"),
    ],
)
def test_a_bad_argument_is_refused_in_one_line(change, said):
    net, x, y = saddle()
    with pytest.raises(ValueError, match=said):
        stationarity(**({"model": net, "x": x, "y": y} | change))
