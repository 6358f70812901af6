"""Finite differences of the three penalties against the certified minimizer: second order, and the data are met."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from implicit_bias.data import BiasLaw
from implicit_bias.limits.mirror import finite_element_spline, ramp_spline
from implicit_bias.limits.mirror.finite_elements import _interpolation

X = np.array([-1.5, -0.9, -0.3, 0.4, 1.0, 1.6])
Y = np.array([0.2, -0.2, 0.15, -0.1, 0.2, -0.15])


@pytest.mark.parametrize("reach", [2.0, 3.0])
def test_the_error_is_of_second_order(reach):
    law = BiasLaw(reach)
    spline, errors = ramp_spline(X, Y, law), []
    for cells in (200, 400, 800):
        nodes, values = finite_element_spline(X, Y, law, cells)
        np.testing.assert_allclose(CubicSpline(nodes, values)(X), Y, atol=0.2 * (reach / cells) ** 2)
        errors.append(np.abs(values - spline.predict(nodes)).max())
    assert errors[-1] < 3e-4
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2, atol=0.15)


@pytest.mark.parametrize(
    ("law", "cells", "said"),
    [
        (BiasLaw(2.0), 11, "cells is 11; it must be even"),
        (BiasLaw(2.0, "parabolic"), 20, "law is parabolic; it must be uniform"),
    ],
)
def test_bad_problems_are_refused_in_one_line(law, cells, said):
    with pytest.raises(ValueError, match=said) as refused:
        finite_element_spline([0.0], [1.0], law, cells)
    assert "\n" not in str(refused.value)


def test_cubics_are_taken_from_the_four_nearest_nodes():
    nodes = np.linspace(-1, 2, 13)
    x = np.random.default_rng(0).uniform(-1, 2, 60)
    weights = _interpolation(x, nodes).toarray()
    for power in range(4):
        np.testing.assert_allclose(weights @ nodes**power, x**power, atol=1e-13)
    for place, row in zip(x, weights, strict=True):
        inside = np.clip(place, nodes[1] + 1e-9, nodes[-2] - 1e-9)  # beside an end the four at the end
        assert set(np.flatnonzero(row)) == set(np.argsort(np.abs(nodes - inside))[:4])
