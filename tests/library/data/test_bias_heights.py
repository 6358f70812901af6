"""Densities of the biases drawn by hand: mass one, quantiles by quadrature, special cases, bad arguments."""

import numpy as np
import pytest

from implicit_bias.data import BiasHeights, BiasLaw

LAWS = [
    BiasHeights(2.0, (1.0, 1.0)),
    BiasHeights(2.0, (5.0, 1.0)),
    BiasHeights(0.5, (1.0, 3.0, 0.2, 0.2, 7.0)),
    BiasHeights(3.0, (1e-3, 1.0, 1e-3)),
]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_the_quantile_inverts_the_distribution(law):
    b = np.linspace(-law.reach, law.reach, 1_200_001)
    below = np.cumsum(law.density((b[1:] + b[:-1]) / 2)) * (b[1] - b[0])
    assert below[-1] == pytest.approx(1, abs=1e-9)
    u = np.linspace(0, 1, 41)
    np.testing.assert_allclose(np.interp(law.quantile(u), b[1:], below), u, atol=1e-5)
    np.testing.assert_allclose(law.quantile(1 - u), -law.quantile(u), atol=1e-12)
    np.testing.assert_array_equal(law.density([-1.01 * law.reach, 1.01 * law.reach]), 0)


def test_the_density_is_that_of_the_heights():
    law = BiasHeights(2.0, (5.0, 1.0))
    np.testing.assert_allclose(law.density([-2.0, -1.0, 0.0, 1.0, 2.0]), np.array([1, 3, 5, 3, 1]) / 12)
    np.testing.assert_allclose(law.breaks, [-2, 0, 2])
    np.testing.assert_allclose(BiasHeights(2.0, (50.0, 10.0)).density([0.3, 1.0]), law.density([0.3, 1.0]))


def test_equal_heights_are_the_uniform_law():
    even, uniform, u = BiasHeights(2.0, (3.0, 3.0, 3.0)), BiasLaw(2.0), np.linspace(0, 1, 21)
    np.testing.assert_allclose(even.density(uniform.quantile(u)), 0.25)
    np.testing.assert_allclose(even.quantile(u), uniform.quantile(u), atol=1e-14)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: BiasHeights(0.0, (1.0, 1.0)), "reach is 0; it must lie in"),
        (lambda: BiasHeights(1.0, (1.0,)), "heights holds 1 number; it must hold at least 2"),
        (lambda: BiasHeights(1.0, (1.0, 0.0)), "heights holds 0; every height must be positive"),
        (lambda: BiasHeights(1.0, (1.0, np.nan)), "heights holds"),
        (lambda: LAWS[0].quantile([0.5, 1.5]), "u holds 1.5; every share must lie in"),
    ],
)
def test_what_is_no_density_or_share_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_a_law_is_the_same_whatever_its_heights_came_in():
    for given in ([1, 2, 3], np.array([1.0, 2.0, 3.0])):
        assert BiasHeights(2.0, given) == BiasHeights(2.0, (1.0, 2.0, 3.0))
