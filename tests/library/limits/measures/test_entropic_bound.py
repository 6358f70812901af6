"""The rate of mirror descent: the bound by entropy and the next order."""

import numpy as np
import pytest
from library.helpers import circle, refusal

from implicit_bias.data import Deconvolution, three_spikes, torus_grid
from implicit_bias.limits.measures import EntropicBound, blasso, mirror_corrections
from implicit_bias.models.measures import FixedParticles


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
        (lambda: mirror_corrections(blasso(three_spikes(), 1.0)), "the dimension of the minimizer is 2"),
        (lambda: EntropicBound(circle(), 1.0, np.zeros(2), np.ones(3)), "start has shape (3,)"),
        (lambda: EntropicBound(circle(), 1.0, np.zeros(2), np.ones(2)).values([0.0]), "times is 0"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
