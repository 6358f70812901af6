"""Arc-cosine kernels: known values, means over inputs, refusals."""

import numpy as np
import pytest

from implicit_bias.kernels import angles, relu_kernel, relu_potential_gradient, second_moment, squared_relu_kernel


def test_known_values():
    w = np.array([[2.0, 0, 0]])
    v = np.array([[3.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(relu_kernel(w, v), [[3, 1 / np.pi, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(relu_kernel(w, v, "sphere"), [[1, 1 / (3 * np.pi), 0, 0]], atol=1e-15)
    np.testing.assert_allclose(squared_relu_kernel(w, v), [[54, 1, 0, 0]], atol=1e-14)
    assert second_moment("gaussian", 7) == 1
    tiny = np.array([[1.0, 1e-9, 0]])
    np.testing.assert_allclose(angles(np.array([[1.0, 0, 0]]), tiny), [[1e-9]], rtol=1e-12)


def test_kernel_is_the_mean_over_inputs():
    rng = np.random.default_rng(2)
    w, v = rng.standard_normal((2, 3, 4))
    x = rng.standard_normal((200_000, 4))
    products = np.maximum(x @ w.T, 0)[:, :, None] * np.maximum(x @ v.T, 0)[:, None, :]
    error = 5 * products.std(axis=0) / np.sqrt(len(x))
    assert np.all(np.abs(products.mean(axis=0) - relu_kernel(w, v)) < error)
    error = 5 * (products**2).std(axis=0) / np.sqrt(len(x))
    assert np.all(np.abs((products**2).mean(axis=0) - squared_relu_kernel(w, v)) < error)


def test_refusals():
    with pytest.raises(ValueError, match="inputs is 'cube'; it must be one of gaussian, sphere"):
        relu_kernel(np.ones((1, 2)), np.ones((1, 2)), "cube")
    with pytest.raises(ValueError, match=r"v has shape \(1, 3\); it must be any × 2"):
        angles(np.ones((1, 2)), np.ones((1, 3)))
    with pytest.raises(ValueError, match=r"weights has shape \(2,\); it must be 1"):
        relu_potential_gradient(np.ones((1, 2)), np.ones((1, 2)), np.ones(2))
