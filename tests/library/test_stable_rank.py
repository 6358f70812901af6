"""A trained first layer against gradient descent on all weights; predictions against what they predict."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from implicit_bias.data import Classification, gaussian_mixture
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.limits import (
    change_bounds,
    gate_variance,
    kinked_stable_rank,
    one_step_error,
    spike_curve,
    spiked_fluctuation,
    spiked_stable_rank,
)
from implicit_bias.models import FirstLayerNetwork, LeakyReLU

N, D, M, RATE = 6, 40, 12, 0.05


@pytest.fixture
def data():
    return gaussian_mixture(np.random.default_rng(0), N, D, separation=2.0)


@pytest.fixture
def first_layer():
    stream = np.random.default_rng(1)
    return 0.2 * stream.standard_normal((M, D)), stream.choice([-1.0, 1.0], M) / np.sqrt(M)


def reduced(first_layer, data, slope=0.3, width=1.0):
    return FirstLayerNetwork.reduce(*first_layer, data, slope, width)


def descend(net, steps, rate=RATE):
    return drive(GradientDescent(net.gradient, rate), net.start, t_end=steps * rate).final


def test_mixture():
    data = gaussian_mixture(np.random.default_rng(0), 401, 2000, separation=5.0)
    assert data.y.sum() == 1
    mean = data.signed.mean(axis=0)
    assert np.linalg.norm(mean) ** 2 == pytest.approx(25 + 2000 / 401, rel=0.1)
    assert np.var(data.signed - mean) == pytest.approx(1, rel=0.01)
    again = gaussian_mixture(np.random.default_rng(0), 401, 2000, separation=5.0)
    np.testing.assert_array_equal(data.x, again.x)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 1}, "n is 1; it must be a whole number of at least 2"),
        ({"d": 1}, "d is 1; it must be a whole number of at least 2"),
        ({"separation": -1.0}, "separation is -1; it must lie in"),
    ],
)
def test_mixture_refuses(change, words):
    with pytest.raises(ValueError, match=words):
        gaussian_mixture(np.random.default_rng(0), **{"n": 4, "d": 5, "separation": 1.0, **change})


@pytest.mark.parametrize("width", [1.0, 0.3, 0.0])
def test_activation_is_the_smoothed_leaky_relu(first_layer, data, width):
    z = np.array([-800.0, -3.0, -1e-9, 1e-9, 0.4, 900.0])
    value, gate = reduced(first_layer, data, width=width).activate(z)
    expected = LeakyReLU(0.3, width)
    np.testing.assert_allclose(value, expected.value(z) - expected.value(np.zeros(1)), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(gate, expected.derivative(z), rtol=1e-12)


@pytest.mark.parametrize("width", [1.0, 0.2])
def test_descent_is_that_of_autograd_on_all_weights(first_layer, data, width):
    start, a = first_layer
    x, y, out = torch.tensor(data.x), torch.tensor(data.y), torch.tensor(a)
    w = torch.tensor(start, requires_grad=True)
    for _ in range(10):
        z = x @ w.T
        f = (0.3 * z + 0.7 * width * (torch.nn.functional.softplus(z / width) - np.log(2))) @ out
        (gradient,) = torch.autograd.grad(torch.nn.functional.softplus(-y * f).mean(), w)
        w = (w - RATE * gradient).detach().requires_grad_(True)
    net = reduced(first_layer, data, width=width)
    theta = descend(net, 10)
    expected = w.detach().numpy()
    np.testing.assert_allclose(start + net.coefficients(theta) @ data.x, expected, rtol=1e-9, atol=1e-12)
    singular = np.linalg.svd(expected, compute_uv=False)
    np.testing.assert_allclose(net.squared_norms(theta), [np.sum(singular**2), singular[0] ** 2], rtol=1e-10)
    change = np.linalg.svd(expected - start, compute_uv=False)
    np.testing.assert_allclose(
        net.squared_norms_of_change(theta), [np.sum(change**2), change[0] ** 2], rtol=1e-8, atol=1e-14
    )
    z = data.x @ expected.T
    f = (0.3 * z + 0.7 * width * (np.logaddexp(0, z / width) - np.log(2))) @ a
    np.testing.assert_allclose(net.margins(theta), data.y * f, rtol=1e-9)


def test_gathered_slopes_are_what_multiplies_the_gates(first_layer, data):
    net = reduced(first_layer, data, slope=1.0)
    theta = descend(net, 5)
    expected = np.outer(net.a, data.y * net.gathered(theta))
    np.testing.assert_allclose(net.coefficients(theta), expected, rtol=1e-10)


def test_scaled(first_layer, data):
    w, a = first_layer
    once, again = reduced(first_layer, data).scaled(0.1), reduced((0.1 * w, a), data)
    np.testing.assert_allclose(once.inputs, again.inputs, rtol=1e-12)
    np.testing.assert_allclose(once.outer, again.outer, rtol=1e-12, atol=1e-15)


def test_network_refuses(first_layer, data):
    with pytest.raises(ValueError, match=r"w has shape \(12, 39\); it must be any × 40"):
        reduced((first_layer[0][:, 1:], first_layer[1]), data)
    with pytest.raises(ValueError, match=r"a has shape \(11,\); it must be 12"):
        reduced((first_layer[0], first_layer[1][1:]), data)
    with pytest.raises(ValueError, match="slope is 2; it must lie in"):
        reduced(first_layer, data, slope=2)
    with pytest.raises(ValueError, match="width is -1; it must lie in"):
        reduced(first_layer, data, width=-1)


@pytest.mark.parametrize("theta", [0.0, 0.8, 1.3, 2.0, 5.0])
def test_spiked_stable_rank_is_that_of_a_large_matrix(theta):
    m, d, omega = 300, 900, 0.7
    stream = np.random.default_rng(2)
    spike = theta * omega * (m * d) ** 0.25
    matrix = omega * stream.standard_normal((m, d))
    u, v = np.ones(m) / np.sqrt(m), np.ones(d) / np.sqrt(d)
    matrix += (spike - u @ matrix @ v) * np.outer(u, v)
    singular = np.linalg.svd(matrix, compute_uv=False)
    expected = spiked_stable_rank(spike, omega, m, d)
    unit = spiked_fluctuation(spike, omega, m, d)
    assert np.sum(singular**2) / singular[0] ** 2 == pytest.approx(expected, rel=4 * float(unit))


def test_spiked_fluctuation_is_that_of_many_draws():
    m, d, found = 60, 200, []
    stream = np.random.default_rng(3)
    spike = 1.8 * (m * d) ** 0.25
    for _ in range(200):
        matrix = stream.standard_normal((m, d))
        matrix[0, 0] = spike
        singular = np.linalg.svd(matrix, compute_uv=False)
        found.append(np.sum(singular**2) / singular[0] ** 2)
    unit = float(spiked_fluctuation(spike, 1.0, m, d))
    assert 0.5 < np.std(found) / np.mean(found) / unit < 1.2


def test_spike_curve_is_the_descent_of_the_linear_network(data):
    a = np.ones(M) / np.sqrt(M)
    net = FirstLayerNetwork.reduce(np.zeros((M, D)), a, data, 1.0)
    frobenius, _ = net.squared_norms_of_change(descend(net, 7))
    assert spike_curve(data, 1.0, RATE, 7).spike[-1] == pytest.approx(np.sqrt(frobenius), rel=1e-10)
    w = np.outer(a, np.random.default_rng(4).standard_normal(D))
    net = FirstLayerNetwork.reduce(w, a, data, 1.0)
    theta = descend(net, 7)
    change = net.coefficients(theta) @ data.x
    v = a @ change / np.linalg.norm(a @ change)
    curve = spike_curve(data, 1.0, RATE, 7, margins=net.margins(net.start))
    np.testing.assert_allclose(curve.slopes[-1], net.gathered(theta), rtol=1e-10)
    assert curve.spike[-1] == pytest.approx(abs(a @ (w + change) @ v), rel=1e-10)


@pytest.mark.parametrize("omega", [0.01, 0.2])
def test_gate_variance_is_that_of_many_neurons(data, omega):
    w = omega * np.random.default_rng(5).standard_normal((200_000, D))
    gates = LeakyReLU(0.3, 1.0).derivative(w @ data.x.T)
    np.testing.assert_allclose(gate_variance(data, 0.3, omega), np.var(gates, axis=0), rtol=0.03)


def test_first_step(data):
    """Over many neurons the first step's distance to rank one, and the stable rank with the kink, are the predicted."""
    m, omega = 1000, 1e-6
    stream = np.random.default_rng(6)
    a = stream.permutation(np.where(np.arange(m) % 2 == 0, 1.0, -1.0)) / np.sqrt(m)
    errors = []
    for _ in range(20):
        inputs = omega * stream.standard_normal((m, D)) @ data.x.T
        net = FirstLayerNetwork(inputs, np.eye(m), data.x @ data.x.T, a, data.y, 0.3, 1.0)
        limit = 0.65 * RATE / (2 * N) * np.outer(a, data.y)
        rest = net.coefficients(descend(net, 1)) - limit
        errors.append(np.sum((rest @ net.gram) * rest) / np.sum((limit @ net.gram) * limit) / omega**2)
    assert np.sqrt(np.mean(errors)) == pytest.approx(one_step_error(data, 0.3), rel=0.2)
    kinked = replace(net, width=0.0)
    frobenius, spectral = kinked.squared_norms_of_change(descend(kinked, 1))
    excess = kinked_stable_rank(data, 0.3, m) - 1
    assert frobenius / spectral - 1 == pytest.approx(excess, rel=0.1)


