"""Sums of waves in up to three dimensions, against the kernels of their spikes."""

import itertools

import numpy as np
import pytest

from implicit_bias.data.torus import CIRCLE
from implicit_bias.limits.measures.dirichlet_kernel import kernel
from implicit_bias.limits.measures.wave_sum import WaveSum


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_a_sum_of_waves_is_the_sum_of_the_kernels_of_its_spikes(dimension):
    stream = np.random.default_rng(dimension)
    places, charges = stream.uniform(0, CIRCLE, (4, dimension)), stream.standard_normal(4)
    wave = WaveSum.of(places, charges, 2, 0.7)
    first, others = stream.uniform(0, 6, 3), stream.uniform(0, 6, (4, dimension - 1))
    points = np.array([[x, *rest] for x, rest in itertools.product(first, others)])
    value, gradient, hessian = kernel(points, places, 2)
    expected = (
        0.7 + value @ charges,
        np.einsum("nld,l->nd", gradient, charges),
        np.einsum("nlde,l->nde", hessian, charges),
    )
    for found in (wave.at(points), wave.on_product(first, others)):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-11)


def test_no_third_derivative_exceeds_the_bound():
    stream = np.random.default_rng(5)
    wave = WaveSum.of(stream.uniform(0, CIRCLE, (3, 2)), stream.standard_normal(3), 3, 0.0)
    points, way = stream.uniform(0, CIRCLE, (5000, 2)), stream.standard_normal((5000, 2))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    bends = [np.einsum("ni,nij,nj->n", way, wave.at(points + sign * 1e-4 * way)[2], way) for sign in (1, -1)]
    steepest = np.max(np.abs(bends[0] - bends[1])) / 2e-4
    assert wave.third / 20 < steepest < wave.third
