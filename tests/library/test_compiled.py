"""Steps in C against NumPy's, to some units of rounding; they are built here, if the machine has a C compiler."""

import copy
import os
import pickle
import shutil
from dataclasses import replace

import numpy as np
import pytest

from implicit_bias import compiled
from implicit_bias.activations import RELU, LeakyReLU
from implicit_bias.checks import Array
from implicit_bias.data import Classification, Deconvolution, random_spikes
from implicit_bias.flows import ConicDescent, ScheduledDescent, drive
from implicit_bias.flows.conic_descent import RETRACTIONS
from implicit_bias.losses import Logistic, SmoothMargin, Squared
from implicit_bias.models.measures import Clouds, ParticleMeasure
from implicit_bias.models.two_layer import BlockedGradient, Risk, TwoLayer

CLOSE = 1e-14  # of the largest number
pytestmark = pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="no C compiler")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("built") / "compiled.so"
    compiled._build(path)
    return compiled._loaded(path)


@pytest.fixture
def both(library, monkeypatch):
    """``both(call)``: what a call answers in NumPy, and in C."""

    def answers(call):
        monkeypatch.setattr(compiled, "LIBRARY", None)
        plain = call()
        monkeypatch.setattr(compiled, "LIBRARY", library)
        return plain, call()

    return answers


def agree(pair: tuple[Array, Array], close: float = CLOSE) -> None:
    plain, fast = pair
    assert fast.shape == plain.shape
    assert np.abs(fast - plain).max() <= close * np.abs(plain).max()


def network(n, m, d, loss):
    stream = np.random.default_rng([n, m, d])
    data = Classification(stream.standard_normal((n, d)), stream.choice([-1.0, 1.0], n))
    return Risk(TwoLayer(RELU, "both", "1/m"), data, loss), stream.standard_normal(m * (d + 1))


@pytest.mark.parametrize(
    ("n", "m", "d"), [(2, 3, 1), (30, 6, 3), (32, 8, 8), (33, 5, 17), (256, 64, 15), (300, 9, 64), (700, 40, 2)]
)
@pytest.mark.parametrize("loss", [SmoothMargin(), SmoothMargin(Logistic()), Squared()])
def test_both_layers(both, n, m, d, loss):
    risk, state = network(n, m, d, loss)
    agree(both(lambda: BlockedGradient(risk, m).outputs(state)))
    agree(both(lambda: BlockedGradient(risk, m).gradient(state)))
    state[-1] = state[:d] = 0  # at the kink σ′ is 0
    agree(both(lambda: BlockedGradient(risk, m).gradient(state)))


def test_points_that_are_lost_in_rounding_are_left_out(both):
    risk, state = network(200, 50, 4, SmoothMargin())
    agree(both(lambda: BlockedGradient(risk, 50).gradient(50 * state)))


@pytest.mark.parametrize("loss", [SmoothMargin(), SmoothMargin(Logistic())])
def test_a_run_is_the_same_run(both, loss):
    risk, state = network(40, 7, 3, loss)

    def run():
        descent = ScheduledDescent(BlockedGradient(risk, 7).gradient, lambda k, theta: 0.1 / (k + 1))
        return drive(descent, state, t_end=9.5, record=[2.5, 3.0, 8.0])

    plain, fast = both(run)
    assert (fast.steps, fast.evaluations, fast.ended, fast.t.tolist()) == (10, 10, plain.ended, plain.t.tolist())
    agree((plain.theta, fast.theta))


def test_what_diverges_says_so(both):
    risk, state = network(40, 7, 3, SmoothMargin())
    descent = ScheduledDescent(lambda theta: 0, lambda k, theta: 1.0 if k < 3 else 1e200)

    def run():
        return drive(replace(descent, gradient=BlockedGradient(risk, 7).gradient), state, t_end=9)

    plain, fast = both(run)
    assert fast.ended == plain.ended
    assert "diverged" in fast.ended
    agree((plain.theta, fast.theta))


def test_what_does_not_fit_is_left_to_numpy(both):
    risk, state = network(30, 6, 3, Squared())
    cut = np.stack([state, state], axis=1)[:, 0]
    plain, fast = both(lambda: BlockedGradient(risk, 6).gradient(cut))
    np.testing.assert_array_equal(plain, fast)
    with pytest.raises(ValueError, match="reshape"):
        BlockedGradient(risk, 6).gradient(state[1:])
    assert compiled.both_layers(np.ones((3, 65)), np.ones(3), 4) is None


