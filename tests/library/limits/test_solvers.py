"""What the solvers of the limits share: Newton's direction, the line search, and how Clarabel is asked."""

import cvxpy
import numpy as np
import pytest

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.solvers import ARMIJO, armijo_step, clarabel, gram_inverse, newton_direction

HESSIAN = np.array([[2.0, 1.0], [1.0, 3.0]])


def test_newtons_direction_leads_to_the_minimum_of_a_parabola():
    minimum = np.array([1.0, -2.0])
    np.testing.assert_allclose(newton_direction(HESSIAN, HESSIAN @ minimum, "it"), minimum, rtol=1e-14)


@pytest.mark.parametrize("hessian", [np.ones((2, 2)) - 2 * np.eye(2), np.full((2, 2), np.nan)])
def test_a_hessian_that_is_not_positive_definite_gives_no_direction(hessian):
    with pytest.raises(CertificateError, match="^it was not found: "):
        newton_direction(hessian, np.ones(2), "it")


@pytest.mark.parametrize(("precision", "rtol"), [(np.float64, 1e-12), (np.float32, 1e-4)])
def test_the_inverse_of_a_gram_matrix_keeps_the_precision(precision, rtol):
    rows = np.random.default_rng(0).standard_normal((5, 9)).astype(precision)
    found = gram_inverse(rows)((rows @ rows.T) @ np.arange(5, dtype=precision))
    assert found.dtype == precision
    np.testing.assert_allclose(found, np.arange(5), rtol=rtol, atol=rtol)


@pytest.mark.parametrize("spoiled", [0.0, np.nan, np.inf])
@pytest.mark.parametrize("row", [0, 2])
def test_a_gram_matrix_that_is_singular_or_no_number_has_no_inverse(spoiled, row):
    rows = np.eye(3, 4)
    rows[row] = spoiled
    with pytest.raises(np.linalg.LinAlgError, match="its Hessian has no Cholesky factors"):
        gram_inverse(rows)


@pytest.mark.parametrize(("length", "step"), [(1.0, 1.0), (2.1, 0.5), (5.0, 0.25), (1000.0, 1 / 512)])
def test_the_longest_step_that_lowers_enough_is_taken(length, step):
    """Along −length from 1, x²/2 falls by s·length − (s·length)²/2: more than 1e-4 s·length while s·length < 2."""

    def f(x):
        return float(x @ x) / 2

    assert armijo_step(f, np.ones(1), np.array([-length]), length, 60) == step


def test_a_step_must_lower_by_its_share_of_the_slope():
    for share, step in ((ARMIJO * 1.01, 1.0), (ARMIJO * 0.99, 0.0)):
        assert armijo_step(lambda x, share=share: -share * float(x[0]), np.zeros(1), np.ones(1), 1.0, 5) == step


def test_the_rounding_of_the_value_is_forgiven_where_it_is_stated():
    def rounded(x):
        return 1.0 + (1e-13 if x[0] else 0.0)

    ask = (rounded, np.zeros(1), np.ones(1), 1e-12, 10)
    assert armijo_step(*ask) == 0
    assert armijo_step(*ask, rounding=1e-12) == 1


def test_no_step_is_said_by_zero_and_an_infinite_start_is_left():
    assert armijo_step(lambda x: float(x[0]), np.zeros(1), np.ones(1), 1.0, 60) == 0
    assert armijo_step(lambda x: np.inf if x[0] == 0 else 1.0, np.zeros(1), np.ones(1), 1.0, 60) == 1


def test_clarabel_answers_to_ten_digits_and_says_what_has_no_optimum():
    x = cvxpy.Variable(2)
    clarabel(cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x)), [x[0] + 2 * x[1] == 5]))
    np.testing.assert_allclose(x.value, [1, 2], rtol=1e-10)
    with pytest.raises(CertificateError, match="Clarabel says infeasible"):
        clarabel(cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x)), [x[0] >= 1, x[0] <= 0]))


def test_where_clarabel_gives_up_larger_residuals_are_allowed_but_no_wider_gap(monkeypatch):
    right, allowed = cvxpy.Problem.solve, []

    def failing(self, *args, tol_feas, tol_gap_abs, tol_gap_rel, **kwargs):
        assert tol_gap_abs == tol_gap_rel == 1e-13
        allowed.append(tol_feas)
        if len(allowed) <= times:
            raise cvxpy.SolverError("Solver 'CLARABEL' failed.\nTry another.")
        return right(self, *args, tol_feas=tol_feas, tol_gap_abs=tol_gap_abs, tol_gap_rel=tol_gap_rel, **kwargs)

    monkeypatch.setattr(cvxpy.Problem, "solve", failing)
    x = cvxpy.Variable(2)
    for times in range(3):
        allowed = []
        clarabel(cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x)), [x[0] + 2 * x[1] == 5]))
        np.testing.assert_allclose(x.value, [1, 2], rtol=1e-10)
        assert allowed == [1e-13, 1e-11, 1e-9][: times + 1]
    allowed, times = [], 3
    with pytest.raises(CertificateError, match="Clarabel failed") as refused:
        clarabel(cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x)), [x[0] + 2 * x[1] == 5]))
    assert "\n" not in str(refused.value)
