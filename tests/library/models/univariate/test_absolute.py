"""The network of absolute values: outputs by hand, the tangent features by differences, two ramps as one unit."""

import numpy as np
import pytest

from implicit_bias.data import Samples
from implicit_bias.models.univariate import AbsoluteNetwork, RampNetwork

STREAM = np.random.default_rng(0)
DATA = Samples(np.array([[-1.0], [0.2], [1.3]]), np.array([1.0, 0.0, -1.0]))
UNITS = np.array([1.0, -1.0]), np.array([0.5, 0.1])
NETWORK = AbsoluteNetwork(DATA, *UNITS)


def test_outputs_are_those_of_the_formula():
    theta = np.array([1.0, -1.0, 0.5, -0.3, 2.0, 3.0, 0.25])  # w, b, a, c
    x = np.array([-1.0, 0.2, 1.3])
    expected = 2 * np.abs(x - 0.5) + 3 * np.abs(x - 0.3) + 0.25
    np.testing.assert_allclose(NETWORK.output(theta, x), expected)
    np.testing.assert_allclose(NETWORK.residual(theta), DATA.y - expected)
    np.testing.assert_array_equal(NETWORK.residual(NETWORK.start), DATA.y)


def test_the_tangent_features_are_those_of_differences():
    theta, h = STREAM.standard_normal(13), 1e-6
    numeric = np.stack(
        [(NETWORK.residual(theta + h * e) - NETWORK.residual(theta - h * e)) / (2 * h) for e in np.eye(13)], axis=1
    )
    np.testing.assert_allclose(NETWORK.tangent_features(theta), -numeric, atol=1e-8)


def test_a_unit_is_two_ramps():
    w, b, a = STREAM.standard_normal((3, 4))
    at = np.linspace(-2, 2, 9)
    pairs = np.concatenate([w, -w, b, -b, a, a, [0.0]])
    single = NETWORK.output(np.concatenate([w, b, a, [0.0]]), at)
    np.testing.assert_allclose(RampNetwork(DATA, *UNITS).output(pairs, at), single, atol=1e-12)


def test_more_inputs_are_refused():
    with pytest.raises(ValueError, match=r"data.x has shape \(3, 2\); it must be any × 1"):
        AbsoluteNetwork(Samples(np.ones((3, 2)), np.ones(3)), *UNITS)
