"""Convolutional networks: sizes, homogeneity, linearization, tangent kernel, training that is interrupted, refusals."""

import numpy as np
import pytest
import torch

from implicit_bias.flows import Batches, Checkpoint, minibatch_descent
from implicit_bias.models.convolutional import ConvNet, ScaledNet, tangent_features, tangent_norm, vgg11

# PyTorch's own forward derivatives warn of its compiler.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")

NET = ConvNet(8, 1, ((2,), (3, 3)), 4)
START = NET.draw(np.random.default_rng(0))
THETA = tuple(torch.as_tensor(part) for part in START)
X = torch.as_tensor(np.random.default_rng(1).standard_normal((12, 64)))
Y = torch.as_tensor(np.random.default_rng(2).standard_normal((12, 4)))


def test_sizes():
    assert NET.layers == 4
    assert NET.size == sum(part.size for part in START) == 20 + 57 + 84 + 52
    assert NET.pattern(THETA, X).shape == (12, NET.units) == (12, 2 * 64 + 6 * 16)
    assert NET.output(THETA, X).shape == (12, 4)
    net = vgg11(32, 3, 10)
    assert (net.layers, net.size) == (9, 9_225_610)  # 64 channels, 512 at the end
    assert NET.memory(100) > NET.memory(1) > 4 * 8 * NET.size


def test_the_start_keeps_the_size_of_signals():
    wide = ConvNet(8, 1, ((64, 64), (64,)), 10)
    theta = tuple(torch.as_tensor(part) for part in wide.draw(np.random.default_rng(3)))
    assert 0.3 < float((wide.output(theta, X) ** 2).mean()) < 10
    assert not any(part.any() for part in theta[1::2])


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_without_biases_it_is_homogeneous(factor):
    scaled = tuple(factor * part for part in THETA)
    assert torch.allclose(NET.output(scaled, X), factor**NET.layers * NET.output(THETA, X), rtol=1e-12)


def test_which_relus_are_active_does_not_depend_on_the_size_of_the_weights():
    active = NET.pattern(THETA, X)
    assert 0.2 < float(active.double().mean()) < 0.8
    assert torch.equal(NET.pattern(tuple(1e-3 * part for part in THETA), X), active)


def test_the_linearization_is_the_derivative():
    torch.manual_seed(0)
    step = tuple(1e-6 * torch.randn_like(part) for part in THETA)
    near = tuple(part + change for part, change in zip(THETA, step, strict=True))
    line = ScaledNet(NET, THETA, 1e6, linear=True)
    assert torch.allclose(ScaledNet(NET, THETA, 1e6).outputs(near, X), line.outputs(near, X), atol=1e-4)
    features = tangent_features(NET, THETA, X)
    flat = features @ torch.cat([change.ravel() for change in step])
    assert torch.allclose(1e6 * flat.reshape(12, 4), line.outputs(near, X), rtol=1e-10)


@pytest.mark.parametrize("chunk", [5, 256])
def test_the_features_are_those_of_automatic_derivatives(chunk):
    parts = torch.autograd.functional.jacobian(lambda *at: NET.output(at, X), THETA)
    expected = torch.cat([part.flatten(2) for part in parts], dim=2).flatten(0, 1)
    assert torch.allclose(tangent_features(NET, THETA, X, chunk), expected, rtol=1e-12, atol=1e-14)


def test_layer_by_layer():
    outputs, before, inputs = NET.layerwise(THETA, X)
    assert torch.equal(outputs, NET.output(THETA, X))
    assert [tuple(part.shape) for part in before] == [(12, 2, 8, 8), (12, 3, 4, 4), (12, 3, 4, 4)]
    assert torch.equal(inputs[-1] @ THETA[-2].T + THETA[-1], outputs)


def test_both_begin_at_0_and_chunks_change_nothing():
    for linear in (False, True):
        assert not ScaledNet(NET, THETA, 10.0, linear).outputs(THETA, X).any()
    moved = tuple(1.1 * part for part in THETA)
    whole, parts = ScaledNet(NET, THETA, 2.0), ScaledNet(NET, THETA, 2.0, chunk=5)
    assert torch.allclose(whole.outputs(moved, X), parts.outputs(moved, X), rtol=1e-12)
    assert torch.equal(parts.outputs(moved, X, parts.first(X)), parts.outputs(moved, X))


