"""The flow behind the freeze: its kernel, its Jacobian, and the flow in the span that it replaces."""

import numpy as np
import pytest
from library.models.two_layer.cases import NET, A, risk

from implicit_bias.flows import gradient_flow
from implicit_bias.losses import Logistic, SmoothMargin
from implicit_bias.models.two_layer import FrozenFlow, Risk


def test_its_kernel_is_that_of_the_limit(flow, limit):
    frozen = FrozenFlow.after(flow, flow.start)
    np.testing.assert_allclose(frozen.kernel, limit.kernel, rtol=1e-12)
    np.testing.assert_allclose(frozen.start_margins, flow.margins(flow.start), rtol=1e-13)


def test_it_is_the_flow_in_the_span(flow):
    frozen = FrozenFlow.after(flow, flow.start)
    run = gradient_flow(frozen.velocity, frozen.start, jacobian=frozen.jacobian, t_end=5.0, method="DOP853")
    full = gradient_flow(flow.velocity, flow.start, t_end=5.0, method="DOP853")
    np.testing.assert_allclose(frozen.coefficients(run.final), full.final, atol=1e-8)


def test_its_jacobian_is_the_derivative(flow):
    frozen = FrozenFlow.after(flow, flow.start)
    point = frozen.start + np.random.default_rng(4).standard_normal(11)
    steps = 1e-6 * np.eye(11)
    numeric = np.array([(frozen.velocity(point + e) - frozen.velocity(point - e)) / 2e-6 for e in steps]).T
    np.testing.assert_allclose(frozen.jacobian(point), numeric, atol=1e-8)


def test_late_it_is_the_predicted_straight_line(flow, limit):
    frozen = FrozenFlow.after(flow, flow.start)
    late = gradient_flow(frozen.velocity, frozen.start, t_end=1e3, method="BDF")
    expected = limit.shares * 1e3 + limit.offset(frozen.start_margins)
    np.testing.assert_allclose(frozen.gathered(late.final), expected, atol=1e-7)


@pytest.mark.parametrize(
    ("activation", "loss", "trained", "gather", "words"),
    [
        ("leaky", "smooth margin", "both", False, "flow trains 'both'"),
        ("smoothed", "smooth margin", "first", False, r"LeakyReLU\(slope=0.3, width=0.2.*homogeneous"),
        ("leaky", "smooth margin", "first", True, "gathering True"),
        ("leaky", "exponential", "first", False, "loss is Exponential.*it must be SmoothMargin"),
    ],
)
def test_another_flow_is_refused(activation, loss, trained, gather, words):
    span = risk(activation, loss, trained).in_span(np.ones((5, 6)), A, gather=gather)
    with pytest.raises(ValueError, match=words):
        FrozenFlow.after(span, span.start)


def test_a_state_of_another_size_is_refused(flow):
    with pytest.raises(ValueError, match=r"state has shape \(3,\); it must be 30"):
        FrozenFlow.after(flow, np.zeros(3))


def test_the_smooth_margin_of_another_loss_is_refused(flow, problem):
    other = Risk(NET, problem, SmoothMargin(Logistic())).in_span(flow.span.w, A)
    with pytest.raises(ValueError, match=r"loss is SmoothMargin\(loss=Logistic"):
        FrozenFlow.after(other, other.start)
