"""Units of univariate networks: evenly placed ones have every bias with both signs, drawn ones are of the law."""

import numpy as np
import pytest

from implicit_bias.data import BiasHeights, BiasLaw
from implicit_bias.models.univariate import drawn_units, placed_units

LAWS = [BiasLaw(2.0), BiasLaw(1.0, "parabolic"), BiasHeights(2.0, (1.0, 3.0))]


@pytest.mark.parametrize("law", LAWS)
def test_placed_units_have_each_bias_with_both_signs(law):
    w, b = placed_units(law, 20)
    assert w.tolist() == 10 * [1.0] + 10 * [-1.0]
    assert (b[:10] == b[10:]).all()
    np.testing.assert_allclose(b[:10], law.quantile(np.linspace(0.05, 0.95, 10)), rtol=1e-14)


@pytest.mark.parametrize("law", LAWS)
def test_drawn_units_are_of_the_law(law):
    w, b = drawn_units(law, np.random.default_rng(0), 10_000)
    assert set(w) == {-1.0, 1.0}
    assert abs(w.mean()) < 0.04
    np.testing.assert_allclose(np.quantile(b, [0.1, 0.5, 0.9]), law.quantile([0.1, 0.5, 0.9]), atol=0.06 * law.reach)


def test_signs_are_drawn_before_biases():
    one, other = np.random.default_rng(1), np.random.default_rng(1)
    w, b = drawn_units(BiasLaw(2.0), one, 7)
    assert (w == other.choice([1.0, -1.0], 7)).all()
    assert (b == BiasLaw(2.0).draw(other, 7)).all()


def test_units_are_counted():
    with pytest.raises(ValueError, match="n is 1; it must be a whole number of at least 2"):
        placed_units(BiasLaw(1.0), 1)
    with pytest.raises(ValueError, match="n is 0; it must be a whole number of at least 1"):
        drawn_units(BiasLaw(1.0), np.random.default_rng(0), 0)
