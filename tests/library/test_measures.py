"""Measures on the torus: kernels against sums, gradients against autograd, minimizers against known answers."""

import tracemalloc

import numpy as np
import pytest
import torch

from implicit_bias.animations import film
from implicit_bias.data import Deconvolution, random_spikes, three_spikes, torus_grid
from implicit_bias.data.torus import basis_derivative, closest, fourier_basis
from implicit_bias.flows import ConicDescent, drive, gradient_flow
from implicit_bias.limits import (
    CertificateError,
    EntropicBound,
    LocalRates,
    SparseMeasure,
    blasso,
    mirror_constant,
    mirror_corrections,
)
from implicit_bias.limits.blasso import certified
from implicit_bias.limits.dirichlet import kernel
from implicit_bias.models import FixedParticles, ParticleMeasure


def circle(seed=0, cutoff=3):
    return random_spikes(np.random.default_rng(seed), 2, 1, cutoff=cutoff, separation=1.5)


PROBLEMS = [three_spikes(), circle()]
both = pytest.mark.parametrize("problem", PROBLEMS, ids=["torus", "circle"])


@both
def test_kernel_is_the_product_of_the_complex_features(problem):
    generator = np.random.default_rng(1)
    x, y = (generator.uniform(0, 7, (n, problem.dimension)) for n in (4, 3))
    k = problem.frequencies
    expected = (np.exp(-1j * x @ k.T) @ np.exp(1j * k @ y.T)).real
    value, gradient, hessian = kernel(x, y, problem.cutoff)
    np.testing.assert_allclose(value, expected, atol=1e-12)
    for axis, step in enumerate(1e-5 * np.eye(problem.dimension)):
        up, down = kernel(x + step, y, problem.cutoff), kernel(x - step, y, problem.cutoff)
        np.testing.assert_allclose(gradient[..., axis], (up[0] - down[0]) / 2e-5, atol=1e-7)
        np.testing.assert_allclose(hessian[..., axis, :], (up[1] - down[1]) / 2e-5, atol=1e-6)


def test_real_basis_has_the_kernel_as_inner_product():
    x = np.random.default_rng(0).uniform(-4, 9, 6)
    b = fourier_basis(x, 4)
    np.testing.assert_allclose(b.T @ b, kernel(x[:, None], x[:, None], 4)[0], atol=1e-13)
    slope = (fourier_basis(x + 1e-6, 4) - fourier_basis(x - 1e-6, 4)) / 2e-6
    np.testing.assert_allclose(basis_derivative(4) @ b, slope, atol=1e-8)


@both
@pytest.mark.parametrize("power", [1, 2])
def test_particles_against_autograd_of_the_complex_coefficients(problem, power):
    m, d = 5, problem.dimension
    signs = np.array([1.0, -1, 1, 1, -1])
    measure = ParticleMeasure(problem, 0.7, signs, power)
    theta = np.random.default_rng(2).uniform(0.3, 2, m * (1 + d))
    tensor = torch.tensor(theta, requires_grad=True)
    masses = torch.tensor(signs) * tensor[:m] ** power / m
    phase = tensor[m:].reshape(d, m).T @ torch.tensor(problem.frequencies.T.copy())
    f = problem.coefficients
    real, imaginary = (
        masses @ torch.cos(phase) - torch.tensor(f.real),
        -masses @ torch.sin(phase) - torch.tensor(f.imag),
    )
    value = (real**2 + imaginary**2).sum() / 2 + 0.7 * masses.abs().sum()
    (gradient,) = torch.autograd.grad(value, tensor)
    assert measure.value(theta) == pytest.approx(float(value.detach()), rel=1e-12)
    rows = measure.derivative(theta)
    in_r = power * theta[:m] ** (power - 1) / m * rows[0]
    in_places = np.abs(measure.masses(theta)) * rows[1:]
    np.testing.assert_allclose(np.concatenate([in_r, in_places.ravel()]), gradient.numpy(), rtol=1e-10, atol=1e-12)
    elsewhere = measure.variation(theta, measure.positions(theta))
    np.testing.assert_allclose(signs * (elsewhere[0] - 0.7) + 0.7, rows[0], atol=1e-12)


