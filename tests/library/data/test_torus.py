"""Spikes on the torus: the real basis, distances, grids, refusals."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import Deconvolution, random_spikes, torus_grid
from implicit_bias.data.torus import CIRCLE, basis_derivative, closest, fast_fourier_basis, fourier_basis
from implicit_bias.limits.measures.dirichlet_kernel import kernel


def test_real_basis_has_the_kernel_as_inner_product():
    x = np.random.default_rng(0).uniform(-4, 9, 6)
    b = fourier_basis(x, 4)
    np.testing.assert_allclose(b.T @ b, kernel(x[:, None], x[:, None], 4)[0], atol=1e-13)
    slope = (fourier_basis(x + 1e-6, 4) - fourier_basis(x - 1e-6, 4)) / 2e-6
    np.testing.assert_allclose(basis_derivative(4) @ b, slope, atol=1e-8)


def test_spikes_are_as_far_apart_as_asked():
    for seed in range(20):
        assert closest(random_spikes(np.random.default_rng(seed)).positions) >= 1.7


def test_a_grid_just_below_the_limit_is_made():
    assert len(torus_grid(300, 2)) == 90_000
    np.testing.assert_allclose(torus_grid(2, 2) / np.pi, [[0.5, 0.5], [0.5, 1.5], [1.5, 0.5], [1.5, 1.5]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Deconvolution(np.zeros((1, 3)), [1.0], 2), "the dimension of positions is 3"),
        (lambda: random_spikes(np.random.default_rng(0), 50, 1, separation=1.0), "separation is 1; 50 spikes"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)


@pytest.mark.parametrize("cutoff", [1, 2, 3, 7])
def test_the_basis_by_tangents_is_the_basis(cutoff):
    special = [0.0, -0.0, np.pi, -np.pi, np.pi / 2, CIRCLE, 3 * np.pi, np.nextafter(np.pi, 4), 1e-160, 1e15]
    angle = np.concatenate([special, np.random.default_rng(0).uniform(-100, 100, 10_000)])
    found = fast_fourier_basis(angle, cutoff)
    np.testing.assert_allclose(found, fourier_basis(angle, cutoff), rtol=0, atol=3e-15 * cutoff)
