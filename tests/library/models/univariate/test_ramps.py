"""The univariate network: outputs by hand, the tangent features by differences."""

import numpy as np
import pytest

from implicit_bias.data import Samples
from implicit_bias.models.univariate import RampNetwork

STREAM = np.random.default_rng(0)
DATA = Samples(np.array([[-1.0], [0.2], [1.3]]), np.array([1.0, 0.0, -1.0]))
NETWORK = RampNetwork(DATA, np.array([1.0, -1.0]), np.array([0.5, 0.1]))


def test_outputs_are_those_of_the_formula():
    theta = np.array([1.0, -1.0, 0.5, -0.3, 2.0, 3.0, 0.25])  # w, b, a, c
    expected = (
        2 * np.maximum(np.array([-1, 0.2, 1.3]) - 0.5, 0) + 3 * np.maximum(np.array([1, -0.2, -1.3]) + 0.3, 0) + 0.25
    )
    np.testing.assert_allclose(NETWORK.output(theta, [-1.0, 0.2, 1.3]), expected)
    np.testing.assert_allclose(NETWORK.residual(theta), DATA.y - expected)
    np.testing.assert_array_equal(NETWORK.residual(NETWORK.start), DATA.y)


def test_the_tangent_features_are_those_of_differences():
    theta, h = STREAM.standard_normal(13), 1e-6
    numeric = np.stack(
        [(NETWORK.residual(theta + h * e) - NETWORK.residual(theta - h * e)) / (2 * h) for e in np.eye(13)], axis=1
    )
    np.testing.assert_allclose(NETWORK.tangent_features(theta), -numeric, atol=1e-8)


def test_more_inputs_and_biases_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"data.x has shape \(3, 2\); it must be any × 1"):
        RampNetwork(Samples(np.ones((3, 2)), np.ones(3)), np.ones(2), np.ones(2))
    with pytest.raises(ValueError, match="b has shape"):
        RampNetwork(DATA, np.ones(2), np.ones(1))
