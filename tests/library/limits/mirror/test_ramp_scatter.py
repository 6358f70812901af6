"""The scatter of random ramps: by a mean over many ramps, and of networks of finite width; bad input."""

import numpy as np
import pytest

from implicit_bias.data import BiasLaw
from implicit_bias.limits.mirror import ramp_kernel, ramp_scatter, ramp_spline

X = np.array([-1.5, -0.4, 0.3, 1.2])
Y = np.array([1.0, -0.5, 0.2, 0.7])
PLACES = np.array([-2.5, -1.0, 0.0, 0.8, 2.0])
LAWS = [BiasLaw(2.0), BiasLaw(2.0, "parabolic")]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_the_covariance_is_the_mean_over_ramps(law):
    b = law.quantile((np.arange(100_000) + 0.5) / 100_000)
    b, w = np.tile(b, 2), np.repeat([1.0, -1.0], b.size)
    seen, at = (np.maximum(w * some[:, None] - b, 0) for some in (X, PLACES))
    beta = np.linalg.solve(ramp_kernel(X, X, law), ramp_kernel(X, PLACES, law))
    xi = (ramp_spline(X, Y, law).charges @ seen) * (at - beta.T @ seen)
    found = ramp_scatter(X, Y, law, PLACES)
    np.testing.assert_allclose(found.covariance, xi @ xi.T / b.size, atol=1e-5 * found.spread**2)
    assert found.spread == pytest.approx(np.sqrt(np.mean(np.diag(found.covariance))))
    assert 1 <= found.freedom <= PLACES.size


def test_networks_of_finite_width_scatter_so():
    law, draw = LAWS[0], np.random.default_rng(4)
    found, right = ramp_scatter(X, Y, law, PLACES), ramp_spline(X, Y, law).predict(PLACES)
    n, networks, squares = 4000, 400, 0.0
    for _ in range(networks):
        w, b = draw.choice([1.0, -1.0], n), law.draw(draw, n)
        seen, at = (np.maximum(w * some[:, None] - b, 0) for some in (X, PLACES))
        squares += n * np.mean((at @ seen.T @ np.linalg.solve(seen @ seen.T, Y) - right) ** 2)
    error = np.sqrt(2 / (networks * found.freedom)) / 2
    assert np.sqrt(squares / networks) / found.spread == pytest.approx(1, abs=4 * error)


def test_places_must_be_a_row():
    with pytest.raises(ValueError, match="places"):
        ramp_scatter(X, Y, LAWS[0], [[0.0]])
