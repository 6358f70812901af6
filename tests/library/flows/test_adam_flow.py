"""The flow of Adam: its Jacobian, its two ends, refusals."""

import importlib

import numpy as np
from library.helpers import refusal
from scipy.integrate import solve_ivp

from implicit_bias.data import separable
from implicit_bias.flows import adam_flow, margin_flow

adam_flow_module = importlib.import_module("implicit_bias.flows.adam_flow")
PROBLEM = separable(np.random.default_rng(0), 30, 10, support=4)


def test_its_jacobian_is_that_of_differences(monkeypatch):
    kept = {}
    stepper = adam_flow_module.OdeStepper
    monkeypatch.setattr(
        adam_flow_module,
        "OdeStepper",
        lambda velocity, **options: kept.update(options, f=velocity) or stepper(velocity, **options),
    )
    adam_flow(PROBLEM.signed, log_epsilon=-2.0, m_end=0.1)
    for m in (1.0, 3.0):
        state = np.append(np.random.default_rng(2).standard_normal(10) / 3, m)
        moved = [1e-6 * row for row in np.eye(11)]
        columns = [(kept["f"](state + one) - kept["f"](state - one)) / 2e-6 for one in moved]
        np.testing.assert_allclose(kept["jacobian"](state), np.transpose(columns), atol=1e-7 * np.abs(columns).max())


def test_its_last_number_is_the_logarithm_of_the_loss():
    run = adam_flow(PROBLEM.signed, log_epsilon=-10.0, m_end=25.0, record=[5.0, 15.0]).demand()
    np.testing.assert_allclose(-np.log(np.exp(-run.theta[:, :-1] @ PROBLEM.signed.T).mean(axis=1)), run.t, atol=1e-5)


def test_across_its_epsilon_it_is_the_plain_equation():
    """ẇ = g/(|g| + ε) in the time t itself, on the way from a loss above ε to one far below."""
    z, at, epsilon = PROBLEM.signed, np.array([1.5, 3.0, 4.5, 6.0]), np.exp(-3.0)

    def velocity(_, w):
        g = np.exp(-z @ w) @ z / len(z)
        return g / (np.abs(g) + epsilon)

    events = [lambda _, w, m=m: np.log(np.exp(-z @ w).mean()) + m for m in at]
    events[-1].terminal = True
    plain = solve_ivp(velocity, (0.0, 1e9), np.zeros(10), "LSODA", rtol=1e-10, atol=1e-10, events=events)
    flow = adam_flow(z, log_epsilon=-3.0, m_end=6.0, record=at[:-1], rtol=1e-10, atol=1e-10).demand()
    # Each takes some hundred steps of an error of 1e-10 of what it follows, and of 1e-10.
    np.testing.assert_allclose(flow.theta[1:, :-1], np.concatenate(plain.y_events), rtol=1e-7, atol=1e-7)


def test_with_a_large_epsilon_it_is_gradient_flow():
    adam = adam_flow(PROBLEM.signed, log_epsilon=-1e-9, m_end=40.0).demand().final[:-1]
    gradient = margin_flow(PROBLEM.signed, log_t_end=45.0, record=np.linspace(30, 45, 61)).demand().theta[1:, :-1]
    assert (
        np.abs(gradient / np.linalg.norm(gradient, axis=1)[:, None] - adam / np.linalg.norm(adam)).max(axis=1).min()
        < 3e-3
    )


def test_what_it_refuses():
    refusal(lambda: adam_flow(np.ones(3), log_epsilon=-1.0, m_end=1.0), "z")
    refusal(lambda: adam_flow(PROBLEM.signed, log_epsilon=0.0, m_end=1.0), "log_epsilon")
    refusal(lambda: adam_flow(PROBLEM.signed, log_epsilon=-1.0, m_end=0.0), "m_end")
    refusal(lambda: adam_flow(PROBLEM.signed, log_epsilon=-1.0, m_end=1.0, floor=0.0), "floor")


def test_a_higher_floor_costs_a_margin_no_more_than_it_says():
    z, size = PROBLEM.signed, 200.0
    ends = [adam_flow(z, log_epsilon=-size, m_end=size, floor=floor).demand().final[:-1] for floor in (1e-7, 1e-4)]
    low, high = ((z @ w).min() / np.abs(w).max() for w in ends)
    assert 0 < low - high < 1e-4 * z.shape[1]
