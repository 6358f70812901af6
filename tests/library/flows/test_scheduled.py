"""Descent with a schedule: a constant one is gradient descent, others are followed, bad ones end the run."""

import numpy as np
import pytest
from library.problems import solved

from implicit_bias.flows import GradientDescent, ScheduledDescent, drive


@solved(potential=True, stiff=False)
def test_a_constant_schedule_is_gradient_descent(problem):
    rate = 0.01 * problem.time
    plain = drive(GradientDescent(problem.gradient, rate), problem.start, t_end=20.5 * rate, record=[7.25 * rate])
    steps = drive(ScheduledDescent(problem.gradient, lambda k, x: rate), problem.start, t_end=20.5, record=[7.25])
    np.testing.assert_allclose(steps.theta, plain.theta, rtol=1e-12)
    np.testing.assert_allclose(steps.t, plain.t / rate, rtol=1e-12)
    assert steps.steps == steps.evaluations == 21


def test_a_schedule_sees_the_step_and_the_place():
    seen = []

    def rate(k, theta):
        seen.append((k, float(theta[0])))
        return 0.5 / (k + 1)

    run = drive(ScheduledDescent(lambda theta: theta, rate), [1.0], t_end=3.0, record=[1.0, 2.0])
    np.testing.assert_allclose(run.theta[:, 0], [1, 0.5, 0.375, 0.3125])
    assert seen == [(0, 1.0), (1, 0.5), (2, 0.375)]


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_a_rate_that_is_no_positive_number_ends_the_run_in_a_sentence(bad):
    run = drive(ScheduledDescent(lambda theta: theta, lambda k, x: 0.1 if k < 2 else bad), [1.0], t_end=5.0)
    assert not run.converged
    assert "the learning rate of step 2 is" in run.ended
    assert run.final[0] == pytest.approx(0.81)
