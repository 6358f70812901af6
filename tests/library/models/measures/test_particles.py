"""Particles on the torus: gradients against autograd, the Jacobian against differences, dissipation."""

import sys

import numpy as np
import pytest
import torch
from library.helpers import both, refusal

from implicit_bias.data import three_spikes
from implicit_bias.models.measures import ParticleMeasure


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


@both
@pytest.mark.parametrize("signed", [False, True])
def test_many_particles_in_blocks_are_all_of_them_at_once(monkeypatch, problem, signed):
    stream = np.random.default_rng(4)
    measure = ParticleMeasure(problem, 0.7, stream.choice([-1.0, 1.0], 50) if signed else None)
    theta = stream.uniform(0.3, 6, 50 * (1 + problem.dimension))
    once = measure.derivative(theta)
    for size in (50, 49, 7, 1):
        monkeypatch.setattr(sys.modules["implicit_bias.models.measures.particles"], "BLOCK", size)
        np.testing.assert_allclose(measure.derivative(theta), once, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ParticleMeasure(three_spikes(), -1.0), "penalty is -1"),
        (lambda: ParticleMeasure(three_spikes(), 1.0, np.array([1.0, 0.5])), "signs holds other numbers"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
