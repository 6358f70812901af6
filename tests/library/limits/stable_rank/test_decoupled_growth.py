"""The unfed softmax network: its first step and its growth against descent."""

import numpy as np
import pytest
from library.softmax import C, D, M, N

from implicit_bias.limits.stable_rank import decoupled_growth, first_step_moment, trace_over_norm
from implicit_bias.models.two_layer import SoftmaxNetwork, stable_rank


def test_the_first_step_is_the_mean_over_networks(labelled):
    x, targets, _ = labelled
    generator, moment = np.random.default_rng(4), np.zeros((D, D))
    for _ in range(400):
        w, a = 1e-8 * generator.standard_normal((100, D)), generator.standard_normal((C, 100))
        step = SoftmaxNetwork.batch_gradient((w, np.zeros(100), 1e-3 * a, np.zeros(C)), x, targets)[0] * 1e3 * N
        moment += step.T @ step / 40_000
    known = first_step_moment(x, targets)
    np.testing.assert_allclose(moment / np.trace(moment), known / np.trace(known), atol=0.02)
    assert trace_over_norm(np.diag([3.0, 2.0, 1.0])) == pytest.approx(2)


def test_unfed_growth_is_the_descent_of_a_tiny_network(labelled):
    x, targets, _ = labelled
    net = SoftmaxNetwork.glorot(np.random.default_rng(5), M, D, C, divisor=1e7)
    growth = decoupled_growth(net.w, net.a, x, targets, 0.1, loudest=1e-3, most=60)
    theta = net.start
    for known, heard in zip(growth.stable_rank, growth.output, strict=True):
        assert stable_rank(theta[0]) == pytest.approx(known, rel=1e-9)
        neurons = SoftmaxNetwork.output(theta, x) - theta[3]
        assert heard == pytest.approx(float(np.sqrt(np.mean(neurons**2))), rel=1e-9)
        slope = SoftmaxNetwork.batch_gradient(theta, x, targets)
        theta = tuple(part - 0.1 * change for part, change in zip(theta, slope, strict=True))
    scaled = decoupled_growth(8 * net.w, 8 * net.a, x, targets, 0.1, loudest=1e-3, most=60)
    np.testing.assert_allclose(scaled.stable_rank, growth.stable_rank, rtol=1e-12)


def test_unfed_growth_ends_where_the_outputs_are_loud(labelled):
    x, targets, _ = labelled
    net = SoftmaxNetwork.glorot(np.random.default_rng(5), M, D, C, divisor=50)
    growth = decoupled_growth(net.w, net.a, x, targets, 0.1, loudest=0.01, most=10_000)
    assert growth.output.max() <= 0.01
    assert len(growth.steps) < 10_000
    assert not len(decoupled_growth(100 * net.w, 100 * net.a, x, targets, 0.1, loudest=0.01, most=10).steps)


def test_unfed_growth_with_batches_is_the_descent_with_these_batches(labelled):
    x, targets, _ = labelled
    net = SoftmaxNetwork.glorot(np.random.default_rng(5), M, D, C, divisor=1e7)
    batches = [np.random.default_rng(k).permutation(N)[: 3 + k % 4] for k in range(30)]
    growth = decoupled_growth(net.w, net.a, x, targets, 0.1, loudest=1e-3, most=30, batches=batches)
    theta = net.start
    for step, known in enumerate(growth.stable_rank):
        assert stable_rank(theta[0]) == pytest.approx(known, rel=1e-9)
        if step < 30:
            slope = SoftmaxNetwork.batch_gradient(theta, x[batches[step]], targets[batches[step]])
            theta = tuple(part - 0.1 * change for part, change in zip(theta, slope, strict=True))
    assert len(growth.steps) == 31
    with pytest.raises(ValueError, match="batches holds 30 lists of samples; it must hold most = 31 at least"):
        decoupled_growth(net.w, net.a, x, targets, 0.1, loudest=1e-3, most=31, batches=batches)
