"""The fastest direction of a tiny softmax network: closed forms, stationarity, and the growth of networks."""

import numpy as np
import pytest

from implicit_bias.limits.stable_rank import decoupled_growth, fastest_growth
from implicit_bias.models.two_layer import SoftmaxNetwork


def test_two_images_of_different_length():
    """On (s, 0) and (0, 1) with labels of two classes: ½ · √½ · √(s² + ½), the second image on the neuron's kink."""
    for s in (2.0, 5.0):
        found = fastest_growth(np.diag([s, 1.0]), np.eye(2), np.random.default_rng(0), starts=8)
        reach = np.sqrt(s**2 + 0.5)
        assert found.rate <= reach / np.sqrt(8) + 1e-12
        assert found.rate == pytest.approx(reach / np.sqrt(8), rel=1e-6)
        np.testing.assert_allclose([*found.w, found.b], np.array([s, -0.5, 0.5]) / reach, atol=1e-3)
        assert found.residual < 1e-3
        np.testing.assert_allclose(np.abs(found.a), np.sqrt(0.5), atol=1e-6)


def test_it_is_the_growth_of_a_tiny_network(labelled):
    """After a long time the outputs grow by (1 + ηλ)² in each step."""
    x, targets, _ = labelled
    found = fastest_growth(x, targets, np.random.default_rng(1))
    assert found.residual < 1e-3
    assert np.sum(found.w**2) + found.b**2 == pytest.approx(1)
    hidden = np.maximum(x @ found.w + found.b, 0)
    assert found.rate == pytest.approx(np.mean(((targets - targets.mean(axis=0)) @ found.a) * hidden))
    net = SoftmaxNetwork.glorot(np.random.default_rng(2), 200, x.shape[1], targets.shape[1], divisor=1e25)
    eta = 0.05
    growth = decoupled_growth(net.w, net.a, x, targets, eta, loudest=1e-2, most=6000)
    assert len(growth.steps) < 6000
    rate = np.log(growth.output[-1] / growth.output[-101]) / 200
    assert rate == pytest.approx(np.log1p(eta * found.rate), rel=0.01)
    assert growth.stable_rank[-1] < 1.02


def test_nothing_grows_where_all_labels_agree():
    with pytest.raises(ValueError, match="no direction in which a neuron grows"):
        fastest_growth(np.eye(3), np.tile([1.0, 0.0], (3, 1)), np.random.default_rng(0), starts=2)
