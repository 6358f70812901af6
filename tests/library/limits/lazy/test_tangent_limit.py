"""The tangent kernel of infinite width: expectations over random neurons, regression, the scatter, refusals."""

import sys

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.lazy import kernel_regression, relu_tangent_kernel, tangent_scatter

STREAM = np.random.default_rng(4)
X = np.array([[1.0, 0.2], [-0.3, 0.9], [-0.6, -0.8]])
Y = np.array([1.0, -0.5, 0.7])
POINTS = np.array([[0.0, 1.0], [0.8, -0.6], [1.0, 0.2]])


def drawn(m, count, d=2):
    """Kernels on X and between points and X of networks of m/2 pairs."""
    for _ in range(count):
        w, a = STREAM.standard_normal((m // 2, d)), STREAM.standard_normal(m // 2)
        hidden, gate = np.maximum(w @ X.T, 0), w @ X.T > 0
        seen, gate_seen = np.maximum(w @ POINTS.T, 0), (w @ POINTS.T > 0) * a[:, None] ** 2
        own = hidden.T @ hidden + (gate * a[:, None] ** 2).T @ gate * (X @ X.T)
        across = seen.T @ hidden + gate_seen.T @ (gate * 1.0) * (POINTS @ X.T)
        yield 2 * own / m, 2 * across / m


def test_known_values():
    x = np.array([[2.0, 0.0, 0.0]])
    z = np.array([[3.0, 0, 0], [0, 1.0, 0], [-1.0, 0, 0]])
    np.testing.assert_allclose(relu_tangent_kernel(x, z), [[6, 1 / np.pi, 0]], atol=1e-15)


def test_the_kernel_is_the_mean_over_neurons():
    own, across = (np.mean(one, axis=0) for one in zip(*drawn(400_000, 1), strict=True))
    np.testing.assert_allclose(own, relu_tangent_kernel(X, X), atol=0.03)
    np.testing.assert_allclose(across, relu_tangent_kernel(POINTS, X), atol=0.03)


def test_random_networks_scatter_as_predicted():
    m, count = 2000, 2000
    kernel, scatter = relu_tangent_kernel(X, X), tangent_scatter(X, Y, POINTS)
    limit = kernel_regression(kernel, Y, relu_tangent_kernel(POINTS, X)).values
    off_kernel, off = [], []
    for own, across in drawn(m, count):
        off_kernel.append(np.sum((own - kernel) ** 2))
        off.append(across @ np.linalg.solve(own, Y) - limit)
    assert np.sqrt(m * np.mean(off_kernel)) == pytest.approx(scatter.kernel, rel=0.06)
    covariance = m * np.array(off).T @ np.array(off) / count
    np.testing.assert_allclose(covariance, scatter.covariance, atol=0.15 * scatter.covariance.max())
    assert scatter.covariance[2, 2] == pytest.approx(0, abs=1e-10)  # a sample: its label is met
    assert scatter.spread == pytest.approx(np.sqrt(np.trace(scatter.covariance) / 3))
    assert 1 <= scatter.freedom <= 2


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
def test_the_kernel_of_one_point_by_hand(size):
    """κ = |x|² (g₊² + a² 1{g > 0}), of mean |x|², mean square |x|⁴ (3/2 + 1 + 3/2); a pair adds (2/m) κ."""
    scatter = tangent_scatter([[size, 0.0]], [1.0], [[0.0, 1.0]])
    assert scatter.kernel == pytest.approx(size**2 * np.sqrt(2 * 3), rel=1e-12)


def test_regression_meets_the_labels_and_is_certified():
    kernel = relu_tangent_kernel(X, X)
    found = kernel_regression(kernel, Y, kernel)
    np.testing.assert_allclose(found.values, Y, atol=1e-14)
    assert found.certificate.worst < 1e-13


@pytest.mark.parametrize("floor", [1.0, 1e-6, 1e-11])
def test_regression_solves_the_system_however_close_to_singular(floor):
    basis, _ = np.linalg.qr(STREAM.standard_normal((6, 6)))
    kernel = basis * np.geomspace(floor, 1, 6) @ basis.T
    kernel = (kernel + kernel.T) / 2
    labels = kernel @ STREAM.standard_normal(6)
    found = kernel_regression(kernel, labels, kernel[:2])
    np.testing.assert_allclose(found.weights, np.linalg.solve(kernel, labels), atol=1e-14 / floor)
    np.testing.assert_allclose(found.values, labels[:2], atol=1e-13)


def test_the_residual_is_euclidean(monkeypatch):
    """Labels (4, 4, 7) missed by 1, 2 and 2: 3/9 of their length, not the largest miss over the largest label."""
    y = np.array([4.0, 4.0, 7.0])
    monkeypatch.setattr(sys.modules[kernel_regression.__module__], "_solved", lambda k, y: y - [1.0, 2.0, 2.0])
    with pytest.raises(CertificateError, match="primal residual 3.3e-01") as refused:
        kernel_regression(np.eye(3), y, np.eye(3))
    assert refused.value.certificate.primal == pytest.approx(1 / 3, rel=1e-14)


def test_regression_refuses_what_no_float_solves():
    """K⁻¹y ~ 2e11: its rounding misses labels of 1e-3 by a percent."""
    with pytest.raises(CertificateError, match="primal residual 7.1e-03") as refused:
        kernel_regression([[1.0, 1.0], [1.0, 1.0 + 1e-14]], [1e-3, -1e-3], np.eye(2))
    assert refused.value.answer.weights[0] == pytest.approx(2e11, rel=1e-2)
    with pytest.raises(ValueError, match="kernel is no symmetric matrix"):
        kernel_regression([[1.0, 0.5], [0.4, 1.0]], [1.0, -1.0], np.eye(2))


def test_the_squared_norm_is_enclosed():
    kernel = relu_tangent_kernel(X, X)
    found = kernel_regression(kernel, Y, kernel).certificate.enclosure
    assert found.low <= Y @ np.linalg.solve(kernel, Y) * (1 + 1e-14)
    assert Y @ np.linalg.solve(kernel, Y) * (1 - 1e-14) <= found.high
    assert found.width < 1e-13
    with pytest.raises(CertificateError, match="its value is proved to lie between") as refused:
        kernel_regression(kernel, Y, kernel, tol=1e-19)
    assert refused.value.answer.values == pytest.approx(Y)


def test_regression_refuses_a_kernel_without_full_rank_where_its_eigenvalues_say_so():
    for seed in range(40):  # Cholesky's factors of some of them exist, by rounding
        features = np.random.default_rng(seed).standard_normal((6, 3))
        kernel = features @ features.T
        try:
            kernel_regression(kernel, kernel @ np.ones(6), kernel)
            refused = False
        except CertificateError:
            refused = False
        except ValueError as error:
            refused = str(error).startswith("kernel has the least eigenvalue")
        assert refused == (np.linalg.eigvalsh(kernel)[0] <= 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: kernel_regression(np.zeros((2, 2)), [1.0, 2.0], np.eye(2)), "kernel has the least eigenvalue"),
        (lambda: kernel_regression(np.eye(3), [1.0, 2.0], np.eye(2)), r"kernel has shape \(3, 3\); it must be 2 × 2"),
        (lambda: tangent_scatter(np.eye(3), np.ones(3), np.eye(3)), r"x has shape \(3, 3\); it must be any × 2"),
        (lambda: tangent_scatter(X, Y, np.ones((10**5, 2))), "more than 4 GiB of memory"),
        (lambda: relu_tangent_kernel(X, np.ones((2, 3))), r"z has shape \(2, 3\); it must be any × 2"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
