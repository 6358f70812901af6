"""The reduction to the span of the samples against the flow of all weights, and what it says of W."""

import numpy as np
import pytest
import torch
from library.first_layer import RATE, descend, reduced
from library.models.two_layer.cases import ACTIVATIONS, LOSSES, TRAINED, D, M, N, risk, samples, start

from implicit_bias.flows import GradientDescent, drive, gradient_flow
from implicit_bias.models.two_layer import Span


@pytest.mark.parametrize("trained", TRAINED)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_gradient_descent_in_the_span_is_that_of_all_weights(activation, loss, trained):
    problem, (w, a) = risk(activation, loss, trained), start()
    full, span = problem.of_weights(w, a), problem.in_span(w, a)
    ends = [drive(GradientDescent(flow.gradient, 0.05), flow.start, t_end=20 * 0.05).final for flow in (full, span)]
    for found, expected in zip(span.weights(ends[1]), full.weights(ends[0]), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("activation", ["identity", "smoothed", "tanh"])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_flow_in_the_span_is_that_of_all_weights(activation, loss):
    problem, (w, a) = risk(activation, loss), start()
    full, span = problem.of_weights(w, a), problem.in_span(w, a)
    one = gradient_flow(full.velocity, full.start, t_end=0.5, method="DOP853", rtol=1e-12).demand()
    other = gradient_flow(span.velocity, span.start, t_end=0.5, jacobian=span.jacobian, rtol=1e-12, atol=1e-14).demand()
    for found, expected in zip(span.weights(other.final), full.weights(one.final), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(span.predictor(other.final), full.predictor(one.final), rtol=1e-8, atol=1e-9)
    assert span.misfit(other.final) == pytest.approx(full.misfit(one.final), rel=1e-8)


def test_the_first_layer_is_one_neuron_a_row():
    """One neuron that sees one coordinate: f(x) = s a x₁, in every row, flow and shape."""
    w, a = np.eye(M, D), np.arange(1.0, M + 1)
    x = np.eye(N, D)
    problem = risk("identity", scaling=1, data=samples())
    np.testing.assert_array_equal(problem.net.output(w, a, x), a[:N])
    np.testing.assert_array_equal(problem.net.predictor(w, a), [*a, 0])
    assert problem.gradient(w, a)[0].shape == (M, D)
    span = problem.in_span(w, a)
    assert span.pre_activations(span.start).shape == (M, N)
    assert span.coefficients(span.start).shape == (M, N)
    assert span.weights(span.start)[0].shape == (M, D)


def test_what_is_gathered_with_the_squared_loss_is_the_dual_of_a_linear_first_layer():
    """C = s a ⊗ Γ where σ is the identity and a stays."""
    problem, (w, a) = risk("identity", "squared", "first"), start()
    span = problem.in_span(w, a, gather=True)
    state = drive(GradientDescent(span.gradient, 0.02), span.start, t_end=1.0).final
    expected = problem.net.scale(M) * np.outer(a, span.gathered(state))
    np.testing.assert_allclose(span.coefficients(state), expected, rtol=1e-12)


def test_refusals():
    problem, (w, a) = risk(), start()
    with pytest.raises(ValueError, match=r"w has shape \(5, 5\); it must be any × 6"):
        problem.in_span(w[:, 1:], a)
    with pytest.raises(ValueError, match=r"a has shape \(4,\); it must be 5"):
        problem.of_weights(w, a[1:])
    with pytest.raises(ValueError, match=r"a has shape \(4,\); it must be 5"):
        problem.in_span(Span(w, problem.data.x), a[1:])
    with pytest.raises(ValueError, match=r"w.x has shape \(3, 6\); it must be 4 × any"):
        problem.in_span(Span(w, problem.data.x[1:]), a)
    with pytest.raises(ValueError, match=r"x has shape \(4, 5\); it must be any × 6"):
        Span(w, problem.data.x[:, 1:])
    with pytest.raises(ValueError, match="the state gathers nothing"):
        problem.in_span(w, a).gathered(np.zeros(1))


@pytest.mark.parametrize("gather", [False, True])
@pytest.mark.parametrize("trained", TRAINED)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_jacobian_is_the_derivative_of_the_velocity(activation, loss, trained, gather):
    span = risk(activation, loss, trained).in_span(*start(), gather=gather)
    stream = np.random.default_rng(5)
    state = span.start + 0.05 * stream.standard_normal(span.start.size)
    numeric = np.stack(
        [(span.velocity(state + e) - span.velocity(state - e)) / 2e-6 for e in 1e-6 * np.eye(state.size)], axis=1
    )
    np.testing.assert_allclose(span.jacobian(state), numeric, rtol=1e-6, atol=1e-6 * max(1, np.abs(numeric).max()))


@pytest.mark.parametrize("width", [1.0, 0.2])
def test_descent_is_that_of_autograd_on_all_weights(first_layer, data, width):
    start, a = first_layer
    x, y, out = torch.tensor(data.x), torch.tensor(data.y), torch.tensor(a)
    w = torch.tensor(start, requires_grad=True)
    for _ in range(10):
        z = x @ w.T
        f = (0.3 * z + 0.7 * width * (torch.nn.functional.softplus(z / width) - np.log(2))) @ out
        (gradient,) = torch.autograd.grad(torch.nn.functional.softplus(-y * f).mean(), w)
        w = (w - RATE * gradient).detach().requires_grad_(True)
    net = reduced(first_layer, data, width=width)
    theta = descend(net, 10)
    expected = w.detach().numpy()
    np.testing.assert_allclose(start + net.coefficients(theta) @ data.x, expected, rtol=1e-9, atol=1e-12)
    singular = np.linalg.svd(expected, compute_uv=False)
    np.testing.assert_allclose(net.squared_norms(theta), [np.sum(singular**2), singular[0] ** 2], rtol=1e-10)
    change = np.linalg.svd(expected - start, compute_uv=False)
    np.testing.assert_allclose(
        net.squared_norms_of_change(theta), [np.sum(change**2), change[0] ** 2], rtol=1e-8, atol=1e-14
    )
    z = data.x @ expected.T
    f = (0.3 * z + 0.7 * width * (np.logaddexp(0, z / width) - np.log(2))) @ a
    np.testing.assert_allclose(net.margins(theta), data.y * f, rtol=1e-9)


def test_gathered_slopes_are_what_multiplies_the_gates(first_layer, data):
    net = reduced(first_layer, data, slope=1.0)
    theta = descend(net, 5)
    expected = np.outer(net.a, net.gathered(theta))
    np.testing.assert_allclose(net.coefficients(theta), expected, rtol=1e-10)
