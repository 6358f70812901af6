"""What gradient flow trains meets one protocol: start, velocity, a Jacobian and a misfit where it has them."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest
from library.helpers import circle

import implicit_bias.models
from implicit_bias.activations import RELU, Tanh
from implicit_bias.data import Samples, Teacher, separable, three_spikes
from implicit_bias.losses import Squared, margin_loss
from implicit_bias.models.linear import (
    DiagonalFlow,
    DiagonalNetwork,
    DualFlow,
    LinearClassifier,
    LinearRegressor,
    VanishingFlow,
)
from implicit_bias.models.measures import CircleFlow, ConicFlow, FixedParticles, ParticleMeasure
from implicit_bias.models.population import PopulationFlow
from implicit_bias.models.two_layer import FrozenFlow, Risk, Together, TwoLayer
from implicit_bias.models.univariate import AbsoluteNetwork, LevelledNetwork, RampNetwork

STREAM = np.random.default_rng(0)
X, Y = STREAM.standard_normal((3, 4)), STREAM.standard_normal(3)
W, A = STREAM.standard_normal((5, 4)), STREAM.standard_normal(5)
LINE = Samples(STREAM.standard_normal((4, 1)), STREAM.standard_normal(4))
UNITS = STREAM.standard_normal(6), STREAM.standard_normal(6)
PROBLEM = separable(np.random.default_rng(0), 8, 4, support=2)
DIAGONAL = DiagonalNetwork(*STREAM.standard_normal((4, 4)))
RISK = Risk(TwoLayer(Tanh()), Samples(X, Y), Squared())
RECTIFIED = Risk(TwoLayer(RELU), Samples(X, Y), Squared())
TOGETHER = Together(RECTIFIED, np.stack([W, -W]), np.stack([A, A]), np.array([0.5, 2.0]))
POPULATION = PopulationFlow(W, A, Teacher(STREAM.standard_normal((2, 4)), np.array([1.0, -2.0])))
PLANE, CIRCLE = ParticleMeasure(three_spikes(), 0.7), ParticleMeasure(circle(), 0.7)
PARTICLES = STREAM.uniform(0.5, 2, 12)
CONIC, ON_CIRCLE = ConicFlow(PLANE, PARTICLES, 0.8, 1.3), CircleFlow(CIRCLE, PARTICLES[:8], 0.8, 1.3)


def fitted(model):
    """The mean loss of a model that knows its misfit."""
    return lambda state: model.misfit(state) ** 2 / 2 / model.residual(state).size


def conic_metric(flow):
    """What the gradient of J is multiplied by: αm for the weights, βm/r² for the positions."""
    d = flow.measure.problem.dimension
    r = flow.start[: flow.start.size // (1 + d)]
    return r.size * np.concatenate([np.full(r.size, flow.alpha), *d * [flow.beta / r**2]])


def of_both(state):
    """The risks of both networks, each times its rate."""
    each = zip(TOGETHER.rates, *TOGETHER.weights(state), strict=True)
    return sum(rate * TOGETHER.risk.value(w, a) for rate, w, a in each)


# A model, its loss as a function of the state, and the pace of each of its numbers; no loss: a reduction, whose
# exactness a test of its own holds.
MODELS = {
    "regressor": (model := LinearRegressor(X, Y, W[0]), fitted(model), 1),
    "classifier": (
        classifier := LinearClassifier(PROBLEM, margin_loss("logistic"), W[0]),
        lambda w: np.exp(classifier.log_risk(w)),
        1,
    ),
    "diagonal": (diagonal := DiagonalFlow(DIAGONAL, X, Y), fitted(diagonal), 1),
    "diagonal, sum": (summed := DiagonalFlow(DIAGONAL, X, Y, "sum"), lambda state: 3 * fitted(summed)(state), 1),
    "diagonal, reduced": (DualFlow(DIAGONAL, X, Y), None, 1),
    "diagonal, vanishing": (VanishingFlow(X, Y, length=5.0), None, 1),
    "two layers": (both := RISK.of_weights(W, A), both.value, 1),
    "two layers, sum": (sums := Risk(RISK.net, RISK.data, Squared("sum")).of_weights(W, A), sums.value, 1),
    "first layer": (first := Risk(TwoLayer(Tanh(), "first"), RISK.data, Squared()).of_weights(W, A), first.value, 1),
    "two layers, reduced": (RISK.in_span(W, A, gather=True), None, 1),
    "frozen pattern": (FrozenFlow(X @ X.T, Y, STREAM.standard_normal((5, 3)), np.zeros(15)), None, 1),
    "together": (TOGETHER, of_both, 1),
    "population": (POPULATION, POPULATION.value, 5),
    "particles": (CONIC, CONIC.value, conic_metric(CONIC)),
    "particles on the circle": (ON_CIRCLE, ON_CIRCLE.value, conic_metric(ON_CIRCLE)),
    "fixed particles": (FixedParticles(circle(), 0.7, STREAM.uniform(0, 6, (5, 1)), np.full(5, 0.2)), None, 1),
    "ramps": (ramps := RampNetwork(LINE, *UNITS), fitted(ramps), 1),
    "moduli": (moduli := AbsoluteNetwork(LINE, *UNITS), fitted(moduli), 1),
    "levelled ramps": (levelled := LevelledNetwork(LINE, *UNITS, 2.0), fitted(levelled), 1),
}
# They have a start, and no velocity of their own: trained by a flow above, or by mini-batches.
NETWORKS = {"DiagonalNetwork", "SoftmaxNetwork"}


def slopes(function, state, step=1e-6):
    """The derivatives of a function by central differences, one column a number of the state."""
    moves = step * np.eye(state.size)
    return np.stack([(function(state + move) - function(state - move)) / (2 * step) for move in moves], axis=-1)


def public_classes():
    for module in pkgutil.walk_packages(implicit_bias.models.__path__, "implicit_bias.models."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(thing) and thing.__module__ == module.name and not name.startswith("_"):
                yield thing


def test_every_model_is_in_the_table():
    tested = {type(model) for model, _, _ in MODELS.values()}
    made = [one for one in public_classes() if not inspect.isabstract(one) and not getattr(one, "_is_protocol", False)]
    assert {thing.__name__ for thing in made if hasattr(thing, "velocity")} == {thing.__name__ for thing in tested}
    has_start = {
        thing.__name__ for thing in made if hasattr(thing, "start") or "start" in getattr(thing, "__annotations__", {})
    }
    assert has_start - {thing.__name__ for thing in tested} == NETWORKS


@pytest.mark.parametrize("name", MODELS)
def test_a_model_starts_with_a_vector_and_moves_it(name):
    model = MODELS[name][0]
    assert model.start.ndim == 1
    assert model.velocity(model.start).shape == model.start.shape
    assert np.isfinite(model.velocity(model.start)).all()


@pytest.mark.parametrize("name", [name for name, (_, loss, _) in MODELS.items() if loss])
def test_the_velocity_is_minus_the_gradient_of_the_loss(name):
    model, loss, pace = MODELS[name]
    np.testing.assert_allclose(model.velocity(model.start), -pace * slopes(loss, model.start), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", [name for name, (model, _, _) in MODELS.items() if hasattr(model, "gradient")])
def test_the_gradient_is_minus_the_velocity(name):
    model = MODELS[name][0]
    assert (model.gradient(model.start) == -model.velocity(model.start)).all()


@pytest.mark.parametrize("name", [name for name, (model, _, _) in MODELS.items() if hasattr(model, "jacobian")])
def test_the_jacobian_is_that_of_the_velocity(name):
    model = MODELS[name][0]
    state = model.start + 0.1 * np.random.default_rng(1).standard_normal(model.start.size)
    np.testing.assert_allclose(model.jacobian(state), slopes(model.velocity, state), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [name for name, (model, _, _) in MODELS.items() if hasattr(model, "residual")])
def test_the_misfit_is_the_length_of_the_residual_labels_minus_outputs(name):
    model = MODELS[name][0]
    assert model.misfit(model.start) == pytest.approx(np.linalg.norm(model.residual(model.start)))
    labels = model.risk.data.y if hasattr(model, "risk") else model.data.y if hasattr(model, "data") else model.y
    outputs = {"outputs": lambda: model.outputs(model.start), "predictor": lambda: X @ model.predictor(model.start)}
    known = next((call() for method, call in outputs.items() if hasattr(model, method)), None)
    if known is not None:
        np.testing.assert_allclose(model.residual(model.start), labels - known, atol=1e-12)
