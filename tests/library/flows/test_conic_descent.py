"""Conic descent: its retractions, its steps, its memory."""

import tracemalloc

import numpy as np
import pytest
from library.helpers import refusal
from library.problems import solved

from implicit_bias.data import three_spikes, torus_grid
from implicit_bias.flows import ConicDescent, drive
from implicit_bias.flows.conic_descent import RETRACTIONS
from implicit_bias.models.measures import ParticleMeasure
from implicit_bias.rates import log_log_slope


def test_two_retractions_and_the_count_of_steps():
    measure = ParticleMeasure(three_spikes(), 1.0)
    theta = measure.parameters(torus_grid(4, 2))
    rows = measure.derivative(theta)
    mirror = drive(ConicDescent(measure, 0.01, 0.02), theta, t_end=1).final
    canonical = drive(ConicDescent(measure, 0.01, 0.02, "canonical"), theta, t_end=1).final
    np.testing.assert_allclose(mirror[:16], theta[:16] * np.exp(-0.02 * rows[0]))
    np.testing.assert_allclose(canonical[:16], theta[:16] * (1 - 0.02 * rows[0]))
    np.testing.assert_allclose(canonical[16:], theta[16:] - 0.02 * rows[1:].ravel())
    plain = ParticleMeasure(three_spikes(), 1.0, power=1)
    additive = drive(ConicDescent(plain, 1.0, 0.0, "additive"), theta, t_end=1).final
    np.testing.assert_allclose(additive[:16], np.maximum(theta[:16] - plain.derivative(theta)[0], 0))
    run = drive(ConicDescent(measure, 0.01, 0.01), theta, t_end=7, record=[2.5])
    assert (run.steps, run.evaluations, run.t[-1]) == (7, 7, 7)


def peak(measure, theta, steps, record=()):
    """The most memory in use at a time during descent, in bytes."""
    tracemalloc.start()
    try:
        drive(ConicDescent(measure, 0.001, 0.001), theta, t_end=steps, record=record)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_steps_and_linearly_with_the_particles():
    measure = ParticleMeasure(three_spikes(), 1.0)
    few, many = (measure.parameters(torus_grid(side, 2)) for side in (30, 60))
    peak(measure, few, 2)  # what is cached once
    short = peak(measure, few, 10)
    assert peak(measure, few, 300) < 1.05 * short
    assert peak(measure, many, 10) < 4.4 * short
    recorded = peak(measure, few, 300, np.arange(1.0, 300))
    assert recorded > 300 * few.nbytes


class OneParticle:
    """A particle whose J′ has the gradient of a problem's potential in its place, and one value along its mass."""

    def __init__(self, problem, slope):
        self.problem, self.slope, self.calls = problem, slope, 0

    def derivative(self, theta):
        self.calls += 1
        return np.append(self.slope, self.problem.gradient(theta[1:]))[:, None]


@solved(potential=True, stiff=False)
@pytest.mark.parametrize("retraction", RETRACTIONS)
def test_a_particle_moves_along_its_potential_and_its_mass_by_the_retraction(retraction, problem):
    """Its place by gradient descent, of first order; r = r₀ e^{−2κt} by mirror exactly, r₀ − κt by additive steps."""
    end, counts, slope = 2 * problem.time, np.array([100, 200, 400]), 0.4 / problem.time
    places, masses = [], []
    for steps in counts:
        rate = end / steps
        particle = OneParticle(problem, slope)
        start = np.append(1.5, problem.start)
        run = drive(ConicDescent(particle, rate, rate, retraction), start, t_end=steps, record=[20, 20.5, 21]).demand()
        assert run.ended == f"It reached the end time {steps}."
        assert run.steps == run.evaluations == particle.calls == steps
        np.testing.assert_array_equal(run.t, [0, 20, 20.5, 21, steps])
        np.testing.assert_allclose(run.theta[2], (run.theta[1] + run.theta[3]) / 2, rtol=1e-13)
        places.append(np.linalg.norm(run.final[1:] - problem.exact(end)) / problem.size)
        flow = 1.5 * np.exp(-1.6) if retraction != "additive" else 1.5 - 0.8
        masses.append(abs(run.final[0] - flow))
    assert log_log_slope(1 / counts, places) == pytest.approx(1, abs=0.05)
    if retraction == "canonical":
        assert log_log_slope(1 / counts, masses) == pytest.approx(1, abs=0.05)
    else:
        assert max(masses) < 1e-12


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ConicDescent(ParticleMeasure(three_spikes(), 1.0), 0.1, 0.1, "none"), "retraction is 'none'"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
