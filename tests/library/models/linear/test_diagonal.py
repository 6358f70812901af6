"""The diagonal network: its predictor where one sign only can be reached, its initialization, refusals."""

import numpy as np
import pytest

from implicit_bias.models.linear import DiagonalNetwork


def test_diagonal_reduction_where_one_sign_only_can_be_reached(regression):
    a = np.full(12, 0.3)
    network = DiagonalNetwork(a, a, 0 * a, 0 * a)
    assert np.all(network.k == 0)
    w = network.predictor_from_dual(regression.x, np.full(6, 0.1))
    np.testing.assert_allclose(w, 0.09 * np.exp(0.2 * regression.x.sum(axis=0)))


def test_unbiased_initialization_has_the_papers_scale_shape_and_k():
    network = DiagonalNetwork.unbiased(3, 1e-3, 0.9)
    u, v = network.u_plus, network.v_plus
    np.testing.assert_allclose(u * v, 1e-3)
    np.testing.assert_allclose((v - u) / (v + u), 0.9)
    np.testing.assert_allclose(np.sqrt(network.k), 2 * (u**2 + v**2))
    np.testing.assert_allclose(np.sqrt(network.k), 4e-3 * (1 + 0.81) / (1 - 0.81))
    np.testing.assert_allclose(network.predictor(network.start), 0, atol=1e-18)


def test_diagonal_refuses():
    with pytest.raises(ValueError, match=r"shape is 1; it must lie in \(-1, 1\)"):
        DiagonalNetwork.unbiased(3, 1e-3, 1)
    with pytest.raises(ValueError, match=r"scale is 0; it must lie in \(0, inf\)"):
        DiagonalNetwork.unbiased(3, 0, 0)
    with pytest.raises(ValueError, match=r"v_minus has shape \(2,\); it must be 3"):
        DiagonalNetwork(np.ones(3), np.ones(3), np.ones(3), np.ones(2))
