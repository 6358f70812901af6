"""Scaled potentials: derivatives by differences, inverses, what does not change with the scale, bad scales."""

import numpy as np
import pytest

from implicit_bias.potentials import Cosh, Cubic, Quadratic, Quartic
from implicit_bias.scaled_potentials import Scaled

X = np.linspace(-0.02, 0.02, 41)
SCALED = [Scaled(base, 2.0, 100.0) for base in (Quadratic(), Cubic(), Quartic(0.3), Cosh())]


@pytest.mark.parametrize("potential", SCALED, ids=repr)
def test_slope_curvature_and_inverse_fit_together(potential):
    h = 1e-7
    slope = (potential.value(X + h) - potential.value(X - h)) / (2 * h)
    np.testing.assert_allclose(potential.slope(X), slope, rtol=1e-5, atol=1e-8)
    curvature = (potential.slope(X + h) - potential.slope(X - h)) / (2 * h)
    np.testing.assert_allclose(potential.curvature(X), curvature, rtol=1e-4)
    np.testing.assert_allclose(potential.inverse_slope(potential.slope(X)), X, rtol=1e-12, atol=1e-17)


def test_a_quadratic_does_not_feel_the_scale():
    np.testing.assert_allclose(Scaled(Quadratic(), width=1e3).value(X), Quadratic().value(X), rtol=1e-12)


def test_the_curvature_at_the_start_is_that_of_the_potential_over_v():
    for width in (1.0, 1e6):
        np.testing.assert_allclose(Scaled(Quartic(3.0), 4.0, width).curvature(np.zeros(1)), 1.5)


def test_a_move_of_one_over_n_is_a_move_by_one():
    np.testing.assert_allclose(Scaled(Cubic(), 2.0, 50.0).slope(X / 50) * 50, Cubic().slope(X) / 2, rtol=1e-12)


@pytest.mark.parametrize("name", ["over", "width"])
@pytest.mark.parametrize("bad", [0.0, -1.0, np.inf])
def test_scales_that_are_not_positive_are_refused(name, bad):
    with pytest.raises(ValueError, match=f"{name} is"):
        Scaled(Quadratic(), **{name: bad})