def test_the_flow_of_all_weights(both):
    risk, state = network(40, 7, 3, Logistic())
    flow = risk.of_weights(np.ones((7, 3)), np.ones(7))

    def gradient():
        return replace(flow).gradient(state)

    agree(both(gradient))
    first = replace(flow, risk=replace(risk, net=TwoLayer(RELU, "first")))
    plain, fast = both(lambda: replace(first).gradient(state[:21]))
    np.testing.assert_array_equal(plain, fast)


def test_copies_know_their_own_memory(both):
    risk, state = network(40, 7, 3, Logistic())
    blocked = both(lambda: BlockedGradient(risk, 7))[1]
    agree((blocked.gradient(state), pickle.loads(pickle.dumps(blocked)).gradient(state)))
    measure = ParticleMeasure(Deconvolution(np.ones((1, 1)), np.ones(1), 2), 0.3)
    theta = np.array([0.5, 0.5, 2.0, 1.0])
    agree((measure.derivative(theta), copy.deepcopy(measure).derivative(theta)))


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("cutoff", [1, 2, 3, 8, 9])
@pytest.mark.parametrize(("m", "signed", "power"), [(1, False, 2), (7, True, 2), (100, False, 1), (104, True, 1)])
def test_particles(both, dimension, cutoff, m, signed, power):
    stream = np.random.default_rng([dimension, cutoff, m])
    problem = random_spikes(stream, 2, dimension, cutoff=cutoff)
    measure = ParticleMeasure(problem, 0.3, stream.choice([-1.0, 1.0], m) if signed else None, power)
    clouds = [np.append(stream.uniform(0.1, 1, m), stream.uniform(-9, 9, dimension * m)) for _ in range(3)]
    agree(both(lambda: measure.derivative(clouds[0])))
    side = Clouds(measure, 3)
    agree(both(lambda: side.derivative(side.together(clouds))))
    assert (measure.compiled.derivative(clouds[0].reshape(1 + dimension, m)) is None) == (cutoff > 8)


def test_angles_that_are_too_far_are_left_to_numpy(both):
    measure = ParticleMeasure(Deconvolution(np.ones((1, 1)), np.ones(1), 2), 0.3)
    theta = np.array([0.5, 0.5, 1e5, 1.0])
    plain, fast = both(lambda: measure.derivative(theta))
    np.testing.assert_array_equal(plain, fast)
    theta[2] = np.nan
    assert np.isnan(both(lambda: measure.derivative(theta))[1]).any()


@pytest.mark.parametrize("retraction", RETRACTIONS)
def test_conic_descent(both, retraction):
    stream = np.random.default_rng(1)
    measure = ParticleMeasure(random_spikes(stream), 0.3)
    start = measure.parameters(stream.uniform(0, 6, (30, 2)))

    def run(end=20.5, size=0.01):
        return drive(ConicDescent(measure, size, size, retraction), start, t_end=end, record=[3.5, 7.0])

    plain, fast = both(run)
    assert (fast.steps, fast.evaluations, fast.ended, fast.t.tolist()) == (21, 21, plain.ended, plain.t.tolist())
    agree((plain.theta, fast.theta))
    plain, fast = both(lambda: run(1000, 1e3))
    assert fast.ended == plain.ended
    assert "diverged" in fast.ended or retraction == "additive"


@pytest.mark.parametrize("leaky", [LeakyReLU(0.0, 0.1), LeakyReLU(0.1, 1.0, centred=True), LeakyReLU(0.5, 1e-3)])
@pytest.mark.parametrize("size", [1, 8, 1003])
def test_smooth_kinks(both, leaky, size):
    z = np.random.default_rng(size).standard_normal(size) * 10 ** np.random.default_rng(0).uniform(-6, 3, size)
    z[1:2] = 0
    plain, fast = both(lambda: leaky.with_derivative(z))
    agree((plain[0], fast[0]))
    agree((plain[1], fast[1]))
    with np.errstate(all="ignore"):
        assert np.isnan(leaky.with_derivative(np.full(3, np.nan))[0]).all()
    cut = np.stack([z, z], axis=1)[:, 0]
    agree((plain[1], leaky.with_derivative(cut)[1]))  # not in a row: NumPy's
