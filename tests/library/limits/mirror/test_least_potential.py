"""The interpolant of least potential: closed forms, a conic solver, large labels, what it refuses."""

from dataclasses import dataclass

import cvxpy as cp
import mpmath
import numpy as np
import pytest
from library.limits.by_digits import least

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.mirror import least_potential
from implicit_bias.limits.mirror.least_potential import enclose_potential
from implicit_bias.potentials import Cosh, Cubic, Quadratic, Quartic
from implicit_bias.scaled_potentials import Scaled

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


OMEGA = mpmath.mpf(0.3)  # the float
BY_DIGITS = {  # φ − φ(0) and the inverse of φ′, by roots of another form than the library's
    Quadratic(): (lambda x: x**2, lambda z: z / 2),
    Cubic(0.3): (
        lambda x: abs(x) ** 3 + OMEGA * x**2,
        lambda z: mpmath.sign(z) * (mpmath.sqrt(OMEGA**2 + 3 * abs(z)) - OMEGA) / 3,
    ),
    Quartic(0.3): (
        lambda x: x**4 + OMEGA * x**2,
        lambda z: mpmath.findroot(lambda x: 4 * x**3 + 2 * OMEGA * x - z, z / (2 * OMEGA + abs(z) ** 0.7), tol=1e-90),
    ),
    Cosh(): (lambda x: mpmath.cosh(x) - 1, mpmath.asinh),
    Scaled(Cosh(), over=0.3, width=7.0): (
        lambda x: (mpmath.cosh(7 * x) - 1) / (49 * OMEGA),
        lambda z: mpmath.asinh(7 * OMEGA * z) / 7,
    ),
}


@pytest.mark.parametrize("potential", BY_DIGITS, ids=repr)
@pytest.mark.parametrize("size", [1e-2, 1.0, 8.0])
def test_the_least_value_of_sixty_digits_is_enclosed(potential, size):
    stream, y = np.random.default_rng(1), size * Y
    answer = least_potential(F, y, potential)
    best, (value, inverse) = answer.certificate.enclosure, BY_DIGITS[potential]
    with mpmath.workdps(60):
        truth = least(
            F, y, answer.charges, lambda z: [inverse(one) for one in z], lambda u: mpmath.fsum(value(one) for one in u)
        )
        assert best.low <= truth <= best.high
        assert best.width <= 1e-12
        for miss in (1e-8, 1e-4):
            u = answer.u * (1 + miss * stream.standard_normal(8))
            wide = enclose_potential(F, y, potential, u, answer.charges * (1 + miss * stream.standard_normal(3)))
            assert wide.low <= truth <= wide.high
            assert best.width < wide.width
            assert size > 1 or wide.width < 300 * miss


def test_of_a_potential_of_others_nothing_is_proved():
    @dataclass
    class Mine:
        """x² by another name."""

        value, slope = Quadratic.value, Quadratic.slope
        curvature, inverse_slope = Quadratic.curvature, Quadratic.inverse_slope

    answer = least_potential(F, Y, Mine())
    assert answer.certificate.enclosure is None
    assert answer.value == pytest.approx(least_potential(F, Y, Quadratic()).value)


def test_what_is_not_proved_is_refused_with_the_answer():
    with pytest.raises(CertificateError, match="is not certified") as refused:
        least_potential(F, Y, Cubic(), tol=1e-17)
    np.testing.assert_allclose(F @ refused.value.answer.u, Y)
    assert enclose_potential(F, Y, Cubic(), np.full(8, np.nan), Y).width == np.inf


def test_from_a_shorter_point_without_multipliers():
    answer = least_potential(F, Y, Quadratic())
    wide = enclose_potential(F, Y, Quadratic(), 0.99 * answer.u, np.zeros(3))
    assert wide.low == 0
    assert answer.certificate.enclosure.high <= wide.high <= 2 * answer.value


@pytest.mark.parametrize("potential", BY_DIGITS, ids=repr)
def test_beside_the_best_point_the_bounds_are_off_to_second_order(potential):
    stream, answer = np.random.default_rng(2), least_potential(F, Y, potential)
    best = answer.certificate.enclosure
    for miss in (1e-4, 1e-5):
        wide = enclose_potential(F, Y, potential, answer.u + miss * stream.standard_normal(8), answer.charges)
        assert wide.high - best.low <= 5e3 * miss**2
        assert best.high - wide.low <= 5e3 * miss**2


@pytest.mark.parametrize("potential", BY_DIGITS, ids=repr)
def test_of_small_labels_the_lower_bound_is_the_least_value_however_far_off_the_point_is(potential):
    """Near 0 each potential is a square of the curvature φ″(0): with a larger one the bound would be none."""
    stream, y = np.random.default_rng(2), 1e-3 * Y
    answer = least_potential(F, y, potential)
    best, size = answer.certificate.enclosure, np.abs(answer.u).max()
    wide = enclose_potential(F, y, potential, answer.u + 0.1 * size * stream.standard_normal(8), answer.charges)
    assert best.high * (1 - 0.1) <= wide.low <= best.high
