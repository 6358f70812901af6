"""The way to the least ℓ1 norm: near it in single precision, then pivots to a basis whose multipliers prove it."""

import numpy as np
import pytest
from scipy.optimize import linprog

from implicit_bias.data import sparse_regression
from implicit_bias.limits.interpolation import least_norm
from implicit_bias.limits.interpolation.l1_basis import NEAR, best_basis, near_least_l1


@pytest.fixture(params=[(20, 100), (20, 25), (1, 3)], ids=str)
def problem(request):
    one = sparse_regression(np.random.default_rng(2), *request.param, nonzeros=1)
    return one.x, one.y


def least(x, y):
    d = x.shape[1]
    return linprog(np.ones(2 * d), A_eq=np.hstack([x, -x]), b_eq=y, bounds=(0, None), method="highs").fun


def test_the_interior_point_method_comes_near_from_both_sides(problem):
    x, y = problem
    near, known = near_least_l1(x, y), least(x, y)
    assert known - 1e-3 <= np.abs(near.w).sum() <= known * (1 + 2 * NEAR)
    assert known * (1 - 2 * NEAR) <= near.dual @ y <= known + 1e-3
    assert np.abs(near.dual @ x).max() <= 1 + 1e-5
    np.testing.assert_allclose(x @ near.w, y, atol=1e-3)


def test_dependent_rows_are_refused_and_what_overflows_is_given_up():
    with pytest.raises(np.linalg.LinAlgError):
        near_least_l1(np.ones((2, 3)), np.ones(2))
    assert np.all(np.isfinite(near_least_l1(np.eye(2, 3), np.array([1.0, 1e-200])).w))


@pytest.mark.parametrize("far", [False, True])
def test_pivots_arrive_from_near_and_from_far(problem, far):
    x, y = problem
    basis, signs = best_basis(x, y, least_norm(x, y).w if far else near_least_l1(x, y).w)
    w, dual = np.linalg.solve(x[:, basis], y), np.linalg.solve(x[:, basis].T, signs)
    np.testing.assert_array_equal(np.sign(w), signs)
    assert np.all(np.diff(basis) > 0)
    assert np.abs(dual @ x).max() <= 1 + 1e-10
    assert dual @ y == pytest.approx(least(x, y), rel=1e-9)


def test_pivots_leave_a_degenerate_vertex():
    """Half of the coordinates of every basis are 0: which multipliers prove the vertex is found all the same."""
    stream = np.random.default_rng(0)
    x = stream.standard_normal((20, 60))
    y = x[:, :3].sum(axis=1)
    basis, signs = best_basis(x, y, np.where(np.arange(60) < 20, 1.0, 0.0))
    assert np.abs(np.linalg.solve(x[:, basis].T, signs) @ x).max() <= 1 + 1e-10
    w = np.linalg.solve(x[:, basis], y)
    np.testing.assert_allclose(w[np.isin(basis, range(3))], 1, rtol=1e-12)
    assert np.abs(w).sum() == pytest.approx(3, rel=1e-12)


def test_a_singular_basis_is_refused_and_no_number_comes_to_no_end():
    with pytest.raises(np.linalg.LinAlgError):
        best_basis(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]), np.ones(2), np.array([2.0, 2.0, 1.0]))
    assert best_basis(np.array([[1e-200, 1e200]]), np.array([1e200]), np.array([1.0, 0.0])) is None
