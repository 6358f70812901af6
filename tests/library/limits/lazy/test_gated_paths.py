"""Paths of long neurons against the flow integrated in all weights: their orders, their threshold, refusals."""

import numpy as np
import pytest

from implicit_bias.activations import RELU
from implicit_bias.data import Samples
from implicit_bias.flows import gradient_flow
from implicit_bias.limits.lazy import gated_paths
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, TwoLayer

STREAM = np.random.default_rng(3)
X, Y = STREAM.standard_normal((5, 3)), STREAM.standard_normal(5)
HALF, OUT = STREAM.standard_normal((4, 3)), STREAM.uniform(0.5, 1.5, 4) * [1, -1, 1, 1]
W, A = np.vstack([HALF, HALF]), np.concatenate([OUT, -OUT])
S = np.array([0.0, 0.3, 1.0, 4.0])


def trained(tau):
    """The weights over τ at the times S, from τ(W, a)."""
    flow = Risk(TwoLayer(RELU), Samples(X, Y), Squared("sum")).of_weights(tau * W, tau * A)
    run = gradient_flow(
        flow.velocity, flow.start, t_end=S[-1] / tau**2, record=S[1:-1] / tau**2, rtol=1e-12, atol=1e-14
    ).demand()
    return (run.theta - flow.start) / tau


def test_the_flow_follows_to_second_order():
    paths = gated_paths(X, Y, W, A, S)
    low, high = 2 * paths.switch, 4 * paths.switch
    off = [np.abs(trained(tau) * tau**2 - paths.first - paths.second / tau**2).max() for tau in (low, high)]
    assert np.abs(paths.second).max() > 0.01
    assert off[0] < 0.1 * np.abs(paths.second).max() / low**2
    assert off[1] == pytest.approx(off[0] / 16, rel=0.1)


def test_a_sample_is_switched_below_the_threshold_only():
    paths = gated_paths(X, Y, W, A, S)
    before = W @ X.T
    for factor, switches in ((0.98, True), (1.02, False)):
        after = before + np.einsum("tjd,id->tji", paths.w, X) / (factor * paths.switch) ** 2
        assert np.any(after * before < 0) == switches


def test_the_threshold_falls_with_the_root_of_the_labels():
    assert gated_paths(X, Y / 1e4, W, A, S).switch == pytest.approx(gated_paths(X, Y, W, A, S).switch / 100)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"w": np.vstack([HALF, HALF[::-1]])}, "w and a are not in pairs"),
        ({"w": W[:-1], "a": A[:-1]}, "w and a are not in pairs"),
        ({"a": 0 * A}, "a holds 0; every output weight must differ from it"),
        ({"x": 0 * X}, r"x and w give w·x = 0; no sample may lie on the boundary"),
        ({"s": [1.0, 0.5]}, "s must hold increasing times"),
        ({"s": [-1.0, 0.5]}, r"s\[0\] is -1"),
        ({"y": Y[:-1]}, r"y has shape \(4,\); it must be 5"),
    ],
)
def test_what_does_not_fit_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        gated_paths(**{"x": X, "y": Y, "w": W, "a": A, "s": S, **change})
