"""The flow in what it gathers against the flow of the four vectors of weights and against that of the dual."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.flows import follow
from implicit_bias.models.linear import DiagonalFlow, DiagonalNetwork, DualFlow, VanishingFlow

X = np.random.default_rng(3).standard_normal((4, 6))
Y = X @ [1.0, 0, 0, -2, 0, 0] + 0.2
ALPHA = 1e-3
LENGTH = np.log(1 / ALPHA)


def test_it_is_the_flow_of_the_weights():
    zero = np.zeros(6)
    network = DiagonalNetwork(np.full(6, np.sqrt(2) * ALPHA), zero, zero, zero)
    times = np.linspace(0.2, 6, 30)
    flow = VanishingFlow(X, Y, LENGTH)
    course = flow.predictor(follow(flow, t_end=6.0, record=times, rtol=1e-12).theta)
    weights = DiagonalFlow(network, X, Y)
    trained = weights.predictor(
        follow(weights, t_end=6 * LENGTH, record=times * LENGTH, method="DOP853", rtol=1e-12).theta
    )
    np.testing.assert_allclose(course, trained, atol=1e-8)
    dual = DualFlow(network, X, Y)
    np.testing.assert_allclose(
        course, dual.predictor(follow(dual, t_end=6 * LENGTH, record=times * LENGTH, rtol=1e-12).theta), atol=1e-8
    )


def test_starts_of_different_sizes():
    c = np.linspace(0.5, 2, 6)
    zero = np.zeros(6)
    network = DiagonalNetwork(np.sqrt(2) * ALPHA * c, zero, zero, zero)
    flow, weights = VanishingFlow(X, Y, LENGTH, 1 - np.log([c, c]) / LENGTH), DiagonalFlow(network, X, Y)
    one = flow.predictor(follow(flow, t_end=4.0, rtol=1e-12).final)
    other = weights.predictor(follow(weights, t_end=4 * LENGTH, rtol=1e-12).final)
    np.testing.assert_allclose(one, other, atol=1e-8)


def test_its_jacobian_is_the_derivative_of_its_velocity():
    flow, at = VanishingFlow(X, Y, 5.0), np.array([0.3, -0.2, 0.5, 0.1])
    step = 1e-6 * np.eye(4)
    slopes = [(flow.velocity(at + one) - flow.velocity(at - one)) / 2e-6 for one in step]
    np.testing.assert_allclose(flow.jacobian(at), np.transpose(slopes), rtol=1e-6, atol=1e-6)
    assert flow.misfit(at) == pytest.approx(np.linalg.norm(flow.velocity(at)))


def test_a_start_far_below_the_range_of_floats():
    flow = VanishingFlow(X, Y, 1e4)
    assert flow.predictor(follow(flow, t_end=1e3).final) @ X.T == pytest.approx(Y, abs=1e-8)


def test_what_it_refuses():
    refusal(lambda: VanishingFlow(X, Y[:-1], 1.0), "y")
    refusal(lambda: VanishingFlow(X, Y, 0.0), "length")
    refusal(lambda: VanishingFlow(X, Y, np.inf), "length")
    refusal(lambda: VanishingFlow(X, Y, 1.0, np.ones(6)), "thresholds")
    refusal(lambda: VanishingFlow(X, Y, 1.0, -np.ones((2, 6))), "thresholds")
