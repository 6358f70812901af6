"""The function of least divergence: algebra for φ = u², a convex program, finite sums, certificates, refusals."""

import sys
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tiers import thinned

from implicit_bias.data import BiasLaw
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.mirror import bregman_function, bregman_program
from implicit_bias.limits.mirror.bregman import _certify, _dual, _dual_value, _edges, _rule
from implicit_bias.limits.solvers import newton_direction
from implicit_bias.potentials import Cosh, Cubic, Quadratic, Quartic

X = np.array([-1.5, -0.9, -0.3, 0.4, 1.0, 1.6])
Y = np.array([0.2, -0.2, 0.15, -0.1, 0.2, -0.15])
LAWS = [BiasLaw(2.0), BiasLaw(2.0, "parabolic")]
POTENTIALS = [Quadratic(), Cubic(), Quartic(), Cosh()]
AT = np.linspace(-2, 2, 81)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_a_quadratic_leads_to_the_kernel(law):
    b = law.quantile((np.arange(100_000) + 0.5) / 100_000)
    sides, seen = np.abs(X[:, None] - b), np.abs(AT[:, None] - b)
    expected = seen @ sides.T @ np.linalg.solve(sides @ sides.T, Y)
    found = bregman_function(X, Y, law, Quadratic())
    np.testing.assert_allclose(found.predict(AT), expected, atol=1e-7)
    np.testing.assert_allclose(found.kernel, sides @ sides.T / b.size / 2, rtol=1e-7)


@pytest.mark.parametrize(("law", "potential"), thinned(product(LAWS, POTENTIALS), every=3), ids=repr)
def test_function_curvature_value_and_kernel_fit_together(law, potential):
    found = bregman_function(X, Y, law, potential, constant=0.1)
    assert found.certificate.worst < 1e-10
    np.testing.assert_allclose(found.predict(X), Y, atol=1e-11)
    h, at = 1e-3, np.array([-1.7, -1.0, 0.0, 0.55, 1.8])
    second = (found.predict(at + h) - 2 * found.predict(at) + found.predict(at - h)) / h**2
    np.testing.assert_allclose(found.curvature(at), second, rtol=1e-2, atol=1e-3)
    np.testing.assert_allclose(np.diff(found.predict([2.0, 3.0, 4.0, 5.0]), 2), 0, atol=1e-10)
    np.testing.assert_array_equal(found.curvature([2.5, -3.0]), 0)
    b = np.linspace(-2, 2, 400_001)
    alpha, mass, gamma = found.coefficient(b), law.density(b), np.array([found.offset])
    zero = potential.value(np.zeros(1))[0]
    value = np.trapezoid((potential.value(alpha) - zero) * mass, b) + 0.1 * (potential.value(gamma)[0] - zero)
    assert found.value == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(
        potential.slope(alpha[::4000]), np.abs(b[::4000, None] - X) @ found.charges, rtol=1e-9, atol=1e-9
    )
    seen = np.abs(X[:, None] - b)
    kernel = np.trapezoid(seen[:, None] * seen * mass / potential.curvature(alpha), b)
    np.testing.assert_allclose(found.kernel, kernel + 0.1 / potential.curvature(gamma), rtol=1e-4)


@pytest.mark.parametrize("potential", POTENTIALS, ids=repr)
def test_no_other_interpolant_has_less(potential):
    found, stream = bregman_function(X, Y, LAWS[0], potential), np.random.default_rng(0)
    for _ in range(5):
        z = np.append(X, stream.uniform(-2, 2, 2))
        moved = np.append(Y, found.predict(z[-2:]) + 0.01 * stream.standard_normal(2))
        assert bregman_function(z, moved, LAWS[0], potential).value > found.value


@pytest.mark.parametrize(("power", "potential"), [(2, Quadratic()), (3, Cubic(0.5)), (4, Quartic(0.5))])
@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_a_convex_program_on_a_grid_leads_to_the_same_function(power, potential, law):
    found = bregman_function(X, Y, law, potential).predict(AT)
    errors = []
    for cells in (200, 1600):
        b, weights = bregman_program(X, Y, law, power, 0.5, cells)
        errors.append(np.max(np.abs(np.abs(AT[:, None] - b) @ weights - found)))
    assert errors[1] < 1e-4
    assert errors[1] < errors[0] / 4


def test_the_constant_takes_over_where_it_is_cheap():
    found = bregman_function(X, np.full(6, 3.0), LAWS[0], Quadratic(), constant=1e8)
    np.testing.assert_allclose(found.predict(AT), 3, atol=1e-6)
    assert found.constant * found.offset == pytest.approx(3, abs=1e-6)


