"""Networks descended together: each is the one descended alone; refusals."""

import numpy as np
import pytest

from implicit_bias.activations import RELU, Tanh
from implicit_bias.data import Samples
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.losses import Squared
from implicit_bias.models.two_layer import Risk, Together, TwoLayer

STREAM = np.random.default_rng(8)
DATA = Samples(STREAM.standard_normal((7, 3)), STREAM.standard_normal(7))
W, A = STREAM.standard_normal((4, 5, 3)), STREAM.standard_normal((4, 5))
RATES = np.array([0.01, 0.002, 0.005, 0.02])


@pytest.mark.parametrize("scaling", [1, "1/m", "1/sqrt(m)"])
def test_each_network_descends_as_it_would_alone(scaling):
    risk = Risk(TwoLayer(RELU, scaling=scaling), DATA, Squared("sum"))
    together = Together(risk, W, A, RATES)
    run = drive(GradientDescent(together.gradient, 1.0), together.start, t_end=30)
    w, a = together.weights(run.final)
    outputs = together.outputs(run.final, DATA.x)
    for k, rate in enumerate(RATES):
        flow = risk.of_weights(W[k], A[k])
        alone = drive(GradientDescent(flow.gradient, rate), flow.start, t_end=30 * rate)
        np.testing.assert_allclose(flow.stacked(w[k], a[k]), alone.final, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(outputs[k], flow.outputs(alone.final), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rates": -RATES}, "every rate must be positive"),
        ({"rates": RATES[:2]}, r"rates has shape \(2,\); it must be 4"),
        ({"a": A[:, :2]}, r"a has shape \(4, 2\); it must be 4 × 5"),
        ({"w": W[..., :2]}, r"w has shape \(4, 5, 2\); it must be any × any × 3"),
        ({"risk": Risk(TwoLayer(Tanh()), DATA, Squared("sum"))}, "it must be a ReLU network"),
        ({"risk": Risk(TwoLayer(RELU, "first"), DATA, Squared("sum"))}, "both layers are trained"),
    ],
)
def test_what_does_not_fit_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        Together(**{"risk": Risk(TwoLayer(RELU), DATA, Squared("sum")), "w": W, "a": A, "rates": RATES, **change})
