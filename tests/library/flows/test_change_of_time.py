"""A flow by another clock against the flow itself."""

import numpy as np
import pytest
from library.problems import solved

from implicit_bias.flows import gradient_flow, warped


def test_warped_flow_of_a_known_solution():
    """θ̇ = −θ by dτ = dt/θ: θ = 1 − τ, t = −ln(1 − τ)."""
    run = gradient_flow(
        warped(lambda theta: -theta, lambda theta: 1 / float(theta[0])),
        [1.0, 0.0],
        t_end=0.9,
        record=[0.3, 0.6],
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
    )
    np.testing.assert_allclose(run.theta[:, 0], [1.0, 0.7, 0.4, 0.1], atol=1e-11)
    np.testing.assert_allclose(run.theta[:, 1], -np.log([1.0, 0.7, 0.4, 0.1]), atol=1e-11)


@solved()
def test_a_warped_flow_runs_along_the_same_curve_and_carries_the_time(problem):
    """By dτ = (1 + ‖θ‖²/2) dt in the problem's units: at each τ the state is θ(t) for the t that it carries."""

    def speed(theta):
        return 1 / (1 + theta @ theta / problem.size**2 / 2)

    run = gradient_flow(
        warped(problem.velocity, speed),
        np.append(problem.start, 0.0),
        t_end=3 * problem.time,
        record=np.array([0.5, 1.0, 2.0]) * problem.time,
        rtol=1e-11,
        atol=1e-13 * min(problem.size, problem.time),
    ).demand()
    times = run.theta[:, -1]
    np.testing.assert_allclose(run.theta[:, :-1] / problem.size, problem.at(times) / problem.size, atol=1e-7)
    assert np.all(np.diff(times) > 0)
    assert np.all(times[1:] < run.t[1:])


def test_warped_refuses_a_speed_that_is_not_positive():
    with pytest.raises(ValueError, match="speed is 0; it must be positive along the curve"):
        warped(lambda theta: -theta, lambda theta: 0.0)(np.array([1.0, 0.0]))
