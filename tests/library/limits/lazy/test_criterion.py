"""The criterion: by hand, under rescaling, its bound on trained networks, its limit on random ones, refusals."""

import numpy as np
import pytest

from implicit_bias.activations import RELU, Tanh
from implicit_bias.limits.lazy import lazy_criterion, lazy_error, wide_criterion
from implicit_bias.models.two_layer import TwoLayer, neuron_derivatives


def of(net, w, a, x, y):
    """The criterion of a network."""
    gradients, seconds = neuron_derivatives(net, w, a, x)
    kernel = np.einsum("jia,jka->ik", gradients, gradients)
    return lazy_criterion(net.output(w, a, x) - y, kernel, seconds)


def in_pairs(seed, m):
    """W and a of pairs of neurons in the plane, five points and labels."""
    stream = np.random.default_rng(seed)
    w = stream.standard_normal((m // 2, 2))
    return np.vstack([w, w]), np.repeat([1.0, -1.0], m // 2), stream.standard_normal((5, 2)), stream.standard_normal(5)


def test_by_hand():
    found = lazy_criterion([3.0], [[5.0]], np.array([[[[0.0, 1.0], [1.0, 0.0]]]]))  # h = aw at (2, 1)
    assert found.below == pytest.approx(3 / 5)
    assert found.above == pytest.approx(3 / 5, rel=1e-8)
    assert (found.slope, found.bend) == pytest.approx((np.sqrt(5), 1))


@pytest.mark.parametrize("scale", [0.01, 0.3, 20.0])
def test_a_homogeneous_network_has_its_law(scale):
    w, a, x, y = in_pairs(0, 12)
    at = [of(TwoLayer(RELU), factor * w, factor * a, x, y).above for factor in (1.0, scale)]
    assert at[1] == pytest.approx(at[0] / scale**2, rel=1e-8)


def test_labels_and_outputs_scale_it():
    w, a, x, y = in_pairs(1, 12)
    whole = of(TwoLayer(Tanh()), w, a, x, y).above
    assert of(TwoLayer(Tanh()), w, a, x, 7 * y).above == pytest.approx(7 * whole, rel=1e-8)
    assert of(TwoLayer(Tanh(), scaling="1/m"), w, a, x, y).above == pytest.approx(12 * whole, rel=1e-8)


def test_the_error_bound_begins_like_its_square_and_meets_its_series():
    assert lazy_error(0.5, [1e-3])[0] == pytest.approx(0.5e-6, rel=1e-3)
    assert lazy_error(20.0, [0.02])[0] == pytest.approx((np.exp(0.8) - 1.8) / 40)
    assert lazy_error(0.5, [1e-9])[0] == pytest.approx(0.5e-18, rel=1e-8)


def test_at_late_times_the_error_is_bounded_by_the_energy():
    assert lazy_error(2.0, [3.0])[0] == pytest.approx(2 * np.sqrt(6) + 2 * np.sqrt(3))
    assert np.all(np.isfinite(lazy_error(1e60, [1e60])))


def test_wide_networks_tend_to_the_limit():
    nodes = 2 * np.pi * np.arange(64) / 64
    x, y = np.random.default_rng(2).standard_normal((2, 5, 2))[0], np.ones(5)
    net = TwoLayer(Tanh())

    def circle(phi):
        return np.column_stack([1 + np.cos(phi), np.sin(phi)])

    limit = wide_criterion(-y, *neuron_derivatives(net, circle(nodes), np.ones(64), x))
    assert 0 <= limit.gap < 1e-8
    stream, off = np.random.default_rng(3), []
    for _ in range(60):
        w = circle(2 * np.pi * stream.random(100))
        gradients, seconds = neuron_derivatives(net, np.vstack([w, w]), np.repeat([1.0, -1.0], 100), x)
        kernel = np.einsum("jia,jka->ik", gradients, gradients)
        off.append(np.sqrt(200) * (200 * lazy_criterion(-y, kernel, seconds).below / limit.constant - 1))
    assert abs(np.mean(off)) < 4 * limit.scatter / np.sqrt(60) + limit.shift / np.sqrt(200)
    assert np.std(off) == pytest.approx(limit.scatter, rel=4 / np.sqrt(2 * 60))
    g = neuron_derivatives(net, circle(nodes), np.ones(64), x)[0]
    each = [one @ one.T for one in g]
    values, vectors = np.linalg.eigh(np.mean(each, axis=0))
    top, q, shift = values[-1], vectors[:, -1], 2 * np.var([vectors[:, -1] @ k @ vectors[:, -1] for k in each])
    shift /= top**2
    for value, p in zip(values[:-1], vectors.T[:-1], strict=True):
        shift += 2 * np.mean([(p @ k @ q) ** 2 for k in each]) / (top - value) / top
    assert limit.shift == pytest.approx(shift, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lazy_criterion([1.0], [[0.0]], np.zeros((1, 1, 2, 2))), "kernel has the largest eigenvalue"),
        (lambda: lazy_criterion([1.0, 2.0], np.eye(2), np.zeros((1, 1, 2, 2))), "seconds has shape"),
        (lambda: lazy_error(0.0, [1.0]), "kappa is 0"),
        (lambda: lazy_error(1.0, [-1.0]), "times is -1"),
        (lambda: wide_criterion([1.0], np.zeros((2, 2, 3)), np.zeros((2, 1, 3, 3))), "gradients has shape"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
