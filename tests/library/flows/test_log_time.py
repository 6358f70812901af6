"""The flow in the logarithm of time against the flow in time."""

import numpy as np
import pytest
from library.problems import Tail

from implicit_bias.data import separable
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
