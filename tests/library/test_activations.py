"""Activations: known values, derivatives, and the fast path in place against the generic one."""

import numpy as np
import pytest
from library.models.two_layer.cases import ACTIVATIONS

from implicit_bias.activations import IDENTITY, RELU, LeakyReLU, Square, Tanh

Z = np.array([-900.0, -3.0, -0.1, -1e-9, 1e-9, 0.4, 2.0, 800.0])


def test_known_values():
    z = np.array([-2.0, 0.0, 3.0])
    np.testing.assert_allclose(LeakyReLU(0.1).value(z), [-0.2, 0, 3])
    np.testing.assert_allclose(LeakyReLU(0.1).derivative(z), [0.1, 0.1, 1])
    np.testing.assert_allclose(LeakyReLU(0.1).second_derivative(z), 0)
    np.testing.assert_array_equal(IDENTITY.value(z), z)
    np.testing.assert_array_equal(RELU.value(z), [0, 0, 3])
    above = LeakyReLU(0.1, 1e-8).value(z) - LeakyReLU(0.1).value(z)
    np.testing.assert_allclose(above, [0, 0.9e-8 * np.log(2), 0], atol=1e-15)
    assert LeakyReLU(0.1, 0.5, centred=True).value(z)[1] == pytest.approx(0, abs=1e-16)
    np.testing.assert_allclose(LeakyReLU(0.1, 0.5).value(z) - LeakyReLU(0.1, 0.5, True).value(z), 0.45 * np.log(2))
    np.testing.assert_allclose(Tanh().value(z), np.tanh(z))
    np.testing.assert_array_equal(Square().value(z), [4, 0, 9])


@pytest.mark.parametrize("activation", [case[0] for case in ACTIVATIONS.values()], ids=ACTIVATIONS)
def test_derivatives_are_those_of_the_value(activation):
    z, step = Z[1:-1][np.abs(Z[1:-1]) > 1e-3], 1e-6
    slope = (activation.value(z + step) - activation.value(z - step)) / (2 * step)
    np.testing.assert_allclose(activation.derivative(z), slope, rtol=1e-7, atol=1e-9)
    bend = (activation.derivative(z + step) - activation.derivative(z - step)) / (2 * step)
    np.testing.assert_allclose(activation.second_derivative(z), bend, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("width", [0.0, 1e-8, 0.2, 1.0])
@pytest.mark.parametrize("centred", [False, True])
def test_the_fast_path_is_the_generic_one(width, centred):
    for activation in (LeakyReLU(0.3, width, centred), LeakyReLU(1.0, width, centred), Tanh()):
        value, gate = activation.with_derivative(Z)
        np.testing.assert_allclose(value, activation.value(Z), rtol=1e-14, atol=1e-14)
        np.testing.assert_allclose(gate, activation.derivative(Z), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("activation", [case[0] for case in ACTIVATIONS.values()], ids=ACTIVATIONS)
def test_arguments_are_left_alone(activation):
    z = Z.copy()
    value, gate = activation.with_derivative(z)
    value += 1
    gate += 1
    np.testing.assert_array_equal(z, Z)


@pytest.mark.parametrize("activation", [case[0] for case in ACTIVATIONS.values()], ids=ACTIVATIONS)
def test_homogeneous_says_whether_a_positive_factor_passes_through(activation):
    z = Z[1:-1]
    passes = np.allclose(activation.value(3 * z), 3 * activation.value(z), rtol=1e-12, atol=0)
    assert activation.homogeneous == passes


def test_refusals():
    with pytest.raises(ValueError, match=r"slope is 1.5; it must lie in \[0, 1\]"):
        LeakyReLU(1.5)
    with pytest.raises(ValueError, match=r"width is -1; it must lie in \[0, inf\)"):
        LeakyReLU(0.1, -1)
    with pytest.raises(ValueError, match="centred is a int; it must be True or False"):
        LeakyReLU(0.1, 1.0, 1)
