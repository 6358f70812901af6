"""Flows against exact solutions: orders by slope, events, records, and how a run says that it ended."""

import numpy as np
import pytest

from implicit_bias.data import separable
from implicit_bias.flows import GradientDescent, OdeStepper, drive, gradient_flow, log_time_flow
from implicit_bias.flows.ode import METHODS
from implicit_bias.losses import margin_loss
from implicit_bias.models import LinearClassifier

RATES = np.array([1.0, 30.0])


def decay(theta):
    return -RATES * theta


@pytest.mark.parametrize("method", METHODS)
def test_flow_follows_the_exact_solution_at_the_recorded_times(method):
    times = [0.1, 0.25, 1.0]
    run = gradient_flow(
        decay,
        [1.0, 2.0],
        t_end=1.0,
        record=times,
        method=method,
        rtol=1e-10,
        atol=1e-12,
        jacobian=lambda t: -np.diag(RATES),
    )
    np.testing.assert_array_equal(run.t, [0.0, *times])
    np.testing.assert_allclose(run.theta, [1.0, 2.0] * np.exp(-np.outer(run.t, RATES)), atol=1e-7)
    assert run.converged
    assert run.ended == "It reached the end time 1."


def test_flow_stops_where_the_residual_meets_its_target():
    run = gradient_flow(decay, [1.0, 0.0], t_end=100, residual=lambda t: abs(t[0]), target=1e-3, rtol=1e-12, atol=1e-14)
    assert run.converged
    assert run.t[-1] == pytest.approx(np.log(1e3), abs=1e-6)
    assert run.ended == "The residual fell to 0.001 at time 6.90776."


def test_flow_says_that_time_was_over_before_the_target():
    run = gradient_flow(decay, [1.0, 0.0], t_end=1, residual=lambda t: abs(t[0]), target=1e-3)
    assert not run.converged
    assert run.ended == "It reached the end time 1 before the residual 0.001."


def test_flow_that_starts_at_its_target_takes_no_step():
    run = gradient_flow(decay, [0.0, 0.0], t_end=1, residual=lambda t: float(np.abs(t).max()), target=1e-3)
    assert run.converged
    assert run.steps == 0
    assert run.ended == "The residual was at most 0.001 at the start."


@pytest.mark.parametrize("method", METHODS)
def test_flow_stays_where_its_velocity_is_zero(method):
    run = gradient_flow(decay, [0.0, 0.0], t_end=1e4, record=[1.0], method=method)
    assert run.converged
    np.testing.assert_array_equal(run.theta, np.zeros((3, 2)))


def test_flow_keeps_what_it_has_when_the_solution_blows_up():
    run = gradient_flow(lambda t: t**2, [1.0], t_end=2, record=[0.5])
    assert not run.converged
    np.testing.assert_allclose(run.theta[1], [2.0], rtol=1e-6)
    assert "stopped at time 1" in run.ended or "diverged" in run.ended


def test_flow_stops_when_the_premise_is_left():
    run = gradient_flow(
        lambda t: -np.ones(1), [1.0], t_end=5, premise=lambda t: "the weight is negative." if t[0] < 0 else None
    )
    assert not run.converged
    assert "left the theorem's premise" in run.ended
    assert "the weight is negative." in run.ended


def test_descent_is_of_first_order_in_its_learning_rate():
    rates = np.array([1e-2, 5e-3, 2.5e-3])
    errors = [abs(drive(GradientDescent(lambda t: t, rate), [1.0], t_end=1.0).final[0] - np.exp(-1)) for rate in rates]
    assert np.polyfit(np.log(rates), np.log(errors), 1)[0] == pytest.approx(1, abs=0.02)


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


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_log_time_agrees_with_plain_time_where_both_reach(loss):
    model = LinearClassifier(separable(np.random.default_rng(0), 12, 4, support=3), margin_loss(loss))
    w = np.random.default_rng(1).standard_normal(4)
    slow = gradient_flow(lambda v: -model.gradient(v), w, t_end=np.e**5 - 1, rtol=1e-11, atol=1e-13)
    fast = log_time_flow(model, w, log_t_end=5.0, record=[2.0], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(fast.final[:-1], slow.final, rtol=1e-8)
    np.testing.assert_allclose(fast.t, [0.0, 2.0, 5.0])
    np.testing.assert_allclose(fast.theta[:, -1], fast.t, atol=1e-9)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"theta": [[1.0]]}, r"theta has 2 axes \(shape \(1, 1\)\); it must have 1"),
        ({"theta": [np.nan]}, "theta holds 1 entries that are not finite numbers"),
        ({"t_end": -1.0}, r"t_end is -1; it must lie in \[0, inf\)"),
        ({"record": [0.5, 0.5]}, "record holds times that do not increase"),
        ({"max_steps": 0}, "max_steps is 0"),
    ],
)
def test_driver_refuses(change, words):
    arguments = {"theta": [1.0], "t_end": 1.0, **change}
    with pytest.raises(ValueError, match=words):
        drive(OdeStepper(lambda t: -t), **arguments)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"method": "RK4"}, "method is 'RK4'; it must be one of DOP853, LSODA, BDF, Radau"),
        ({"rtol": 1e-16}, "rtol is 1e-16"),
        ({"atol": 0.0}, "atol is 0"),
    ],
)
def test_steppers_refuse(change, words):
    with pytest.raises(ValueError, match=words):
        OdeStepper(lambda t: -t, **change)
    with pytest.raises(ValueError, match=r"learning_rate is 0; it must lie in \(0, inf\)"):
        GradientDescent(lambda t: t, 0.0)
