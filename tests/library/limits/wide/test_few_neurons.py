"""The bound for few neurons against what is known."""

import numpy as np
import pytest

from implicit_bias.data import Teacher, random_teacher
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.wide import few_neurons_bound, relu_power_series
from implicit_bias.models.population import NetworkBatch


def test_power_series_sums_to_the_kernel():
    c = relu_power_series(2000)
    assert np.sum(c) == pytest.approx(0.25 - 0.5 / np.pi, abs=2e-7)
    for cosine in (-0.8, 0.3, 0.9):
        places = np.array([[1.0, 0.0], [cosine, np.sqrt(1 - cosine**2)]])
        series = 0.5 / np.pi + cosine / 4 + np.sum(c * cosine ** (2 * np.arange(1, 2001)))
        assert series == pytest.approx(relu_kernel(places[:1], places[1:])[0, 0], abs=1e-14)


def test_bound_for_orthonormal_neurons():
    teacher = Teacher(3 * np.eye(4), np.array([1.0, -1.0, 1.0, -1.0]) / 3)
    for positive in range(4):
        for negative in range(4):
            missing = max(2 - positive, 0) + max(2 - negative, 0)
            expected = (0.25 - 0.5 / np.pi) * missing / 32
            assert few_neurons_bound(teacher, positive, negative) == pytest.approx(expected, rel=1e-4, abs=1e-16)


def test_bound_is_below_what_some_networks_reach():
    rng = np.random.default_rng(1)
    teacher = random_teacher(rng, 6, 8)
    for m in range(1, 6):
        kept = np.concatenate([teacher.w, teacher.a[:, None] * m / 6], axis=1)[None, :m]
        signs = [int(np.sum(sign * teacher.a[:m] > 0)) for sign in (1, -1)]
        assert 0 < few_neurons_bound(teacher, *signs) < NetworkBatch(m, teacher).descent(kept)[0][0]


def test_bound_vanishes_with_enough_neurons_of_each_sign_and_only_then():
    teacher = random_teacher(np.random.default_rng(2), 5, 4)  # three positive, two negative
    for signs in ((3, 2), (4, 2), (3, 7)):
        assert few_neurons_bound(teacher, *signs) == pytest.approx(0, abs=1e-15)
    for signs in ((2, 9), (9, 1), (2, 1)):
        assert few_neurons_bound(teacher, *signs) > 1e-5


def test_bound_is_at_least_what_the_singular_values_say():
    """By Eckart and Young, whatever the signs of the neurons."""
    teacher = random_teacher(np.random.default_rng(3), 5, 6)
    charges, gram = teacher.a / 5, teacher.w @ teacher.w.T
    for m in range(5):
        rank = 0.0
        for p, c in enumerate(relu_power_series(60), 1):
            root = np.linalg.cholesky(gram**p + 1e-14 * np.eye(5))
            rank += c * np.sum(np.sort(np.linalg.eigvalsh(root.T * charges @ root) ** 2)[: 5 - m]) / 2
        bounds = [few_neurons_bound(teacher, positive, m - positive) for positive in range(m + 1)]
        assert min(bounds) >= rank * (1 - 1e-9)


def test_opposite_neurons_are_one_in_even_degrees():
    a = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert few_neurons_bound(Teacher(a, np.ones(2)), 1, 0) == pytest.approx(0, abs=1e-16)


def test_a_neuron_of_no_length_adds_nothing_to_the_bound():
    teacher = random_teacher(np.random.default_rng(0), 3, 4)
    silent = Teacher(np.vstack([teacher.w, np.zeros(4)]), np.append(4 * teacher.a / 3, 5.0))
    assert few_neurons_bound(silent, 1, 1) == pytest.approx(few_neurons_bound(teacher, 1, 1), rel=1e-13)
    assert few_neurons_bound(Teacher(np.zeros((1, 2)), np.ones(1)), 0, 0) == 0


def test_refusals():
    with pytest.raises(ValueError, match="negative is -1; it must be a whole number of at least 0"):
        few_neurons_bound(random_teacher(np.random.default_rng(0), 3, 5), 2, -1)
