"""Measures near a minimizer: none beats the bounds, the worst attain them, Newton's method finds the minimizer."""

import numpy as np
import pytest

from implicit_bias.data import random_spikes, three_spikes
from implicit_bias.limits.measures import (
    LocalRates,
    SparseMeasure,
    blasso,
    deviations,
    gathered,
    little_elsewhere,
    minimum_nearby,
    random_nearby,
    worst_nearby,
)
from implicit_bias.models.measures import ParticleMeasure

LIMIT = blasso(three_spikes(), 1.0)
LOCAL = LocalRates(LIMIT, 1.0, 1.0)


def quotient(places, masses):
    """The rate of fall over the gap at α = β = 1."""
    measure = ParticleMeasure(LIMIT.problem, LIMIT.penalty)
    theta = np.concatenate([np.sqrt(masses * masses.size), places.T.ravel()])
    return measure.dissipation(theta, 1.0, 1.0) / (measure.value(theta) - LIMIT.value)


def test_the_worst_directions_attain_their_bounds():
    bounds = [2 * LOCAL.spikes[0][0], 2 * LOCAL.spread[0].min(), LOCAL.elsewhere[0]]
    found = [quotient(*one) for one in worst_nearby(LIMIT, LOCAL)]
    np.testing.assert_allclose(found, bounds, rtol=2e-3)


def test_random_measures_are_near_and_do_not_beat_the_least_bound():
    drawn = list(random_nearby(LIMIT, LOCAL.elsewhere[1], np.random.default_rng(0), 20))
    assert len(drawn) == 60
    assert min(quotient(*one) for one in drawn) >= 0.99 * LOCAL.sharpness
    for places, masses in drawn[::3]:
        assert np.abs(deviations(LIMIT, places, masses)).max() < 0.01
        assert len(masses) == len(places) > 3


def test_a_little_mass_elsewhere_leaves_the_spikes_stationary():
    places, masses = little_elsewhere(LIMIT, [0.0, 0.0], 1e-5)
    assert masses[-1] == 1e-5
    np.testing.assert_array_equal(places[-1], [0.0, 0.0])
    moved = SparseMeasure(LIMIT.problem, LIMIT.penalty, places, masses)
    still = np.delete(moved.slope(), [3, 10, 11])
    bare = SparseMeasure(LIMIT.problem, LIMIT.penalty, np.vstack([LIMIT.positions, [[0.0, 0.0]]]), masses)
    assert np.abs(still).max() < 1e-8
    assert np.abs(moved.masses[:3] - LIMIT.masses).max() > 0
    assert moved.value < bare.value + 1e-5


def test_deviations_are_those_of_mass_and_barycentre():
    places = np.vstack([LIMIT.positions, np.add(LIMIT.positions[0], [0.1, 0.0])])
    off = deviations(LIMIT, places, np.append(LIMIT.masses, LIMIT.masses[0]))
    expected = np.zeros(9)
    expected[0], expected[3] = LIMIT.masses[0], 0.05
    np.testing.assert_allclose(off, expected, atol=1e-12)


def test_particles_are_gathered_and_lead_to_the_minimum():
    problem = random_spikes(np.random.default_rng(3), 2, 1)
    limit = blasso(problem, 0.5)
    around = np.concatenate([limit.positions - 0.004, limit.positions + 0.004, [[1.234]]]) + 2 * np.pi
    at = gathered(problem, 0.5, around, np.concatenate([limit.masses / 2, limit.masses / 2, [1e-9]]))
    order = np.argsort(limit.positions[:, 0])
    np.testing.assert_allclose(at.positions, limit.positions[order], atol=1e-12)
    np.testing.assert_allclose(at.masses, limit.masses[order])
    shifted = SparseMeasure(problem, 0.5, at.positions + 1e-3, 1.01 * at.masses)
    found = minimum_nearby(shifted)
    assert found is not None
    assert found.value == pytest.approx(limit.value, rel=1e-12)
    np.testing.assert_allclose(found.positions, at.positions, atol=1e-9)


def test_where_there_is_no_minimum_none_is_found():
    problem = random_spikes(np.random.default_rng(3), 2, 1)
    assert minimum_nearby(SparseMeasure(problem, 50.0, problem.positions, problem.masses)) is None
