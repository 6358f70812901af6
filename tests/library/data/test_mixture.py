"""The mixture of two Gaussians: its moments, its balance, its refusals."""

import numpy as np
import pytest

from implicit_bias.data import gaussian_mixture


def test_mixture():
    data = gaussian_mixture(np.random.default_rng(0), 401, 2000, separation=5.0)
    assert data.y.sum() == 1
    mean = data.signed.mean(axis=0)
    assert np.linalg.norm(mean) ** 2 == pytest.approx(25 + 2000 / 401, rel=0.1)
    assert np.var(data.signed - mean) == pytest.approx(1, rel=0.01)
    again = gaussian_mixture(np.random.default_rng(0), 401, 2000, separation=5.0)
    np.testing.assert_array_equal(data.x, again.x)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 1}, "n is 1; it must be a whole number of at least 2"),
        ({"d": 1}, "d is 1; it must be a whole number of at least 2"),
        ({"separation": -1.0}, "separation is -1; it must lie in"),
    ],
)
def test_mixture_refuses(change, words):
    with pytest.raises(ValueError, match=words):
        gaussian_mixture(np.random.default_rng(0), **{"n": 4, "d": 5, "separation": 1.0, **change})
