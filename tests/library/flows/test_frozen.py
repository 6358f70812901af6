"""Steps that double, and a first layer trained to the end of time: both against the flow of all weights."""

import numpy as np
import pytest

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import nearly_orthogonal
from implicit_bias.flows import FlowError, GradientDescent, double_steps, drive, follow, follow_frozen
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import ActivationPattern, Risk, TwoLayer

N, D, M = 4, 12, 6
STREAM = np.random.default_rng(0)
DATA = nearly_orthogonal(STREAM, N, D, ratio=1.1, correlation=1e-3)
A = np.where(np.arange(M) < 4, 1.0, -1.0) / np.sqrt(M)
RISK = Risk(TwoLayer(LeakyReLU(0.5), trained="first"), DATA, SmoothMargin())
W = 1e-2 * STREAM.standard_normal((M, D))


@pytest.fixture(scope="module")
def run():
    return follow_frozen(RISK.in_span(W, A), 0.01, t_end=1e6, t_most=1e4)


def test_steps_double_whenever_the_time_has():
    flow, seen = RISK.in_span(W, A), []
    times, states, h = double_steps(flow, 0.01, lambda ends, h: seen.append(h) or len(ends) == 4, t_most=1e4)
    assert seen == [0.01, 0.02, 0.04, 0.08]
    assert h == 0.08
    assert times[[16, 32, 48, 64]] == pytest.approx([10, 20, 40, 80])
    assert (np.diff(times) > 0).all()
    assert len(times) == len(states) == 65
    first = drive(GradientDescent(flow.gradient, 0.01), flow.start, t_end=10.0)
    assert (states[16] == first.final).all()


def test_a_step_is_at_most_one():
    seen = []
    double_steps(RISK.in_span(W, A), 0.6, lambda ends, h: seen.append(h) or len(ends) == 3, t_most=1e5)
    assert seen == [0.6, 1.0, 1.0]


def test_waiting_in_vain_is_said():
    with pytest.raises(FlowError, match="has not come by the time 50; take a smaller learning rate"):
        double_steps(RISK.in_span(W, A), 0.01, lambda ends, h: False, t_most=50)


def test_the_pattern_is_final_at_the_freeze(run):
    pattern = ActivationPattern(run.span)
    assert pattern.settled(run.states[run.freeze])
    assert not pattern.settled(run.states[0])
    assert run.tau0 == run.tau[run.freeze]
    assert run.tau[0] == 0
    assert run.tau[-1] == pytest.approx(1e6)
    assert (np.diff(run.tau) > 0).all()


def test_it_looks_again_until_the_pattern_is_final():
    late = follow_frozen(RISK.in_span(W, A), 1e-4, t_end=1e6, t_most=1e4)
    pattern = ActivationPattern(late.span)
    seen = [pattern.settled(state) for state in late.states[16 : late.freeze + 1 : 16]]
    assert len(seen) > 1
    assert seen == [False] * (len(seen) - 1) + [True]


def test_from_the_freeze_on_it_is_the_flow_of_all_weights(run):
    row = run.freeze + 5
    all_of_it = follow(RISK.of_weights(run.at_freeze, A), t_end=run.tau[row] - run.tau0, rtol=1e-10)
    np.testing.assert_allclose(run.w[row].ravel(), all_of_it.final, rtol=1e-6, atol=1e-6)


def test_its_weights_are_told_at_the_start_the_freeze_and_the_end(run):
    np.testing.assert_allclose(run.start, W, atol=1e-15)
    assert (run.w[run.late][0] == run.at_freeze).all()
    assert (run.w[-1] == run.end).all()
    net, x, y = RISK.net, DATA.x, DATA.y
    assert (y * net.output(run.final, A, x)).min() == pytest.approx(1, rel=1e-9)
