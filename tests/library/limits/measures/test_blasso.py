"""Sparse minimizers: the authors' problem, one spike, none, and the derivatives."""

from dataclasses import replace

import numpy as np
import pytest
from library.helpers import both, refusal

from implicit_bias.data import Deconvolution, random_spikes, three_spikes
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.measures import SparseMeasure, blasso, mirror_constant
from implicit_bias.limits.measures.blasso import certified, local_minima
from implicit_bias.limits.measures.torus_field import TorusField


@pytest.mark.parametrize(
    ("signs", "penalty", "value"),
    [((1, 1, 1), 1.0, 2.766578807082), ((1, 1, 1), 4.0, 10.070304179044), ((1, -1, 1), 1.0, 2.794170824036)],
)
def test_minimum_of_the_authors_problem(signs, penalty, value):
    answer = blasso(three_spikes(signs), penalty, signed=min(signs) < 0)
    assert answer.value == pytest.approx(value, abs=2e-12)
    assert answer.certificate is not None
    assert answer.certificate.worst <= 1e-12
    assert np.abs(answer.slope()).max() < 1e-12
    lighter = SparseMeasure(answer.problem, penalty, answer.positions, answer.masses * 0.99)
    with pytest.raises(CertificateError, match="the sparse measure is not certified"):
        certified(lighter, signed=min(signs) < 0)


@pytest.mark.parametrize("dimension", [1, 2])
def test_one_spike_is_answered_by_one_spike(dimension):
    size = 5**dimension
    problem = Deconvolution(np.full((1, dimension), 1.0), np.array([0.9]), 2)
    answer = blasso(problem, 2.0)
    np.testing.assert_allclose(answer.masses, [0.9 - 2 / size], atol=1e-12)
    np.testing.assert_allclose(answer.positions, problem.positions, atol=1e-9)
    assert mirror_constant(answer) == pytest.approx((0.9 - 2 / size) * dimension / 8)


HARD = {
    "two spikes at one place": (Deconvolution(np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 3.0]]), np.ones(3), 2), 1.0),
    "spikes that lie as a lattice": (Deconvolution(np.array([[0.0, 0.0], [np.pi, np.pi]]), np.ones(2), 2), 1.0),
    "opposite spikes that nearly cancel": (
        Deconvolution(np.array([[1.0, 2.0], [1.2, 2.0]]), np.array([1, -1.0]), 2),
        0.1,
    ),
    "spikes that cancel": (Deconvolution(np.ones((2, 1)), np.array([1.0, -1.0]), 2), 0.5),
    "five spikes closer than the waves tell apart": (Deconvolution(np.linspace(0, 1, 5)[:, None], np.ones(5), 3), 0.1),
    "many frequencies": (random_spikes(np.random.default_rng(0), 8, cutoff=9, separation=1.0), 1.0),
    "one frequency": (Deconvolution(np.array([[1.0], [2.0], [4.0]]), np.ones(3), 1), 0.1),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_problems_are_solved_with_proof(name):
    problem, penalty = HARD[name]
    signed = bool(np.any(problem.masses < 0))
    answer = blasso(problem, penalty, signed=signed)
    assert answer.certificate is not None
    assert answer.certificate.worst <= 1e-12
    heaviest = np.max(np.abs(problem.masses))
    for scale in (1e-150, 1e150):
        other = blasso(replace(problem, masses=scale * problem.masses), scale * penalty, signed=signed)
        np.testing.assert_allclose(np.sort(other.masses) / scale, np.sort(answer.masses), atol=1e-7 * heaviest)
        assert other.value / scale / scale == pytest.approx(answer.value, rel=1e-11)


@both
def test_local_minima_below_a_bound_are_those_of_all_that_lie_there(problem):
    values = TorusField.of(problem.positions, -problem.masses, problem.cutoff).on_grid(12)
    every, bound = local_minima(values, problem.dimension), float(np.median(values))
    cube = values.reshape((12,) * problem.dimension)
    low = np.all([cube <= np.roll(cube, s, axis) for axis in range(problem.dimension) for s in (1, -1)], axis=0)
    np.testing.assert_array_equal(every, np.flatnonzero(low))
    np.testing.assert_array_equal(local_minima(values, problem.dimension, bound), every[values[every] <= bound])


def test_a_penalty_above_the_correlations_leaves_nothing():
    assert blasso(three_spikes(), 80.0).masses.size == 0


@both
def test_hessian_is_the_derivative_of_the_slope(problem):
    s, d = 2, problem.dimension
    measure = SparseMeasure(problem, 0.5, np.array([[1.0, 2.0], [3.0, 5.0]])[:, :d], np.array([0.7, 1.1]))
    columns = []
    for step in 1e-5 * np.eye(s * (1 + d)):
        columns.append((measure.moved(step).slope() - measure.moved(-step).slope()) / 2e-5)
    np.testing.assert_allclose(measure.hessian(), np.array(columns).T, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: blasso(three_spikes(), 0.0), "penalty is 0"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
