"""The table of problems is right: solutions solve, potentials have the velocity, what is conserved stays."""

import numpy as np
import pytest
from library.problems import PROBLEMS, Tail, solved

every = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)


@solved()
def test_the_solution_solves(problem):
    np.testing.assert_allclose(problem.exact(0.0), problem.start, rtol=1e-14)
    step = 1e-4 * problem.time
    for t in np.array([0.3, 1.0, 2.5]) * problem.time:
        slope = (problem.exact(t + step) - problem.exact(t - step)) / (2 * step)
        speed = problem.velocity(problem.exact(t))
        np.testing.assert_allclose(slope, speed, rtol=1e-5, atol=1e-6 * problem.size / problem.time)


@solved(potential=True)
def test_the_velocity_falls_along_the_potential(problem):
    theta = problem.start * 1.1
    steps = 1e-6 * problem.size * np.eye(theta.size)
    slope = [(problem.value(theta + e) - problem.value(theta - e)) / (2e-6 * problem.size) for e in steps]
    np.testing.assert_allclose(problem.gradient(theta), slope, rtol=1e-5, atol=1e-6 * problem.size / problem.time)


@every
def test_the_jacobian_is_that_of_differences(problem):
    theta = problem.start * 1.1
    steps = 1e-6 * problem.size * np.eye(theta.size)
    columns = [(problem.velocity(theta + e) - problem.velocity(theta - e)) / (2e-6 * problem.size) for e in steps]
    np.testing.assert_allclose(problem.jacobian(theta), np.array(columns).T, rtol=1e-6, atol=1e-7 / problem.time)


@solved(conserved=True, exact=False)
def test_what_is_conserved_stays(problem):
    theta = problem.start * 1.1
    slope = [
        (problem.conserved(theta + e) - problem.conserved(theta - e)) / (2e-6 * problem.size)
        for e in 1e-6 * problem.size * np.eye(theta.size)
    ]
    speed = problem.velocity(theta) * problem.time / problem.size
    assert np.dot(slope, speed) * problem.size == pytest.approx(0, abs=1e-8)


@solved(limit=True)
def test_the_limit_is_where_the_solution_ends(problem):
    assert problem.distance(problem.exact(200 * problem.time)) < 1e-12
    assert np.max(np.abs(problem.velocity(problem.limit))) < 1e-12 * problem.size / problem.time


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_the_tail_solves_in_logarithmic_time(unit):
    tail = Tail(np.array([1.0, 0.5]) / unit)
    for log_t in (0.5, 5.0, 300.0):
        w, step = tail.exact(log_t), 1e-5
        slope = (tail.exact(log_t + step) - tail.exact(log_t - step)) / (2 * step)
        speed = tail.scaled_velocity(w, np.asarray(log_t))  # dw/d ln t = −t∇R
        np.testing.assert_allclose(slope, speed, rtol=1e-6)
