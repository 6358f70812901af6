"""Starts of the two layers: the paper's scale and shape, balance, directions of any length."""

import numpy as np
import pytest

from implicit_bias.activations import LeakyReLU
from implicit_bias.models.two_layer import TwoLayer, balanced_start, in_pairs, neuron_start, scale_and_shape


@pytest.mark.parametrize(("scale", "shape"), [(0.3, 0.0), (2.0, 0.8), (1e-3, -0.6)])
def test_a_neuron_has_the_papers_scale_and_shape(scale, shape):
    w, (a,) = neuron_start([3.0, 4.0], scale, shape, -1)
    length = np.linalg.norm(w)
    assert w.shape == (1, 2)
    assert a < 0
    assert abs(a) * length == pytest.approx(scale)
    assert (abs(a) - length) / (abs(a) + length) == pytest.approx(shape)
    assert a**2 - length**2 == pytest.approx(4 * scale * shape / (1 - shape**2))
    np.testing.assert_allclose(a * w, [[-0.6 * scale, -0.8 * scale]])
    assert scale_and_shape(scale, shape) == (pytest.approx(abs(a)), pytest.approx(length))


def test_balanced_layers_are_balanced():
    w, a = balanced_start([0.0, 0.0, 2.0], [1.0, -2.0, 0.5])
    net = TwoLayer(LeakyReLU(1.0))
    np.testing.assert_allclose(net.balance_matrix(w, a), 0, atol=1e-15)
    np.testing.assert_allclose(net.predictor(w, a), [0, 0, a @ a])


@pytest.mark.parametrize("length", [1e-300, 1e300])
def test_a_direction_may_be_of_any_length(length):
    w, _ = neuron_start([3 * length, 4 * length], 1.0, 0.0)
    np.testing.assert_allclose(w, [[0.6, 0.8]], rtol=1e-15)


def test_neurons_in_pairs_cancel():
    stream = np.random.default_rng(0)
    w, a = stream.standard_normal((3, 4)), stream.standard_normal(3)
    doubled, signed = in_pairs(w, a)
    assert (doubled == np.vstack([w, w])).all()
    assert (signed == np.concatenate([a, -a])).all()
    x = stream.standard_normal((5, 4))
    np.testing.assert_allclose(TwoLayer(LeakyReLU(0.3)).output(doubled, signed, x), 0, atol=1e-15)


def test_neurons_in_pairs_fit_together():
    with pytest.raises(ValueError, match=r"a has shape \(2,\); it must be 3"):
        in_pairs(np.ones((3, 4)), np.ones(2))
