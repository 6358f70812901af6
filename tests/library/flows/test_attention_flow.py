"""The flows of attention: their velocity against differences of the loss, their Jacobians, plain integration, ends."""

import importlib

import numpy as np
import pytest
from library.helpers import refusal
from scipy.integrate import solve_ivp

from implicit_bias.flows import attention_flow, key_query_flow
from implicit_bias.limits.margin import attention_decay, attention_margin, token_differences, token_pulls

attention_module = importlib.import_module("implicit_bias.flows.attention_flow")
G = np.random.default_rng(0)
X, Z, SCORES = G.standard_normal((3, 4, 5)), G.standard_normal((3, 4)), G.standard_normal((3, 4))
START = G.standard_normal((5, 4)) / 2
FACTORS = G.standard_normal((5, 3)) / 2, G.standard_normal((4, 3)) / 2


def loss(w):
    """The logistic loss of the attended score."""
    logits = np.einsum("itk,kd,id->it", X, w, Z)
    share = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return np.log1p(np.exp(-(share * SCORES).sum(axis=1))).mean()


def ascent(w):
    """Minus the gradient of the loss, by central differences."""
    steps = 1e-6 * np.eye(w.size).reshape(-1, *w.shape)
    return np.array([(loss(w - one) - loss(w + one)) / 2e-6 for one in steps]).reshape(w.shape)


def test_the_matrix_moves_by_the_gradient_of_the_loss():
    plain = solve_ivp(lambda t, w: ascent(w.reshape(5, 4)).ravel(), (0, 6.0), START.ravel(), rtol=1e-8, atol=1e-10)
    run = attention_flow(X, Z, SCORES, log_t_end=np.log(7.0), start=START)
    np.testing.assert_allclose(run.final, plain.y[:, -1], atol=1e-7)
    unit = attention_flow(X, Z, SCORES, log_t_end=np.log(1 + 6 / 50), start=START, log_unit=np.log(50.0))
    np.testing.assert_allclose(unit.final, plain.y[:, -1], atol=1e-7)


@pytest.mark.parametrize("decay", [None, 0.1])
def test_the_factors_move_by_the_gradient_of_the_loss_and_of_the_decay(decay):
    def velocity(_, state):
        key, query = state[:15].reshape(5, 3), state[15:].reshape(4, 3)
        push = ascent(key @ query.T)
        return np.concatenate([(push @ query).ravel(), (push.T @ key).ravel()]) - (decay or 0.0) * state

    plain = solve_ivp(velocity, (0, 6.0), np.concatenate([one.ravel() for one in FACTORS]), rtol=1e-8, atol=1e-10)
    end = plain.y[:15, -1].reshape(5, 3) @ plain.y[15:, -1].reshape(4, 3).T
    t_end, log_decay = (np.log(7.0), None) if decay is None else (6 * decay, np.log(decay))
    run = key_query_flow(X, Z, SCORES, *FACTORS, t_end=t_end, log_decay=log_decay)
    np.testing.assert_allclose(run.final.reshape(5, 4), end, atol=1e-6)


@pytest.mark.parametrize("of", ["matrix", "factors", "decay"])
def test_their_jacobians_are_those_of_differences(monkeypatch, of):
    kept = {}
    stepper = attention_module.OdeStepper
    monkeypatch.setattr(
        attention_module,
        "OdeStepper",
        lambda velocity, **options: kept.update(options, f=velocity) or stepper(velocity, **options),
    )
    if of == "matrix":
        attention_flow(X, Z, SCORES, log_t_end=0.1, start=START)
    else:
        key_query_flow(X, Z, SCORES, *FACTORS, t_end=0.01, log_decay=None if of == "factors" else -1.0)
    size = {"matrix": 13, "factors": 28, "decay": 27}[of]
    for scale in (0.3, 1.0):
        state = scale * np.random.default_rng(2).standard_normal(size)
        moved = 1e-6 * np.eye(size)
        columns = [(kept["f"](state + one) - kept["f"](state - one)) / 2e-6 for one in moved]
        np.testing.assert_allclose(kept["jacobian"](state), np.transpose(columns), atol=1e-7 * np.abs(columns).max())


def test_where_they_end_is_where_the_margins_say():
    best = SCORES.argmax(axis=1)
    pulls, rows = token_pulls(SCORES), token_differences(X, Z, best)
    answer = attention_margin(X, Z, best, "frobenius")
    run = attention_flow(X, Z, SCORES, log_t_end=2000.0, record=[1000.0], start=answer.w).demand()
    told = answer.offsets(pulls)
    on = np.isfinite(told)
    np.testing.assert_allclose((rows @ run.final - 2000)[on], told[on], atol=1e-4)
    np.testing.assert_allclose((run.final - run.theta[1]) / 1000, answer.w.ravel(), atol=1e-6)
    equal = (SCORES.max(axis=1, keepdims=True) == SCORES).astype(float)
    end = attention_decay(X, Z, equal, -30.0)
    factors = key_query_flow(X, Z, equal, 0.1 * np.eye(5, 4), 0.1 * np.eye(4), t_end=300.0, log_decay=-30.0).demand()
    np.testing.assert_allclose(factors.final.reshape(5, 4), end.w, atol=1e-5 * np.abs(end.w).max())


def test_what_they_refuse():
    refusal(lambda: attention_flow(X[0], Z, SCORES, log_t_end=1.0), "x")
    refusal(lambda: attention_flow(X[:, :1], Z, SCORES[:, :1], log_t_end=1.0), "x")
    refusal(lambda: attention_flow(X, 0 * Z, SCORES, log_t_end=1.0), "z")
    refusal(lambda: attention_flow(X, Z, 0 * SCORES, log_t_end=1.0), "scores")
    refusal(lambda: attention_flow(X, Z, SCORES, log_t_end=0.0), "log_t_end")
    refusal(lambda: attention_flow(X, Z, SCORES, log_t_end=1.0, start=START.T), "start")
    refusal(lambda: key_query_flow(X, Z, SCORES, FACTORS[0], FACTORS[0], t_end=1.0), "query")
    refusal(lambda: key_query_flow(X, Z, SCORES, *FACTORS, t_end=0.0), "t_end")
    refusal(lambda: key_query_flow(X, Z, SCORES, *FACTORS, t_end=1.0, log_decay=0.0), "log_decay")


def test_from_zero_a_token_can_be_lost_that_another_start_keeps():
    """Four sentences push along (1, 0), where the fifth token trails by 3/2; (1, 5) selects all five."""
    x = np.array([[[1.0, 0.0], [0.0, 0.0]]] * 4 + [[[-1.5, 0.5], [0.0, 0.0]]])
    z, scores = np.ones((5, 1)), np.eye(1, 2).repeat(5, axis=0)
    svm = attention_margin(x, z, np.zeros(5), "frobenius").w
    np.testing.assert_allclose(svm.ravel(), [1.0, 5.0], atol=1e-10)
    for start, told in ((None, [1.0, 0.0]), (5.0 * svm[::-1] + 25.0 * svm, [1.0, 5.0])):
        run = attention_flow(x, z, scores, log_t_end=400.0, record=[200.0], start=start)
        np.testing.assert_allclose(np.diff(run.theta[1:], axis=0).ravel() / 200, told, atol=1e-8)