@pytest.mark.parametrize("linear", [False, True])
def test_the_gradient_is_that_of_the_loss(linear):
    seen = ScaledNet(NET, THETA, 3.0, linear)
    moved = [1.1 * part for part in THETA]
    slope = seen.batch_gradient(tuple(moved), X, seen.first(X), Y)

    def loss(step):
        beside = (moved[0] + step * slope[0], *moved[1:])
        return float(((seen.outputs(beside, X) - Y) ** 2).sum()) / (2 * 12 * 9)

    assert (loss(1e-6) - loss(-1e-6)) / 2e-6 == pytest.approx(float((slope[0] ** 2).sum()), rel=1e-5)


def test_the_norm_of_the_tangent_kernel():
    features = tangent_features(NET, THETA, X)
    exact = float(torch.linalg.matrix_norm(features, 2)) ** 2 / 12
    assert tangent_norm(NET, THETA, X, 200) == pytest.approx(exact, rel=1e-6)
    assert 0.8 * exact < tangent_norm(NET, THETA, X) <= exact * (1 + 1e-12)


def test_networks_side_by_side_are_those_alone():
    others = [tuple(torch.as_tensor(part) for part in NET.draw(np.random.default_rng(k))) for k in (5, 6, 7)]
    stacked = tuple(torch.stack(parts) for parts in zip(*others, strict=True))
    x, y = X.reshape(3, 4, 64), Y.reshape(3, 4, 4)
    moved = tuple(1.1 * part for part in stacked)
    seen = ScaledNet(NET, stacked, 3.0, chunk=3)
    found = seen.batch_gradient(moved, x, seen.first(x), y)
    active = NET.pattern(moved, x)
    for k, theta in enumerate(others):
        alone, own = ScaledNet(NET, theta, 3.0), tuple(1.1 * part for part in theta)
        assert torch.allclose(seen.outputs(moved, x)[k], alone.outputs(own, x[k]), rtol=1e-12)
        assert torch.equal(active[k], NET.pattern(own, x[k]))
        for part, slope in zip(found, alone.batch_gradient(own, x[k], alone.first(x[k]), y[k]), strict=True):
            assert torch.allclose(part[k], slope, rtol=1e-11, atol=1e-14)


def descend(folder=None, progress=lambda steps: None):
    """Forty steps at a large scale."""
    seen = ScaledNet(NET, THETA, 1e4)
    first = seen.first(X)
    return minibatch_descent(
        lambda theta, chosen: seen.batch_gradient(theta, X[chosen], first[chosen], Y[chosen]),
        START,
        Batches(12, 5, np.random.SeedSequence(4)),
        0.1 / tangent_norm(NET, THETA, X),
        [40],
        lambda theta: [float(((seen.outputs(theta, X) - Y) ** 2).mean())],
        device="cpu",
        checkpoint=Checkpoint(folder, "x", every=1e6) if folder else None,
        progress=progress,
    )


def test_an_interrupted_training_ends_the_same(tmp_path):
    taken = []

    def interrupt(steps):
        taken.append(steps)
        if sum(taken) == 17:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        descend(tmp_path, interrupt)
    told = []
    resumed, straight = descend(tmp_path, told.append), descend()
    assert told[0] == 17
    assert resumed.values.tobytes() == straight.values.tobytes()
    assert straight.values[-1] < straight.values[0]
    for mine, other in zip(resumed.parameters, straight.parameters, strict=True):
        assert mine.dtype == np.float64
        assert mine.tobytes() == other.tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ConvNet(12, 1, ((2,), (2,), (2,)), 4), "side is 12; it must be divisible by 8"),
        (lambda: ConvNet(8, 1, (), 4), "blocks is"),
        (lambda: ConvNet(8, 1, ((2,), ()), 4), "blocks is"),
        (lambda: ConvNet(8, 1, ((0,),), 4), "blocks is 0"),
        (lambda: ConvNet(8, 1, ((2,),), 1), "classes is 1"),
        (lambda: vgg11(16, 3, 10), "side is 16"),
        (lambda: ScaledNet(NET, THETA, 0.0), "alpha is 0"),
        (lambda: ScaledNet(NET, THETA, 1.0, chunk=0), "chunk is 0"),
        (lambda: tangent_features(vgg11(32, 3, 10), THETA, torch.zeros(100, 3072)), "4 GiB"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
