"""Margins: Euler's relation with its controls, what the norm sees, and brackets where the best is proved."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from implicit_bias.data import Classification
from implicit_bias.limits.margin import max_margin, variation_margin
from implicit_bias.measure.margin import last_layer, margin

torch.manual_seed(0)
X = torch.randn(40, 6).double()
BINARY = torch.where(X[:, 0] + 0.5 * X[:, 1] > 0, 1, -1)
CLASSES = (X @ torch.randn(6, 3).double()).argmax(1)


def network(*sizes, bias=False, act=nn.ReLU, seed=0):
    torch.manual_seed(seed)
    parts = []
    for a, b in pairwise(sizes):
        parts += [nn.Linear(a, b, bias=bias), act()]
    return nn.Sequential(*parts[:-1]).double()


def descend(net, x, y, steps=400, rate=0.2):
    """Steps of descent on the logarithm of the exponential loss over all differences of classes."""
    for _ in range(steps):
        f = net(x)
        rows = torch.arange(len(y))
        q = f * y[:, None] if f.shape[1] == 1 else f[rows, y][:, None] - f - 1e9 * nn.functional.one_hot(y, f.shape[1])
        q = q if f.shape[1] == 1 else torch.where(q < -1e8, torch.inf, q)
        slopes = torch.autograd.grad(torch.logsumexp(-q.flatten(), 0), list(net.parameters()))
        with torch.no_grad():
            for part, slope in zip(net.parameters(), slopes, strict=True):
                part -= rate * slope / (1 + float((part**2).sum()))
    return net


@pytest.mark.parametrize("kind", [torch.float64, torch.float32])
def test_euler_s_relation_holds_where_it_should_and_nowhere_else(kind):
    x = X.to(kind)
    most = 1e-13 if kind == torch.float64 else 1e-6
    for sizes in ((6, 3), (6, 16, 3), (6, 16, 16, 3)):
        found = margin(network(*sizes).to(kind), x, CLASSES)
        assert found.euler.value <= most
        assert found.normalized.quantity.endswith(f"degree {len(sizes) - 1}")
        assert found.quasi is None
    biased = margin(network(6, 16, 16, 3, bias=True).to(kind), x, CLASSES)
    assert biased.euler.value > 0.01
    assert biased.quasi.value <= most
    assert [one.name for one in biased.quasi.failed] == ["separated"]
    assert "homogeneous" in [one.name for one in biased.normalized.failed]
    assert biased.normalized.covers is None
    for act in (nn.GELU, nn.Tanh, nn.SiLU):
        control = margin(network(6, 16, 16, 3, act=act).to(kind), x, CLASSES)
        assert control.euler.value > 0.01
        assert control.quasi.failed
    first = network(6, 16, 3)
    first[0] = nn.Linear(6, 16).double()  # a bias in the first layer is a weight like others
    assert margin(first.to(kind), x, CLASSES).euler.value <= most


def test_wrong_degrees_are_noticed():
    net = network(6, 16, 16, 3, bias=True)
    right = {"0.bias": 1.0, "2.bias": 2.0, "4.bias": 3.0}
    assert margin(net, X, CLASSES, degrees=right).quasi.value < 1e-13
    assert margin(net, X, CLASSES, degrees={**right, "4.bias": 2.0}).quasi.value > 1e-3


def test_what_the_normalized_margin_sees_and_what_not():
    net = descend(network(6, 12, 1), X, BINARY)
    one = margin(net, X, BINARY)
    for part in net.parameters():
        part.data *= 3.7
    assert margin(net, X, BINARY).normalized.value == pytest.approx(one.normalized.value, rel=1e-12)
    assert margin(net, 5 * X, BINARY).normalized.value == pytest.approx(5 * one.normalized.value, rel=1e-12)
    first, second = (float((part.data**2).sum()) for part in net.parameters())
    net[0].weight.data *= 2
    net[2].weight.data /= 2
    other = margin(net, X, BINARY)
    ratio = (first + second) / (4 * first + second / 4)  # the same function
    assert other.normalized.value == pytest.approx(ratio * one.normalized.value, rel=1e-12)
    assert ratio < 0.6
    assert other.paths.value == pytest.approx(one.paths.value, rel=1e-12)


def test_decay_and_points_that_are_not_separated_leave_no_theorem():
    net = descend(network(6, 12, 1), X, BINARY)
    assert margin(net, X, BINARY).normalized.covers is not None
    assert [one.name for one in margin(net, X, BINARY, decay=1e-3).normalized.failed] == ["no weight decay"]
    assert [one.name for one in margin(net, X, -BINARY).normalized.failed] == ["separated"]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_deep_linear_networks_have_at_most_the_margin_that_is_proved_and_reach_it(depth):
    net = network(*[6] * depth, 1, act=nn.Identity)
    best = max_margin((BINARY[:, None] * X).numpy()).margin * depth ** (-depth / 2)
    found = margin(descend(net, X, BINARY, rate=20.0 if depth == 1 else 0.2), X, BINARY)
    assert found.share.low - 1e-12 <= found.normalized.value / best <= found.share.high + 1e-12 <= 1 + 1e-9
    assert found.share.value > 0.5
    # at the optimum, balanced and of rank one, nothing is left
    w = max_margin((BINARY[:, None] * X).numpy()).direction
    linear = [part for part in net if isinstance(part, nn.Linear)]
    for place, part in enumerate(linear):
        part.weight.data *= 0
        row = torch.as_tensor(w) if place == 0 else torch.eye(6).double()[0]
        part.weight.data[0] = row
    found = margin(net, X, BINARY)
    assert found.share.low <= 1 <= found.share.high * (1 + 1e-12)
    assert found.share.high - found.share.low < 1e-8


def test_two_layers_in_the_plane_have_at_most_gamma_one():
    rng = np.random.default_rng(0)
    points, labels = rng.standard_normal((10, 2)), np.resize([1.0, -1.0], 10)
    best = variation_margin(Classification(np.column_stack([points, np.ones(10)]), labels))
    net = network(2, len(best.masses), 1)
    net[0] = nn.Linear(2, len(best.masses)).double()
    root = np.sqrt(np.abs(best.masses))
    net[0].weight.data = torch.as_tensor(root[:, None] * best.directions[:, :2])
    net[0].bias.data = torch.as_tensor(root * best.directions[:, 2])
    net[2].weight.data = torch.as_tensor(np.sign(best.masses) * root)[None]
    x, y = torch.as_tensor(points), torch.as_tensor(labels)
    found = margin(net, x, y)
    assert found.share.value == pytest.approx(1, abs=1e-8)
    assert found.paths.value == pytest.approx(best.margin, rel=1e-9)
    for part in net.parameters():
        part.data += 1e-3 * torch.randn_like(part) * part.abs().max()
    assert margin(net, x, y).share is None or margin(net, x, y).share.high < 1


def test_the_last_layer_is_held_against_the_best_of_its_features():
    for labels, k, bias in ((BINARY, 1, True), (CLASSES, 3, False)):
        net = descend(network(6, 20, k, bias=bias), X, labels, 500)
        found = last_layer(net, X, labels)
        assert found.best.high - found.best.low < 1e-8 * found.best.high
        assert 0.05 < found.share.low <= found.share.high <= 1 + 1e-12


def test_the_best_last_layer_has_all_of_it():
    net = descend(network(6, 20, 1), X, BINARY)
    phi = net[:2](X).detach().numpy()
    net[2].weight.data = torch.as_tensor(max_margin(phi * BINARY.numpy()[:, None]).w)[None]
    found = last_layer(net, X, BINARY)
    assert found.share.low <= 1 + 1e-12
    assert found.share.high >= 1 - 1e-9
    some = last_layer(net, X, BINARY, rows=range(5))
    assert some.best.low >= found.best.high * (1 - 1e-9)


class Doubled(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return 2 * self.net(x)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"y": CLASSES + 1}, "y has labels 1, 2, 3; it must have a label a row of x, whole numbers from 0 to 2"),
        ({"y": CLASSES[:5]}, r"y has shape \(5,\)"),
        ({"model": network(6, 4, 1)}, "y has labels .* −1 and 1, for one output"),
        ({"model": nn.Sequential(nn.Linear(6, 3), nn.BatchNorm1d(3)).double()}, "BatchNorm1d '1' in train mode"),
        ({"x": X * torch.nan}, "model gives what is no finite number at x"),
    ],
)
def test_a_bad_argument_is_refused_in_one_line(change, said):
    with pytest.raises(ValueError, match=said) as caught:
        margin(**({"model": network(6, 4, 3), "x": X, "y": CLASSES} | change))
    assert "\n" not in str(caught.value)


def test_a_last_layer_that_is_none_and_rows_that_are_none_are_refused():
    net = descend(network(6, 12, 1), X, BINARY)
    with pytest.raises(ValueError, match="model has no Linear that makes its output"):
        last_layer(Doubled(net), X, BINARY)
    with pytest.raises(ValueError, match="model has no Linear that makes its output"):
        last_layer(nn.Conv1d(1, 1, 6).double(), X[:, None], BINARY)
    with pytest.raises(ValueError, match="model separates x, y by -"):
        last_layer(net, X, -BINARY)
    with pytest.raises(ValueError, match="rows is .*; it must hold indices from 0 to 39"):
        last_layer(net, X, BINARY, rows=[40])
    many = X[:1].expand(20_001, 6)
    with pytest.raises(ValueError, match="rows is None, of 20001 constraints; it must choose 20000 at most"):
        last_layer(net, many, BINARY[:1].expand(20_001))
