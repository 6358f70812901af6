"""The path of minimizers over k against single solves, its derivative against differences."""

import numpy as np
import pytest

from implicit_bias.data import sparse_regression
from implicit_bias.limits.interpolation import HyperbolicEntropy, entropy_path, least_l1, least_norm, scale_derivative


@pytest.fixture
def regression():
    return sparse_regression(np.random.default_rng(1), 6, 16, nonzeros=2)


@pytest.mark.parametrize("weighted", [False, True])
def test_path_is_that_of_single_solves(regression, weighted):
    x, y = regression.x, regression.y
    weights = np.exp(np.random.default_rng(0).standard_normal(16)) if weighted else None
    scales = np.geomspace(1e2, 1e-8, 7)
    path = entropy_path(x, y, scales, weights=weights)
    assert path.worst <= 1e-9
    assert path.w.shape == (7, 16)
    assert path.dual.shape == (7, 6)
    for scale, w, dual in zip(scales, path.w, path.dual, strict=True):
        entropy = HyperbolicEntropy((scale * (np.ones(16) if weights is None else weights)) ** 2)
        np.testing.assert_allclose(w, entropy.minimize(x, y).w, atol=1e-9)
        np.testing.assert_allclose(entropy.gradient(w), dual @ x, atol=1e-6)


def test_path_joins_the_least_norms(vertex):
    path = entropy_path(vertex.x, vertex.y, [1e5, 1.0, 1e-30])
    np.testing.assert_allclose(path.w[0], least_norm(vertex.x, vertex.y).w, atol=1e-9)
    np.testing.assert_allclose(path.w[-1], least_l1(vertex.x, vertex.y).w, atol=1e-9)


def test_following_takes_fewer_steps_than_starting_anew(regression):
    scales = np.geomspace(1.0, 1e-8, 30)
    path = entropy_path(regression.x, regression.y, scales)
    anew = [HyperbolicEntropy(np.full(16, s**2)).minimize(regression.x, regression.y).iterations for s in scales]
    assert sum(path.steps) < sum(anew) / 2


@pytest.mark.parametrize("root", [1e-4, 1e-1, 10.0])
def test_derivative_by_the_scale(regression, root):
    x, y = regression.x, regression.y
    k = (root * np.linspace(1, 2, 16)) ** 2
    step = 1e-4
    ends = [HyperbolicEntropy(k * np.exp(2 * h)).minimize(x, y) for h in (-step, step)]
    entropy = HyperbolicEntropy(k)
    dual, w = scale_derivative(entropy, x, entropy.minimize(x, y).w)
    np.testing.assert_allclose(dual, (ends[1].dual - ends[0].dual) / (2 * step), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(w, (ends[1].w - ends[0].w) / (2 * step), rtol=1e-5, atol=1e-7)


def test_path_refuses(regression):
    x, y = regression.x, regression.y
    with pytest.raises(ValueError, match="it must be a decreasing list"):
        entropy_path(x, y, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"root_k\[-1\] is 0"):
        entropy_path(x, y, [1.0, 0.0])
    with pytest.raises(ValueError, match=r"root_k\[0\] is 1e\+200"):
        entropy_path(x, y, [1e200, 1.0])
    with pytest.raises(ValueError, match=r"weights has shape \(2,\); it must be 16"):
        entropy_path(x, y, [1.0], weights=[1.0, 1.0])
    with pytest.raises(ValueError, match="entropy has a w0"):
        scale_derivative(HyperbolicEntropy(np.ones(16), np.zeros(16)), x, np.zeros(16))