def test_the_flow_falls_by_its_dissipation():
    measure = ParticleMeasure(three_spikes(), 1.0)
    theta = measure.start(torus_grid(3, 2))
    step = 1e-6 * measure.velocity(theta, 0.8, 1.3)
    fall = (measure.value(theta - step) - measure.value(theta + step)) / 2e-6
    assert fall == pytest.approx(measure.dissipation(theta, 0.8, 1.3), rel=1e-7)


@pytest.mark.parametrize(
    ("signs", "penalty", "value"),
    [((1, 1, 1), 1.0, 2.766578807082), ((1, 1, 1), 4.0, 10.070304179044), ((1, -1, 1), 1.0, 2.794170824036)],
)
def test_minimum_of_the_authors_problem(signs, penalty, value):
    answer = blasso(three_spikes(signs), penalty, signed=min(signs) < 0)
    assert answer.value == pytest.approx(value, abs=2e-12)
    assert answer.certificate is not None
    assert answer.certificate.worst <= 1e-12
    assert np.abs(answer.slope()).max() < 1e-12
    lighter = SparseMeasure(answer.problem, penalty, answer.positions, answer.masses * 0.99)
    with pytest.raises(CertificateError, match="the sparse measure is not certified"):
        certified(lighter, signed=min(signs) < 0)


@pytest.mark.parametrize("dimension", [1, 2])
def test_one_spike_is_answered_by_one_spike(dimension):
    size = 5**dimension
    problem = Deconvolution(np.full((1, dimension), 1.0), np.array([0.9]), 2)
    answer = blasso(problem, 2.0)
    np.testing.assert_allclose(answer.masses, [0.9 - 2 / size], atol=1e-12)
    np.testing.assert_allclose(answer.positions, problem.positions, atol=1e-9)
    assert mirror_constant(answer) == pytest.approx((0.9 - 2 / size) * dimension / 8)


def test_a_penalty_above_the_correlations_leaves_nothing():
    assert blasso(three_spikes(), 80.0).masses.size == 0


@both
def test_hessian_is_the_derivative_of_the_slope(problem):
    s, d = 2, problem.dimension
    measure = SparseMeasure(problem, 0.5, np.array([[1.0, 2.0], [3.0, 5.0]])[:, :d], np.array([0.7, 1.1]))
    columns = []
    for step in 1e-5 * np.eye(s * (1 + d)):
        columns.append((measure.moved(step).slope() - measure.moved(-step).slope()) / 2e-5)
    np.testing.assert_allclose(measure.hessian(), np.array(columns).T, atol=1e-6)


def test_rates_are_the_least_of_their_parts():
    local = LocalRates(blasso(three_spikes(), 1.0), 1.0, 1.0)
    assert 2 * local.spikes[0][0] == pytest.approx(13.9595, abs=1e-4)
    assert 2 * local.spread[0].min() == pytest.approx(0.70867, abs=1e-5)
    assert local.rate == min(2 * local.spikes[0][0], 2 * local.spread[0].min(), *local.traps[0])
    assert local.sharpness == min(2 * local.spikes[0][0], 2 * local.spread[0].min(), local.elsewhere[0])
    doubled = LocalRates(local.limit, 2.0, 2.0)
    assert doubled.sharpness == pytest.approx(local.sharpness, rel=1e-6)
    values = local.limit.variation(torus_grid(40, 2))[0]
    depths, places = local.traps
    assert np.all(depths >= 4 * values.min())
    np.testing.assert_allclose(local.limit.variation(places)[1], 0, atol=1e-6)
    np.testing.assert_allclose(local.of_exponent(2, 7)[0], local.spikes[0])
    # At λ = 4 a valley of J′ runs between two spikes; its floor is lower than its neighbours on a grid, and no trap.
    valley = LocalRates(blasso(three_spikes(), 4.0), 1.0, 1.0)
    assert valley.rate == pytest.approx(2.520, abs=1e-3)
    assert valley.sharpness < 0.4


