"""A certificate that is too loose, or not a number, is refused; an enclosure holds what it says and no less."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from implicit_bias.limits.certificate import (
    SMALL,
    Certificate,
    CertificateError,
    Enclosure,
    exponent,
    in_unit,
    length,
    relative,
)
from implicit_bias.limits.rounding import Balls, Between, Exact, Unproved

NAN, INF = float("nan"), float("inf")


def test_a_certificate_that_is_too_loose_or_not_a_number_is_refused():
    Certificate(1e-12, 0.0, -1e-12).demand(1e-11, "it")
    for bad in (Certificate(1e-9, 0, 0), Certificate(0, 0, -1e-9), Certificate(float("nan"), 0, 0)):
        with pytest.raises(CertificateError, match="it is not certified"):
            bad.demand(1e-11, "it")


@pytest.mark.parametrize(
    ("low", "high", "width"),
    [(1.0, 1.0, 0.0), (0.0, 0.0, 0.0), (3.0, 4.0, 0.25), (-4.0, -3.0, 0.25), (-1.0, 4.0, 1.25), (1e300, 2e300, 0.5),
     (-1e308, 1e308, 2.0), (5e-324, 1e-323, 0.5), (2.0, 1.0, INF), (NAN, 1.0, INF), (1.0, NAN, INF), (-INF, 1.0, INF),
     (1.0, INF, INF), (INF, INF, INF), (-INF, -INF, INF)],
)  # fmt: skip
def test_the_width_of_an_enclosure(low, high, width):
    assert Enclosure(low, high).width == pytest.approx(width)


def test_an_enclosure_that_is_too_wide_is_refused_with_the_answer():
    wide = Certificate(0.0, 0.0, 0.0, Enclosure(1.0, 1.0 + 1e-6))
    wide.demand(1e-9, "it", tol=2e-6)
    with pytest.raises(
        CertificateError, match="it is not certified: its value is proved to lie between 1 and 1.00"
    ) as e:
        wide.demand(1e-9, "it", tol=1e-9, answer="w")
    assert (e.value.answer, e.value.certificate) == ("w", wide)
    copied = pickle.loads(pickle.dumps(e.value))
    assert (str(copied), copied.answer, copied.certificate) == (str(e.value), "w", wide)
    with pytest.raises(CertificateError, match="between -inf and inf"):
        Certificate(0.0, 0.0, 0.0).demand(1e-9, "it", tol=1e-9)
    Certificate(0.0, 0.0, 0.0).demand(1e-9, "it")
    with pytest.raises(CertificateError, match=r"primal residual 1.0e\+00.*allowed 1.0e-09$") as e:
        Certificate(1.0, 0.0, 0.0).demand(1e-9, "it", tol=1e-9, answer="w")
    assert e.value.answer == "w"
    with pytest.raises(CertificateError, match="allowed 1.0e-09, though its value is proved to lie between 1 and 2$"):
        Certificate(1.0, 0.0, 0.0, Enclosure(1.0, 2.0)).demand(1e-9, "it", tol=0.5)


def test_exact_numbers_are_asked_where_floats_leave_it_wide_and_the_data_are_small():
    asked = []

    def bounds(numbers):
        asked.append(numbers)
        if numbers is Exact:
            return Between.of(Fraction(1, 3)), Between.of(Fraction(1, 3))
        return Between.of(0.25), Between.of(0.5)

    assert Enclosure.proved(bounds, 4, 0.6) == Enclosure(0.25, 0.5)
    assert asked == [Balls]
    sharp = Enclosure.proved(bounds, 4, 1e-9)
    assert asked == [Balls, Balls, Exact]
    assert sharp.low < Fraction(1, 3) < sharp.high == math.nextafter(sharp.low, 1)
    assert Enclosure.proved(bounds, SMALL + 1, 1e-9) == Enclosure(0.25, 0.5)

    def unproved(numbers):
        raise Unproved("nothing")

    assert Enclosure.proved(unproved, 4, 1e-9).width == INF


def test_a_length_neither_overflows_nor_underflows():
    for unit in (1.0, 1e200, 1e-200):
        assert length(unit * np.array([3.0, -4.0])) == pytest.approx(5 * unit, rel=1e-15)
    assert length([0.0, 0.0]) == 0.0


def test_what_is_missed_is_the_largest_share_of_the_larger_size_and_0_of_0_is_0():
    stream = np.random.default_rng(0)
    for unit in (1e-200, 1.0, 1e200):
        miss, one, other = (unit * stream.choice([-1.0, 1.0], 8) * stream.uniform(0.1, 1, 8) for _ in range(3))
        shares = [abs(m) / max(abs(a), abs(b)) for m, a, b in zip(miss, one, other, strict=True)]
        assert relative(miss, one, other) == max(shares)
        one[1:] = one[0]
        assert relative(miss, one[0], other) == relative(miss, one, other)
    assert relative([0.0, -1.0], [0.0, 4.0]) == 0.25
    assert relative(0.0, 0.0) == 0.0
    assert relative([0.0, 1e-300], 0.0) == relative([3.0, 1.0], [0.0, 1.0]) == INF
    assert math.isnan(relative(NAN, 0.0))
    assert math.isnan(relative([NAN, 1.0], 1.0))


def test_a_power_of_two_lies_just_above_the_largest_number():
    for value in (1.0, -1.0, 0.75, 2.0, 1e300, 5e-324, -3.0):
        power = int(exponent([value, value / 2]))
        assert Fraction(2) ** (power - 1) <= abs(Fraction(value)) < Fraction(2) ** power
    assert exponent([0.0, 0.0]) == 0
    assert exponent([[1.0, 3.0], [-8.0, 0.0]], axis=1).tolist() == [2, 4]
    assert exponent([[1.0, 3.0], [-8.0, 0.0]], axis=0).tolist() == [4, 2]


def test_another_unit_loses_no_digit_or_is_refused():
    assert in_unit([0.0, 1.0, -3.0], 2, "it").tolist() == [0.0, 4.0, -12.0]
    assert in_unit([0.0, 1.0, 3.0], [-2000, -1022, 1022], "it").tolist() == [0.0, 2.0**-1022, 3 * 2.0**1022]
    for value, power in ((1.0, 1024), (1.0, -1023), (1.5, -1023), (2.0**-1022, -1), (NAN, 0), (INF, 0), (1.0, -3000)):
        with pytest.raises(CertificateError, match="cannot hold it"):
            in_unit([0.0, value], power, "it")
