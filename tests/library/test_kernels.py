"""Arc-cosine kernels: known values, means over inputs, refusals."""

import numpy as np
import pytest

from implicit_bias import kernels
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


def by_half_angles(w, v):
    """The angles, pair by pair."""
    u, z = (part / np.linalg.norm(part, axis=1, keepdims=True) for part in (w, v))
    difference = np.linalg.norm(u[:, None] - z, axis=-1)
    return 2 * np.arctan2(difference, np.linalg.norm(u[:, None] + z, axis=-1))


@pytest.mark.parametrize("spread", [1.0, 1e-3, 1e-8, 0.0])
@pytest.mark.parametrize("d", [1, 2, 20])
def test_rows_that_are_nearly_or_exactly_parallel(d, spread):
    """Duplicates, opposite rows, and rows at a small angle: the angle to 1e-15, and what is made of it to rounding."""
    rng = np.random.default_rng(d)
    w = np.repeat(rng.standard_normal((4, d)), 3, axis=0) + spread * rng.standard_normal((12, d))
    w[::3] *= -1
    theta, weights = by_half_angles(w, w), rng.standard_normal(12)
    np.testing.assert_allclose(angles(w, w), theta, atol=2e-15)
    np.testing.assert_allclose(angles(w, w[:5]), theta[:, :5], atol=2e-15)
    size, u = np.linalg.norm(w, axis=1), w / np.linalg.norm(w, axis=1, keepdims=True)
    sizes = np.outer(size, size)
    shape = np.sin(theta) + (np.pi - theta) * np.cos(theta)
    np.testing.assert_allclose(relu_kernel(w, w), sizes * shape / (2 * np.pi), rtol=0, atol=1e-15 * sizes.max())
    shape = 3 * np.sin(theta) * np.cos(theta) + (np.pi - theta) * (1 + 2 * np.cos(theta) ** 2)
    expected = sizes**2 * shape / (2 * np.pi)
    np.testing.assert_allclose(squared_relu_kernel(w, w), expected, rtol=0, atol=2e-15 * sizes.max() ** 2)
    expected = (((np.pi - theta) * weights) @ w + (np.sin(theta) @ (weights * size))[:, None] * u) / (2 * np.pi)
    found = relu_potential_gradient(w, w, weights)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15 * np.abs(weights) @ size)


@pytest.mark.parametrize("scale", [1e-140, 1.0, 1e70])
@pytest.mark.parametrize("side", [1, 7, 40, 1000])
def test_rows_with_themselves_are_computed_once(monkeypatch, side, scale):
    """In blocks that divide their number, that do not, and in one; and with a copy, which is another matrix."""
    monkeypatch.setattr(kernels, "SIDE", side)
    rng = np.random.default_rng(3)
    w, weights = scale * rng.standard_normal((40, 6)), rng.standard_normal(40)
    w[5], w[8] = 0, w[9]
    for found, other in (
        (relu_kernel(w, w), relu_kernel(w, w.copy())),
        (squared_relu_kernel(w, w), squared_relu_kernel(w, w.copy())),
        (relu_potential_gradient(w, w, weights), relu_potential_gradient(w, w.copy(), weights)),
    ):
        np.testing.assert_allclose(found, other, rtol=0, atol=1e-14 * np.abs(other).max())
    monkeypatch.undo()
    whole = relu_kernel(w, w[:9])
    np.testing.assert_allclose(relu_kernel(w, w)[:, :9], whole, rtol=0, atol=1e-14 * whole.max())
    assert np.all(relu_kernel(w, w)[5] == 0)


def test_angles_of_a_zero_row_and_in_several_passes(monkeypatch):
    w = np.array([[0.0, 0], [1, 0], [1, 1e-4], [-3, 0]])
    expected = angles(w, w)
    assert np.all(expected[0] == np.pi / 2)
    assert np.all(expected[:, 0] == np.pi / 2)
    monkeypatch.setattr(kernels, "GATHERED", 2)
    np.testing.assert_array_equal(angles(w, w), expected)


def test_refusals():
    with pytest.raises(ValueError, match="inputs is 'cube'; it must be one of gaussian, sphere"):
        relu_kernel(np.ones((1, 2)), np.ones((1, 2)), "cube")
    with pytest.raises(ValueError, match=r"v has shape \(1, 3\); it must be any × 2"):
        angles(np.ones((1, 2)), np.ones((1, 3)))
    with pytest.raises(ValueError, match=r"weights has shape \(2,\); it must be 1"):
        relu_potential_gradient(np.ones((1, 2)), np.ones((1, 2)), np.ones(2))