def test_labels_too_small_for_the_program_are_said_to_be():
    with pytest.raises(CertificateError, match="measure the data in another unit"):
        bregman_program(X, 1e-200 * Y, LAWS[0], 4, 1.0, 20)


def test_labels_of_zero_lead_to_zero():
    found = bregman_function(X, 0 * Y, LAWS[0], Cubic())
    np.testing.assert_array_equal(found.predict(AT), 0)
    assert found.value == 0


def test_a_break_of_the_density_may_be_anywhere():
    one, other = (bregman_function(X, Y, LAWS[0], Quartic(), breaks=breaks) for breaks in (None, [0.1, -1.2]))
    np.testing.assert_allclose(one.predict(AT), other.predict(AT), atol=1e-11)


def test_charges_that_are_wrong_are_not_certified():
    found = bregman_function(X, Y, LAWS[0], Cubic())
    wrong = replace(found, charges=found.charges * (1 + 1e-6))
    certificate = _certify(wrong, Y)
    assert certificate.primal > 1e-8
    with pytest.raises(CertificateError, match="it is not certified"):
        certificate.demand(1e-9, "it")
    other = replace(found, potential=Quartic())  # an α that is not that of the charges' potential misses its data
    assert _certify(other, Y).worst > 1e-3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: bregman_function([0.0, 0.0], [1.0, 2.0], LAWS[0], Cubic()), "x holds a place twice"),
        (
            lambda: bregman_function([0.0, 2.5], [1.0, 2.0], LAWS[0], Cubic()),
            "x holds 2.5; every place must lie within",
        ),
        (lambda: bregman_function([0.0, 1.0], [1.0], LAWS[0], Cubic()), "y has shape"),
        (lambda: bregman_function([0.0], [1.0], LAWS[0], Cubic(), constant=-1.0), "constant is -1"),
        (lambda: bregman_function([0.0], [1.0], LAWS[0], Cubic(), breaks=[]), "breaks has shape"),
        (lambda: bregman_program([0.0, 2.5], [1.0, 2.0], LAWS[0], 3, 1.0), "x holds 2.5; every place must lie within"),
        (lambda: bregman_program([0.0], [1.0], LAWS[0], 5, 1.0), "power is 5"),
        (lambda: bregman_program([0.0], [1.0], LAWS[0], 3, -1.0), "omega is -1"),
        (lambda: bregman_program([0.0], [1.0], LAWS[0], 3, 1.0, 2), "cells is 2"),
    ],
)
def test_bad_problems_are_refused_in_one_line(call, said):
    with pytest.raises(ValueError, match=said) as refused:
        call()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("potential", POTENTIALS, ids=repr)
@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_moments_of_pieces_are_sums_over_nodes(law, potential):
    """The same numbers from an array of all places and nodes."""
    found, charges = bregman_function(X, Y, law, potential, constant=0.1), np.random.default_rng(0).standard_normal(6)
    b, weight = _rule(_edges(law, X, X, charges))
    weight = np.append(weight.ravel() * law.density(b.ravel()), 0.1)
    seen = np.column_stack([np.abs(X[:, None] - b.ravel()), np.ones(6)])
    dual = charges @ seen
    alpha = potential.inverse_slope(dual)
    conjugate = dual * alpha - (potential.value(alpha) - potential.value(np.zeros_like(alpha)))
    value, miss, hessian = _dual(charges, found, Y)
    assert value == _dual_value(charges, found, Y) == pytest.approx(weight @ conjugate - charges @ Y, rel=1e-12)
    np.testing.assert_allclose(miss, seen @ (weight * alpha) - Y, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(hessian, (seen * (weight / potential.curvature(alpha))) @ seen.T, rtol=1e-12)


@pytest.mark.parametrize("potential", [Cubic(), Quartic()], ids=repr)
def test_a_hundred_places_take_some_dozen_steps(potential, monkeypatch):
    """Rounding leaves more of the labels than is asked for; no step is taken that only moves it about."""
    module, steps = sys.modules["implicit_bias.limits.mirror.bregman"], []
    monkeypatch.setattr(module, "newton_direction", lambda *given: steps.append(1) or newton_direction(*given))
    x = np.linspace(-1.9, 1.9, 100)
    found = bregman_function(x, np.sin(3 * x), LAWS[0], potential)
    assert found.certificate.worst < 1e-10
    assert len(steps) <= 40
