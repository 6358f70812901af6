"""Arithmetic that knows its rounding: every bound against fractions, and how near it is."""

from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest

from implicit_bias.limits.rounding import Balls, Between, Exact, Unproved


def fractions(values):
    return np.vectorize(Fraction, otypes=[object])(values)


def arrays(seed):
    stream = np.random.default_rng(seed)
    n, d = stream.integers(1, 9, 2)
    orders = float(stream.choice([0, 3, 20]))
    a, b, c = (
        stream.standard_normal(shape) * 10.0 ** stream.uniform(-orders, orders, shape) for shape in ((n, d), (d,), (n,))
    )
    if seed % 3 == 0:
        a, b = np.round(a), np.round(b)
    if seed % 5 == 0:
        a, b = a * 1e-170, b * 1e-150  # products underflow
    return a, b, c


def spans(found, truth):
    return found.low <= truth <= found.high


@pytest.mark.parametrize("numbers", [Balls, Exact])
@pytest.mark.parametrize("seed", range(60))
def test_what_is_proved_holds_in_fractions(numbers, seed):
    a, b, c = arrays(seed)
    rest, exact = numbers.of(a) @ numbers.of(b) - numbers.of(c), fractions(a) @ fractions(b) - fractions(c)
    again, exact_again = numbers.of(c) @ numbers.of(a), fractions(c) @ fractions(a)
    twice, exact_twice = rest @ numbers.of(a), exact @ fractions(a)
    for one, truth in ((rest, exact), (again, exact_again), (twice, exact_twice)):
        sizes = [abs(x) for x in truth]
        parts = [
            (one.least(), min(truth)),
            (one.largest(), max(sizes)),
            (one.total(), sum(truth)),
            (one.moduli(), sum(sizes)),
            (one.squares(), sum(x * x for x in truth)),
        ]
        for found, known in parts:
            assert spans(found, known)
            if numbers is Exact:
                assert found.low == found.high == known
    products = numbers.of(a) @ numbers.of(a.T)
    assert spans(products.total(), (fractions(a) @ fractions(a.T)).sum())


@pytest.mark.parametrize("seed", range(30))
def test_the_radius_is_some_units_of_the_terms(seed):
    stream = np.random.default_rng(seed)
    a, b = stream.standard_normal((20, 30)), stream.standard_normal(30)
    found = (Balls.of(a) @ Balls.of(b)).squares()
    assert float(found.high - found.low) <= 1e-12 * float((np.abs(a) @ np.abs(b)) @ (np.abs(a) @ np.abs(b)))


def test_radii_of_both_factors_count():
    """(2 ± 1)(3 ± 0.5) lies between 2.5 and 10.5, where both are as they may be."""
    found = (Balls(np.array([[2.0]]), np.array([[1.0]])) @ Balls(np.array([3.0]), np.array([0.5]))).total()
    assert found.low <= 1.5 <= 10.5 <= found.high <= 10.5 + 1e-10
    for one, other in ((0.0, 0.5), (1.0, 0.0)):
        found = (Balls(np.array([[2.0]]), np.array([[one]])) @ Balls(np.array([3.0]), np.array([other]))).total()
        assert found.high == pytest.approx((2 + one) * (3 + other), rel=1e-10)
        assert found.low == pytest.approx(6 - 2 * other - 3 * one, rel=1e-10)
    off = Balls(np.array([2.0]), np.array([1.0])) - Balls(np.array([3.0]), np.array([0.5]))
    assert off.least().low == pytest.approx(-2.5, rel=1e-10)


@pytest.mark.parametrize("numbers", [Balls, Exact])
@pytest.mark.parametrize("seed", range(20))
def test_a_product_entry_by_entry_is_that_of_fractions(numbers, seed):
    a, b, c = arrays(seed)
    rest, exact = numbers.of(a) @ numbers.of(b) - numbers.of(c), fractions(a) @ fractions(b) - fractions(c)
    found, truth = rest * numbers.of(c), exact * fractions(c)
    again, exact_again = rest * rest, exact * exact
    for one, known in ((found, truth), (again, exact_again)):
        for part, value in ((one.least(), min(known)), (one.total(), sum(known))):
            assert spans(part, value)
            if numbers is Exact:
                assert part.low == part.high == value


def test_of_a_product_entry_by_entry_both_radii_and_its_own_rounding_count():
    """(2 ± 1)(3 ± 0.5) lies between 2.5 and 10.5; a tenth squared is no float."""
    for one, other, far in ((1.0, 0.5, 4.5), (0.0, 0.5, 1.0), (1.0, 0.0, 3.0)):
        found = Balls(np.array([2.0]), np.array([one])) * Balls(np.array([-3.0]), np.array([other]))
        assert far <= found.radius.item() <= far * (1 + 1e-10)
    tenth = Balls.of(np.array([0.1]))
    assert spans((tenth * tenth).total(), Fraction(0.1) ** 2)
    assert 0 < (tenth * tenth).radius.item() < 1e-17
    tiny = Balls.of(np.array([1e-200]))  # its square underflows
    assert (tiny * tiny).total().high >= Fraction(1e-200) ** 2


