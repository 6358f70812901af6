"""What is proved of the nearest interpolator: against fractions, far from it and near, in all units."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.near_interpolator import near_interpolator
from implicit_bias.limits.rounding import Unproved


def fractions(values):
    return sympy.Matrix(np.vectorize(lambda entry: sympy.Rational(*float(entry).as_integer_ratio()))(values))


@pytest.mark.parametrize("unit", [1.0, 1e-150, 1e140])
@pytest.mark.parametrize("miss", [0.0, 1e-9, 1.0])
@pytest.mark.parametrize("condition", [1.0, 1e-5, 1e-9])
def test_it_is_no_farther_than_is_said(unit, miss, condition):
    stream = np.random.default_rng(0)
    for _ in range(5):
        x, w, dual = stream.standard_normal((3, 6)), stream.standard_normal(6), stream.standard_normal(3)
        x[1] = x[0] + condition * x[1]
        x, dual, w = unit * x * np.array([[1.0], [1e3], [1e-4]]), dual / unit, max(1, 1e-140 / unit) * w
        y = x @ (w + miss * np.abs(w).max() * stream.standard_normal(6))
        said = near_interpolator(x, y, w, dual)
        rows, missed = fractions(x), fractions(y[:, None]) - fractions(x) * fractions(w[:, None])
        square = (missed.T * (rows * rows.T).LUsolve(missed))[0]
        assert said.off.high**2 >= Fraction(int(square.p), int(square.q))
        sizes = np.abs(x).max(axis=1)
        least = np.linalg.svd(x / sizes[:, None])[1][-1]
        assert float(said.off.high) <= (40 * np.linalg.norm((y - x @ w) / sizes) + 1e-13 * np.abs(w).max()) / least
        for proved, truth in (
            (said.bought, (fractions(dual[None]) * fractions(y[:, None]))[0]),
            (said.short, (fractions(dual[None]) * missed)[0]),
        ):
            assert proved.low <= Fraction(int(truth.p), int(truth.q)) <= proved.high
        pushed = fractions(dual[None]) * rows
        for middle, radius, truth in zip(said.pushed.middle, said.pushed.radius, pushed, strict=True):
            assert abs(Fraction(float(middle)) - Fraction(int(truth.p), int(truth.q))) <= Fraction(float(radius))


def test_what_is_not_proved_is_not_said():
    with pytest.raises(Unproved):
        near_interpolator(np.ones((2, 3)), np.array([1.0, 2.0]), np.ones(3), np.ones(2))
    with pytest.raises((Unproved, CertificateError)):
        near_interpolator(np.array([[1e308, 5e-324]]), np.ones(1), np.ones(2), np.ones(1))


def test_equal_equations_are_one():
    said = near_interpolator(np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([5.0, 5.0]), np.array([1.0, 2.0]), np.ones(2))
    assert said.off.high < 1e-14


def test_all_that_is_missed_counts():
    said = near_interpolator(np.eye(16, 20), np.ones(16), np.zeros(20), np.ones(16))
    assert 4 <= said.off.high <= 9
