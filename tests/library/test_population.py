"""The batch of networks against sums over pairs and autograd, and the bound for few neurons against what is known."""

import numpy as np
import pytest

from implicit_bias.data import Teacher, random_teacher
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits import few_neurons_bound, relu_power_series
from implicit_bias.models import NetworkBatch, TwoLayerNetwork


def test_batch_and_pairs_give_the_same():
    rng = np.random.default_rng(0)
    teacher = random_teacher(rng, 3, 5)
    batch, state = NetworkBatch(4, teacher), rng.standard_normal((2, 4, 6))
    state[0, 1, :-1] = 2 * state[0, 0, :-1]  # parallel
    state[0, 2, :-1] = state[0, 0, :-1] + 1e-9 * state[0, 2, :-1]
    state[1, 1, :-1] = -teacher.a[2]  # opposite
    risk, velocity, dissipation = batch.descent(state)
    for run in range(2):
        one = TwoLayerNetwork(state[run, :, :-1], state[run, :, -1], teacher)
        a, b = one.layers(one.velocity(one.parameters))
        assert risk[run] == pytest.approx(one.risk(one.parameters), rel=1e-12)
        assert dissipation[run] == pytest.approx(one.dissipation(one.parameters), rel=1e-12)
        np.testing.assert_allclose(velocity[run], np.concatenate([a, b[:, None]], axis=1), atol=1e-13)
    itself = np.concatenate([teacher.a, teacher.b[:, None]], axis=1)[None]
    assert NetworkBatch(3, teacher).descent(itself)[0][0] == pytest.approx(0, abs=1e-15)


def test_power_series_sums_to_the_kernel():
    c = relu_power_series(2000)
    assert np.sum(c) == pytest.approx(0.25 - 0.5 / np.pi, abs=2e-7)
    for cosine in (-0.8, 0.3, 0.9):
        places = np.array([[1.0, 0.0], [cosine, np.sqrt(1 - cosine**2)]])
        series = 0.5 / np.pi + cosine / 4 + np.sum(c * cosine ** (2 * np.arange(1, 2001)))
        assert series == pytest.approx(relu_kernel(places[:1], places[1:])[0, 0], abs=1e-14)


def test_bound_for_orthonormal_neurons():
    for neurons in range(5):
        teacher = Teacher(3 * np.eye(4), np.array([1.0, -1.0, 1.0, -1.0]) / 3)
        expected = (0.25 - 0.5 / np.pi) * (4 - neurons) / 32
        assert few_neurons_bound(teacher, neurons) == pytest.approx(expected, rel=1e-4, abs=1e-16)


def test_bound_is_below_what_some_networks_reach():
    rng = np.random.default_rng(1)
    teacher = random_teacher(rng, 6, 8)
    bounds = [few_neurons_bound(teacher, m) for m in range(8)]
    assert np.all(np.diff(bounds[:7]) < 0)
    assert bounds[6] == bounds[7] == 0
    for m in range(1, 6):
        kept = np.concatenate([teacher.a, teacher.b[:, None] * m / 6], axis=1)[None, :m]
        assert bounds[m] < NetworkBatch(m, teacher).descent(kept)[0][0]


def test_opposite_neurons_are_one_in_even_degrees():
    a = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert few_neurons_bound(Teacher(a, np.ones(2)), 1) == pytest.approx(0, abs=1e-16)


def test_refusals():
    teacher = random_teacher(np.random.default_rng(0), 3, 5)
    with pytest.raises(ValueError, match="neurons is -1; it must be a whole number of at least 0"):
        few_neurons_bound(teacher, -1)
    with pytest.raises(ValueError, match="width is 0; it must be a whole number of at least 1"):
        NetworkBatch(0, teacher)
    with pytest.raises(ValueError, match="d is 1; it must be a whole number of at least 2"):
        random_teacher(np.random.default_rng(0), 3, 1)
    with pytest.raises(ValueError, match="neurons is 0; it must be a whole number of at least 1"):
        random_teacher(np.random.default_rng(0), 0, 3)
