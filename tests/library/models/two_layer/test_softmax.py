"""The softmax network against autograd and PyTorch, its start, and the stable rank."""

import numpy as np
import pytest
import torch

from implicit_bias.models.two_layer import SoftmaxNetwork, accuracy, stable_rank


def test_the_gradient_is_autograds(labelled, weights):
    x, targets, labels = labelled
    tensors = [torch.tensor(part, requires_grad=True) for part in weights]
    w, b, a, c = tensors
    logits = torch.relu(torch.tensor(x) @ w.T + b) @ a.T + c
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor(labels))
    found = SoftmaxNetwork(*weights).batch_gradient(weights, x, targets)
    for mine, its in zip(found, torch.autograd.grad(loss, tensors), strict=True):
        np.testing.assert_allclose(mine, its.numpy(), rtol=1e-12, atol=1e-15)
    output = SoftmaxNetwork.output(weights, x)
    np.testing.assert_allclose(output, logits.detach().numpy(), rtol=1e-12)
    assert accuracy(output, labels) == float((logits.argmax(1).numpy() == labels).mean())


def test_large_logits_do_not_overflow(labelled, weights):
    x, targets, _ = labelled
    large = tuple(1e4 * part for part in weights)
    assert all(np.all(np.isfinite(part)) for part in SoftmaxNetwork.batch_gradient(large, x, targets))


def test_torch_computes_the_same(labelled, weights):
    x, targets, labels = labelled
    tensors, x_t, targets_t = tuple(map(torch.tensor, weights)), torch.tensor(x), torch.tensor(targets)
    slope = SoftmaxNetwork.batch_gradient
    for mine, its in zip(slope(weights, x, targets), slope(tensors, x_t, targets_t), strict=True):
        np.testing.assert_allclose(mine, its.numpy(), rtol=1e-12, atol=1e-15)
    output, output_t = SoftmaxNetwork.output(weights, x), SoftmaxNetwork.output(tensors, x_t)
    assert accuracy(output, labels) == accuracy(output_t, torch.tensor(labels))
    assert stable_rank(weights[0]) == pytest.approx(stable_rank(tensors[0]), rel=1e-12)


def test_stable_rank_of_known_matrices():
    assert stable_rank(np.outer([1.0, 2.0], [3.0, 4.0, 5.0])) == pytest.approx(1, rel=1e-14)
    assert stable_rank(np.eye(4, 9)) == pytest.approx(4, rel=1e-14)
    assert stable_rank(np.diag([2.0, 1.0, 1.0])[:, :2]) == pytest.approx(5 / 4, rel=1e-14)
    several = np.stack([np.eye(4, 9), np.outer(np.ones(4), np.ones(9))])
    np.testing.assert_allclose(stable_rank(several), [4, 1], rtol=1e-14)
    np.testing.assert_allclose(stable_rank(torch.tensor(several)), [4, 1], rtol=1e-14)


@pytest.mark.parametrize("power", [-1000, -600, -3, 3, 600, 1000])
def test_stable_rank_has_no_unit(power):
    w = np.random.default_rng(3).standard_normal((4, 9))
    assert stable_rank(w * 2.0**power) == stable_rank(w)


def test_glorot_has_the_variances_of_keras():
    net = SoftmaxNetwork.glorot(np.random.default_rng(0), 400, 300, 10, divisor=2.0)
    assert np.var(net.w) == pytest.approx(2 / 700 / 4, rel=0.02)
    assert np.abs(net.w).max() == pytest.approx(np.sqrt(6 / 700) / 2, rel=1e-3)
    assert np.var(net.a) == pytest.approx(2 / 410 / 4, rel=0.05)
    assert not net.b.any()
    assert not net.c.any()


@pytest.mark.parametrize("bad", [{"width": 0}, {"d": 0}, {"classes": 1}, {"divisor": 0.0}])
def test_glorot_refuses(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        SoftmaxNetwork.glorot(np.random.default_rng(0), **({"width": 3, "d": 2, "classes": 2} | bad))
