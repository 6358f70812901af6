"""Following a model: to a time, to a misfit, with its Jacobian where it has one; what is asked of a flow without it."""

import numpy as np
import pytest

from implicit_bias.activations import IDENTITY
from implicit_bias.data import Samples
from implicit_bias.flows import FlowError, GradientDescent, descend, drive, follow, follow_kinked, gradient_flow
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer

STREAM = np.random.default_rng(0)
X, W, A = STREAM.standard_normal((3, 5)), STREAM.standard_normal((2, 5)), STREAM.standard_normal(2)
Y = np.array([1.0, -2.0, 0.5])
RISK = Risk(TwoLayer(IDENTITY), Samples(X, Y), Squared("sum"))


class Decay:
    """θ̇ = −θ from two numbers, without Jacobian and misfit."""

    start = np.array([1.0, -3.0])

    def velocity(self, state):
        return -state

    def gradient(self, state):
        return state


@pytest.mark.parametrize("rtol", [1e-6, 1e-12])
def test_a_flow_without_jacobian_is_followed_to_a_time(rtol):
    run = follow(Decay(), t_end=2.0, record=[0.5, 1.0], rtol=rtol)
    assert run.t.tolist() == [0.0, 0.5, 1.0, 2.0]
    assert np.abs(run.theta - np.outer(np.exp(-run.t), Decay.start)).max() <= 100 * rtol


@pytest.mark.parametrize("flow", [RISK.in_span(W, A), RISK.of_weights(W, A)])
def test_a_network_is_followed_to_its_misfit(flow):
    run = follow(flow, misfit=1e-6)
    assert flow.misfit(run.final) == pytest.approx(1e-6, rel=1e-3)
    assert run.t[-1] < 1e9


@pytest.mark.parametrize(
    ("flow", "chosen"), [(RISK.in_span(W, A), "LSODA"), (RISK.of_weights(W, A), "DOP853")], ids=["jacobian", "none"]
)
@pytest.mark.parametrize("atol", [None, 1e-14])
def test_it_is_gradient_flow_with_the_jacobian_the_flow_has(flow, chosen, atol):
    run = follow(flow, t_end=3.0, rtol=1e-10, atol=atol)
    same = gradient_flow(
        flow.velocity,
        flow.start,
        t_end=3.0,
        jacobian=getattr(flow, "jacobian", None),
        method=chosen,
        rtol=1e-10,
        atol=atol or 1e-12,
    )
    assert (run.final == same.final).all()
    assert run.evaluations == same.evaluations


def test_a_method_that_is_named_is_taken():
    flow = RISK.in_span(W, A)
    same = gradient_flow(flow.velocity, flow.start, t_end=3.0, method="DOP853", rtol=1e-10, atol=1e-12)
    assert (follow(flow, t_end=3.0, method="DOP853").final == same.final).all()


def test_descent_takes_the_steps_of_the_stepper():
    flow = RISK.of_weights(W, A)
    run = descend(flow, 1e-2, t_end=0.5, record=[0.1])
    same = drive(GradientDescent(flow.gradient, 1e-2), flow.start, t_end=0.5, record=[0.1])
    assert (run.theta == same.theta).all()
    assert run.steps == 50
    reached = descend(flow, 1e-2, t_end=1e3, misfit=1e-3)
    assert flow.misfit(reached.final) == pytest.approx(1e-3, rel=1e-6)


def test_what_ends_before_is_refused():
    flow = RISK.in_span(W, A)
    with pytest.raises(FlowError, match="reached the end time 0.01 before the residual 1e-06"):
        follow(flow, t_end=0.01, misfit=1e-6)
    with pytest.raises(FlowError, match="reached the end time 0.1 before the residual 1e-06"):
        descend(flow, 1e-2, t_end=0.1, misfit=1e-6)


@pytest.mark.parametrize("train", [follow, lambda flow, **stop: descend(flow, 0.1, t_end=1.0, **stop)])
def test_a_misfit_is_asked_of_flows_that_have_one(train):
    with pytest.raises(ValueError, match="misfit is 1e-06, but a Decay has none; leave it out and give t_end"):
        train(Decay(), misfit=1e-6)


class Stiff(Decay):
    """The same with its Jacobian; at first LSODA's steps are shorter than Radau's."""

    def jacobian(self, state):
        return -np.eye(state.size)


def test_where_lsoda_takes_too_many_steps_radau_is_taken():
    few = follow_kinked(Stiff(), t_end=0.2, record=[0.1], max_steps=20)
    assert (few.theta == follow(Stiff(), t_end=0.2, record=[0.1], method="Radau", rtol=1e-9, atol=1e-12).theta).all()
    many = follow_kinked(Stiff(), t_end=2.0)
    assert (many.final == follow(Stiff(), t_end=2.0, rtol=1e-11, atol=1e-14).final).all()
    with pytest.raises(FlowError, match="It took 2 steps"):
        follow_kinked(Stiff(), t_end=2.0, max_steps=2)
