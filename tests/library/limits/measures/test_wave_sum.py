"""Sums of waves in up to three dimensions, against the kernels of their spikes."""

import itertools

import mpmath
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


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("far", [1.0, 1e6])
def test_sums_of_forty_digits_are_no_farther_than_is_counted(far, dimension):
    stream, cutoff = np.random.default_rng(dimension), 3
    places, charges = far * stream.uniform(0, CIRCLE, (3, dimension)), stream.standard_normal(3)
    wave, off = WaveSum.counted(places, charges, cutoff, 0.3)
    frequencies = list(itertools.product(range(-cutoff, cutoff + 1), repeat=dimension))
    with mpmath.workdps(40):

        def turned(k, x):
            return mpmath.expj(sum(i * mpmath.mpf(float(one)) for i, one in zip(k, x, strict=True)))

        weights = [sum(mpmath.mpf(c) / turned(k, x) for c, x in zip(charges, places, strict=True)) for k in frequencies]
        missed = [one - mpmath.mpc(complex(q)) for one, q in zip(weights, wave.weights.ravel(), strict=True)]
        apart = mpmath.sqrt(sum(abs(one) ** 2 for one in missed))
        assert apart <= off <= 5e-13 * (1 + far)
        for point in stream.uniform(0, CIRCLE, (5, dimension)):
            waves = [q * turned(k, point) for q, k in zip(weights, frequencies, strict=True)]
            value, slope, _ = wave.at(point[None])
            assert abs(0.3 + sum(one.real for one in waves) - float(value[0])) <= wave.rounding
            for i in range(dimension):
                truth = sum((1j * k[i] * one).real for k, one in zip(frequencies, waves, strict=True))
                assert abs(truth - float(slope[0, i])) <= wave.rounding * cutoff * np.sqrt(dimension)