def test_two_retractions_and_the_count_of_steps():
    measure = ParticleMeasure(three_spikes(), 1.0)
    theta = measure.start(torus_grid(4, 2))
    rows = measure.derivative(theta)
    mirror = drive(ConicDescent(measure, 0.01, 0.02), theta, t_end=1).final
    canonical = drive(ConicDescent(measure, 0.01, 0.02, "canonical"), theta, t_end=1).final
    np.testing.assert_allclose(mirror[:16], theta[:16] * np.exp(-0.02 * rows[0]))
    np.testing.assert_allclose(canonical[:16], theta[:16] * (1 - 0.02 * rows[0]))
    np.testing.assert_allclose(canonical[16:], theta[16:] - 0.02 * rows[1:].ravel())
    plain = ParticleMeasure(three_spikes(), 1.0, power=1)
    additive = drive(ConicDescent(plain, 1.0, 0.0, "additive"), theta, t_end=1).final
    np.testing.assert_allclose(additive[:16], np.maximum(theta[:16] - plain.derivative(theta)[0], 0))
    run = drive(ConicDescent(measure, 0.01, 0.01), theta, t_end=7, record=[2.5])
    assert (run.steps, run.evaluations, run.t[-1]) == (7, 7, 7)


@both
@pytest.mark.parametrize(("power", "retraction"), [(2, "mirror"), (2, "canonical"), (1, "additive")])
def test_descent_on_a_device_of_pytorch_is_descent(problem, power, retraction):
    places = torus_grid(6, problem.dimension)
    for signs in (None, np.where(np.arange(len(places)) % 3, 1.0, -1.0)):
        measure = ParticleMeasure(problem, 0.8, signs, power)
        theta = measure.start(places)
        plain, there = (
            drive(ConicDescent(measure, 0.01, 0.01, retraction, device), theta, t_end=100, record=[2.5, 50]).theta
            for device in (None, "cpu")
        )
        np.testing.assert_allclose(there, plain, atol=1e-10)
        tensor = torch.tensor(theta)
        assert measure.value(tensor) == pytest.approx(measure.value(theta), rel=1e-13)
        assert measure.dissipation(tensor, 1.0, 2.0) == pytest.approx(measure.dissipation(theta, 1.0, 2.0), rel=1e-12)
        np.testing.assert_allclose(measure.velocity(tensor, 1.0, 2.0), measure.velocity(theta, 1.0, 2.0), atol=1e-10)
        np.testing.assert_allclose(measure.variation(tensor, places), measure.variation(theta, places), atol=1e-12)


def peak(measure, theta, steps, record=()):
    """The most memory in use at a time during descent, in bytes."""
    tracemalloc.start()
    try:
        drive(ConicDescent(measure, 0.001, 0.001), theta, t_end=steps, record=record)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_steps_and_linearly_with_the_particles():
    measure = ParticleMeasure(three_spikes(), 1.0)
    few, many = (measure.start(torus_grid(side, 2)) for side in (30, 60))
    peak(measure, few, 2)  # what is cached once
    short = peak(measure, few, 10)
    assert peak(measure, few, 300) < 1.05 * short
    assert peak(measure, many, 10) < 4.4 * short
    recorded = peak(measure, few, 300, np.arange(1.0, 300))
    assert recorded > 300 * few.nbytes


@both
def test_fixed_particles_are_particles_that_do_not_move(problem):
    places = torus_grid(6, problem.dimension)
    measure = ParticleMeasure(problem, 1.0)
    reduced = FixedParticles(problem, 1.0, places, np.full(len(places), 1 / len(places)), 0.5)
    state = np.zeros(reduced.target.size + 1)
    full = gradient_flow(lambda th: measure.velocity(th, 0.5, 0.0), measure.start(places, 1.0), t_end=0.5, rtol=1e-11)
    run = gradient_flow(reduced.velocity, state, t_end=0.5, jacobian=reduced.jacobian, rtol=1e-11)
    np.testing.assert_allclose(reduced.masses(run.final), measure.masses(full.final), rtol=1e-6, atol=1e-9)
    assert reduced.value(run.final) == pytest.approx(measure.value(full.final), rel=1e-7)
    slope = reduced.jacobian(run.final)
    for k, step in enumerate(1e-6 * np.eye(state.size)):
        numeric = (reduced.velocity(run.final + step) - reduced.velocity(run.final - step)) / 2e-6
        np.testing.assert_allclose(slope[:, k], numeric, rtol=1e-5, atol=1e-6)