def test_numbers_between_fractions():
    third = Between.of(1.0) / Between.of(3.0)
    assert third.low == third.high == Fraction(1, 3)
    assert third.down() < Fraction(1, 3) < third.up() == nextafter(third.down(), inf)
    two = Between.of(2.0).root()
    assert two.low**2 < 2 < two.high**2
    assert two.up() == nextafter(two.down(), inf)
    assert Between.of(4.0).root() == Between.of(2.0)
    assert Between.of(0.0).root() == Between.of(0.0)
    signed = Between(Fraction(-1), Fraction(2))
    assert signed * signed == Between(Fraction(-2), Fraction(4))
    assert signed - signed == Between(Fraction(-3), Fraction(3))
    assert signed + signed == Between(Fraction(-2), Fraction(4))
    assert signed.root() == Between(Fraction(0), Between.of(2.0).root().high)
    with pytest.raises(Unproved):
        Between.of(1.0) / signed


@pytest.mark.parametrize("value", [Fraction(10) ** 400, Fraction(1, 10**400), -(Fraction(10) ** 400), Fraction(0)])
def test_ends_that_no_float_holds_are_rounded_outwards(value):
    number = Between.of(value)
    assert number.down() <= value <= number.up()


def test_what_overflows_is_not_proved():
    with np.errstate(over="ignore"):
        huge = Balls.of(np.full((2, 2), 1e200)) @ Balls.of(np.full(2, 1e200))
    for ask in (huge.least, huge.largest, huge.total, huge.moduli, huge.squares):
        with pytest.raises(Unproved):
            ask()
    assert (Exact.of(np.full((2, 2), 1e200)) @ Exact.of(np.full(2, 1e200))).least().low == 2 * Fraction(1e200) ** 2


@pytest.mark.parametrize("numbers", [Balls, Exact])
@pytest.mark.parametrize("seed", range(20))
def test_the_largest_row_is_that_of_fractions(numbers, seed):
    a = arrays(seed)[0]
    a = np.vstack([a, 3 * a, -a / 7])
    found = numbers.of(a).rows()
    assert spans(found, max(sum(abs(x) for x in row) for row in fractions(a)))
    assert found.high - found.low <= (found.high / 10**12 if numbers is Balls else 0)


def test_what_the_sum_of_a_row_drops_is_within_its_slack():
    for many in (2, 4, 7):
        terms = np.append(1.0, np.full(many - 1, 2.0**-53))
        assert spans(Balls.of(np.vstack([terms / 2, -terms])).rows(), 1 + (many - 1) * Fraction(2) ** -53)
    wide = Balls(np.array([[1.0, -2.0], [0.5, 0.5]]), np.full((2, 2), 0.75)).rows()
    assert wide.low <= 1.5
    assert 4.5 <= wide.high <= 4.5 + 1e-10
    with np.errstate(over="ignore"), pytest.raises(Unproved):
        (Balls.of(np.full((2, 2), 1e200)) @ Balls.of(np.full((2, 2), 1e200))).rows()


def test_what_a_sum_of_floats_drops_is_within_its_slack():
    """1 and terms that are lost beside it, one after the other: the error grows with their number."""
    for many in (2, 4, 7):
        terms = np.append(1.0, np.full(many - 1, 2.0**-53))
        assert terms.sum() == 1.0
        for found in (Balls.of(terms).total(), Balls.of(terms).moduli()):
            assert spans(found, 1 + (many - 1) * Fraction(2) ** -53)
        assert spans(Balls.of(-terms).total(), -1 - (many - 1) * Fraction(2) ** -53)


def test_what_a_product_drops_from_block_to_block_is_within_its_radius():
    """Of a hundred terms in blocks of eleven the first of each: 1, and nine that are lost beside it."""
    row = np.zeros(100)
    row[::11], row[0] = 2.0**-53, 1.0
    for left, right in ((row[None], np.ones(100)), (row[None], np.ones((100, 1))), (np.ones((1, 100)), row)):
        found = Balls.of(left) @ Balls.of(right)
        assert found.middle.item() == 1.0
        assert found.radius.item() >= 9 * 2.0**-53
        assert spans(found.total(), 1 + 9 * Fraction(2) ** -53)


@pytest.mark.parametrize("n", [1, 2, 9, 50, 400])
def test_no_radius_is_below_what_the_theorem_demands(n):
    """In blocks of b of the n terms γ_{b+n/b}|x|·|y| (Higham 2002, Section 3.1); of a sum of n terms γ_{n−1}Σ|x|."""
    stream, unit = np.random.default_rng(n), Fraction(2) ** -53
    x, y = stream.standard_normal((2, n)), stream.standard_normal((n, 2))
    block = int(np.sqrt(n)) + 1
    k = block + -(-n // block) - 1  # one product, and the sums in a block and of the blocks
    demanded = k * unit / (1 - k * unit) * (abs(fractions(x)) @ abs(fractions(y)))
    assert np.all(fractions((Balls.of(x) @ Balls.of(y)).radius) >= demanded)
    for column in range(2):
        assert np.all(fractions((Balls.of(x) @ Balls.of(y[:, column])).radius) >= demanded[:, column])
    slack = (n - 1) * unit * sum(abs(fractions(x[0])))
    for found, truth in (
        (Balls.of(x[0]).total(), sum(fractions(x[0]))),
        (Balls.of(x[0]).moduli(), sum(abs(fractions(x[0])))),
        (Balls.of(x[:1]).rows(), sum(abs(fractions(x[0])))),
    ):
        assert found.low <= truth - slack / 2
        assert truth + slack / 2 <= found.high
