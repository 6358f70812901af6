"""Masses and places of a few spikes: derivatives, nonnegative masses, and where Newton's method ends."""

from dataclasses import replace

import numpy as np
import pytest
from library.helpers import both

from implicit_bias.data import three_spikes
from implicit_bias.data.torus import CIRCLE
from implicit_bias.limits.measures.sliding import Spikes
from implicit_bias.limits.measures.torus_field import TorusField


def spikes(problem, places, masses, penalty=0.5):
    target = TorusField.of(problem.positions, problem.masses, problem.cutoff).coefficients
    masses = np.asarray(masses, dtype=float)
    return Spikes(target, penalty, np.where(masses < 0, -1.0, 1.0), masses, np.asarray(places, dtype=float))


@both
def test_the_gradient_and_the_hessian_are_differences_of_the_value_and_of_the_gradient(problem):
    places = np.random.default_rng(1).uniform(0, CIRCLE, (3, problem.dimension))
    here = spikes(problem, places, [0.7, -1.1, 0.4])
    _, gradient, hessian = here.taylor()
    for k, step in enumerate(1e-5 * np.eye(gradient.size)):
        ahead, behind = here.moved(step).taylor(), here.moved(-step).taylor()
        assert (ahead[0] - behind[0]) / 2e-5 == pytest.approx(gradient[k], abs=1e-6)
        np.testing.assert_allclose((ahead[1] - behind[1]) / 2e-5, hessian[k], atol=1e-5)


@both
def test_the_best_masses_have_no_slope_and_those_left_out_would_rise(problem):
    places = np.random.default_rng(2).uniform(0, CIRCLE, (6, problem.dimension))
    every = spikes(problem, places, np.full(6, 1e-3))
    best = every.weighed()
    s = best.masses.size
    assert 0 < s < 6
    assert np.all(best.masses > 0)
    np.testing.assert_allclose(best.taylor()[1][:s], 0, atol=1e-9)
    with_none = replace(every, masses=np.array([best.masses[np.all(best.places == x, axis=1)].sum() for x in places]))
    assert with_none.taylor()[1][:6].min() > -1e-9


def test_spikes_at_one_place_become_one():
    problem = three_spikes()
    near = problem.positions + 0.02
    twice = spikes(problem, np.vstack([near, near, near + 1e-9]), np.full(9, 0.4), 1.0)
    once = twice.slid()
    assert once.masses.size == 3
    assert np.max(np.abs(once.taylor()[1])) < 1e-11
    assert np.max(np.abs(twice.slid(1e-2).taylor()[1])) < 1e-2


def test_a_spike_whose_mass_is_used_up_is_dropped():
    problem = three_spikes()
    far = np.vstack([problem.positions, [[0.3, 0.2]]])
    ended = spikes(problem, far, [1.2, 0.7, 1.0, 0.3], 1.0).slid()
    assert ended.masses.size == 3
    assert np.all(ended.masses > 0)
