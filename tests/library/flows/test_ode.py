"""SciPy's solvers against exact solutions, in any unit."""

import numpy as np
import pytest
from library.problems import solved

from implicit_bias.flows import OdeStepper, gradient_flow
from implicit_bias.flows.ode import METHODS


def flow(problem, t_end, method, **options):
    """The flow up to so many units of time, with tolerances in the problem's units."""
    record = np.asarray(options.pop("record", ())) * problem.time
    return gradient_flow(
        problem.velocity,
        problem.start,
        t_end=t_end * problem.time,
        jacobian=problem.jacobian,
        method=method,
        rtol=1e-10,
        atol=1e-12 * problem.size,
        record=record,
        **options,
    )


@solved(every=3)
@pytest.mark.parametrize("method", METHODS)
def test_flow_follows_the_exact_solution_at_the_recorded_times(method, problem):
    end = 1e-4 if problem.stiff and method == "DOP853" else 2.0  # an explicit method takes a step for each fast rate
    times = np.array([0.1, 0.25, 1.0]) * end / 2
    run = flow(problem, end, method, record=times)
    np.testing.assert_array_equal(run.t, [0.0, *(times * problem.time), end * problem.time])
    np.testing.assert_allclose(run.theta / problem.size, problem.at(run.t) / problem.size, atol=1e-7)
    assert run.converged
    assert run.ended == f"It reached the end time {end * problem.time:g}."


@solved(conserved=True, exact=False, every=3)
@pytest.mark.parametrize("method", METHODS)
def test_what_is_conserved_stays_along_the_flow(method, problem):
    run = flow(problem, 7.0, method, record=np.arange(1.0, 7.0)).demand()
    kept = [problem.conserved(theta) for theta in run.theta]
    np.testing.assert_allclose(kept, kept[0], atol=1e-6)
    assert np.ptp(run.theta / problem.size) > 0.1


@solved(exact=False, every=3)
@pytest.mark.parametrize("method", METHODS)
def test_each_evaluation_is_counted(method, problem):
    """But for LSODA's look at the start, and the three of the last step's interpolant."""
    counted, calls = problem.counted()
    end = 1e-4 if problem.stiff and method == "DOP853" else 1.0
    run = flow(counted, end, method)
    assert run.evaluations <= len(calls) <= run.evaluations + 3
    assert run.steps < run.evaluations


@solved(limit=True, every=3)
@pytest.mark.parametrize("method", METHODS)
def test_flow_stays_where_its_velocity_is_zero(method, problem):
    rest = np.zeros_like(problem.start)
    run = gradient_flow(
        lambda t: problem.velocity(t) - problem.velocity(rest), rest, t_end=1e4, record=[1.0], method=method
    )
    assert run.converged
    np.testing.assert_array_equal(run.theta, [rest, rest, rest])


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
