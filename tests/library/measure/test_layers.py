"""Stable ranks and alignments: deep linear networks end at one, convolutions are read by channels, refusals."""

from itertools import pairwise

import pytest
import torch
from torch import nn

from implicit_bias.measure.layers import layers


@pytest.mark.parametrize("depth", [2, 3])
def test_deep_linear_networks_align_under_the_exponential_loss(depth):
    torch.manual_seed(depth)
    x = torch.randn(20, 6).double()
    x = x * torch.sign(x @ torch.ones(6).double())[:, None] + 0.3
    sizes = [6, *[6] * (depth - 1), 1]
    net = nn.Sequential(*(nn.Linear(a, b, bias=False) for a, b in pairwise(sizes))).double()
    for part in net:
        part.weight.data = 0.3 * torch.randn_like(part.weight)
    before = layers(net)
    for _ in range(4000):  # the loss's logarithm: the same path at a faster pace
        loss = torch.logsumexp(-net(x).squeeze(1), 0)
        slopes = torch.autograd.grad(loss, list(net.parameters()))
        size = sum(float((part.data**2).sum()) for part in net.parameters())
        with torch.no_grad():
            for part, slope in zip(net.parameters(), slopes, strict=True):
                part -= 0.05 / max(1.0, size ** (depth / 2 - 1)) * slope
    after = layers(net)
    assert min(row.value for row in after.alignments) > 0.99
    assert max(row.value for row in before.alignments) < 0.95
    assert max(row.value for row in after.ranks) < 1.05
    assert before.ranks[0].value > 1.2


def test_a_block_of_channels_is_one_place():
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Linear(2 * 4, 1)).double()
    net[0].weight.data = torch.zeros(2, 1, 3, 3).double()
    net[0].weight.data[1] = 1.0
    net[2].weight.data = torch.zeros(1, 8).double()
    net[2].weight.data[0, 4:] = 1.0  # the second channel's block
    found = layers(net)
    assert [row.value for row in found.ranks] == pytest.approx([1, 1])
    assert found.alignments[0].value == pytest.approx(1)
    net[2].weight.data = net[2].weight.data.flip(1)
    assert layers(net).alignments[0].value == pytest.approx(0, abs=1e-12)


def test_the_stable_rank_is_that_of_the_singular_values():
    line = nn.Linear(3, 3).double()
    line.weight.data = torch.diag(torch.tensor([2.0, 1.0, 1.0])).double()
    assert layers(line).ranks[0].value == pytest.approx(1.5)
    pair = nn.Sequential(nn.Linear(3, 3), nn.Linear(4, 2))
    row = layers(pair).alignments[0]
    assert row.value != row.value
    assert row.kind == "number"


def test_models_without_layers_are_refused():
    with pytest.raises(ValueError, match="model has no Linear and no convolution"):
        layers(nn.ReLU())
    line = nn.Linear(2, 2)
    line.weight.data *= 0
    with pytest.raises(ValueError, match="largest singular value 0"):
        layers(line)
    with pytest.raises(ValueError, match="it must be a Module"):
        layers(None)
