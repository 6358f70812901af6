"""The tangent kernel of a network is the product of its gradients; refusals."""

import sys
import tracemalloc

import numpy as np
import pytest

from implicit_bias.activations import RELU, Tanh
from implicit_bias.models.two_layer import TwoLayer, tangent_kernel, tangents

STREAM = np.random.default_rng(9)
W, A = STREAM.standard_normal((6, 3)), STREAM.standard_normal(6)
X, Z = STREAM.standard_normal((4, 3)), STREAM.standard_normal((5, 3))


def gradients(net, points):
    """The gradients of the outputs by central differences, those of layers that stay left out."""
    step, columns = 1e-6, []
    for k in range(W.size + A.size):
        if (k < W.size and not net.first_moves) or (k >= W.size and not net.output_moves):
            continue
        move = np.zeros(W.size + A.size)
        move[k] = step
        w, a = move[: W.size].reshape(W.shape), move[W.size :]
        columns.append((net.output(W + w, A + a, points) - net.output(W - w, A - a, points)) / (2 * step))
    return np.array(columns)


@pytest.mark.parametrize("trained", ["both", "first", "output"])
@pytest.mark.parametrize("activation", [RELU, Tanh()])
def test_it_is_the_product_of_gradients(activation, trained):
    net = TwoLayer(activation, trained, "1/sqrt(m)")
    found = tangent_kernel(net, W, A, X, Z)
    np.testing.assert_allclose(found, gradients(net, X).T @ gradients(net, Z), atol=1e-7)


@pytest.mark.parametrize("trained", ["both", "first", "output"])
def test_of_points_with_themselves_it_is_symmetric_and_the_same(trained):
    net = TwoLayer(Tanh(), trained, "1/m")
    found = tangent_kernel(net, W, A, X, X)
    assert np.array_equal(found, found.T)
    np.testing.assert_allclose(found, tangent_kernel(net, W, A, X, X.copy()), rtol=1e-13)


def test_it_is_that_of_the_tensors():
    net = TwoLayer(Tanh(), scaling="1/m")
    np.testing.assert_allclose(tangent_kernel(net, W, A, X, X), tangents(net, W, A, X).kernel, rtol=1e-12)


def test_what_does_not_fit_is_refused():
    net = TwoLayer(RELU)
    with pytest.raises(ValueError, match=r"z has shape \(5, 2\); it must be any × 3"):
        tangent_kernel(net, W, A, X, Z[:, :2])
    with pytest.raises(ValueError, match=r"a has shape \(2,\); it must be 6"):
        tangent_kernel(net, W, A[:2], X, Z)
    with pytest.raises(ValueError, match="more than 4 GiB of memory"):
        tangent_kernel(net, W, A, np.broadcast_to(X[0], (10**8, 3)), Z)


@pytest.mark.parametrize("trained", ["both", "first", "output"])
def test_blocks_are_parts_of_the_whole_and_take_no_more_memory(trained, monkeypatch):
    stream = np.random.default_rng(0)
    net = TwoLayer(Tanh(), trained)
    w, a, x, z = (stream.standard_normal(shape) for shape in ((4, 3), 4, (500, 3), (300, 3)))
    whole = [tangent_kernel(net, w, a, x, other) for other in (x, z)]
    monkeypatch.setattr(sys.modules[tangent_kernel.__module__], "AT_ONCE", 5000)
    tracemalloc.start()
    try:
        parts = [tangent_kernel(net, w, a, x, other) for other in (x, z)]
        assert tracemalloc.get_traced_memory()[1] < 8 * (1.3 * 500 * 500 + 500 * 300)
    finally:
        tracemalloc.stop()
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13 * np.abs(one).max())
    np.testing.assert_array_equal(parts[0], parts[0].T)


@pytest.mark.parametrize("activation", [RELU, Tanh()])
def test_float32_stays_float32(activation):
    net, stream = TwoLayer(activation, "both", "1/sqrt(m)"), np.random.default_rng(0)
    w, a, x, z = (stream.standard_normal(shape).astype(np.float32) for shape in ((64, 3), 64, (40, 3), (30, 3)))
    for other in (x, z):
        found = tangent_kernel(net, w, a, x, other)
        known = tangent_kernel(net, w.astype(float), a, x, other)
        assert (found.dtype, known.dtype) == (np.float32, np.float64)
        np.testing.assert_allclose(found, known, atol=1e-5 * np.abs(known).max())
