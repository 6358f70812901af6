"""Stable ranks of a trained first layer: each prediction against what it predicts."""

import numpy as np
import pytest
from library.first_layer import RATE, D, M, N, descend, reduced
from library.resolvents import by_resolvents

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import Classification
from implicit_bias.limits.stable_rank import (
    beside_spike,
    gate_variance,
    kinked_stable_rank,
    one_step_error,
    spike_curve,
    spiked_fluctuation,
    spiked_stable_rank,
)
from implicit_bias.models.two_layer import Span, stable_rank


@pytest.fixture(scope="module")
def spiked_draws():
    """Stable ranks of θ e₁e₁ᵀ + N, with N₁₁ = 0, of 400 draws of N at m = 60 and d = 200, by θ⁴/md."""
    m, d = 60, 200
    stream = np.random.default_rng(2)
    strengths = (0.0, 0.3, 1.0, 1.8, 6.0, 40.0, 1e3, 1e6, 1e10)
    found = {strength: [] for strength in strengths}
    for _ in range(400):
        noise = stream.standard_normal((m, d))
        noise[0, 0] = 0
        for strength, ranks in found.items():
            noise[0, 0] = (strength * m * d) ** 0.25
            squares = np.linalg.eigvalsh(noise @ noise.T)
            ranks.append(squares.sum() / squares[-1])
    return m, d, {strength: np.array(ranks) for strength, ranks in found.items()}


def test_spiked_stable_rank_is_missed_by_its_fluctuation(spiked_draws):
    """Neither more nor less, at the edge and outside, whatever the unit; the mean misses it by a part of that."""
    m, d, found = spiked_draws
    for strength, ranks in found.items():
        spike = (strength * m * d) ** 0.25
        expected, unit = (float(law(0.7 * spike, 0.7, m, d)) for law in (spiked_stable_rank, spiked_fluctuation))
        missed = np.sqrt(np.mean((ranks - expected) ** 2)) / unit
        assert 0.75 < missed < 1.2, (strength, missed)
        if strength > 4:
            assert 0.9 < np.std(ranks) / unit < 1.1, (strength, np.std(ranks) / unit)


@pytest.mark.parametrize("theta", [13.0, 16.0, 100.0, 1000.0])
@pytest.mark.parametrize(("m", "d"), [(60, 200), (90, 50)])
def test_the_fluctuation_of_a_spike_is_that_of_the_resolvents(m, d, theta):
    assert float(spiked_fluctuation(0.7 * theta, 0.7, m, d)) == pytest.approx(by_resolvents(theta, m, d), rel=1e-4)


def test_spiked_fluctuation_for_a_vanishing_noise():
    m, d = 60, 200
    excess = spiked_stable_rank(1.0, 1e-6, m, d) - 1
    assert float(spiked_fluctuation(1.0, 1e-6, m, d) / excess) == pytest.approx(np.sqrt(2 / (m * d)), rel=0.05)
    many = spiked_fluctuation([0.0, 1.0], [[1e-6], [1.0]], m, d)
    assert many.shape == (2, 2)
    assert many[0, 0] == pytest.approx(many[1, 0])


