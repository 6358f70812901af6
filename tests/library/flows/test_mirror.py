"""Mirror flow: linear models against closed forms, other potentials against small plain steps, what it refuses."""

import numpy as np
import pytest

from implicit_bias.data import Samples
from implicit_bias.flows import FlowError, MirrorFlow, drive, follow_mirror
from implicit_bias.models.linear import LinearRegressor
from implicit_bias.models.univariate import AbsoluteNetwork
from implicit_bias.potentials import Cosh, Cubic, Quadratic, Quartic
from implicit_bias.scaled_potentials import Scaled

STREAM = np.random.default_rng(0)
MODEL = LinearRegressor(STREAM.standard_normal((3, 7)), STREAM.standard_normal(3))


def test_with_a_quadratic_a_linear_model_is_followed_exactly_at_any_step():
    start = STREAM.standard_normal(7)
    run = drive(MirrorFlow(MODEL, Quadratic(), 0.5, first=1.0, growth=1.0), start, t_end=0.8)
    # ẋ = (η/2) Xᵀr: the interpolant of least distance is approached by e^{−(η/2) XᵀX t}; the last step is cut short
    steps = drive(MirrorFlow(MODEL, Quadratic(), 0.5, first=1e-3, growth=1e-3), start, t_end=0.8).final
    values, modes = np.linalg.eigh(MODEL.x @ MODEL.x.T)
    decay = modes @ np.diag(np.exp(-0.25 * values * 0.8)) @ modes.T
    np.testing.assert_allclose(MODEL.residual(steps), decay @ MODEL.residual(start), rtol=1e-5)
    assert run.t[-1] == 0.8


@pytest.mark.parametrize("potential", [Cubic(), Quartic(), Cosh()], ids=repr)
def test_the_end_is_the_interpolant_of_least_potential(potential):
    start = np.zeros(7)
    run = drive(
        MirrorFlow(MODEL, potential, 1.0, growth=0.5),
        start,
        t_end=1e9,
        residual=MODEL.misfit,
        target=1e-12,
    ).demand()
    np.testing.assert_allclose(MODEL.residual(run.final), 0, atol=1e-12)
    null = np.linalg.svd(MODEL.x)[2][3:]
    np.testing.assert_allclose(null @ potential.slope(run.final), 0, atol=1e-10)


def test_small_plain_steps_go_the_same_way():
    theta, dual = np.zeros(7), np.zeros(7)
    for _ in range(20_000):
        dual = dual + 1e-4 * MODEL.x.T @ MODEL.residual(theta)
        theta = Quartic().inverse_slope(dual)
    run = drive(MirrorFlow(MODEL, Quartic(), 1.0, first=1e-3, growth=1e-3), np.zeros(7), t_end=2.0)
    np.testing.assert_allclose(run.final, theta, atol=2e-4)


def test_outputs_that_no_parameter_moves_end_the_run():
    twice = LinearRegressor(np.ones((2, 3)), np.array([1.0, 2.0]))
    run = drive(MirrorFlow(twice, Quadratic(), 1.0), np.zeros(3), t_end=1.0)
    assert not run.converged
    with pytest.raises(FlowError, match="the kernel has the eigenvalues"):
        run.demand()


@pytest.mark.parametrize("name", ["rate", "first", "growth"])
def test_steps_that_are_not_positive_are_refused(name):
    with pytest.raises(ValueError, match=f"{name} is 0; it must lie in"):
        MirrorFlow(MODEL, Quadratic(), **{"rate": 1.0, name: 0.0})


def test_it_is_followed_to_its_misfit_and_to_a_time():
    run = follow_mirror(MODEL, Cubic(), 0.5, misfit=1e-6, growth=0.1)
    assert MODEL.misfit(run.final) <= 1.001e-6
    there = follow_mirror(MODEL, Cubic(), 0.5, misfit=None, t_end=2.0, record=[1.0], first=0.1)
    same = drive(MirrorFlow(MODEL, Cubic(), 0.5, first=0.1), MODEL.start, t_end=2.0, record=[1.0])
    assert (there.theta == same.theta).all()


def test_gradient_flow_ends_at_the_least_norm():
    end = follow_mirror(MODEL, Quadratic(), 1.0).final
    np.testing.assert_allclose(end, np.linalg.lstsq(MODEL.x, MODEL.y)[0], rtol=1e-9)


def test_a_misfit_out_of_reach_is_said():
    with pytest.raises(FlowError, match="before the residual 1e-11"):
        follow_mirror(MODEL, Quadratic(), 1.0, t_end=0.1)


def test_a_long_step_that_would_overshoot_is_halved():
    # two samples so near that, with steps of a tenth of the time, Newton's step jumped to and fro between two misfits
    data_stream = np.random.default_rng(3248133911).spawn(2)[0]
    for _ in range(7):
        x, y = np.linspace(-1.5, 1.5, 6) + data_stream.uniform(-0.2, 0.2, 6), data_stream.standard_normal(6)
    kinks = 2 * (2 * np.arange(270) + 1 - 270) / 270
    w, b = np.repeat([1.0, -1.0], 270), np.concatenate([kinks, -kinks])
    network = AbsoluteNetwork(Samples(x[:, None], y), w, b)
    run = follow_mirror(network, Scaled(Quartic(1.0), 2.0, width=540), 1 / 540, growth=0.1)
    assert run.t[-1] < 1e9
    stepper = MirrorFlow(network, Scaled(Quartic(1.0), 2.0, width=540), 1 / 540, growth=0.1)
    state, misfits = stepper.init(network.start), []
    while state.t < 1e12:
        state = stepper.step(state)
        misfits.append(network.misfit(state.theta))
    assert misfits[-1] < 1e-11
    assert all(np.diff(misfits) <= 1e-12 * network.misfit(network.start))
