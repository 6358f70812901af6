"""The law of a spike in noise at finite size: against singular values of whole matrices and the Tracy–Widom mean."""

import numpy as np
import pytest

from implicit_bias.limits.stable_rank import random_stable_rank, spiked_law, spiked_stable_rank

EDGE = (30 * 50) ** 0.25


@pytest.mark.parametrize(("m", "d"), [(30, 50), (50, 30)])
def test_whole_matrices_have_the_law(m, d):
    stream = np.random.default_rng(0)
    spikes = np.array([0.0, 1.0, 1.3, 4.0]) * EDGE
    law = spiked_law(stream, spikes, 1.0, m, d, beside=0.5, draws=2000)
    ranks = []
    for _ in range(800):
        noise = stream.standard_normal((m, d))
        noise[0, 0] = 0.0
        squares = []
        for spike in spikes:
            noise[0, 0] = spike
            values = np.linalg.svd(noise, compute_uv=False) ** 2
            squares.append((values.sum() + 0.25) / values[0])
        ranks.append(squares)
    found = np.array(ranks)
    errors = found.std(axis=0) * np.sqrt(1 / 800 + 1 / 2000)
    assert np.all(np.abs(found.mean(axis=0) - law.mean) < 4 * errors)
    np.testing.assert_allclose(law.deviation, found.std(axis=0), rtol=0.12)


def test_without_a_spike_it_is_the_random_matrix():
    law, known = spiked_law(np.random.default_rng(1), 0.0, 1.0, 100, 300, draws=1000), random_stable_rank(100, 300)
    assert law.mean.shape == ()
    assert abs(law.mean - known.mean) < 4 * known.deviation / np.sqrt(1000) + 3e-3 * known.mean
    assert law.deviation == pytest.approx(known.deviation, rel=0.1)


def test_a_long_spike_has_its_limit():
    law = spiked_law(np.random.default_rng(2), [300.0, 1e6], 1.0, 40, 90)
    np.testing.assert_allclose(law.mean - 1, spiked_stable_rank([300.0, 1e6], 1.0, 40, 90) - 1, rtol=0.02, atol=1e-7)


def test_spike_and_noise_in_another_unit():
    one, other = (spiked_law(np.random.default_rng(3), [0.0, 2.0 * c], c, 2, 5, beside=c) for c in (1.0, 1e-3))
    np.testing.assert_allclose(one.mean, other.mean, rtol=1e-7)
    np.testing.assert_allclose(one.deviation, other.deviation, rtol=1e-6)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"m": 1}, "m is 1; it must be"),
        ({"deviation": 0.0}, "deviation is 0; it must lie in"),
        ({"draws": 1}, "draws is 1; it must be"),
    ],
)
def test_refuses(changed, words):
    given = {"spike": 1.0, "deviation": 1.0, "m": 3, "d": 4} | changed
    with pytest.raises(ValueError, match=words):
        spiked_law(np.random.default_rng(0), **given)
