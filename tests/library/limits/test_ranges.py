"""Ranges: what is computed in many digits lies in them, and they are not wide; what is no number is not proved."""

import mpmath
import numpy as np
import pytest

from implicit_bias.limits.ranges import Ranges
from implicit_bias.limits.rounding import Unproved

A = np.concatenate([np.geomspace(1e-12, 30, 40), -np.geomspace(1e-12, 30, 40)])
B = np.random.default_rng(0).permutation(A)
ONE = {
    "arsinh": (lambda a: a.arsinh(), mpmath.asinh),
    "sinh": (lambda a: a.sinh(), mpmath.sinh),
    "moduli": (lambda a: a.moduli(), abs),
    "exp": (lambda a: a.exp(), mpmath.exp),
    "log": (lambda a: a.moduli().log(), lambda a: mpmath.log(abs(a))),
}
TWO = {
    "+": (lambda a, b: a + b, lambda a, b: a + b),
    "-": (lambda a, b: a - b, lambda a, b: a - b),
    "*": (lambda a, b: a * b, lambda a, b: a * b),
    "/": (lambda a, b: a.over(b.moduli()), lambda a, b: a / abs(b)),
    "root": (lambda a, b: (a * a).root(), lambda a, b: abs(a)),
}


@pytest.mark.parametrize("name", [*ONE, *TWO])
@pytest.mark.parametrize("spread", [0.0, 1e-9])
def test_the_truth_lies_in_them(name, spread):
    of, by_digits = (lambda a, b: ONE[name][0](a), lambda a, b: ONE[name][1](a)) if name in ONE else TWO[name]
    found = of(Ranges.around(A, spread * np.abs(A)), Ranges.of(B))
    with mpmath.workdps(40):
        for k in (-1, 0, 1):
            for low, high, a, b in zip(found.low, found.high, A, B, strict=True):
                truth = by_digits(mpmath.mpf(float(a)) * (1 + k * mpmath.mpf(spread)), mpmath.mpf(float(b)))
                assert low <= truth <= high
    assert np.all(
        found.high - found.low <= (1e-14 + 70 * spread) * np.maximum(np.abs(A) + np.abs(B), np.abs(found.high))
    )


@pytest.mark.parametrize("name", TWO)
def test_both_may_be_anywhere_between_their_ends(name):
    of, by_digits = TWO[name]
    found = of(Ranges.around(A, 1e-3 * np.abs(A)), Ranges.around(B, 1e-2 * np.abs(B)))
    with mpmath.workdps(40):
        for one in (-1, 1):
            for other in (-1, 1):
                for low, high, a, b in zip(found.low, found.high, A, B, strict=True):
                    first = mpmath.mpf(float(a)) * (1 + one * mpmath.mpf("1e-3"))
                    assert low <= by_digits(first, mpmath.mpf(float(b)) * (1 + other * mpmath.mpf("1e-2"))) <= high


def test_what_underflows_is_within_the_smallest_float():
    tiny = Ranges.of(np.array([1e-200, -1e-200]))
    product = tiny * Ranges.of(np.array([1e-200, 1e-200]))
    assert product.low[0] <= 0 < product.high[0] < 1e-322
    assert -1e-322 < product.low[1] < 0 <= product.high[1]


def test_a_sum_holds_the_sum():
    total = Ranges.of(np.array([1e16, 1.0, -1e16])).total()
    assert total.low <= 1 <= total.high
    assert total.high - total.low < 1e-15
    with pytest.raises(Unproved):
        Ranges.of(np.array([np.inf, 1.0])).total()


@pytest.mark.parametrize("values", [[1e308, 1e308], [-1e308, -1e308], [np.finfo(float).max]])
def test_a_sum_that_no_float_holds_is_not_proved(values):
    with pytest.raises(Unproved):
        Ranges.of(values).total()
    assert (Ranges.of(values) + Ranges.of(values)).low.shape == (len(values),)  # and no warning
