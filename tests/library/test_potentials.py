"""Potentials: derivatives by differences, inverses, convexity, bad weights."""

import numpy as np
import pytest

from implicit_bias.potentials import Cosh, Cubic, Quadratic, Quartic

X = np.linspace(-3, 3, 61)


@pytest.mark.parametrize("potential", [Quadratic(), Cubic(), Cubic(0.1), Quartic(), Quartic(5.0), Cosh()], ids=repr)
def test_slope_curvature_and_inverse_fit_together(potential):
    h = 1e-5
    np.testing.assert_allclose(
        potential.slope(X), (potential.value(X + h) - potential.value(X - h)) / (2 * h), atol=1e-8
    )
    np.testing.assert_allclose(
        potential.curvature(X), (potential.slope(X + h) - potential.slope(X - h)) / (2 * h), rtol=1e-4, atol=1e-4
    )
    assert np.all(potential.curvature(X) > 0)
    np.testing.assert_allclose(potential.inverse_slope(potential.slope(X)), X, rtol=1e-13, atol=1e-15)
    tiny = np.array([1e-12, -1e-9])
    np.testing.assert_allclose(potential.inverse_slope(potential.slope(tiny)), tiny, rtol=1e-13)


@pytest.mark.parametrize("kind", [Cubic, Quartic])
@pytest.mark.parametrize("omega", [0.0, -1.0, np.nan])
def test_a_weight_that_is_not_positive_is_refused(kind, omega):
    with pytest.raises(ValueError, match="omega is"):
        kind(omega)
