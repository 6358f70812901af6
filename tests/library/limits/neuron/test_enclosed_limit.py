"""What is proved of a neuron's limit holds in 60 digits, by either bound of a right inverse."""

import mpmath
import numpy as np
import pytest

from implicit_bias.limits.certificate import UNKNOWN, Enclosure
from implicit_bias.limits.neuron import enclosed_limit
from implicit_bias.limits.neuron.enclosed_limit import enclose_limit, nearest_multipliers

DIGITS = 60


def size_of_the_limit(x, y, a0, w0):
    """|a(∞)| by its formula, in 60 digits."""
    rows, labels, start = (mpmath.matrix(part.tolist()) for part in (x, y, w0))
    gram, seen = rows * rows.T, rows * start
    s = (labels.T * mpmath.lu_solve(gram, labels))[0]
    squares = (start.T * start)[0]
    b = mpmath.mpf(a0) ** 2 - squares + squares - (seen.T * mpmath.lu_solve(gram, seen))[0]
    root = mpmath.sqrt(b * b + 4 * s)
    return mpmath.sqrt((root + b) / 2 if b > 0 else 2 * s / (root - b))


def drawn(stream, unit, condition):
    x, y, w0 = stream.standard_normal((3, 6)), stream.standard_normal(3), stream.standard_normal(6)
    x[1] = x[0] + condition * x[1]
    return unit * x * np.array([[1.0], [1e3], [1e-4]]), unit * y, w0


@pytest.mark.parametrize("unit", [1.0, 1e-100, 1e100])
@pytest.mark.parametrize("condition", [1.0, 1e-4, 1e-8])
@pytest.mark.parametrize("a0", [2.0, 1e-3])
def test_it_holds_the_limit(unit, condition, a0):
    stream = np.random.default_rng(0)
    with mpmath.workdps(DIGITS):
        for _ in range(5):
            x, y, w0 = drawn(stream, unit, condition)
            truth = size_of_the_limit(x, y, a0, w0)
            known = nearest_multipliers(x, y, w0)
            off = known if known is None else known * (1 + 1e-7 * stream.standard_normal(known.shape))
            for nearest, tol in ((known, 1e300), (off, 1e300), (known, 1e-9), (None, 1e-9), (None, 1e-300)):
                found = enclose_limit(x, y, a0, w0, tol, nearest)
                assert found.low <= truth <= found.high
                assert found.width <= 1e-13 / condition or tol > 1


def test_a_wrong_multiplier_only_widens_it():
    """Of w_1 and w_2 = 0.3 and 0.4: s = ½, and P⊥w(0) is the third coordinate; both bounds of both are used."""
    x, y, w0 = np.eye(2, 3), np.array([0.3, 0.4]), np.array([0.1, 0.2, 0.3])
    truth = [enclose_limit(x, y, a0, w0, 1.0, nearest_multipliers(x, y, w0)) for a0 in (2.0, 0.05)]
    for a0, best in zip((2.0, 0.05), truth, strict=True):
        assert best.width < 1e-14
        for across in ([0.3, 0.5], [0.2, 0.4]):
            for along in ([0.1, 0.3], [0.0, 0.2]):
                found = enclose_limit(x, y, a0, w0, 1.0, np.array([across, along]))
                assert found.low < best.low
                assert best.high < found.high
                assert found.width < 0.6


def test_multipliers_that_do_not_settle_are_none():
    stream = np.random.default_rng(1)
    x, y, w0 = drawn(stream, 1.0, 1.0)
    assert nearest_multipliers(np.vstack([x, x[:1]]), np.append(y, y[0]), w0) is None
    assert nearest_multipliers(1e200 * x, y, w0) is None
    found = nearest_multipliers(x, y, w0, w0 - 1)
    np.testing.assert_allclose(found[0] @ x, np.linalg.pinv(x) @ y, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found[2] @ x, np.linalg.pinv(x) @ (x @ (w0 - 1)), rtol=1e-9, atol=1e-12)


def test_what_no_number_holds_is_unknown():
    x, y, w0 = np.eye(2, 3), np.ones(2), np.ones(3)
    for wrong in (np.nan, np.inf):
        assert enclose_limit(x, y, wrong, w0, 1e-9, None) is UNKNOWN
        assert enclose_limit(x, np.full(2, wrong), 1.0, w0, 1e-9, None) is UNKNOWN
        assert enclose_limit(x, y, 1.0, w0, 1e-9, np.full((2, 2), wrong)).width < 1e-9  # by the other way
    assert enclose_limit(np.array([[1e308, 5e-324]]), np.ones(1), 1.0, np.ones(2), 1e-9, None) is UNKNOWN
    twice = np.ones((2, 3))
    assert enclose_limit(twice, np.array([1.0, 2.0]), 1.0, w0, 1e-9, None) is UNKNOWN
    assert enclose_limit(twice, np.ones(2), 1.0, w0, 1e-9, None).width < 1e-9


def test_many_equations_need_no_inverse(monkeypatch):
    stream = np.random.default_rng(2)
    x, y, w0 = stream.standard_normal((60, 600)), stream.standard_normal(60), np.full(600, 0.1)
    known = nearest_multipliers(x, y, w0)
    other = enclose_limit(x, y, 1.0, w0, 1e-9, None)
    monkeypatch.setattr(enclosed_limit, "solvable", None)
    found = enclose_limit(x, y, 1.0, w0, 1e-9, known)
    assert found.width < 1e-10
    assert max(found.low, other.low) <= min(found.high, other.high)
    assert isinstance(found, Enclosure)


@pytest.mark.parametrize("a0", [2.0, 1.0])
def test_labels_of_0_leave_what_never_moves(a0):
    """P⊥w(0) is the third coordinate, 0.3: a² = a(0)² − 0.1² − 0.2²."""
    x, w0 = np.eye(2, 3), np.array([0.1, 0.2, 0.3])
    for nearest in (nearest_multipliers(x, np.zeros(2), w0), None):
        found = enclose_limit(x, np.zeros(2), a0, w0, 1e-9, nearest)
        assert found.low <= np.sqrt(a0**2 - 0.05) * (1 + 1e-15)
        assert np.sqrt(a0**2 - 0.05) * (1 - 1e-15) <= found.high
        assert found.width < 1e-14
