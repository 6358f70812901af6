"""The flow in the logarithm of time against the flow in time."""

import numpy as np
import pytest
from library.problems import Tail
from scipy.integrate import odeint

from implicit_bias.data import Classification, separable
from implicit_bias.flows import gradient_flow, log_time_flow
from implicit_bias.losses import margin_loss
from implicit_bias.models.linear import LinearClassifier


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_log_time_agrees_with_plain_time_where_both_reach(loss):
    model = LinearClassifier(separable(np.random.default_rng(0), 12, 4, support=3), margin_loss(loss))
    w = np.random.default_rng(1).standard_normal(4)
    slow = gradient_flow(lambda v: -model.gradient(v), w, t_end=np.e**5 - 1, rtol=1e-11, atol=1e-13)
    fast = log_time_flow(model, w, log_t_end=5.0, record=[2.0], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(fast.final[:-1], slow.final, rtol=1e-8)
    np.testing.assert_allclose(fast.t, [0.0, 2.0, 5.0])
    np.testing.assert_allclose(fast.theta[:, -1], fast.t, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1.0, 1e3, 1e9])
def test_log_time_follows_the_exact_solution_far_beyond_the_largest_float(unit):
    tail = Tail(np.array([1.0, 0.5, 2.0]) / unit)
    log_times = np.array([0.5, 3.0, 40.0, 700.0, 2000.0])
    run = log_time_flow(
        tail, tail.start, log_t_end=2000.0, record=log_times[:-1], rtol=1e-10, atol=1e-12 * min(unit, 1.0)
    ).demand()
    np.testing.assert_array_equal(run.t, [0, *log_times])
    np.testing.assert_allclose(run.theta[:, -1], run.t, rtol=1e-9, atol=1e-9)
    exact = np.array([tail.exact(log_t) for log_t in log_times])
    np.testing.assert_allclose(run.theta[1:, :-1] / unit, exact / unit, rtol=1e-7, atol=1e-8)
    assert run.ended == "It reached the end time 2000."


def linear(x, y=None, loss="exponential"):
    return LinearClassifier(Classification(x, np.ones(len(x)) if y is None else y), margin_loss(loss))


@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0])
@pytest.mark.parametrize(("n", "d"), [(40, 10), (10, 30)])
def test_it_agrees_with_lsoda_in_ln_t(scale, n, d):
    problem = separable(np.random.default_rng(2), n, d, support=4)
    z, w = problem.signed, scale * np.random.default_rng(3).standard_normal(d)
    times = np.array([0.0, 0.1, 1.0, 5.0, 18.0, 100.0])

    def velocity(log_t, v):
        return np.exp(log_t - z @ v) @ z / n

    with np.errstate(over="ignore"):
        other = odeint(velocity, w, times, rtol=1e-12, atol=1e-13, mxstep=10**6, tfirst=True)
    run = log_time_flow(linear(z), w, log_t_end=100.0, record=times[1:-1]).demand()
    np.testing.assert_allclose(run.theta[:, :-1], other, rtol=1e-8, atol=1e-8)
    assert run.steps < 60


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
@pytest.mark.parametrize("start", [-1000.0, -30.0, 1000.0, 3000.0])
def test_starts_far_on_either_side_of_the_boundary(start, loss):
    """Where all margins are as large as ln t nothing moves; where they are negative, they soon are not."""
    problem = separable(np.random.default_rng(0), 20, 5, support=3)
    w = start * problem.direction
    run = log_time_flow(linear(problem.x, problem.y, loss), w, log_t_end=1200.0, record=[100.0]).demand()
    if start * problem.margin > 1200:
        np.testing.assert_allclose(run.theta[:, :-1], [w, w, w], rtol=1e-12)
    else:
        margins = problem.signed @ run.final[:-1]
        assert margins.min() == pytest.approx(1200, abs=10)
    assert run.steps < 300


@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_units_far_from_one(unit):
    problem = separable(np.random.default_rng(0), 20, 5, support=3)
    run = log_time_flow(
        linear(unit * problem.x, problem.y), np.zeros(5), log_t_end=2000.0, rtol=1e-9, atol=1e-9 / unit
    ).demand()
    w = run.final[:-1] * unit
    assert (problem.signed @ w).min() / np.linalg.norm(w) == pytest.approx(problem.margin, rel=1e-2)


def test_points_twice_are_points_of_twice_the_weight():
    problem = separable(np.random.default_rng(1), 12, 4, support=3)
    once, twice = (
        log_time_flow(linear(np.vstack([problem.signed] * k)), np.zeros(4), log_t_end=50.0).final for k in (1, 2)
    )
    np.testing.assert_allclose(once, twice, rtol=1e-10)


def test_points_that_cannot_be_separated_end_at_the_least_risk():
    x = np.array([[1.0, 0.0], [-2.0, 0.5], [0.3, -1.0]])
    model = linear(x)
    run = log_time_flow(model, np.zeros(2), log_t_end=20.0).demand()
    assert np.linalg.norm(model.gradient(run.final[:-1])) < 1e-9


def test_a_stationary_start_stays():
    run = log_time_flow(linear(np.array([[1.0, 2.0], [-1.0, -2.0]])), np.zeros(2), log_t_end=100.0).demand()
    np.testing.assert_array_equal(run.final, [0, 0, 100])


def test_data_that_no_float_holds_end_in_a_sentence():
    run = log_time_flow(linear(np.full((2, 2), 1e200)), np.zeros(2), log_t_end=1.0)
    assert not run.converged
    assert run.ended.startswith("The stepper stopped at time 0 of 1: its step has shrunk")


@pytest.mark.parametrize(("name", "value"), [("rtol", 0.0), ("rtol", 1e-15), ("rtol", 1.0), ("atol", 0.0)])
def test_tolerances_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} is "):
        log_time_flow(linear(np.eye(2)), np.zeros(2), log_t_end=1.0, **{name: value})


def test_tighter_tolerances_give_smaller_errors():
    problem = separable(np.random.default_rng(2), 40, 10, support=5)
    exact, *others = (
        log_time_flow(linear(problem.signed), np.ones(10), log_t_end=18.0, rtol=tol, atol=tol).final
        for tol in (1e-13, 1e-4, 1e-7, 1e-10)
    )
    errors = [np.abs(one - exact).max() for one in others]
    assert errors[0] > errors[1] > errors[2]
    assert np.all(np.array(errors) < [3e-3, 3e-6, 3e-9])
