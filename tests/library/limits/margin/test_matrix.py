"""Margins of several classes: closed forms, two classes against the binary solvers, certificates, what is refused."""

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import max_margin
from implicit_bias.limits.margin.matrix import (
    certify_matrix_margin,
    class_differences,
    dual_norm,
    matrix_margin,
    matrix_norm,
)

NORMS = ("frobenius", "entries", "spectral")


def gaussian_classes(seed: int, k: int = 4, d: int = 6, n: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """Points around k means, each class with a sample."""
    generator = np.random.default_rng(seed)
    y = np.arange(n) % k
    return 2 * generator.standard_normal((k, d))[y] + 0.5 * generator.standard_normal((n, d)), y


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("seed", [0, 1])
def test_no_matrix_and_no_weights_pass_the_enclosure(norm, seed):
    x, y = gaussian_classes(seed)
    z, answer = class_differences(x, y), matrix_margin(x, y, norm)
    found = answer.certificate.enclosure
    assert found.width <= 1e-9
    assert found.low <= answer.margin <= found.high
    generator = np.random.default_rng(seed)
    for size in (1e-4, 1e-1, 1.0):
        w = answer.w + size * generator.standard_normal(answer.w.shape)
        assert (z @ w.ravel()).min() / matrix_norm(w, norm) <= found.high
        weights = np.maximum(answer.weights + size * generator.standard_normal(answer.weights.shape), 0)
        assert dual_norm((weights @ z).reshape(w.shape), norm) / weights.sum() >= found.low


def test_margins_of_all_pairs_of_classes():
    x, y = gaussian_classes(2)
    w = np.random.default_rng(0).standard_normal((4, 6))
    scores = x @ w.T
    margins = [scores[i, y[i]] - scores[i, c] for i in range(len(x)) for c in range(4) if c != y[i]]
    np.testing.assert_allclose(class_differences(x, y) @ w.ravel(), margins, rtol=1e-12)
    assert class_differences(x, y, 5).shape == (30 * 4, 5 * 6)


@pytest.mark.parametrize(("norm", "factor"), [("frobenius", np.sqrt(2)), ("spectral", np.sqrt(2))])
def test_of_two_classes_it_is_the_binary_margin(norm, factor):
    # W = (v, −v)/√2 has the norm ‖v‖ in both, and the margin √2 v·z
    x, y = gaussian_classes(3, k=2)
    signed = np.where(y == 0, 1.0, -1.0)[:, None] * x
    assert matrix_margin(x, y, norm).margin == pytest.approx(factor * max_margin(signed).margin, rel=1e-9)


@pytest.mark.parametrize(("norm", "margin"), [("frobenius", np.sqrt(0.5)), ("entries", 2.0), ("spectral", 1.0)])
def test_of_orthonormal_points(norm, margin):
    # the centred unit matrix has the margins 1, the Frobenius norm √2 and the spectral norm 1
    answer = matrix_margin(np.eye(3), [0, 1, 2], norm)
    assert answer.margin == pytest.approx(margin, rel=1e-9)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_in_any_unit(norm, unit):
    x, y = gaussian_classes(0)
    assert matrix_margin(unit * x, y, norm).margin == pytest.approx(unit * matrix_margin(x, y, norm).margin, rel=1e-9)


@pytest.mark.parametrize("norm", NORMS)
def test_a_worse_matrix_or_weights_widen_the_enclosure(norm):
    x, y = gaussian_classes(1)
    z, answer = class_differences(x, y), matrix_margin(x, y, norm)
    worse = answer.w.copy()
    worse[0, 0] *= 0.9
    assert certify_matrix_margin(z, worse, answer.weights, norm).enclosure.width > 1e-6
    other = answer.weights.copy()
    other[np.argmax(other)] *= 0.9
    assert certify_matrix_margin(z, answer.w, other, norm).enclosure.width > 1e-6
    assert certify_matrix_margin(z, 2 * answer.w, answer.weights, norm).primal == pytest.approx(1)
    assert certify_matrix_margin(z, answer.w, -answer.weights, norm).dual >= answer.weights.max()
    assert certify_matrix_margin(np.full_like(z, np.nan), answer.w, answer.weights, norm).worst == np.inf


@pytest.mark.parametrize("norm", NORMS)
def test_classes_that_cannot_be_separated_are_refused(norm):
    with pytest.raises(CertificateError, match="separate"):
        matrix_margin([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [0, 1, 1], norm)


def test_labels_that_are_no_classes_are_refused():
    for y in ([0.5, 1], [-1, 1], [0, 0], [np.nan, 1]):
        with pytest.raises(ValueError, match="y "):
            matrix_margin(np.eye(2), y)
    with pytest.raises(ValueError, match="norm"):
        matrix_margin(np.eye(2), [0, 1], "nuclear")
