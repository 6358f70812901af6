"""Networks descended together: each is the one descended alone; refusals."""

import numpy as np
import pytest

from implicit_bias.activations import RELU, Tanh
from implicit_bias.data import Samples
from implicit_bias.flows import GradientDescent, descend, drive
from implicit_bias.losses import Logistic, SmoothMargin, Squared
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


def test_they_are_followed_until_the_last_has_met_its_labels():
    risk = Risk(TwoLayer(RELU), DATA, Squared("sum"))
    together = Together(risk, W, A, RATES)
    run = descend(together, 1.0, t_end=10_000, misfit=1.0)
    residuals = np.linalg.norm(DATA.y - together.outputs(run.final, DATA.x), axis=1)
    assert residuals.max() == pytest.approx(1.0)
    assert together.misfit(run.final) == pytest.approx(residuals.max(), rel=1e-12)


def test_a_gradient_after_the_misfit_is_the_one_without_it():
    together = Together(Risk(TwoLayer(RELU), DATA, Squared("sum")), W, A, RATES)
    here, there = together.start, 2 * together.start
    expected = together.gradient(here), together.gradient(there)
    together.misfit(here)
    assert (together.gradient(here) == expected[0]).all()
    together.misfit(here)
    assert (together.gradient(there) == expected[1]).all()
    assert (together.gradient(here) == expected[0]).all()


@pytest.mark.parametrize("loss", [Squared(), Logistic(), SmoothMargin()], ids=repr)
def test_each_network_has_the_gradient_of_its_own_loss(loss):
    risk = Risk(TwoLayer(RELU), Samples(DATA.x, np.sign(DATA.y)), loss)
    together = Together(risk, W, A, RATES)
    of_w, of_a = together.weights(together.gradient(together.start))
    for k, rate in enumerate(RATES):
        expected = risk.gradient(W[k], A[k])
        np.testing.assert_allclose(of_w[k], rate * expected[0], rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(of_a[k], rate * expected[1], rtol=1e-12, atol=1e-14)


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
