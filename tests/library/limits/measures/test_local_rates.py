"""Rates and sharpness near the minimizer."""

import numpy as np
import pytest
from library.helpers import circle, refusal

from implicit_bias.data import three_spikes, torus_grid
from implicit_bias.limits.measures import LocalRates, blasso


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LocalRates(blasso(circle(), 1.0), 0.0, 1.0), "alpha is 0"),
        (lambda: LocalRates(blasso(circle(), 1.0), 1.0, 1.0).of_exponent(1, 1), "particles is 1"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
