"""What every flow of a two-layer network has in common: autograd's gradient, the start, balance, permutations."""

import numpy as np
import pytest
from library.models.two_layer.cases import ACTIVATIONS, LOSSES, TRAINED, D, M, autograd, risk, samples, start

from implicit_bias.activations import RELU, LeakyReLU
from implicit_bias.flows import GradientDescent, drive, gradient_flow
from implicit_bias.models.two_layer import Risk, TwoLayer


@pytest.mark.parametrize("trained", TRAINED)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_flows_move_what_is_trained_along_autograds_gradient(activation, loss, trained):
    """In the span too: at a state away from the start the velocity of C times X is that of W."""
    w, a = start()
    problem = risk(activation, loss, trained)
    span = problem.in_span(w, a, gather=True)
    state = span.start + 0.3 * np.random.default_rng(3).standard_normal(span.start.size)
    moved, outer = span.weights(state)
    value, by_w, by_a = autograd(activation, loss, "1/sqrt(m)", problem.data, moved, outer)
    full = problem.of_weights(w, a)
    theta = full.stacked(moved, outer)
    expected = {"both": np.append(by_w, by_a), "first": by_w.ravel(), "output": by_a}[trained]
    np.testing.assert_allclose(full.gradient(theta), expected, rtol=1e-11, atol=1e-13)
    np.testing.assert_array_equal(full.velocity(theta), -full.gradient(theta))
    velocity = span.velocity(state)
    in_w = span.coefficients(velocity) @ problem.data.x
    np.testing.assert_allclose(in_w, -by_w if trained != "output" else 0, rtol=1e-10, atol=1e-13)
    if trained != "first":
        np.testing.assert_allclose(span.output_weights(velocity), -by_a, rtol=1e-10, atol=1e-13)
    assert span.value(state) == pytest.approx(value, rel=1e-12)
    assert full.value(theta) == pytest.approx(value, rel=1e-12)
    slope = LOSSES[loss][0].slope(span.outputs(state), problem.data.y)
    np.testing.assert_allclose(span.gathered(velocity), -slope, rtol=1e-12)


@pytest.mark.parametrize("trained", TRAINED)
def test_both_start_at_the_given_weights(trained):
    problem, (w, a) = risk(trained=trained), start()
    for flow in (problem.of_weights(w, a), problem.in_span(w, a), problem.in_span(w, a, gather=True)):
        for found, expected in zip(flow.weights(flow.start), (w, a), strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_allclose(flow.outputs(flow.start), problem.net.output(w, a, problem.data.x), rtol=1e-13)
        np.testing.assert_allclose(flow.margins(flow.start), problem.data.y * flow.outputs(flow.start))
        states = np.stack([flow.start, flow.start + 1])
        assert flow.weights(states)[0].shape == (2, M, D)
        assert flow.weights(states)[1].shape == (2, M)
        np.testing.assert_array_equal(flow.predictor(states)[1], flow.predictor(states[1]))
        np.testing.assert_array_equal(flow.balance(states)[1], flow.balance(states[1]))


@pytest.mark.parametrize("loss", LOSSES)
def test_flow_of_both_layers_keeps_the_balance_matrix_of_a_linear_network(loss):
    problem, (w, a) = risk("identity", loss), start()
    flow = problem.of_weights(w, a)
    end = flow.weights(gradient_flow(flow.velocity, flow.start, t_end=2.0, method="DOP853", rtol=1e-12).final)
    np.testing.assert_allclose(problem.net.balance_matrix(*end), problem.net.balance_matrix(w, a), atol=1e-9)
    np.testing.assert_allclose(np.diag(problem.net.balance_matrix(*end)), problem.net.balance(*end), atol=1e-12)
    assert np.linalg.norm(end[0] - w) > 0.1


@pytest.mark.parametrize("activation", [RELU, LeakyReLU(0.3)])
def test_flow_of_both_layers_keeps_the_balance_across_a_narrow_kink(activation):
    """A kink 1e-8 wide keeps it to its width; the output layer alone does not keep it."""
    narrow, (w, a) = LeakyReLU(activation.slope, 1e-8), start()
    drifts = []
    for trained in ("both", "output"):
        flow = Risk(TwoLayer(narrow, trained, "1/sqrt(m)"), samples(), LOSSES["squared"][0]).in_span(w, a)
        run = gradient_flow(
            flow.velocity, flow.start, t_end=5.0, jacobian=flow.jacobian, rtol=1e-11, atol=1e-13
        ).demand()
        drifts.append(np.max(np.abs(flow.balance(run.final) - flow.balance(flow.start))))
    assert drifts[0] < 1e-6
    assert drifts[1] > 0.1


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_neurons_may_be_permuted(activation, loss):
    problem, (w, a) = risk(activation, loss), start()
    order = np.random.default_rng(7).permutation(M)
    assert problem.value(w[order], a[order]) == pytest.approx(problem.value(w, a), rel=1e-13)
    flows = [problem.in_span(w, a), problem.in_span(w[order], a[order])]
    ends = [flow.weights(drive(GradientDescent(flow.gradient, 0.05), flow.start, t_end=0.5).final) for flow in flows]
    for part, permuted in zip(*ends, strict=True):
        np.testing.assert_allclose(permuted, part[order], rtol=1e-11, atol=1e-13)


def test_duplicated_neurons_stay_alike_and_halve_their_share():
    """Every neuron twice, with the scaling 1/m: the same function, along the flow in the neurons' own time t/m."""
    w, a = start()
    ends = []
    for copies in (1, 2):
        flow = risk("tanh", scaling="1/m").in_span(np.tile(w, (copies, 1)), np.tile(a, copies))
        rate = 0.05 * copies * M
        ends.append(flow.weights(drive(GradientDescent(flow.gradient, rate), flow.start, t_end=9.5 * rate).final))
    np.testing.assert_allclose(ends[1][0], np.tile(ends[0][0], (2, 1)), rtol=1e-11)
    np.testing.assert_allclose(ends[1][1], np.tile(ends[0][1], 2), rtol=1e-11)
