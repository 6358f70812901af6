"""Trigonometric polynomials from products of bases, against the sum of kernels that they are."""

import numpy as np
import pytest

from implicit_bias.data.torus import CIRCLE, fourier_basis, torus_grid
from implicit_bias.limits.measures.dirichlet_kernel import kernel
from implicit_bias.limits.measures.torus_field import TorusField, jets


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("cutoff", [1, 2, 3, 9])
def test_field_is_the_sum_of_the_kernels_of_its_spikes(dimension, cutoff):
    stream = np.random.default_rng(cutoff)
    places, points = stream.uniform(0, CIRCLE, (4, dimension)), stream.uniform(-20, 20, (7, dimension))
    charges = stream.standard_normal(4)
    field = TorusField.of(places, charges, cutoff)
    value, gradient, hessian = kernel(points, places, cutoff)
    size = (2 * cutoff + 1) ** dimension
    found = field.at(points)
    np.testing.assert_allclose(found[0], value @ charges, atol=1e-14 * size)
    np.testing.assert_allclose(found[1], np.einsum("nld,l->nd", gradient, charges), atol=2e-14 * size * cutoff)
    np.testing.assert_allclose(found[2], np.einsum("nlde,l->nde", hessian, charges), atol=4e-14 * size * cutoff**2)
    grid = torus_grid(2 * cutoff + 3, dimension)
    np.testing.assert_allclose(field.on_grid(2 * cutoff + 3), field.at(grid)[0], atol=1e-13 * size)
    assert field.cutoff == cutoff


def test_jets_are_the_basis_and_its_derivatives():
    places, step = np.random.default_rng(0).uniform(0, CIRCLE, (5, 2)), 1e-5
    for axis, here in enumerate(jets(places, 4)):
        np.testing.assert_allclose(here[0], fourier_basis(places[:, axis], 4), atol=1e-14)
        ahead, behind = (jets(places + sign * step, 4)[axis] for sign in (1, -1))
        np.testing.assert_allclose(here[1:], (ahead - behind)[:2] / (2 * step), atol=1e-7)
