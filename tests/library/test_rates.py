"""Regressed slopes of logarithms: power laws and exponentials are recovered, and what has no logarithm is refused."""

import numpy as np
import pytest

from implicit_bias.rates import log_log_slope, log_slope

X = np.array([0.5, 1.0, 3.0, 20.0])


@pytest.mark.parametrize("power", [-2.0, 0.0, 0.5, 3.0])
def test_a_power_law_gives_its_exponent(power):
    assert log_log_slope(X, 7 * X**power) == pytest.approx(power, abs=1e-13)


@pytest.mark.parametrize("rate", [-2.0, 0.0, 0.5])
def test_an_exponential_gives_its_rate(rate):
    assert log_slope(X, 7 * np.exp(rate * X)) == pytest.approx(rate, abs=1e-13)


def test_off_the_law_it_is_the_slope_of_least_squares():
    y = np.array([1.0, 3.0, 2.0, 9.0])
    u, v = np.log(X), np.log(y)
    assert log_log_slope(X, y) == pytest.approx(np.cov(u, v)[0, 1] / np.var(u, ddof=1), rel=1e-13)
    assert log_slope(X, y) == pytest.approx(np.cov(X, v)[0, 1] / np.var(X, ddof=1), rel=1e-13)


@pytest.mark.parametrize(("measure", "name"), [(log_slope, "t"), (log_log_slope, "x")])
@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (X, [1.0, 2.0, 0.0, 3.0], "y holds 0; its numbers must be positive"),
        (X, [1.0, 2.0, 3.0], r"y has shape \(3,\); it must have a number for each of the 4 entries of {name}"),
        ([1.0, 1.0], [1.0, 2.0], "{name} holds the same number 2 times; a slope needs two entries that differ"),
        ([2.0], [1.0], r"{name} has shape \(1,\); a slope needs two entries that differ"),
        (X, [1.0, 2.0, np.inf, 3.0], r"y holds inf at \[2\]; every entry must be a finite number"),
    ],
)
def test_what_has_no_slope_is_refused(measure, name, x, y, words):
    with pytest.raises(ValueError, match=words.replace("{name}", name)):
        measure(x, y)


def test_a_power_law_of_a_negative_number_is_refused():
    with pytest.raises(ValueError, match="x holds -1; its numbers must be positive"):
        log_log_slope([-1.0, 1.0], [1.0, 2.0])
