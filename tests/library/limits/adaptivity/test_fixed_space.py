"""Targets of unknown direction: covariance and mean errors against draws, the bound, spaces that attain it."""

import numpy as np
import pytest

from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.adaptivity import direction_covariance, fixed_space_error, kernel_ridge, mean_ridge_error

STREAM = np.random.default_rng(0)
X, Z = STREAM.uniform(-1, 1, (12, 4)), STREAM.uniform(-1, 1, (60, 4))
A = STREAM.standard_normal((200_000, 4))
A /= np.linalg.norm(A, axis=1)[:, None]


def test_the_covariance_is_the_mean_over_directions():
    drawn = np.abs(A @ X.T).T @ np.abs(A @ X.T) / len(A)
    np.testing.assert_allclose(direction_covariance(X, X), drawn, rtol=0.02)
    np.testing.assert_allclose(np.diag(direction_covariance(X, X)), np.sum(X**2, axis=1) / 4, rtol=1e-12)


def test_in_one_dimension_all_targets_are_one():
    x = np.array([[1.0], [-2.0], [3.0]])
    np.testing.assert_allclose(direction_covariance(x, x), np.abs(x @ x.T), atol=1e-12)
    assert fixed_space_error(x, 0) == pytest.approx(14 / 3)
    assert fixed_space_error(x, 1) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("n", [1, 5, 20])
def test_leading_eigenvectors_attain_the_bound_and_no_space_beats_it(n):
    covariance = direction_covariance(Z, Z)
    bound = fixed_space_error(Z, n)
    leading = np.linalg.eigh(covariance)[1][:, -n:]
    assert (np.trace(covariance) - np.trace(leading.T @ covariance @ leading)) / len(Z) == pytest.approx(bound)
    for _ in range(50):
        basis = np.linalg.qr(STREAM.standard_normal((len(Z), n)))[0]
        assert (np.trace(covariance) - np.trace(basis.T @ covariance @ basis)) / len(Z) > bound
    assert fixed_space_error(Z, len(Z)) == 0 == fixed_space_error(Z, 10**6)


def test_the_mean_error_of_kernel_ridge_regression_is_that_of_draws():
    gram, cross = relu_kernel(X, X), relu_kernel(Z, X)
    found = []
    for a in A[:2000]:
        y = np.abs(X @ a) + 0.3 * STREAM.standard_normal(12)
        found.append(np.mean((kernel_ridge(gram, y, [1e-2]).predict(cross)[0] - np.abs(Z @ a)) ** 2))
    spread = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found) - mean_ridge_error(X, Z, gram, cross, 1e-2, 0.3)) < 4 * spread
    without = mean_ridge_error(X, Z, gram, cross, 1e-2)
    assert np.mean(found) > without + 10 * spread
    assert without > fixed_space_error(Z, 12)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: fixed_space_error(Z, -1), "n is -1; it must be"),
        (lambda: direction_covariance(X, Z[:, :2]), "shape"),
        (lambda: mean_ridge_error(X, Z, np.eye(3), np.ones((60, 12)), 1.0), "gram has shape"),
        (lambda: mean_ridge_error(X, Z, np.eye(12), np.ones((60, 12)), 0.0), "penalty is 0"),
        (lambda: mean_ridge_error(X, Z, np.eye(12), np.ones((60, 12)), 1.0, -1.0), "noise is -1"),
    ],
)
def test_bad_arguments_are_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
