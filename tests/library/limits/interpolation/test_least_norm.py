"""The least norm is the pseudoinverse's; what no float64 interpolates, and what nothing does, is refused."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import least_l1, least_norm
from implicit_bias.limits.interpolation.least_l1 import certify_least_l1
from implicit_bias.limits.interpolation.least_norm import certify_least_norm, enclose_least


def test_least_norm_is_the_pseudoinverse(regression):
    np.testing.assert_allclose(
        least_norm(regression.x, regression.y).w, np.linalg.pinv(regression.x) @ regression.y, atol=1e-12
    )


@pytest.mark.parametrize("solve", [least_norm, least_l1])
def test_interpolators_that_do_not_exist_are_refused(solve):
    with pytest.raises(CertificateError, match="is not certified|was not found"):
        solve([[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0])


@pytest.mark.parametrize("solve", [least_norm, least_l1])
@pytest.mark.parametrize(
    ("x", "y"), [([[1e-16, 0.0], [-1.0, 1.0]], [1.0, 1.0]), ([[1e-20, 0.0], [-0.3, 0.1]], [1.0, 1.0])]
)
def test_what_no_float_interpolates_is_refused_with_the_nearest_and_the_norm(solve, x, y):
    with pytest.raises(CertificateError, match="is not certified: primal residual") as refused:
        solve(x, y)
    w = [Fraction(1) / Fraction(x[0][0])]
    w.append((1 - Fraction(x[1][0]) * w[0]) / Fraction(x[1][1]))
    np.testing.assert_allclose(refused.value.answer.w, [float(part) for part in w], rtol=1e-14)
    found, norm = refused.value.certificate.enclosure, sum(map(abs, w))
    if solve is least_l1:
        assert Fraction(found.low) <= norm <= Fraction(found.high)
    else:
        assert Fraction(found.low) ** 2 <= sum(part**2 for part in w) <= Fraction(found.high) ** 2
    assert found.width < 1e-13


@pytest.mark.parametrize("solve", [least_norm, least_l1])
def test_two_rows_that_are_nearly_one_are_solved_or_refused_with_the_truth(solve):
    """X = [[1, 1], [1, 1 + e]], y = (1, 2): w = (1 − 1/e, 1/e), which loses 1e-5 of itself to the rounding of 1 + e."""
    x = [[1.0, 1.0], [1.0, 1.0 + 1e-11]]
    step = 1 / (Fraction(x[1][1]) - 1)
    norm = abs(1 - step) + step if solve is least_l1 else (1 - step) ** 2 + step**2
    try:
        found = solve(x, [1.0, 2.0]).certificate.enclosure
        assert found.width <= 1e-9
    except CertificateError as error:
        found = error.certificate.enclosure
    power = 1 if solve is least_l1 else 2
    assert Fraction(found.low) ** power <= norm <= Fraction(found.high) ** power
    assert found.width < 1e-3


@pytest.mark.parametrize("solve", [least_norm, least_l1])
def test_rows_that_depend_on_others_are_found_in_fractions(solve):
    x = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]])
    answer = solve(x, [1.0, 1.0, 2.0])
    norm = np.sqrt(2 / 3) if solve is least_norm else 1.0
    assert answer.certificate.enclosure.low <= norm <= answer.certificate.enclosure.high
    assert answer.certificate.enclosure.width < 1e-13
    with pytest.raises(CertificateError, match="is not certified|was not found"):
        solve(x, [1.0, 1.0, 2.0 + 1e-15])
    large = np.random.default_rng(0).standard_normal((60, 3)) @ np.random.default_rng(1).standard_normal((3, 70))
    with pytest.raises(CertificateError, match="between -inf and inf"):
        solve(large, large @ np.eye(70)[0])


@pytest.mark.parametrize(("solve", "certify"), [(least_norm, certify_least_norm), (least_l1, certify_least_l1)])
def test_the_enclosure_holds_for_any_w_and_any_multipliers(solve, certify, regression):
    """It widens with the miss of w, with the part of w that need not be, and with wrong multipliers."""
    x, y = regression.x, regression.y
    right, stream = solve(x, y), np.random.default_rng(3)
    best = np.linalg.norm(right.w) if solve is least_norm else np.abs(right.w).sum()
    for size in (0.0, 1e-9, 1e-6, 1e-3, 1.0):
        w, dual = (
            part + size * np.abs(part).max() * stream.standard_normal(part.size) for part in (right.w, right.dual)
        )
        found = certify(x, y, w, dual).enclosure
        assert found.low <= best * (1 + 1e-14)
        assert best * (1 - 1e-14) <= found.high
        assert certify(x, y, w, -dual).enclosure.low < 0
        if size >= 1e-9:
            assert found.width > size / 100 if size <= 1e-3 else found.width > 1e-3
    with np.errstate(invalid="ignore"):
        assert certify(x, y, right.w * np.nan, right.dual).enclosure.width == np.inf
        assert certify(x, y, right.w, right.dual * np.inf).enclosure.width == np.inf
    nothing = certify(x, 0 * y, 0 * right.w, 0 * right.dual)
    assert nothing.holds(1e-10, 1e-9)
    assert not certify(x, 0 * y, right.w, right.dual).holds(1e-10, 1e-9)


def test_the_residual_is_euclidean():
    """Labels (4, 4, 7) missed by 1, 2 and 2: 3/9 of their length, not the largest miss over the largest label."""
    x, y = np.eye(3), np.array([4.0, 4.0, 7.0])
    w = y - [1.0, 2.0, 2.0]
    for certify in (certify_least_norm, certify_least_l1):
        assert certify(x, y, w, np.ones(3)).primal == pytest.approx(1 / 3, rel=1e-14)
        for unit in (1e-150, 1e150):
            assert certify(x, unit * y, unit * w, np.ones(3)).primal == pytest.approx(1 / 3, rel=1e-14)


def test_exact_numbers_are_asked_where_floats_leave_it_wide():
    one = np.array([[1.0, 2.0]]), np.array([5.0]), np.array([1.0, 2.0]), np.array([1.0])  # the least norm is √5
    loose, sharp = (enclose_least(*one, tol, of_l1=False) for tol in (1e-9, 1e-15))
    assert sharp.high == math.nextafter(sharp.low, 3.0) < loose.high < 2.3
    assert Fraction(sharp.low) ** 2 < 5 < Fraction(sharp.high) ** 2


def test_where_the_squared_condition_leaves_room_no_inverse_is_asked(monkeypatch, regression):
    module = sys.modules["implicit_bias.limits.interpolation.least_norm"]
    monkeypatch.setattr(module, "solvable", lambda *_: pytest.fail("an inverse was asked for"))
    assert least_norm(regression.x, regression.y).certificate.enclosure.width < 1e-12


@pytest.mark.parametrize("of_l1", [False, True])
@pytest.mark.parametrize("unit", [-900, 900])
def test_the_enclosure_has_the_unit_of_the_labels(unit, of_l1):
    x, y, w, dual = np.array([[1.0, 2.0]]), np.array([5.0]), np.array([1.0, 2.0]), np.array([1.0])
    one = enclose_least(x, y, w, dual, 1e-9, of_l1=of_l1)
    moved = enclose_least(
        x, np.ldexp(y, unit), np.ldexp(w, unit), dual if of_l1 else np.ldexp(dual, unit), 1e-9, of_l1=of_l1
    )
    assert (moved.low, moved.high) == (math.ldexp(one.low, unit), math.ldexp(one.high, unit))
