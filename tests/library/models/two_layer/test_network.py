"""What every two-layer network keeps: balance, homogeneity, positive rescaling."""

import numpy as np
import pytest
from library.models.two_layer.cases import ACTIVATIONS, LOSSES, SCALES, D, M, autograd, risk, samples, start

from implicit_bias.activations import RELU
from implicit_bias.models.two_layer import TwoLayer, neuron_start

HOMOGENEOUS = [name for name, (activation, _) in ACTIVATIONS.items() if activation.homogeneous]


@pytest.mark.parametrize("scaling", SCALES)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("activation", HOMOGENEOUS)
def test_the_velocity_of_the_balance_is_zero(activation, loss, scaling):
    """d/dt (a_j² − ‖w_j‖²) = 2 (a_j ȧ_j − w_j·ẇ_j)."""
    w, a = start()
    by_w, by_a = risk(activation, loss, scaling=scaling).gradient(w, a)
    np.testing.assert_allclose(a * by_a, np.sum(w * by_w, axis=1), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("activation", ["smoothed", "centred", "tanh"])
def test_the_balance_is_not_kept_by_an_activation_that_is_not_homogeneous(activation):
    w, a = start()
    by_w, by_a = risk(activation).gradient(w, a)
    assert np.max(np.abs(a * by_a - np.sum(w * by_w, axis=1))) > 1e-3


@pytest.mark.parametrize("activation", HOMOGENEOUS)
def test_a_homogeneous_network_is_of_degree_two_in_both_layers_and_one_in_each(activation):
    net, (w, a), x = risk(activation).net, start(), samples().x
    once = net.output(w, a, x)
    np.testing.assert_allclose(net.output(3 * w, 3 * a, x), 9 * once, rtol=1e-13)
    np.testing.assert_allclose(net.output(3 * w, a, x), 3 * once, rtol=1e-13)
    np.testing.assert_allclose(net.output(w, 3 * a, x), 3 * once, rtol=1e-13)
    np.testing.assert_allclose(net.balance(3 * w, 3 * a), 9 * net.balance(w, a), rtol=1e-13)


@pytest.mark.parametrize("activation", HOMOGENEOUS)
def test_positive_rescaling_between_the_layers_changes_no_output(activation):
    net, (w, a), x = risk(activation).net, start(), samples().x
    c = np.exp(np.random.default_rng(6).standard_normal(M))
    np.testing.assert_allclose(net.output(c[:, None] * w, a / c, x), net.output(w, a, x), rtol=1e-12)
    assert np.max(np.abs(net.balance(c[:, None] * w, a / c) - net.balance(w, a))) > 0.1


@pytest.mark.parametrize("loss", LOSSES)
def test_networks_of_one_linear_neuron_are_the_product_of_its_layers(loss):
    w, a = start(m=1)
    data = samples()
    by_predictor = autograd("identity", loss, 1, data, w, a)[1] / a
    by_w, by_a = risk("identity", loss, scaling=1, data=data).gradient(w, a)
    np.testing.assert_allclose(by_w, a * by_predictor, rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(by_a, [np.sum(w * by_predictor)], rtol=1e-11, atol=1e-15)


def test_many_weights_at_once():
    net, x = risk("leaky").net, samples().x
    stream = np.random.default_rng(8)
    w, a = stream.standard_normal((2, 3, M, D)), stream.standard_normal((2, 3, M))
    for method in (lambda *one: net.output(*one, x), net.predictor, net.balance, net.balance_matrix):
        np.testing.assert_allclose(method(w, a)[1, 2], method(w[1, 2], a[1, 2]), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: TwoLayer(RELU, "second"), "trained is 'second'; it must be one of both, first, output"),
        (lambda: TwoLayer(RELU, scaling=2), r"scaling is '2'; it must be one of 1/m, 1/sqrt\(m\), 1"),
        (lambda: TwoLayer(RELU, scaling=True), "scaling is True; it must be one of"),
        (lambda: TwoLayer(RELU).scale(0), "m is 0; it must be a whole number of at least 1"),
        (lambda: neuron_start([1.0], 1.0, 1.0), r"shape is 1; it must lie in \(-1, 1\)"),
        (lambda: neuron_start([1.0], 0.0, 0.0), r"scale is 0; it must lie in \(0, inf\)"),
        (lambda: neuron_start([0.0], 1.0, 0.0), "direction is 0; it must have a direction"),
        (lambda: neuron_start([1.0], 1.0, 0.0, 0), "sign is 0; it must be 1 or -1"),
        (lambda: neuron_start([1.0], 1.0, 0.0, 2), "sign is 2; it must be a whole number of at least -1"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=words):
        call()