def test_what_lies_beside_a_spike_adds_to_its_stable_rank():
    matrix = np.zeros((4, 5))
    matrix[0, 0], matrix[1, 1] = 3.0, 0.2
    singular = np.linalg.svd(matrix + 1e-9, compute_uv=False)
    expected = np.sum(singular**2) / singular[0] ** 2
    assert float(spiked_stable_rank(3.0, 1e-9, 4, 5, 0.2)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("steps", [2, 30])
@pytest.mark.parametrize("positive", [M // 2, M // 4])
@pytest.mark.parametrize("labels", [[1, -1, 1, -1, 1, -1], [1, 1, 1, 1, 1, -1]])
def test_the_second_direction_is_that_of_the_descent(data, steps, positive, labels):
    """From W(0) = 0 the change has two singular values, also where output weights or labels are out of balance."""
    data = Classification(x=data.x, y=np.array(labels, dtype=float))
    a = np.where(np.arange(M) < positive, 1.0, -1.0) / np.sqrt(M)
    net = reduced((np.zeros((M, D)), a), data)
    singular = np.linalg.svd(net.coefficients(descend(net, steps)) @ data.x, compute_uv=False)
    found = beside_spike(data, 0.3, a, spike_curve(data, 0.3, RATE, steps).slopes)
    assert found.shape == (steps + 1,)
    assert found[-1] == pytest.approx(singular[1], rel=0.05)
    assert found[0] == found[1] == 0


def test_spike_curve_is_the_descent_of_the_linear_network(data):
    a = np.ones(M) / np.sqrt(M)
    net = reduced((np.zeros((M, D)), a), data, 1.0)
    frobenius, _ = net.squared_norms_of_change(descend(net, 7))
    assert spike_curve(data, 1.0, RATE, 7).spike[-1] == pytest.approx(np.sqrt(frobenius), rel=1e-10)
    w = np.outer(a, np.random.default_rng(4).standard_normal(D))
    net = reduced((w, a), data, 1.0)
    theta = descend(net, 7)
    change = net.coefficients(theta) @ data.x
    v = a @ change / np.linalg.norm(a @ change)
    curve = spike_curve(data, 1.0, RATE, 7, margins=net.margins(net.start))
    np.testing.assert_allclose(curve.slopes[-1], data.y * net.gathered(theta), rtol=1e-10)
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
        span = Span(omega * stream.standard_normal((m, D)), data.x)
        net = reduced((span, a), data)
        limit = 0.65 * RATE / (2 * N) * np.outer(a, data.y)
        rest = net.coefficients(descend(net, 1)) - limit
        errors.append(np.sum((rest @ span.gram) * rest) / np.sum((limit @ span.gram) * limit) / omega**2)
    assert np.sqrt(np.mean(errors)) == pytest.approx(one_step_error(data, 0.3), rel=0.2)
    kinked = reduced((span, a), data, width=0.0)
    frobenius, spectral = kinked.squared_norms_of_change(descend(kinked, 1))
    excess = kinked_stable_rank(data, 0.3, m) - 1
    assert frobenius / spectral - 1 == pytest.approx(excess, rel=0.1)


@pytest.mark.parametrize("length", [1.0, 3.0])
def test_the_first_steps_error_of_one_sample_by_hand(length):
    """γ = 0: φ″(0)/κ = ½, κ²/4 = 1/16, so that √(1/4 + 1/16)‖x‖; γ = 1: no curvature, √(1/4)‖x‖."""
    one = Classification(x=np.array([[length]]), y=np.array([-1.0]))
    assert one_step_error(one, 0.0) == pytest.approx(length * np.sqrt(5) / 4, rel=1e-12)
    assert one_step_error(one, 1.0) == pytest.approx(length / 2, rel=1e-12)


def test_predictions_refuse(data):
    with pytest.raises(ValueError, match="the smallest deviation is 0"):
        spiked_stable_rank(1.0, 0.0, 3, 4)
    with pytest.raises(ValueError, match="steps is 0"):
        spike_curve(data, 0.5, RATE, 0)


def test_random_matrices_approach_the_predicted_stable_rank():
    generator = np.random.default_rng(0)
    for m, d in ((64, 32), (512, 256), (300, 1200)):
        spread = (m**-0.5 + d**-0.5) ** (1 / 3) / (m**0.5 + d**0.5)
        found = [stable_rank(generator.standard_normal((m, d))) for _ in range(20)]
        limit = spiked_stable_rank(0.0, 1.0, m, d)
        assert np.mean(found) / limit == pytest.approx(1 + 1.21 * spread, abs=1.2 * spread)
        assert np.std(found) / limit == pytest.approx(1.27 * spread, rel=0.6)
    assert spiked_stable_rank(0.0, 1.0, 9, 9) == pytest.approx(9 / 4, rel=1e-14)
    with pytest.raises(ValueError, match="d is 0"):
        spiked_stable_rank(0.0, 1.0, 5, 0)
