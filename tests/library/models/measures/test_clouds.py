"""Clouds side by side: each is the measure that it is alone, in its derivative and in its descent."""

import numpy as np
import pytest
from library.helpers import both

from implicit_bias.flows import ConicDescent, drive
from implicit_bias.models.measures import Clouds, ParticleMeasure


@both
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("signs", [None, np.array([1.0, -1, 1, 1])], ids=["positive", "signed"])
def test_each_cloud_has_the_derivative_of_its_own_measure(problem, power, signs):
    measure = ParticleMeasure(problem, 0.7, signs, power)
    alone = np.random.default_rng(3).uniform(0.3, 2, (3, 4 * (1 + problem.dimension)))
    clouds = Clouds(measure, 3)
    theta = clouds.together(alone)
    assert (clouds.apart(theta[None])[:, 0] == alone).all()
    expected = np.concatenate([measure.derivative(one) for one in alone], axis=1)
    np.testing.assert_allclose(clouds.derivative(theta), expected, rtol=1e-12, atol=1e-12)


@both
def test_each_cloud_descends_as_it_would_alone(problem):
    measure = ParticleMeasure(problem, 0.7)
    alone = np.random.default_rng(4).uniform(0.3, 2, (2, 5 * (1 + problem.dimension)))
    clouds = Clouds(measure, 2)
    run = drive(ConicDescent(clouds, 0.01, 0.02), clouds.together(alone), t_end=40, record=[10])
    for start, states in zip(alone, clouds.apart(run.theta), strict=True):
        expected = drive(ConicDescent(measure, 0.01, 0.02), start, t_end=40, record=[10])
        np.testing.assert_allclose(states, expected.theta, rtol=1e-11, atol=1e-12)


@both
def test_no_cloud_and_measures_of_other_numbers_are_refused(problem):
    measure = ParticleMeasure(problem, 0.7)
    with pytest.raises(ValueError, match="count is 0"):
        Clouds(measure, 0)
    with pytest.raises(ValueError, match="thetas has shape"):
        Clouds(measure, 3).together(np.ones((2, 6)))
