"""Activation patterns: when one is provably final, and which neurons slide along their kinks."""

import numpy as np
import pytest
from library.helpers import SLOPE
from library.models.two_layer.cases import NET, A

from implicit_bias.activations import LeakyReLU
from implicit_bias.data import Classification
from implicit_bias.flows import GradientDescent, drive, gradient_flow
from implicit_bias.limits.margin import rank_two
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import ActivationPattern, FrozenFlow, Risk, TwoLayer


def flow_of(problem, positive, negative, w):
    a = np.where(np.arange(positive + negative) < positive, 1.0, -1.0)
    net = TwoLayer(LeakyReLU(SLOPE), trained="first", scaling="1/sqrt(m)")
    return Risk(net, problem, SmoothMargin()).in_span(w, a)


def with_inputs(problem, positive, negative, z):
    """The flow from weights with these pre-activations, m × n."""
    return flow_of(problem, positive, negative, np.linalg.lstsq(problem.x, z.T)[0].T)


def test_it_is_pushed_to_the_side_of_its_labels(problem):
    flow = flow_of(problem, 3, 2, np.ones((5, 9)))
    expected = np.outer([1, 1, 1, -1, -1], problem.y) / np.sqrt(5)
    np.testing.assert_allclose(ActivationPattern(flow).pushed, expected)
    z = flow.pre_activations(flow.start)
    assert ActivationPattern(flow).disagreements(flow.start) == np.sum(np.sign(z) != np.sign(expected)) > 0


@pytest.mark.parametrize(("seed", "counts"), [(0, (3, 2)), (1, (1, 8)), (2, (6, 1))])
def test_a_settled_pattern_stays_for_ever(problem, seed, counts):
    """From a settled state on every pre-activation moves away from 0, and p comes no further from its rest."""
    flow = flow_of(problem, *counts, 0.1 * np.random.default_rng(seed).standard_normal((sum(counts), 9)))
    pattern = ActivationPattern(flow)
    early = drive(
        GradientDescent(flow.gradient, 0.02),
        flow.start,
        t_end=400.0,
        residual=lambda state: float(not pattern.settled(state)),
    ).demand()
    frozen = FrozenFlow.after(flow, early.final)
    run = gradient_flow(frozen.velocity, frozen.start, t_end=3e3, method="BDF", record=np.geomspace(1e-3, 2e3, 300))
    inputs = np.array([flow.pre_activations(state) for state in frozen.coefficients(run.theta)])
    assert np.all(np.diff(inputs * np.sign(pattern.pushed), axis=0) > 0)
    rest = rank_two(problem, SLOPE, *counts).shares
    apart = np.array([frozen.shares(state) - rest for state in run.theta])
    away = np.einsum("ti,ik,tk->t", apart, frozen.kernel, apart)
    assert np.all(np.diff(away) <= 1e-12)


def test_agreeing_signs_alone_do_not_settle_the_pattern():
    """A sample whose margin is far ahead is not pushed any more; the others turn its neurons back."""
    gram = np.array([[1.0, -0.3], [-0.3, 1.0]])
    problem = Classification(x=np.linalg.cholesky(gram) @ np.eye(2, 3), y=np.ones(2))
    flow = with_inputs(problem, 2, 1, np.array([[1.0, 1e-3], [1.0, 60.0], [-1.0, -60.0]]))
    pattern = ActivationPattern(flow)
    assert pattern.disagreements(flow.start) == 0
    assert not pattern.settled(flow.start)
    later = drive(GradientDescent(flow.gradient, 1e-3), flow.start, t_end=1.0).final
    assert pattern.disagreements(later) > 0


def test_without_positive_multipliers_no_pattern_is_settled():
    problem = Classification(x=np.array([[1.0, 0.0], [3.0, 0.1]]), y=np.ones(2))
    flow = with_inputs(problem, 1, 1, np.array([[5.0, 5.0], [-5.0, -5.0]]))
    assert ActivationPattern(flow).disagreements(flow.start) == 0
    assert not ActivationPattern(flow).settled(flow.start)


def test_a_sliding_neuron_counts_as_zero(problem):
    z = np.full((5, 6), 2.0)
    z[1, 2], z[4, 0] = 1e-4, -1e-4
    flow = with_inputs(problem, 3, 2, z)
    expected = np.ones((5, 6))
    expected[1, 2] = expected[4, 0] = 0
    np.testing.assert_array_equal(ActivationPattern(flow).signs(flow.start, 0.01), expected)
    np.testing.assert_array_equal(ActivationPattern(flow).signs(flow.start, 1e-5), np.sign(z))


def test_the_ball_reaches_to_the_nearest_kink(flow, problem):
    y, gram = problem.y, problem.x @ problem.x.T
    scale = NET.scale(A.size)
    kernel, rest, radius = ActivationPattern(flow)._basin
    reaches = []
    for a in A:
        slopes = np.where(a * y > 0, 1.0, SLOPE)
        for i in range(len(y)):
            b = scale * abs(a) * y[i] * y * slopes * gram[i]
            reaches.append(b @ rest / np.sqrt(b @ np.linalg.inv(kernel) @ b))
    assert radius == pytest.approx(min(reaches), rel=1e-10)
