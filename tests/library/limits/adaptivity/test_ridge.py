"""Kernel ridge regression: ordinary ridge regression, a library's, fits without a point, bad input."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from sklearn.kernel_ridge import KernelRidge as Peer

from implicit_bias.limits.adaptivity import kernel_ridge
from implicit_bias.limits.adaptivity.ridge import enclose_ridge
from implicit_bias.limits.certificate import UNKNOWN, CertificateError

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


def least_value(gram, y, penalty):
    """½λ yᵀ(K + nλ)⁻¹y in fractions."""
    exact = np.vectorize(lambda entry: sympy.Rational(*float(entry).as_integer_ratio()))
    labels, shift = sympy.Matrix(exact(y)), sympy.Rational(*float(penalty).as_integer_ratio())
    solved = (sympy.Matrix(exact(gram)) + len(y) * shift * sympy.eye(len(y))).LUsolve(labels)
    value = shift / 2 * (labels.T * solved)[0]
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize("unit", [1e-120, 1.0, 1e100])
@pytest.mark.parametrize("rank", [3, 12])
def test_the_exact_least_values_are_enclosed(rank, unit):
    x, y = np.random.default_rng(1).standard_normal((8, rank)), np.random.default_rng(2).standard_normal(8)
    gram = unit * x @ x.T
    gram, penalties = (gram + gram.T) / 2, unit * np.array([3.7e-7, 1e-3, 0.1, 50.0])
    fit = kernel_ridge(gram, y, penalties)
    stream = np.random.default_rng(3)
    worse = enclose_ridge(gram, y, penalties, fit.coefficients * (1 + 1e-3 * stream.standard_normal((4, 8))), 1e-9)
    for penalty, value, wide in zip(penalties, fit.values, worse, strict=True):
        truth = least_value(gram, y, penalty)
        assert value.low <= truth <= value.high
        assert wide.low <= truth <= wide.high
        assert value.width <= 1e-9 < wide.width
    assert fit.certificate.enclosure.width == max(value.width for value in fit.values)


def test_what_coefficients_miss_along_the_least_eigenvector_counts_in_full():
    """K = diag(−¼, 1), nλ = 1, y = (1, 1): c = (4/3, ½); of r = (r₁, 0) the form is r₁²/¾, not r₁² or less."""
    gram, y, off = np.diag([-0.25, 1.0]), np.ones(2), 0.1
    (found,) = enclose_ridge(gram, y, np.array([0.5]), np.array([[4 / 3 + off, 0.5]]), 1e-9)
    truth = Fraction(1, 4) * (Fraction(4, 3) + Fraction(1, 2))
    assert found.low <= truth <= found.high
    assert found.high - found.low <= 2 * 0.25 * 0.75 * off**2  # λ_min is found up to a factor, hence the 2


def test_what_is_not_proved_is_refused_with_the_fits():
    with pytest.raises(CertificateError, match="is not certified") as refused:
        kernel_ridge(GRAM, Y, [0.1, 2.0], tol=1e-17)
    np.testing.assert_array_equal(refused.value.answer.coefficients, kernel_ridge(GRAM, Y, [0.1, 2.0]).coefficients)
    assert kernel_ridge(GRAM, 0 * Y, [0.1]).values[0].high == 0
    with pytest.raises(CertificateError, match="is not certified") as refused:
        kernel_ridge(GRAM, Y, [1e-25])
    assert refused.value.certificate.enclosure.width == np.inf


def test_a_penalty_is_proved_by_its_own_multiple_of_the_unit_matrix():
    """K = diag(1, −¹⁄₁₀): K + nλ is positive definite for the second penalty, and not for the first."""
    values, y, penalties = np.array([1.0, -0.1]), np.array([1.0, 2.0]), np.array([0.01, 0.14])
    shifted = values + 2 * penalties[:, None]
    first, second = enclose_ridge(np.diag(values), y, penalties, y / shifted, 1e-9)
    assert first == UNKNOWN
    truth = sum(Fraction(a) ** 2 / (Fraction(v) + 2 * Fraction(0.14)) for a, v in zip(y, values, strict=True))
    assert Fraction(second.low) <= Fraction(0.14) / 2 * truth <= Fraction(second.high)
    assert second.width < 1e-12


def test_of_labels_0_each_least_value_is_0():
    fit = kernel_ridge(GRAM, 0 * Y, [0.1, 1.0, 2.0])
    assert [(one.low, one.high) for one in fit.values] == [(0.0, 0.0)] * 3