def test_the_next_order_of_the_mirror_rate_of_one_spike():
    # One spike of mass a: A = −b(θ)/(8K(0)) + what makes its width and its slope fit; with K = 1 by hand.
    problem = Deconvolution(np.array([[1.0]]), np.array([1.5]), 1)
    limit = blasso(problem, 1.0)
    a, curvature = limit.masses[0], limit.variation(limit.positions)[2][0, 0, 0]
    # b, b″ span {1, cos}: K(0) = 3, ⟨b, b″⟩ = −2, ⟨b″, b″⟩ = 2. A = u b + w b″ with w = a/(8H), 3u − 2w = −1/8.
    w = a / (8 * curvature)
    u = (2 * w - 1 / 8) / 3
    np.testing.assert_allclose(mirror_corrections(limit), [-(-2 * u + 2 * w) / curvature], rtol=1e-9)


def test_entropic_bound_between_start_and_minimum():
    problem, limit = circle(), blasso(circle(), 1.0)
    places = torus_grid(512, 1)[:, 0]
    bound = EntropicBound(problem, 1.0, places, np.full(512, 1 / 512))
    values = bound.values([1e-6, 1e-2, 1.0, 100.0])
    start = FixedParticles(problem, 1.0, places[:, None], bound.start).value(np.zeros(8))
    assert values[0] == pytest.approx(start, rel=1e-3)
    assert np.all(np.diff(values) < 0)
    assert values[-1] > limit.value


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Deconvolution(np.zeros((1, 3)), [1.0], 2), "the dimension of positions is 3"),
        (lambda: random_spikes(np.random.default_rng(0), 50, 1, separation=1.0), "separation is 1; 50 spikes"),
        (lambda: blasso(three_spikes(), 0.0), "penalty is 0"),
        (lambda: LocalRates(blasso(circle(), 1.0), 0.0, 1.0), "alpha is 0"),
        (lambda: ParticleMeasure(three_spikes(), -1.0), "penalty is -1"),
        (lambda: ParticleMeasure(three_spikes(), 1.0, np.array([1.0, 0.5])), "signs holds other numbers"),
        (lambda: ConicDescent(ParticleMeasure(three_spikes(), 1.0), 0.1, 0.1, "none"), "retraction is 'none'"),  # type: ignore[arg-type]
        (lambda: ConicDescent(ParticleMeasure(three_spikes(), 1.0), 0.1, 0.1, device="cuda:99"), "device is 'cuda:99'"),
        (lambda: ConicDescent(ParticleMeasure(three_spikes(), 1.0), 0.1, 0.1, device="here"), "device is 'here'"),
        (lambda: mirror_corrections(blasso(three_spikes(), 1.0)), "the dimension of the minimizer is 2"),
        (lambda: LocalRates(blasso(circle(), 1.0), 1.0, 1.0).of_exponent(1, 1), "particles is 1"),
        (lambda: FixedParticles(circle(), 1.0, np.zeros((1, 1)), np.array([-1.0])), "start holds -1"),
        (lambda: EntropicBound(circle(), 1.0, np.zeros(2), np.ones(3)), r"start has shape \(3,\)"),
        (lambda: EntropicBound(circle(), 1.0, np.zeros(2), np.ones(2)).values([0.0]), "times is 0"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    with pytest.raises(ValueError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_spikes_are_as_far_apart_as_asked():
    for seed in range(20):
        assert closest(random_spikes(np.random.default_rng(seed)).positions) >= 1.7


def test_a_film_is_the_same_each_time_and_small():
    import matplotlib.pyplot as plt

    def make():
        figure, ax = plt.subplots(figsize=(2, 2), dpi=50)
        (dot,) = ax.plot([0], [0], "o")
        return film(figure, lambda k: dot.set_data([k], [k]), 3, name="one", alt="a <dot> moves")

    first = make()
    assert first == make()
    assert first.count("data:image/png;base64,") == 4
    assert "a &lt;dot&gt; moves" in first
    assert len(first) < 20_000
