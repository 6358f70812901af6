"""The network whose output bias has its own speed: outputs, tangent features by differences, the speed, the jump."""

import numpy as np
import pytest

from implicit_bias.data import Samples
from implicit_bias.models.univariate import LevelledNetwork, RampNetwork

STREAM = np.random.default_rng(0)
DATA = Samples(np.array([[-1.0], [0.2], [1.3]]), np.array([1.0, 0.0, -1.0]))
THETA = STREAM.standard_normal(13)
UNITS = np.ones(4), np.zeros(4)


def test_at_level_one_it_is_the_network_of_ramps():
    one, other = LevelledNetwork(DATA, *UNITS), RampNetwork(DATA, *UNITS)
    np.testing.assert_allclose(one.residual(THETA), other.residual(THETA))
    np.testing.assert_array_equal(one.tangent_features(THETA), other.tangent_features(THETA))


def test_the_tangent_features_are_those_of_differences():
    network, h = LevelledNetwork(DATA, *UNITS, 2.5), 1e-6
    numeric = np.stack(
        [(network.residual(THETA + h * e) - network.residual(THETA - h * e)) / (2 * h) for e in np.eye(13)], axis=1
    )
    np.testing.assert_allclose(network.tangent_features(THETA), -numeric, atol=1e-8)


def test_its_output_bias_adds_the_square_of_the_level_to_the_kernel():
    kernels = [LevelledNetwork(DATA, *UNITS, level).tangent_features(THETA) for level in (0.0, 3.0)]
    np.testing.assert_allclose(kernels[1] @ kernels[1].T - kernels[0] @ kernels[0].T, 9.0)


def test_the_jump_is_that_of_the_outputs():
    network = LevelledNetwork(DATA, *UNITS, 2.5)
    slopes = np.diff(network.output(THETA, [-101.0, -100.0, 100.0, 101.0]))[[0, 2]]
    assert network.jump(THETA) == pytest.approx(slopes[1] - slopes[0])


def test_a_negative_level_and_more_inputs_are_refused():
    with pytest.raises(ValueError, match="level is -1; it must"):
        LevelledNetwork(DATA, *UNITS, -1.0)
    with pytest.raises(ValueError, match="data.x has shape"):
        LevelledNetwork(Samples(np.ones((3, 2)), np.ones(3)), *UNITS)
