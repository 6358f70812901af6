"""Derivatives neuron by neuron: against differences, against the tangent kernel, what is not trained."""

import numpy as np
import pytest

from implicit_bias.activations import Tanh
from implicit_bias.models.two_layer import TwoLayer, neuron_derivatives, tangents

STREAM = np.random.default_rng(0)
W, A, X = STREAM.standard_normal((4, 3)), STREAM.standard_normal(4), STREAM.standard_normal((5, 3))


@pytest.mark.parametrize("scaling", ["1/m", "1/sqrt(m)", 1])
def test_against_differences(scaling):
    net, step = TwoLayer(Tanh(), scaling=scaling), 1e-4
    gradients, seconds = neuron_derivatives(net, W, A, X)
    change = STREAM.standard_normal((4, 4))

    def outputs(t):
        return net.output(W + t * change[:, :3], A + t * change[:, 3], X)

    first = (outputs(step) - outputs(-step)) / (2 * step)
    second = (outputs(step) - 2 * outputs(0) + outputs(-step)) / step**2
    assert np.einsum("jia,ja->i", gradients, change) == pytest.approx(first, abs=1e-6)
    assert np.einsum("jiab,ja,jb->i", seconds, change, change) == pytest.approx(second, abs=1e-5)


def test_their_products_are_the_tangent_kernel():
    net = TwoLayer(Tanh())
    gradients, _ = neuron_derivatives(net, W, A, X)
    assert np.einsum("jia,jka->ik", gradients, gradients) == pytest.approx(tangents(net, W, A, X).kernel, rel=1e-12)


def test_what_is_not_trained_has_none():
    _, seconds = neuron_derivatives(TwoLayer(Tanh(), trained="first"), W, A, X)
    assert not seconds[..., 3, :].any()
    assert seconds[..., :3, :3].any()


def test_refusals():
    with pytest.raises(ValueError, match="w has shape"):
        neuron_derivatives(TwoLayer(Tanh()), W[:, :2], A, X)
    with pytest.raises(ValueError, match="a has shape"):
        neuron_derivatives(TwoLayer(Tanh()), W, A[:3], X)
