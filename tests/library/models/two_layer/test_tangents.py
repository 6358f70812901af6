"""Tangent tensors against PyTorch's automatic differentiation of the whole network, and their symmetries."""

import numpy as np
import pytest
import torch
from torch.func import jacfwd, jacrev

from implicit_bias.activations import IDENTITY, LeakyReLU, Tanh
from implicit_bias.models.two_layer import TwoLayer, tangents

M, N, D = 4, 3, 2
STREAM = np.random.default_rng(0)
W, A, X = STREAM.standard_normal((M, D)), STREAM.standard_normal(M), STREAM.standard_normal((N, D))


def by_autograd(trained, scale):
    """K_ik, K_ikl and K_iklq of a tanh network, brute force."""
    x = torch.tensor(X)

    def output(theta):
        w, a = theta[: M * D].reshape(M, D), theta[M * D :]
        w, a = (w if trained != "output" else w.detach()), (a if trained != "first" else a.detach())
        return scale * torch.tanh(x @ w.T) @ a

    moves = torch.cat([torch.full((M * D,), float(trained != "output")), torch.full((M,), float(trained != "first"))])

    def gradient(theta):
        return jacrev(output)(theta) * moves

    def kernel(theta):
        return gradient(theta) @ gradient(theta).T

    def third(theta):
        return torch.einsum("ikp,lp->ikl", jacfwd(kernel)(theta) * moves, gradient(theta))

    def fourth(theta):
        return torch.einsum("iklp,qp->iklq", jacfwd(third)(theta) * moves, gradient(theta))

    theta = torch.tensor(np.concatenate([W.ravel(), A]))
    return [tensor(theta).numpy() for tensor in (kernel, third, fourth)]


@pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")  # PyTorch's own, within its vmap
@pytest.mark.parametrize("trained", ["both", "first", "output"])
@pytest.mark.parametrize(("scaling", "scale"), [("1/m", 1 / M), ("1/sqrt(m)", M**-0.5), (1, 1.0)])
def test_they_are_the_derivatives(trained, scaling, scale):
    found = tangents(TwoLayer(Tanh(), trained, scaling), W, A, X, fourth=True)
    for ours, theirs in zip((found.kernel, found.third, found.fourth), by_autograd(trained, scale), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-13, rtol=1e-12)


def test_a_smoothed_activation_has_a_third_tensor():
    net = TwoLayer(LeakyReLU(0.3, 0.2), scaling=1)
    found, step = tangents(net, W, A, X), 1e-5
    hidden, gate = net.activation.with_derivative(W @ X.T)
    for sample in range(N):
        turn = np.outer(A * gate[:, sample], X[sample]), hidden[:, sample]
        beside = [tangents(net, W + s * turn[0], A + s * turn[1], X).kernel for s in (step, -step)]
        np.testing.assert_allclose(found.third[:, :, sample], (beside[0] - beside[1]) / (2 * step), atol=1e-6)


def test_pairs_have_no_third_tensor_and_a_fourth_one():
    found = tangents(TwoLayer(Tanh()), np.vstack([W, W]), np.append(A, -A), X, fourth=True)
    assert np.abs(found.third).max() < 1e-12
    assert np.abs(found.fourth).max() > 1


def test_the_kernel_of_a_linear_network():
    found = tangents(TwoLayer(IDENTITY), W, A, X)
    np.testing.assert_allclose(found.kernel, (A @ A) * X @ X.T + X @ W.T @ W @ X.T, rtol=1e-12)
    assert found.fourth is None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tangents(TwoLayer(Tanh()), W, A[:2], X), r"a has shape \(2,\); it must be 4"),
        (lambda: tangents(TwoLayer(Tanh()), W, A, X[:, :1]), r"w has shape \(4, 2\); it must be any × 1"),
        (lambda: tangents(TwoLayer(Tanh()), W, A, np.zeros((400, D)), fourth=True), "more than 4 GiB of memory"),
        (
            lambda: tangents(TwoLayer(LeakyReLU(0.3, 0.2)), W, A, X, fourth=True),
            "no derivative at complex numbers; fourth needs one",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