def test_bounds_on_the_change(data):
    z = data.signed
    gathered = np.linspace(1, 2, N)
    bounds = change_bounds(data, 1.0, gathered)
    change = gathered @ z
    q = z.sum(axis=0)
    assert bounds.spectral == pytest.approx(change @ q / np.linalg.norm(q), rel=1e-12)
    assert bounds.frobenius >= np.linalg.norm(change)
    orthogonal = Classification(x=np.eye(4, 9), y=np.array([1.0, -1.0, 1.0, -1.0]))
    sharp = change_bounds(orthogonal, 0.5, np.full(4, 0.1))
    assert sharp.frobenius == pytest.approx(0.2, rel=1e-12)
    assert sharp.stable_rank == pytest.approx(4, rel=1e-12)
    assert sharp.with_start(0.1, 0.05) == pytest.approx((0.3 / 0.05) ** 2, rel=1e-12)
    assert sharp.with_start(0.1, 0.1) == np.inf


def test_predictions_refuse(data):
    with pytest.raises(ValueError, match="the smallest deviation is 0"):
        spiked_stable_rank(1.0, 0.0, 3, 4)
    with pytest.raises(ValueError, match="slope is 0; it must lie in"):
        change_bounds(data, 0.0, np.ones(N))
    opposed = Classification(x=np.array([[1.0, 0.0], [-3.0, 0.0]]), y=np.ones(2))
    with pytest.raises(ValueError, match="data holds 1 samples with"):
        change_bounds(opposed, 0.5, np.ones(2))
    with pytest.raises(ValueError, match="steps is 0"):
        spike_curve(data, 0.5, RATE, 0)
