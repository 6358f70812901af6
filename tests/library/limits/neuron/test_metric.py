"""The neuron's metric against differences and known loops."""

import numpy as np
import pytest

from implicit_bias.limits.neuron import NeuronMetric, NeuronRegularizer


@pytest.mark.parametrize("delta", [0.0, 0.5, 5.0])
def test_metric_and_its_inverse(delta):
    w = np.array([0.7, -0.4, 1.1])
    metric = NeuronMetric(delta)
    np.testing.assert_allclose(metric.value(w) @ metric.inverse(w), np.eye(3), atol=1e-14)
    a = metric.warp(w)
    assert a**2 - (w @ w) / a**2 == pytest.approx(delta)
    np.testing.assert_allclose(1.5 * a * metric.value(w), NeuronRegularizer(delta, w).hessian(w), rtol=1e-13)


@pytest.mark.parametrize("delta", [0.0, 0.5, 5.0])
@pytest.mark.parametrize("power", [0, 1])
def test_curl_is_that_of_differences(delta, power):
    metric, w, step = NeuronMetric(delta), np.array([0.7, -0.4, 1.1]), 1e-5

    def entries(point):
        return metric.warp(point) ** power * metric.value(point)

    slopes = np.array([(entries(w + step * e) - entries(w - step * e)) / (2 * step) for e in np.eye(3)])  # k, i, j
    antisymmetric = slopes.transpose(1, 2, 0) - slopes.transpose(1, 0, 2)  # i, j, k: ∂_k H_ij − ∂_j H_ik
    same = np.eye(3)
    c = metric.curl(w) if power == 0 else 0.0
    expected = -c * (same[:, :, None] * w[None, None, :] - same[:, None, :] * w[None, :, None])
    np.testing.assert_allclose(antisymmetric, expected, atol=1e-8)


def test_loop_integrals():
    sizes = [np.linalg.norm(NeuronMetric(delta).loop([1.0, 0.5], 0.5)) for delta in (0.0, 0.5, 5.0)]
    np.testing.assert_allclose(sizes, [0.3412, 0.2002, 0.0057], atol=5e-5)
    np.testing.assert_allclose(NeuronMetric(0.5).loop([0.0, 0.0], 0.5), 0, atol=1e-14)
    turned = NeuronMetric(0.5).loop([-0.5, 1.0], 0.5)  # a quarter turn of plane and vector
    np.testing.assert_allclose(
        turned, np.array([[0, -1], [1, 0]]) @ NeuronMetric(0.5).loop([1.0, 0.5], 0.5), atol=1e-14
    )


def test_metric_refuses():
    with pytest.raises(ValueError, match=r"delta is -1; it must lie in \[0, inf\)"):
        NeuronMetric(-1.0)
    with pytest.raises(ValueError, match=r"centre has shape \(3,\); it must be 2"):
        NeuronMetric(1.0).loop([1.0, 2.0, 3.0], 0.5)
    with pytest.raises(ValueError, match="radius is 0"):
        NeuronMetric(1.0).loop([1.0, 2.0], 0.0)
