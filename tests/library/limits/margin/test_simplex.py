"""The margin of convex combinations: games whose value is known, and another program for the same."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import l1_max_margin, simplex_margin
from implicit_bias.limits.margin.simplex import certify_simplex_margin


def test_games_of_known_value():
    answer = simplex_margin([[1.0, -1.0], [-1.0, 1.0]])
    assert answer.margin == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(answer.a, [0.5, 0.5])
    np.testing.assert_allclose(answer.p, [0.5, 0.5])
    answer = simplex_margin(np.diag([1.0, 2.0, 4.0]))  # 1/Σ(1/d_i), with a and p in proportion to 1/d_i
    assert answer.margin == pytest.approx(4 / 7, rel=1e-14)
    np.testing.assert_allclose(answer.a, [4 / 7, 2 / 7, 1 / 7])
    np.testing.assert_allclose(answer.p, answer.a)
    answer = simplex_margin([[1.0, -3.0, 0.5], [1.0, 2.0, 0.7]])  # one feature alone
    assert answer.margin == 1.0
    np.testing.assert_array_equal(answer.a, [1.0, 0.0, 0.0])
    assert simplex_margin([[-1.0], [-2.0]]).margin == -2.0
    assert simplex_margin(np.zeros((2, 3))).margin == 0.0  # the equations of its vertices are singular


@pytest.mark.parametrize("seed", range(5))
def test_with_both_signs_it_is_the_l1_maximum_margin(seed):
    z = np.random.default_rng(seed).standard_normal((6, 9))
    margin = simplex_margin(np.hstack([z, -z])).margin
    assert margin == pytest.approx(1 / np.abs(l1_max_margin(z).w).sum(), rel=1e-10)
    assert margin >= simplex_margin(z).margin - 1e-12


def test_a_solver_that_gives_up_or_is_wrong_is_refused(monkeypatch):
    module = sys.modules["implicit_bias.limits.margin.simplex"]
    right = module.linprog

    def gives_up(*args, **kwargs):
        answer = right(*args, **kwargs)
        answer.status, answer.message = 4, "too hard"
        return answer

    def wrong(*args, **kwargs):
        answer = right(*args, **kwargs)
        answer.x = np.array([1.0, 0.0, 0.0, answer.x[-1]])
        return answer

    for solver, words in ((gives_up, "was not found: too hard"), (wrong, "is not certified")):
        monkeypatch.setattr(module, "linprog", solver)
        with pytest.raises(CertificateError, match=words):
            simplex_margin(np.diag([1.0, 2.0, 4.0]))


@pytest.mark.parametrize("unit", [1.0, 1e-150, 1e150])
@pytest.mark.parametrize("seed", range(8))
def test_the_enclosure_is_that_of_fractions(seed, unit):
    """Any a and p bound the value from both sides; the best ones to 1e-13 of the largest feature."""
    stream = np.random.default_rng(seed)
    n, m = stream.integers(1, 8, 2)
    z = unit * (stream.standard_normal((n, m)) - 0.5)
    answer = simplex_margin(z)
    assert answer.certificate.enclosure.high - answer.certificate.enclosure.low <= 1e-13 * np.abs(z).max()
    for a, p in ((answer.a, answer.p), (stream.uniform(-0.1, 1, m), stream.uniform(-0.1, 1, n))):
        found = certify_simplex_margin(z, a, p).enclosure
        held, weights = ([max(Fraction(float(v)), Fraction(0)) for v in part] for part in (a, p))
        exact = [[Fraction(float(v)) for v in row] for row in z]
        least = min(sum(v * w for v, w in zip(row, held, strict=True)) for row in exact) / sum(held)
        most = max(sum(row[j] * w for row, w in zip(exact, weights, strict=True)) for j in range(m)) / sum(weights)
        assert Fraction(found.low) <= least <= most <= Fraction(found.high)
        assert float(least) == pytest.approx(found.low, rel=1e-9, abs=1e-14 * unit)
        assert float(most) == pytest.approx(found.high, rel=1e-9, abs=1e-14 * unit)


def test_an_enclosure_wider_than_asked_for_is_refused_with_the_answer():
    z = np.random.default_rng(0).standard_normal((6, 9))
    answer = simplex_margin(z)
    with pytest.raises(CertificateError, match="it is proved to lie between .* of the largest") as refused:
        simplex_margin(z, tol=1e-18)
    np.testing.assert_array_equal(refused.value.answer.a, answer.a)
    assert refused.value.certificate.enclosure.low <= answer.margin <= refused.value.certificate.enclosure.high
    game = np.array([[1.0, -1.0], [-1.0, 1.0 + 2.0**-50]])  # of a value near 0: the width is one of the features
    assert abs(simplex_margin(game).margin) < 1e-15
    for wrong in (np.full(9, np.nan), np.zeros(9), -np.ones(9)):
        assert certify_simplex_margin(z, wrong, answer.p).enclosure.width == np.inf
        assert certify_simplex_margin(z.T, answer.p, wrong).enclosure.width == np.inf
    with pytest.raises(ValueError, match="tol is 0"):
        simplex_margin(z, tol=0)
