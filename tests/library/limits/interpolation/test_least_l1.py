"""The least ℓ1 norm against every other interpolator, by each of the ways that lead to it."""

import sys

import numpy as np
import pytest

from implicit_bias.data import sparse_regression
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import least_l1

MODULE = sys.modules[least_l1.__module__]
WAYS = ("_on_face", "_at_vertex", "_by_linear_program")


def by_linear_program(rows, labels):
    yield MODULE._by_linear_program(rows, labels)


def normal(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def test_least_l1_beats_every_other_interpolator(regression):
    x, y = regression.x, regression.y
    answer = least_l1(x, y)
    kernel = np.linalg.svd(x)[2][6:]
    for step in np.random.default_rng(0).standard_normal((500, 6)):
        assert np.abs(answer.w + step @ kernel).sum() >= np.abs(answer.w).sum()


X, EQUAL = normal(0, 20, 80), normal(1, 20, 40)
PROBLEMS = {
    "generic": (X, normal(2, 20), "_at_vertex"),
    "whole numbers": (np.round(X), np.arange(20.0) - 7, "_at_vertex"),
    "signs": (np.sign(X), normal(2, 20), "_at_vertex"),
    "one mean": (X + 3 * normal(4, 20, 1), normal(2, 20), "_at_vertex"),
    "columns of all lengths": (X * 10.0 ** np.linspace(-4, 4, 80), normal(2, 20), "_at_vertex"),
    "as many unknowns": (X[:, :20], normal(2, 20), "_at_vertex"),
    "labels of all sizes": (X, normal(2, 20) * 10.0 ** -np.arange(0.0, 200, 10), "_at_vertex"),
    "fewer nonzeros than equations": (X, X[:, :3].sum(axis=1), "_on_face"),
    "equal columns": (np.hstack([EQUAL, EQUAL]), normal(2, 20), "_by_linear_program"),
    "opposite columns": (np.hstack([EQUAL, -EQUAL]), normal(2, 20), "_by_linear_program"),
    "equal rows": (np.vstack([X, X[:2]]), np.append(normal(2, 20), normal(2, 20)[:2]), "_by_linear_program"),
    "fewer unknowns": (X[:, :4], X[:, :4].sum(axis=1), "_by_linear_program"),
    "no labels": (X, np.zeros(20), "_by_linear_program"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_each_way_leads_to_the_least_norm_and_the_linear_program_is_the_last(monkeypatch, name):
    x, y, way = PROBLEMS[name]
    last = []
    for one in WAYS:
        original = getattr(MODULE, one)
        monkeypatch.setattr(MODULE, one, lambda *a, one=one, call=original: (last.append(one), call(*a))[1])
    answer = least_l1(x, y)
    assert ("_by_linear_program" in last) == (way == "_by_linear_program")
    assert way in last
    assert answer.certificate.worst <= 1e-10
    monkeypatch.setattr(MODULE, "_answers", by_linear_program)
    known = least_l1(x, y)
    assert np.abs(answer.w).sum() == pytest.approx(np.abs(known.w).sum(), rel=1e-12)
    if way == "_at_vertex":
        np.testing.assert_array_equal(answer.w, known.w)  # the same equations, solved once
        np.testing.assert_array_equal(answer.dual, known.dual)
    if way == "_on_face":
        np.testing.assert_allclose(answer.w, np.arange(80) < 3, rtol=1e-12)


def test_two_hundred_equations_need_no_linear_program(monkeypatch):
    monkeypatch.setattr(MODULE, "_by_linear_program", None)
    for problem in (sparse_regression(np.random.default_rng(seed), 200, 800) for seed in range(3)):
        assert least_l1(problem.x, problem.y).certificate.worst <= 1e-10


def test_the_linear_program_is_mended_where_rough_and_refused_at_another_vertex(monkeypatch, regression):
    monkeypatch.setattr(MODULE, "_answers", by_linear_program)
    right, problem = MODULE.linprog, (regression.x, regression.y)
    expected = least_l1(*problem)

    def spoiled(change):
        def solver(*args, **kwargs):
            answer = right(*args, **kwargs)
            change(answer)
            return answer

        return solver

    def rough(answer):
        answer.x, answer.eqlin.marginals = answer.x * 0.9, answer.eqlin.marginals * 1.1

    def another(answer):
        answer.x = np.roll(answer.x, 1)

    monkeypatch.setattr(MODULE, "linprog", spoiled(rough))
    np.testing.assert_array_equal(least_l1(*problem).w, expected.w)
    monkeypatch.setattr(MODULE, "linprog", spoiled(another))
    with pytest.raises(CertificateError, match="is not certified"):
        least_l1(*problem)


def test_pivots_that_lead_elsewhere_are_not_believed(monkeypatch, regression):
    expected = least_l1(regression.x, regression.y)
    for wrong in ((np.arange(6), np.ones(6)), None):
        monkeypatch.setattr(MODULE, "best_basis", lambda *a, wrong=wrong: wrong)
        np.testing.assert_array_equal(least_l1(regression.x, regression.y).w, expected.w)


def test_equations_without_a_solution_are_refused():
    with pytest.raises(CertificateError, match="was not found"):
        least_l1([[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0])


def test_labels_that_only_rounding_meets_are_refused_with_the_answer_and_the_proved_norm():
    x = np.array([[5.0, 0.0, -3.0, 1.0], [0.0, -1.0, 3.0, 0.0], [2.0, 0.0, 0.0, 1.0]])
    x *= np.array([[7.992058979851953e-142], [6.689741787240736e-155], [3.4038215906481116e-150]])
    y = np.array([0.0, 2.006922536172220e-154, -2.042292954388867e-149])  # X(2, −3, 0, −10) but for rounding
    with pytest.raises(CertificateError, match="primal residual") as refused:
        least_l1(x, y)
    np.testing.assert_allclose(refused.value.answer.w, [2, -3, 0, -10], rtol=1e-9)
    assert refused.value.certificate.primal > 1e-9  # of labels that are 1e-8 of the largest row, times w, at most
    assert refused.value.certificate.enclosure.low <= 15 * (1 + 1e-9)
    assert refused.value.certificate.enclosure.width <= 1e-9
