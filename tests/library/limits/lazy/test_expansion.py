"""The expansion: closed forms, trained models of large scale, the balance of energy, and refusals."""

import numpy as np
import pytest

from implicit_bias.activations import Tanh
from implicit_bias.data import Samples
from implicit_bias.flows import gradient_flow
from implicit_bias.limits.lazy import lazy_expansion
from implicit_bias.losses import Logistic, Squared
from implicit_bias.models.two_layer import Risk, TwoLayer, tangents
from implicit_bias.wrapped_losses import Ridged, Scaled

NET = TwoLayer(Tanh(), scaling="1/sqrt(m)")
STREAM = np.random.default_rng(3)
X = STREAM.standard_normal((4, 3))
Y = np.array([1.0, -1.0, 1.0, -1.0])
W, A = STREAM.standard_normal((10, 3)), STREAM.standard_normal(10)
TIMES = np.array([0.0, 0.5, 2.0, 8.0])


def trained(loss, w, a, alpha):
    """The outputs α (h − h(w₀)) of the network itself, and α times its displacement."""
    seen = Scaled(loss, alpha, NET.output(w, a, X))
    flow = Risk(NET, Samples(X, Y), seen).of_weights(w, a)
    run = gradient_flow(flow.velocity, flow.start, t_end=TIMES[-1], record=TIMES[1:-1], rtol=1e-12, atol=1e-14)
    moved = alpha * np.linalg.norm(run.theta - flow.start, axis=1)
    return np.array([seen.outputs(flow.outputs(state)) for state in run.theta]), moved


@pytest.mark.parametrize("loss", [Squared("sum"), Ridged(Logistic(), 0.3)], ids=repr)
def test_the_first_term_is_what_a_trained_network_shows(loss):
    at = tangents(NET, W, A, X)
    found = lazy_expansion(loss, Y, TIMES, at.kernel, at.third)
    near, far = (alpha * (trained(loss, W, A, alpha)[0] - found.linear) for alpha in (1e3, 2e3))
    np.testing.assert_allclose(2 * far - near, found.first, atol=2e-5 * np.abs(found.first).max())
    np.testing.assert_allclose(trained(loss, W, A, 1e5)[1], found.displacement, rtol=1e-4)
    assert found.second is None


@pytest.mark.parametrize("loss", [Squared("sum"), Ridged(Logistic(), 0.3)], ids=repr)
def test_of_pairs_it_is_the_second_term(loss):
    pairs = np.vstack([W, W]), np.append(A, -A)
    at = tangents(NET, *pairs, X, fourth=True)
    found = lazy_expansion(loss, Y, TIMES, at.kernel, at.third, at.fourth)
    assert np.abs(found.first).max() < 1e-12
    scaled = 100**2 * (trained(loss, *pairs, 100.0)[0] - found.linear)
    np.testing.assert_allclose(scaled, found.second, atol=2e-3 * np.abs(found.second).max())


def test_the_squared_loss_has_a_closed_form():
    root = STREAM.standard_normal((4, 4))
    kernel = root @ root.T / 4
    found = lazy_expansion(Squared("sum"), Y, TIMES, kernel, np.zeros((4, 4, 4)))
    values, vectors = np.linalg.eigh(kernel)
    left = np.exp(-values * TIMES[:, None]) * (vectors.T @ Y)
    np.testing.assert_allclose(found.linear, Y - left @ vectors.T, atol=1e-8)
    assert np.all(found.first == 0)
    assert found.balance < 1e-8


def test_one_sample_by_hand():
    """h = w₁² − w₂² at (1, 1): K = 8, K₁₁₁ = 0, K₁₁₁₁ = 128."""
    t = np.linspace(0, 0.5, 6)
    found = lazy_expansion(Squared("sum"), [0.7], t, [[8.0]], [[[0.0]]], [[[[128.0]]]])
    gone = np.exp(-8 * t)
    whole = t - 2 * (1 - gone) / 8 + (1 - gone**2) / 16
    np.testing.assert_allclose(found.second[:, 0], 0.7**3 * gone * whole, atol=1e-9)


def test_without_pairs_the_second_term_has_parts_of_the_first():
    at = tangents(NET, W, A, X, fourth=True)
    found = lazy_expansion(Squared("sum"), Y, TIMES, at.kernel, at.third, at.fourth)
    near, far = (
        alpha * (alpha * (trained(Squared("sum"), W, A, alpha)[0] - found.linear) - found.first)
        for alpha in (200.0, 400.0)
    )
    np.testing.assert_allclose(2 * far - near, found.second, atol=2e-3 * np.abs(found.second).max())


def test_one_weight_by_hand():
    """h = w + w²/2 at 0, label 1: K = 1 + 2h, K₁₁₁ = 2, K₁₁₁₁ = 4; u = α(1 − q)/(α + 2q) with q = e^{−(1 + 2/α)t}."""
    t = np.linspace(0, 5, 11)
    found = lazy_expansion(Squared("sum"), [1.0], t, [[1.0]], [[[2.0]]], [[[[4.0]]]])
    u = {e: (1 - np.exp(-(1 + 2 * e) * t)) / (1 + 2 * e * np.exp(-(1 + 2 * e) * t)) for e in (-1e-3, 0.0, 1e-3)}
    np.testing.assert_allclose(found.first[:, 0], (u[1e-3] - u[-1e-3]) / 2e-3, atol=2e-5)
    np.testing.assert_allclose(found.second[:, 0], (u[1e-3] - 2 * u[0.0] + u[-1e-3]) / 2e-6, atol=1e-4)
    np.testing.assert_allclose(found.first[:, 0], 2 * np.exp(-t) * (t - 1 + np.exp(-t)), atol=1e-8)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"times": [0.0, 0.0]}, "times does not increase"),
        ({"times": [-1.0, 1.0]}, r"times\[0\] is -1"),
        ({"kernel": np.eye(3)}, r"kernel has shape \(3, 3\); it must be 2 × 2"),
        (
            {"loss": Logistic(), "third": np.ones((2, 2, 2)), "fourth": np.zeros((2, 2, 2, 2))},
            r"third holds 1.0e\+00; it must be 0",
        ),
    ],
)
def test_what_does_not_fit_is_refused(change, words):
    given = {"loss": Squared("sum"), "times": [0.0, 1.0], "kernel": np.eye(2), "third": np.zeros((2, 2, 2)), **change}
    with pytest.raises(ValueError, match=words):
        lazy_expansion(y=[1.0, -1.0], **given)
