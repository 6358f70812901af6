"""The driver: stops, records, clocks, premises, and how a run says that it ended."""

import numpy as np
import pytest
from library.problems import solved

from implicit_bias.flows import FlowError, GradientDescent, OdeStepper, drive, gradient_flow

STEPPERS = {
    "ode": lambda problem, step: OdeStepper(problem.velocity, problem.jacobian, "LSODA", 1e-10, 1e-12 * problem.size),
    "euler": lambda problem, step: GradientDescent(lambda theta: -problem.velocity(theta), step),
}


def flow(problem, t_end, **options):
    """The flow up to so many units of time, with tolerances in the problem's units."""
    options = {"rtol": 1e-12, "atol": 1e-14 * problem.size, **options}
    return gradient_flow(
        problem.velocity, problem.start, t_end=t_end * problem.time, jacobian=problem.jacobian, **options
    )


@solved(limit=True)
def test_flow_stops_where_the_residual_meets_its_target(problem):
    target = problem.distance(problem.exact(1.5 * problem.time))
    run = flow(problem, 100, residual=problem.distance, target=target)
    assert run.converged
    assert run.t[-1] == pytest.approx(1.5 * problem.time, rel=1e-9)
    np.testing.assert_allclose(run.final, problem.exact(1.5 * problem.time), rtol=1e-9, atol=1e-9 * problem.size)
    assert run.ended == f"The residual fell to {target:g} at time {1.5 * problem.time:g}."


@solved(limit=True)
def test_flow_says_that_time_was_over_before_the_target(problem):
    run = flow(problem, 1, residual=problem.distance, target=1e-3)
    assert not run.converged
    assert run.t[-1] == problem.time
    assert run.ended == f"It reached the end time {problem.time:g} before the residual 0.001."


@solved(limit=True)
@pytest.mark.parametrize(("name", "error"), [("ode", 1e-7), ("euler", 0.05)])
def test_what_is_recorded_does_not_change_the_run(name, error, problem):
    """A state between two steps is that of the step's own interpolant; the steps are the same with it and without."""
    end = (1e-4 if problem.stiff else 2.0) * problem.time
    bare, recorded = (
        drive(STEPPERS[name](problem, end / 100), problem.start, t_end=end, record=times)
        for times in ([], np.linspace(0, 1, 17) * end)
    )
    np.testing.assert_array_equal(recorded.final, bare.final)
    np.testing.assert_array_equal(recorded.t[1:-1], (np.linspace(0, 1, 17) * end)[1:-1])
    assert (recorded.steps, recorded.evaluations) == (bare.steps, bare.evaluations)
    np.testing.assert_allclose(recorded.theta / problem.size, problem.at(recorded.t) / problem.size, atol=error)


@pytest.mark.parametrize("record", [[], [0.25, 1.0, 3.5]])
@pytest.mark.parametrize(
    ("gradient", "max_steps", "words"),
    [
        (lambda theta: theta, 10_000, "It reached the end time 5"),
        (lambda theta: theta, 17, "It took 17 steps and stood at time 1.7 of 5"),
        (lambda theta: -(theta**3), 10_000, "The parameters diverged at step"),
        (lambda theta: np.full(2, 1e200), 10_000, "It reached the end time 5"),
    ],
)
def test_steps_between_which_nothing_is_asked_are_the_same_steps(gradient, max_steps, words, record):
    """Numbers whose squares overflow are finite, and a run ends as it does where each step is looked at."""
    start, options = [1.0, -0.5], {"t_end": 5.0, "record": record, "max_steps": max_steps}
    bare, watched = (
        drive(GradientDescent(gradient, 0.1), start, premise=premise, **options)
        for premise in (None, lambda theta: None)
    )
    assert bare.ended == watched.ended
    assert bare.ended.startswith(words)
    assert (bare.steps, bare.evaluations, bare.converged) == (watched.steps, watched.evaluations, watched.converged)
    np.testing.assert_array_equal(bare.t, watched.t)
    np.testing.assert_array_equal(bare.theta, watched.theta)


