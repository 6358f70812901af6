"""The interpolant of least potential: closed forms, a conic solver, large labels, what it refuses."""

import cvxpy as cp
import numpy as np
import pytest

from implicit_bias.limits.mirror import least_potential
from implicit_bias.potentials import Cosh, Cubic, Quadratic, Quartic

STREAM = np.random.default_rng(0)
F, Y = STREAM.standard_normal((3, 8)), STREAM.standard_normal(3)


def test_with_a_quadratic_it_is_the_least_norm():
    answer = least_potential(F, Y, Quadratic())
    expected = np.linalg.pinv(F) @ Y
    np.testing.assert_allclose(answer.u, expected, rtol=1e-10)
    assert answer.value == pytest.approx(expected @ expected)


@pytest.mark.parametrize(("potential", "power"), [(Cubic(0.5), 3), (Quartic(0.5), 4)])
def test_a_conic_solver_finds_the_same(potential, power):
    u = cp.Variable(8)
    problem = cp.Problem(cp.Minimize(cp.sum(cp.power(cp.abs(u), power) + 0.5 * cp.square(u))), [F @ u == Y])
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    answer = least_potential(F, Y, potential)
    np.testing.assert_allclose(answer.u, u.value, atol=1e-4)
    assert answer.value == pytest.approx(problem.value, rel=1e-7)


@pytest.mark.parametrize("potential", [Cubic(), Quartic(), Cosh(), Cubic(1e-6)], ids=repr)
@pytest.mark.parametrize("size", [0.0, 1e-6, 1.0, 30.0])
def test_it_is_certified_at_all_sizes_of_labels(potential, size):
    answer = least_potential(F, size * Y, potential)
    np.testing.assert_allclose(F @ answer.u, size * Y, atol=1e-9 * size)
    assert answer.certificate.worst <= 1e-10


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: least_potential(np.ones((2, 3)), Y[:2], Cubic()), "features has rank 1; it must have full rank 2"),
        (lambda: least_potential(F, Y[:2], Cubic()), "y has shape"),
    ],
)
def test_bad_problems_are_refused_in_one_line(call, said):
    with pytest.raises(ValueError, match=said) as refused:
        call()
    assert "\n" not in str(refused.value)
