"""Laws of biases: moments by quadrature, quantiles by moments, draws, bad arguments."""

import numpy as np
import pytest

from implicit_bias.data import BiasLaw

LAWS = [BiasLaw(2.0), BiasLaw(0.3), BiasLaw(2.0, "parabolic"), BiasLaw(5.0, "parabolic")]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_partial_moments_are_integrals_of_the_density(law):
    b = np.linspace(-law.reach, law.reach, 20001)
    for end in (-0.7, 0.0, 0.4, 1.0):
        inside = np.where(b <= end * law.reach + 1e-12, law.density(b), 0)
        for power, found in enumerate(law.partial_moments(end * law.reach)):
            assert found == pytest.approx(np.trapezoid(inside * b**power, b), abs=2e-4 * law.reach**power)
    mass, mean, second = law.partial_moments(10 * law.reach)
    np.testing.assert_allclose([mass, mean, second], [1, 0, law.variance], atol=1e-12)
    np.testing.assert_array_equal(law.partial_moments(-10 * law.reach), np.zeros(3))
    np.testing.assert_array_equal(law.density([-1.01 * law.reach, 1.01 * law.reach]), 0)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_the_quantile_inverts_the_distribution(law):
    u = np.linspace(0, 1, 101)
    np.testing.assert_allclose(law.partial_moments(law.quantile(u))[0], u, atol=1e-12)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_draws_have_its_variance(law):
    drawn = law.draw(np.random.default_rng(0), 40_000)
    assert np.max(np.abs(drawn)) <= law.reach
    assert np.var(drawn) == pytest.approx(law.variance, rel=0.03)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: BiasLaw(0.0), "reach is 0; it must lie in"),
        (lambda: BiasLaw(1.0, "gaussian"), "shape is 'gaussian'; it must be one of uniform, parabolic"),
        (lambda: BiasLaw(1.0).quantile([0.5, 1.5]), "u holds 1.5; every share must lie in"),
        (lambda: BiasLaw(1.0).draw(np.random.default_rng(0), 0), "n is 0"),
    ],
)
def test_what_is_no_law_or_share_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
