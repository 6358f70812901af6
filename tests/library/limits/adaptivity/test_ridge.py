"""Kernel ridge regression: ordinary ridge regression, a library's, fits without a point, bad input."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge as Peer

from implicit_bias.limits.adaptivity import kernel_ridge

STREAM = np.random.default_rng(0)
X, Y = STREAM.standard_normal((8, 3)), STREAM.standard_normal(8)
GRAM = X @ X.T


def test_the_linear_kernel_gives_ridge_regression():
    fit = kernel_ridge(GRAM, Y, [0.1, 2.0])
    for penalty, found in zip((0.1, 2.0), fit.predict(GRAM), strict=True):
        w = np.linalg.solve(X.T @ X / 8 + penalty * np.eye(3), X.T @ Y / 8)
        np.testing.assert_allclose(found, X @ w, rtol=1e-9)


def test_it_is_that_of_a_library():
    z = STREAM.standard_normal((5, 3))
    peer = Peer(alpha=8 * 0.3, kernel="precomputed").fit(GRAM, Y)
    np.testing.assert_allclose(kernel_ridge(GRAM, Y, [0.3]).predict(z @ X.T)[0], peer.predict(z @ X.T), rtol=1e-9)


def test_a_point_that_is_left_out_is_predicted_by_the_others():
    fit = kernel_ridge(GRAM, Y, [0.1])
    for out in range(8):
        rest = np.delete(np.arange(8), out)
        alone = kernel_ridge(GRAM[np.ix_(rest, rest)], Y[rest], [0.1 * 8 / 7])
        assert fit.left_out[0, out] == pytest.approx(Y[out] - alone.predict(GRAM[out, rest][None])[0, 0], rel=1e-9)


@pytest.mark.parametrize(
    ("gram", "y", "penalties", "said"),
    [
        ([[1.0, 0.5], [0.4, 1.0]], [1.0, 2.0], [1.0], "gram is no symmetric matrix"),
        ([[1.0, 2.0], [2.0, 1.0]], [1.0, 2.0], [1.0], "gram has the eigenvalue -1"),
        (np.eye(2), [1.0, 2.0], [0.0], "penalties holds 0; every penalty must be positive"),
        (np.eye(2), [1.0], [1.0], "y has shape"),
        (np.ones((2, 3)), [1.0, 2.0], [1.0], "gram is no symmetric matrix"),
    ],
)
def test_what_is_no_kernel_or_penalty_is_refused(gram, y, penalties, said):
    with pytest.raises(ValueError, match=said):
        kernel_ridge(gram, y, penalties)
