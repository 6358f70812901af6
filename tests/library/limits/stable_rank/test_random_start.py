"""The stable rank of random matrices of finite size against draws."""

import numpy as np
import pytest

from implicit_bias.limits.stable_rank import random_stable_rank, spiked_stable_rank
from implicit_bias.models.two_layer import stable_rank

DRAWS = 400


@pytest.mark.parametrize(("m", "d"), [(128, 32), (64, 64), (40, 300)])
@pytest.mark.parametrize("kurtosis", [0.0, -1.2, 6.0])
def test_mean_and_deviation_are_those_of_draws(m, d, kurtosis):
    """Normal entries, uniform ones, and normal ones of two sizes."""
    stream = np.random.default_rng(m + d)
    found = []
    for _ in range(DRAWS):
        entries = stream.uniform(-1, 1, (m, d)) if kurtosis < 0 else stream.standard_normal((m, d))
        if kurtosis > 0:  # of variance 1 in the mean, 3 E s⁴/(E s²)² − 3 = 6
            entries *= np.sqrt(np.where(stream.random((m, d)) < 1 / 3, 3.0, 0.0))
        found.append(stable_rank(entries))
    law = random_stable_rank(m, d, kurtosis)
    room = 4 * law.deviation / np.sqrt(DRAWS) + (0.004 + 0.3 * (kurtosis / np.sqrt(m * d)) ** 2 * 9) * law.mean
    assert np.mean(found) == pytest.approx(law.mean, abs=room)
    if kurtosis <= 0:
        assert np.std(found) == pytest.approx(law.deviation, rel=0.3)


def test_it_tends_to_the_limit_of_large_matrices():
    limit = float(spiked_stable_rank(0.0, 1.0, 10**8, 2 * 10**8))
    assert random_stable_rank(10**8, 2 * 10**8, -1.2).mean == pytest.approx(limit, rel=1e-4)


def test_the_fourth_cumulant_moves_the_edge_by_its_first_order():
    m, d = 10**4, 10**4
    ratio = random_stable_rank(m, d).mean / random_stable_rank(m, d, -1.0).mean
    assert ratio == pytest.approx(1 - 1 / np.sqrt(m * d), abs=1e-6)


def test_refusals():
    with pytest.raises(ValueError, match="m is 1"):
        random_stable_rank(1, 5)
    with pytest.raises(ValueError, match="kurtosis is -3"):
        random_stable_rank(5, 5, -3.0)
