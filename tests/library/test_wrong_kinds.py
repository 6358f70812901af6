"""An object of another kind in the place of an argument is refused in one line: the argument, the value, the kind."""

import numpy as np
import pytest

from implicit_bias import (
    Classification,
    DiagonalFlow,
    DiagonalNetwork,
    LeakyReLU,
    LinearClassifier,
    Logistic,
    ParticleMeasure,
    RampNetwork,
    Risk,
    Squared,
    TwoLayer,
    blasso,
    descend,
    follow,
    gradient_flow,
    log_time_flow,
    mean_field_flow,
    ramp_spline,
    rank_two,
    separable,
    sparse_regression,
    variation_fit,
    variation_margin,
)
from implicit_bias.data import BiasLaw, Samples
from implicit_bias.limits.margin import kernel_classifier

X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
POINTS = Classification(X, np.array([1.0, -1.0]))
NET = DiagonalNetwork.unbiased(3, scale=0.1, shape=0.0)
MODEL = LinearClassifier(POINTS, Logistic())
PLACES = ([-0.5, 0.0, 0.5], [1.0, 0.0, 1.0])

KINDS = {
    "a seed for a generator": (lambda: separable(0), "generator is 0; it must be a Generator"),
    "NumPy's global stream": (lambda: sparse_regression(np.random), "it must be a Generator"),
    "an array for points": (lambda: variation_margin(X), "points is array(.*); it must be a Classification"),
    "real labels for classes": (lambda: kernel_classifier(Samples(X, X[0, :2])), "it must be a Classification"),
    "an array for samples": (lambda: variation_fit(X, 1e-3), "data is array(.*); it must be a Samples"),
    "an array for a problem": (lambda: rank_two(X, 0.5, 1, 1), "problem is array(.*); it must be a Classification"),
    "an array for spikes": (lambda: blasso(X, 0.1), "problem is array(.*); it must be a Deconvolution"),
    "a number for a law": (lambda: ramp_spline(*PLACES, 1.0), "law is 1.0; it must be a BiasLaw"),
    "one truth value for two": (lambda: ramp_spline(*PLACES, BiasLaw(1.0), True), "penalized is True; it must be two"),
    "a number for a teacher": (lambda: mean_field_flow(3, [1.0]), "teacher is 3; it must be a Teacher"),
    "an array for a network": (lambda: DiagonalFlow(X, X, X[0, :2]), "net is array(.*); it must be a DiagonalNetwork"),
    "a class": (lambda: DiagonalFlow(DiagonalNetwork, X, X), "net is the class DiagonalNetwork; it must be a Diagonal"),
    "the name of a loss": (lambda: LinearClassifier(POINTS, "logistic"), "loss is 'logistic'; it must be a MarginLoss"),
    "a loss of no margin": (lambda: LinearClassifier(POINTS, Squared()), r"loss is Squared\(.*; it must be a MarginL"),
    "an array to classify": (lambda: LinearClassifier(X, Logistic()), "problem is array(.*); it must be a Classific"),
    "a word for an activation": (lambda: TwoLayer("relu"), "activation is 'relu'; it must be an Activation, with deri"),
    "no instance": (lambda: TwoLayer(LeakyReLU), "activation is the class LeakyReLU; it must be an Activation"),
    "arguments in another order": (lambda: Risk(POINTS, TwoLayer(LeakyReLU(0.0)), Squared()), "net is .* a TwoLayer"),
    "a tuple for data": (lambda: Risk(TwoLayer(LeakyReLU(0.0)), (X, X), Squared()), "data is .*; it must be a Data, w"),
    "the class of a loss": (lambda: Risk(TwoLayer(LeakyReLU(0.0)), POINTS, Squared), "loss is the class Squared; it m"),
    "an array for what particles fit": (lambda: ParticleMeasure(X, 0.1), "problem is .*; it must be a Deconvolution"),
    "an array for the data of ramps": (lambda: RampNetwork(X, [1.0], [0.0]), "data is .*; it must be a Samples"),
    "a network without data": (lambda: follow(NET), r"flow is Diagonal.*; it must be a Flow, with start, velocity"),
    "a function for a flow": (lambda: descend(np.sin, 0.1, t_end=1.0), "flow is .*; it must be a Flow"),
    "points for a model": (lambda: log_time_flow(POINTS, [0.0], log_t_end=1.0), "model is .* an ExponentialTail"),
    "weights that do not fit": (
        lambda: log_time_flow(MODEL, [0.0], log_t_end=1.0),
        r"w has shape \(1,\); it must be 3",
    ),
    "no function": (lambda: gradient_flow(3, [1.0], t_end=1.0), "velocity is 3; it must be a function"),
    "a velocity of another length": (
        lambda: gradient_flow(lambda theta: np.ones(3), [1.0], t_end=1.0),
        r"velocity\(theta\) has shape \(3,\); it must be 1",
    ),
    "new points of another dimension": (
        lambda: variation_margin(POINTS).predict([[1.0, 2.0]]),
        r"x has shape \(1, 2\); it must be any × 3",
    ),
}


@pytest.mark.parametrize(("call", "said"), KINDS.values(), ids=KINDS)
def test_what_is_of_another_kind_is_refused(call, said):
    with pytest.raises(ValueError, match=said) as refusal:
        call()
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 200
