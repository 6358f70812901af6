"""The proved bound: by hand, on trained networks, refusals."""

import numpy as np
import pytest

from implicit_bias.activations import Tanh
from implicit_bias.data import Samples
from implicit_bias.flows import gradient_flow
from implicit_bias.limits.lazy import lazy_bound
from implicit_bias.limits.lazy.bound import DECAY
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, tangents
from implicit_bias.wrapped_losses import Scaled


def test_by_hand():
    found = lazy_bound(np.diag([4.0, 9.0]), [3.0, 4.0], 2.0)
    assert found.scale == pytest.approx(4 * 2 * 5 / 4)
    assert found.displacement == pytest.approx(2 * 5 / 2)
    assert found.distance == pytest.approx(1.26 * 2 * 25 * (2 * 3 + 2 / 2) / 8)


def test_the_integral_is_at_most_its_bound():
    s = np.linspace(0, 20, 200_001)
    assert DECAY - 1e-3 < np.max(4 / 3 * (np.exp(-s / 4) - np.exp(-s))) < DECAY


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_trained_networks_keep_to_it(factor):
    stream = np.random.default_rng(5)
    x, y = stream.standard_normal((3, 6)), np.array([1.0, -1.0, 1.0])
    w, a = stream.standard_normal((30, 6)) / 3, stream.standard_normal(30)
    net = TwoLayer(Tanh(), scaling="1/sqrt(m)")
    kernel = tangents(net, w, a, x).kernel
    length = np.linalg.norm(x, axis=1)
    beta = np.linalg.norm((np.abs(a).max() + 1) * 0.77 * length**2 + length) / np.sqrt(len(a))
    bound = lazy_bound(kernel, y, beta)
    assert np.sqrt(np.linalg.eigvalsh(kernel)[0]) / (2 * beta) < 1  # as far as a_j moves at most
    alpha = factor * bound.scale
    seen = Scaled(Squared("sum"), alpha, net.output(w, a, x))
    flow = Risk(net, Samples(x, y), seen).of_weights(w, a)
    times = np.geomspace(1e-2, 40, 40)
    run = gradient_flow(flow.velocity, flow.start, t_end=40.0, record=times[:-1])
    values, vectors = np.linalg.eigh(kernel)
    linear = y - (np.exp(-values * run.t[:, None]) * (vectors.T @ y)) @ vectors.T
    outputs = np.array([seen.outputs(flow.outputs(state)) for state in run.theta])
    assert alpha * np.linalg.norm(outputs - linear, axis=1).max() <= bound.distance
    moved = alpha * np.linalg.norm(run.theta - flow.start, axis=1).max()
    assert bound.displacement / 20 < moved <= bound.displacement


@pytest.mark.parametrize(
    ("kernel", "beta", "words"),
    [
        (np.diag([1.0, 0.0]), 1.0, "kernel has the least eigenvalue 0.0"),
        (np.eye(3), 1.0, r"kernel has shape \(3, 3\); it must be 2 × 2"),
        (np.eye(2), 0.0, "lipschitz is 0"),
    ],
)
def test_what_has_no_bound_is_refused(kernel, beta, words):
    with pytest.raises(ValueError, match=words):
        lazy_bound(kernel, [1.0, -1.0], beta)
