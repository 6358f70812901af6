"""Coefficients of spikes that nearly cancel, against sums of forty digits."""

import itertools

import mpmath
import numpy as np
import pytest

from implicit_bias.data.torus import CIRCLE
from implicit_bias.limits.measures.fine_waves import FARTHEST, fine_weights, is_fine


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("spikes", [1, 7])
@pytest.mark.parametrize("size", [1.0, 1e-3, 1e80])
def test_coefficients_of_cancelling_spikes_are_no_farther_than_is_counted(dimension, spikes, size):
    stream, cutoff = np.random.default_rng(spikes), 13
    near = stream.uniform(0, CIRCLE, (spikes, dimension))
    places = np.vstack([near, near + 1e-9, np.full((1, dimension), -FARTHEST)])
    charges = size * stream.uniform(0.5, 1.5, spikes)
    charges = np.concatenate([charges, -charges, [1e-30 * size]])
    found, off = fine_weights(places, charges, cutoff)
    frequencies = list(itertools.product(range(-cutoff, cutoff + 1), repeat=dimension))
    with mpmath.workdps(50):
        for at in range(0, len(frequencies), 17):
            k, q = frequencies[at], complex(found.ravel()[at])
            truth = sum(
                mpmath.mpf(float(c))
                * mpmath.expj(-sum(i * mpmath.mpf(float(one)) for i, one in zip(k, x, strict=True)))
                for c, x in zip(charges, places, strict=True)
            )
            assert abs(truth - mpmath.mpc(q)) <= 2.0**-53 * abs(q) + off
    assert off <= 2e-21 * (2 * spikes + 1) * size


def test_few_frequencies_and_far_places_are_left_to_floats():
    assert is_fine(np.ones((1, 2)), 13)
    assert not is_fine(np.ones((1, 2)), 12)
    assert not is_fine(np.ones((1, 3)), 13)
    assert not is_fine(np.full((1, 2), 65.0), 13)
