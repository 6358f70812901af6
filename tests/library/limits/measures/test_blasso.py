"""Sparse minimizers: the authors' problem, one spike, none, and the derivatives."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from library.helpers import both, refusal

from implicit_bias.data import Deconvolution, random_spikes, three_spikes
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.measures import SparseMeasure, blasso, mirror_constant
from implicit_bias.limits.measures.blasso_certificate import certified, certify_blasso
from implicit_bias.limits.measures.torus_field import TorusField
from implicit_bias.limits.measures.torus_floor import torus_floor
from implicit_bias.limits.measures.variation_minima import local_minima
from implicit_bias.limits.measures.wave_sum import WaveSum


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


def test_what_is_proved_of_the_value_holds_for_any_measure():
    """Lighter, heavier and moved measures have wider enclosures of the same number."""
    best = blasso(three_spikes(), 1.0)
    right = best.certificate.enclosure
    assert right.width <= 1e-10
    assert right.low <= best.value * (1 + 1e-12)
    assert best.value * (1 - 1e-12) <= right.high
    for other in (
        replace(best, masses=0.99 * best.masses),
        replace(best, masses=1.01 * best.masses),
        replace(best, positions=best.positions + 1e-3),
    ):
        certificate = certify_blasso(other)
        found = certificate.enclosure
        assert found.low == pytest.approx(max(0, other.value * (1 - certificate.gap)), rel=1e-6)
        assert found.low <= right.high
        assert found.high >= right.low
        assert found.high >= other.value * (1 - 1e-12)
        assert found.width > 1e-6
    assert certify_blasso(replace(best, masses=-best.masses)).enclosure.width == np.inf


def test_the_proved_floor_lies_below_the_least_value_by_its_tolerance():
    measure = blasso(three_spikes(), 1.0)
    residual, points = measure.residual
    floor = torus_floor(points, residual, 2, 1.0, 1e-10, proved=True)
    plain = torus_floor(points, residual, 2, 1.0, 1e-12)
    assert floor <= plain + 1e-15
    assert -2e-10 <= floor < 0
    wave = WaveSum.counted(points, residual, 2, 1.0)[0]
    assert 1e-15 < wave.rounding < 1e-11
    with mpmath.workdps(40):
        for theta in np.random.default_rng(0).uniform(0, 2 * np.pi, (20, 2)):
            truth = 1 + mpmath.fsum(
                mpmath.mpf(float(c))
                * mpmath.cos(j * (mpmath.mpf(float(theta[0])) - mpmath.mpf(float(place[0]))))
                * mpmath.cos(k * (mpmath.mpf(float(theta[1])) - mpmath.mpf(float(place[1]))))
                for c, place in zip(residual, points, strict=True)
                for j in range(-2, 3)
                for k in range(-2, 3)
            )
            assert abs(float(wave.at(theta[None])[0][0] - truth)) <= wave.rounding


@pytest.mark.parametrize("cutoff", [40, pytest.param(96, marks=pytest.mark.nightly)])
def test_many_frequencies_are_certified_as_far_as_masses_in_floats_allow(cutoff):
    """Their rounding lifts J′ by (2K+1)² units of 1e-16 each; a mass that is wrong by a billionth is refused."""
    problem = random_spikes(np.random.default_rng(2), 4, cutoff=cutoff, separation=1.5)
    answer = blasso(problem, 1.0)
    assert 1e-12 < answer.rounding == 2.0**-53 * answer.total_mass * (2 * cutoff + 1) ** 2 < 2e-11
    assert answer.certificate.worst <= 1e-12 + answer.rounding
    assert answer.certificate.enclosure.width <= 1e-10
    assert answer.certificate.enclosure.low <= answer.value * (1 + 1e-15)
    assert answer.value * (1 - 1e-15) <= answer.certificate.enclosure.high
    for other in (
        replace(answer, masses=answer.masses * (1 - 1e-9)),
        replace(answer, positions=answer.positions + 1e-8),
    ):
        with pytest.raises(CertificateError, match="the sparse measure is not certified"):
            certified(other)


def test_what_rounding_allows_is_nothing_for_few_frequencies():
    assert blasso(three_spikes(), 1.0).rounding == 0
