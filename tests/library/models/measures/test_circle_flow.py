"""The flow of a few particles on the circle: that of any particles, and its Jacobian against differences."""

import numpy as np
import pytest
from library.helpers import circle, refusal

from implicit_bias.data import three_spikes
from implicit_bias.flows import follow
from implicit_bias.models.measures import CircleFlow, ConicFlow, ParticleMeasure

THETA = np.random.default_rng(3).uniform(0.3, 6, 8)
SIGNS = pytest.mark.parametrize("signs", [None, np.array([1.0, -1, 1, 1])])


@SIGNS
def test_its_velocity_is_that_of_the_measures_particles(signs):
    measure = ParticleMeasure(circle(), 0.7, signs)
    flow = CircleFlow(measure, THETA, 0.8, 1.3)
    any_flow = ConicFlow(measure, THETA, 0.8, 1.3)
    np.testing.assert_allclose(flow.velocity(THETA), any_flow.velocity(THETA), rtol=1e-11, atol=1e-11)
    assert flow.value(THETA) == measure.value(THETA)


@SIGNS
def test_its_jacobian_is_that_of_differences(signs):
    flow = CircleFlow(ParticleMeasure(circle(), 0.7, signs), THETA, 0.8, 1.3)
    columns = [(flow.velocity(THETA + h) - flow.velocity(THETA - h)) / 2e-6 for h in 1e-6 * np.eye(8)]
    np.testing.assert_allclose(flow.jacobian(THETA), np.array(columns).T, rtol=1e-6, atol=1e-5)


def test_it_is_followed_with_its_jacobian():
    measure = ParticleMeasure(circle(), 0.7)
    flow = CircleFlow(measure, measure.parameters(np.array([[0.5], [2.0], [4.0]])), 1.0, 0.5)
    end = follow(flow, t_end=1.0, rtol=1e-9).final
    assert measure.value(end) < measure.value(flow.start)
    np.testing.assert_allclose(end, follow(flow, t_end=1.0, method="DOP853", rtol=1e-9).final, rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: CircleFlow(ParticleMeasure(three_spikes(), 1.0), np.ones(6), 1.0, 1.0),
            "measure has dimension 2; it must be 1",
        ),
        (lambda: CircleFlow(ParticleMeasure(circle(), 1.0, power=1), THETA, 1.0, 1.0), "measure has power 1"),
        (lambda: CircleFlow(ParticleMeasure(circle(), 1.0), THETA[:7], 1.0, 1.0), "start has shape (7,)"),
        (lambda: CircleFlow(ParticleMeasure(circle(), 1.0, np.ones(3)), THETA, 1.0, 1.0), "start has shape (8,)"),
        (lambda: CircleFlow(ParticleMeasure(circle(), 1.0), THETA, -1.0, 1.0), "alpha is -1"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
