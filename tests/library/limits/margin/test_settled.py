"""Where steps that are a function of the gradient end: the largest margin, its weights, and a polynomial of Muon."""

import numpy as np
import pytest

from implicit_bias.flows import CrossEntropyDescent, Muon, drive, newton_schulz
from implicit_bias.limits.margin import class_differences, matrix_margin, matrix_norm, settled_matrix


def points(seed: int, k: int = 4, d: int = 6, n: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Around k means, each class with a sample."""
    generator = np.random.default_rng(seed)
    y = np.arange(n) % k
    return 2 * generator.standard_normal((k, d))[y] + 0.5 * generator.standard_normal((n, d)), y


def unit(g):
    """The step of normalized gradient descent."""
    return g / np.linalg.norm(g, axis=(-2, -1), keepdims=True)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_normalized_gradient_descent_ends_at_the_largest_margin(seed):
    x, y = points(seed)
    z, best = class_differences(x, y), matrix_margin(x, y)
    end = settled_matrix(z, 30 * best.w / best.margin, unit)
    assert 0 <= end.gap < 1e-3
    np.testing.assert_allclose(end.w, best.w, atol=1e-3)
    np.testing.assert_allclose(end.weights, best.weights, atol=1e-3)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_polynomial_keeps_the_margin_where_the_singular_values_are_equal(seed):
    # orthonormal prototypes, and farther points of each class: ΣλZ = (4I − J)/12
    generator = np.random.default_rng(seed)
    y = np.arange(16) % 4
    x = np.hstack([np.eye(4)[y] * np.where(np.arange(16) < 4, 1, 1.5)[:, None], np.zeros((16, 3))])
    x[4:, 4:] = generator.standard_normal((12, 3))
    end = settled_matrix(class_differences(x, y), 5 * np.eye(4, 7), newton_schulz)
    assert end.gap < 1e-9
    np.testing.assert_allclose(end.w[:, :4] * 0.75 / end.w[0, 0], np.eye(4) - 0.25, atol=1e-9)
    np.testing.assert_allclose(end.weights[:12], 1 / 12, atol=1e-9)


def test_muon_ends_where_the_equation_says():
    x, y = points(7)
    z = class_differences(x, y)
    descent = CrossEntropyDescent([x / 10], [y], Muon(factor=newton_schulz), scale=1.5)
    run = descent.read(drive(descent, descent.start, t_end=4096, record=[1024]).theta)[1:, 0] / 10
    end = settled_matrix(z, run[0], newton_schulz)
    m, size = z @ end.w.ravel(), matrix_norm(end.w, "spectral")
    assert 0 <= end.gap < 1e-3
    assert np.all(m[end.weights > 1e-3] < m.min() * (1 + 1e-2))  # λ is on the least margins
    found = [np.min(z @ w.ravel()) / matrix_norm(w, "spectral") for w in run]
    assert 2 * found[1] - found[0] == pytest.approx(m.min() / size, rel=1e-2)
    best = matrix_margin(x, y, "spectral").margin
    assert 0.6 * best < m.min() / size < 0.99 * best


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="as many as a row of z"):
        settled_matrix(np.ones((3, 4)), np.ones((2, 3)), unit)