@solved(exact=False)
def test_a_run_that_has_used_its_steps_says_where_it_stood(problem):
    run = flow(problem, 1e6, max_steps=3)
    assert not run.converged
    assert run.steps == 3
    assert run.ended == f"It took 3 steps and stood at time {run.t[-1]:g} of {1e6 * problem.time:g}."
    with pytest.raises(FlowError, match="^It took 3 steps"):
        run.demand()


@solved(exact=False)
def test_another_clock_says_when_to_stop_and_what_to_record(problem):
    """t = τ(e^c − 1) for a clock c: states at the same moments."""
    stepper = OdeStepper(problem.velocity, problem.jacobian, "LSODA", 1e-11, 1e-13 * problem.size)
    clocks = np.array([0.2, 0.5, 1.0])
    moments = problem.time * np.expm1(clocks)
    there = drive(
        stepper,
        problem.start,
        t_end=1.0,
        clock=lambda t, theta: float(np.log1p(t / problem.time)),
        record=clocks,
    ).demand()
    here = drive(stepper, problem.start, t_end=moments[-1], record=moments[:2]).demand()
    np.testing.assert_array_equal(there.t, [0, *clocks])
    np.testing.assert_allclose(there.theta / problem.size, here.theta / problem.size, atol=1e-8)


@solved(limit=True)
def test_flow_that_starts_at_its_target_takes_no_step(problem):
    run = gradient_flow(problem.velocity, problem.limit, t_end=1, residual=problem.distance, target=1e-3)
    assert run.converged
    assert run.steps == 0
    assert run.ended == "The residual was at most 0.001 at the start."


def test_flow_keeps_what_it_has_when_the_solution_blows_up():
    run = gradient_flow(lambda t: t**2, [1.0], t_end=2, record=[0.5])
    assert not run.converged
    np.testing.assert_allclose(run.theta[1], [2.0], rtol=1e-6)
    assert "stopped at time 1" in run.ended or "diverged" in run.ended


def test_demand_gives_the_run_that_converged_and_says_how_any_other_ended():
    run = gradient_flow(lambda t: -t, [1.0], t_end=1)
    assert run.demand() is run
    short = gradient_flow(lambda t: -t, [1.0], t_end=1, residual=lambda t: abs(t[0]), target=1e-3)
    with pytest.raises(FlowError, match=r"^It reached the end time 1 before the residual 0.001\.$"):
        short.demand()


@solved(exact=False)
def test_flow_of_no_time_takes_no_step(problem):
    run = gradient_flow(problem.velocity, problem.start, t_end=0)
    assert run.steps == 0
    np.testing.assert_array_equal(run.theta, [problem.start])
    assert run.demand().ended == "It reached the end time 0."


def test_flow_stops_when_the_premise_is_left():
    run = gradient_flow(
        lambda t: -np.ones(1), [1.0], t_end=5, premise=lambda t: "the weight is negative." if t[0] < 0 else None
    )
    assert not run.converged
    assert "left the theorem's premise" in run.ended
    assert "the weight is negative." in run.ended


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"theta": [[1.0]]}, r"theta has 2 axes \(shape \(1, 1\)\); it must have 1"),
        ({"theta": [np.nan]}, r"theta holds nan at \[0\]; every entry must be a finite number"),
        ({"t_end": -1.0}, r"t_end is -1; it must lie in \[0, inf\)"),
        ({"record": [0.5, 0.5]}, "record holds times that do not increase"),
        ({"max_steps": 0}, "max_steps is 0"),
    ],
)
def test_driver_refuses(change, words):
    arguments = {"theta": [1.0], "t_end": 1.0, **change}
    with pytest.raises(ValueError, match=words):
        drive(OdeStepper(lambda t: -t), **arguments)


def test_an_end_that_is_also_to_be_recorded_is_recorded_once_at_that_time():
    def clock(t, theta):
        return float(np.log1p(3 * t))

    for t_end in np.linspace(1, 3, 100):
        solution = drive(OdeStepper(lambda theta: -theta), [1.0], t_end=t_end, clock=clock, record=[0.5, t_end])
        np.testing.assert_array_equal(solution.t, [0, 0.5, t_end])
