"""The least ℓ1 norm against every other interpolator."""

import numpy as np

from implicit_bias.limits.interpolation import least_l1


def test_least_l1_beats_every_other_interpolator(regression):
    x, y = regression.x, regression.y
    answer = least_l1(x, y)
    kernel = np.linalg.svd(x)[2][6:]
    for step in np.random.default_rng(0).standard_normal((500, 6)):
        assert np.abs(answer.w + step @ kernel).sum() >= np.abs(answer.w).sum()
