"""The flow of a linear classifier with its Jacobian against the flow without, its proved corridor, refusals."""

import importlib

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import separable
from implicit_bias.flows import log_time_flow, margin_flow
from implicit_bias.limits.margin import max_margin
from implicit_bias.losses import Exponential
from implicit_bias.models.linear import LinearClassifier

margin_flow_module = importlib.import_module("implicit_bias.flows.margin_flow")
PROBLEM = separable(np.random.default_rng(0), 30, 10, support=4)


def test_it_is_the_flow_in_log_time():
    slow = log_time_flow(LinearClassifier(PROBLEM, Exponential()), np.zeros(10), log_t_end=50.0, record=[1.0, 20.0])
    fast = margin_flow(PROBLEM.signed, log_t_end=50.0, record=[1.0, 20.0], rtol=1e-10, atol=1e-12).demand()
    np.testing.assert_array_equal(fast.t, [0, 1, 20, 50])
    np.testing.assert_allclose(fast.theta, slow.theta, rtol=1e-6, atol=1e-7)


def test_its_jacobian_is_that_of_differences(monkeypatch):
    kept = {}
    stepper = margin_flow_module.OdeStepper
    monkeypatch.setattr(
        margin_flow_module,
        "OdeStepper",
        lambda velocity, **options: kept.update(options, f=velocity) or stepper(velocity, **options),
    )
    margin_flow(PROBLEM.signed, log_t_end=1.0)
    state = np.append(np.random.default_rng(2).standard_normal(10) / 3, 1.5)
    moved = [1e-6 * row for row in np.eye(11)]
    columns = [(kept["f"](state + one) - kept["f"](state - one)) / 2e-6 for one in moved]
    np.testing.assert_allclose(kept["jacobian"](state), np.transpose(columns), atol=1e-7 * np.abs(columns).max())


def test_it_needs_no_differences():
    """Of 200 unknowns a Jacobian by differences would cost 200 evaluations, many times."""
    z = np.random.default_rng(1).standard_normal((200, 200))
    run = margin_flow(z, log_t_end=100.0).demand()
    assert run.evaluations < 3 * run.steps + 200


@pytest.mark.parametrize("log_t_end", [10.0, 1000.0])
def test_it_stays_in_the_corridor(log_t_end):
    """γ − ln n/‖u‖ ≤ min_i z_i·u/‖u‖ ≤ γ."""
    run = margin_flow(PROBLEM.signed, log_t_end=log_t_end, record=[1.0, 5.0])
    u = run.theta[1:, :-1]
    length = np.linalg.norm(u, axis=1)
    reached = (u @ PROBLEM.signed.T).min(axis=1) / length
    gamma = max_margin(PROBLEM.signed).margin
    assert np.all(reached <= gamma * (1 + 1e-9))
    assert np.all(reached >= gamma - np.log(30) / length - 1e-6)


def test_what_it_refuses():
    refusal(lambda: margin_flow(np.ones(3), log_t_end=5.0), "z")
    refusal(lambda: margin_flow(PROBLEM.signed, log_t_end=0.0), "log_t_end")
