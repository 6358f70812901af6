"""Particles that do not move against those that need not."""

import numpy as np
import pytest
from library.helpers import both, circle, refusal

from implicit_bias.data import torus_grid
from implicit_bias.flows import follow, gradient_flow
from implicit_bias.models.measures import ConicFlow, FixedParticles, ParticleMeasure


@both
def test_fixed_particles_are_particles_that_do_not_move(problem):
    places = torus_grid(6, problem.dimension)
    measure = ParticleMeasure(problem, 1.0)
    start = measure.parameters(places, 1.0)
    reduced = FixedParticles(problem, 1.0, places, np.full(len(places), 1 / len(places)), 0.5)
    full = gradient_flow(ConicFlow(measure, start, 0.5, 0.0).velocity, start, t_end=0.5, rtol=1e-11)
    run = follow(reduced, t_end=0.5, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(reduced.masses(run.final), measure.masses(full.final), rtol=1e-6, atol=1e-9)
    assert reduced.value(run.final) == pytest.approx(measure.value(full.final), rel=1e-7)
    slope = reduced.jacobian(run.final)
    for k, step in enumerate(1e-6 * np.eye(run.final.size)):
        numeric = (reduced.velocity(run.final + step) - reduced.velocity(run.final - step)) / 2e-6
        np.testing.assert_allclose(slope[:, k], numeric, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FixedParticles(circle(), 1.0, np.zeros((1, 1)), np.array([-1.0])), "start holds -1"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
