"""The margin of convex combinations: games whose value is known, and another program for the same."""

import sys

import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import l1_max_margin, simplex_margin


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
