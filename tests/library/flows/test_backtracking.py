"""Descent with backtracking: it only descends, and its time is that of the flow."""

import numpy as np
import pytest
from library.problems import solved

from implicit_bias.flows import backtracking_descent
from implicit_bias.rates import log_log_slope


def test_descent_only_descends_and_records(planar):
    networks, state = planar
    done = backtracking_descent(networks.descent, state, evaluations=200, first_step=1.0, record=[1, 50, 500])
    np.testing.assert_array_equal(done.t, [0, 1, 50, 200])
    assert done.evaluations == done.steps == 200
    assert done.demand().ended == "It reached the end time 200."
    assert np.all(np.diff(done.value, axis=0) <= 0)
    assert np.all(done.value[-1] < 0.1 * done.value[0])
    assert np.all(np.diff(done.time, axis=0) >= 0)
    np.testing.assert_allclose(networks.risk(done.w[-1]), done.value[-1])


def test_descent_follows_the_flow_for_small_steps(planar):
    networks, state = planar
    coarse, fine = (
        backtracking_descent(
            lambda w, h=h: (lambda f, v, e: (f, v * h, e * h))(*networks.descent(w)), state, evaluations=1, first_step=1
        )
        for h in (2e-4, 1e-4)
    )
    fall = [(state_.value[0] - state_.value[1]) / h for state_, h in ((coarse, 2e-4), (fine, 1e-4))]
    np.testing.assert_allclose(2 * fall[1] - fall[0], networks.descent(state)[2], rtol=1e-4)


def test_the_time_of_a_descent_is_the_sum_of_its_accepted_steps():
    done = backtracking_descent(
        lambda w: (w[:, 0, 0] ** 2 / 2, -w, w[:, 0, 0] ** 2),  # F = w²/2, so that a step of η multiplies w by 1 − η
        np.array([[[1.0]], [[-3.0]]]),
        evaluations=40,
        first_step=3.0,
        record=range(40),
    )
    steps = np.diff(done.time, axis=0)
    np.testing.assert_allclose(done.w[1:, :, 0, 0], (1 - steps) * done.w[:-1, :, 0, 0], rtol=1e-12)
    assert np.any(steps == 0)
    assert np.all(done.time[-1] > 1)


def descent(problem):
    """F, −∇F and ‖∇F‖² of R runs of one particle each."""

    def of_runs(w):
        velocity = np.array([[problem.velocity(w[run, 0])] for run in range(len(w))])
        values = np.array([problem.value(w[run, 0]) for run in range(len(w))])
        return values, velocity, np.sum(velocity**2, axis=(1, 2))

    return of_runs


@solved(potential=True)
def test_the_first_step_misses_the_flow_by_the_second_order(problem):
    steps = np.array([1e-2, 5e-3, 2.5e-3]) * (1e-5 if problem.stiff else 1.0)
    errors = []
    for step in steps:
        run = backtracking_descent(
            descent(problem), problem.start[None, None], evaluations=1, first_step=step * problem.time
        )
        np.testing.assert_array_equal(run.time[:, 0], [0, step * problem.time])
        errors.append(np.linalg.norm(run.w[-1, 0, 0] - problem.exact(run.time[-1, 0])) / problem.size)
    assert log_log_slope(steps, errors) == pytest.approx(2, abs=0.05)


@solved(potential=True, limit=True, stiff=False)
def test_descent_with_backtracking_reaches_the_least_value_from_any_first_step(problem):
    """Three runs with starts of their own; one whose first step is far too long halves it."""
    calls = []

    def counted(w):
        calls.append(1)
        return descent(problem)(w)

    starts = np.array([problem.start, problem.exact(problem.time), problem.exact(2 * problem.time)])[:, None]
    for first_step in (1e-3, 30.0):
        calls.clear()
        run = backtracking_descent(
            counted, starts, evaluations=300, first_step=first_step * problem.time, record=[10, 100]
        ).demand()
        assert run.ended == "It reached the end time 300."
        assert run.evaluations == run.steps == len(calls) - 1 == 300  # and that of the start
        np.testing.assert_array_equal(run.t, [0, 10, 100, 300])
        assert np.all(np.diff(run.value, axis=0) <= 0)
        excess = run.value[-1] - problem.value(problem.limit)
        assert np.max(excess) < 1e-12 * problem.size**2 / problem.time


@solved(potential=True)
def test_descent_from_a_point_of_the_flow_falls_by_at_least_half_its_dissipation(problem):
    run = backtracking_descent(
        descent(problem), problem.start[None, None], evaluations=40, first_step=problem.time, record=range(40)
    )
    fall, steps = -np.diff(run.value[:, 0]), np.diff(run.time[:, 0])
    dissipation = np.array([np.sum(problem.velocity(w) ** 2) for w in run.w[:-1, 0, 0]])
    unit = problem.size**2 / problem.time
    assert np.all(fall >= steps / 2 * dissipation - 1e-12 * np.abs(run.value[:-1, 0]) - 1e-14 * unit)
    assert np.count_nonzero(steps) > 10


def test_refusals(planar):
    with pytest.raises(ValueError, match=r"evaluations is 0"):
        backtracking_descent(planar[0].descent, planar[1], evaluations=0, first_step=1)
