"""Gradient descent against exact solutions: its order, its steps, its divergence."""

import numpy as np
import pytest
from library.problems import solved

from implicit_bias.flows import GradientDescent, drive
from implicit_bias.rates import log_log_slope


@solved(potential=True, stiff=False)
def test_descent_is_of_first_order_in_its_learning_rate(problem):
    end, steps = 2 * problem.time, np.array([400, 800, 1600])
    errors = []
    for count in steps:
        run = drive(GradientDescent(problem.gradient, end / count), problem.start, t_end=end).demand()
        errors.append(np.linalg.norm(run.final - problem.exact(end)) / problem.size)
    assert log_log_slope(1 / steps, errors) == pytest.approx(1, abs=0.02)


@solved(potential=True, stiff=False)
def test_descent_records_states_between_its_steps_to_first_order(problem):
    """On the straight line of the step: the error falls with the rate wherever in a step the time lies."""
    end, steps = 2 * problem.time, np.array([400, 800, 1600])
    times = np.array([0.1237, 0.5011, 0.9]) * end
    errors = []
    for count in steps:
        run = drive(GradientDescent(problem.gradient, end / count), problem.start, t_end=end, record=times)
        np.testing.assert_array_equal(run.t, [0, *times, end])
        errors.append(np.max(np.abs(run.theta - problem.at(run.t))) / problem.size)
    assert log_log_slope(1 / steps, errors) == pytest.approx(1, abs=0.05)


@solved(potential=True, limit=True)
def test_descent_stops_at_its_target_and_counts_its_gradients(problem):
    rate, target = (1e-5 * problem.time, 0.9) if problem.stiff else (0.1 * problem.time, 0.5)
    counted, calls = problem.counted()
    run = drive(
        GradientDescent(counted.gradient, rate),
        problem.start,
        t_end=200 * problem.time,
        residual=problem.distance,
        target=target,
    )
    assert run.converged
    assert run.steps == run.evaluations == len(calls)
    assert run.steps == np.ceil(run.t[-1] / rate * (1 - 1e-12))
    assert run.ended == f"The residual fell to {target:g} at time {run.t[-1]:g}."
    assert problem.distance(run.final) == pytest.approx(target, abs=1e-9)


def test_descent_takes_the_steps_it_says():
    run = drive(GradientDescent(lambda t: t, 0.1), [1.0], t_end=0.25, record=[0.1, 0.15])
    np.testing.assert_allclose(run.theta[:, 0], [1.0, 0.9, 0.855, 0.7695])
    assert run.steps == 3


def test_descent_that_diverges_keeps_its_last_finite_state():
    run = drive(GradientDescent(lambda t: t**3, 1.0), [10.0], t_end=100.0)
    assert not run.converged
    assert "diverged at step" in run.ended
    assert np.all(np.isfinite(run.theta))


def test_descent_counts_its_steps():
    run = drive(GradientDescent(lambda t: t, 0.1), [1.0], t_end=100.0, max_steps=7)
    assert not run.converged
    assert run.steps == run.evaluations == 7
    assert run.ended == "It took 7 steps and stood at time 0.7 of 100."


def test_steppers_refuse():
    with pytest.raises(ValueError, match=r"learning_rate is 0; it must lie in \(0, inf\)"):
        GradientDescent(lambda t: t, 0.0)
