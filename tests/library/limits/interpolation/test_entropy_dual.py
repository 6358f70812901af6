"""The dual of an entropy: the start, factors in single precision that are kept, and what defeats them."""

import sys

import numpy as np
import pytest

from implicit_bias.data import sparse_regression
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import HyperbolicEntropy
from implicit_bias.limits.interpolation.entropy_dual import LARGE, dual_maximizer, first_dual, newton_dual

MODULE = sys.modules[newton_dual.__module__]


def problem(n, root, d=200, biased=False):
    stream = np.random.default_rng(4)
    one = sparse_regression(stream, n, d)
    w0 = 0.1 * stream.standard_normal(d) if biased else None
    return HyperbolicEntropy(np.full(d, root**2), w0), one.x, one.y


@pytest.fixture
def factors(monkeypatch):
    """The precision of each factor."""
    used, original = [], MODULE.gram_inverse
    monkeypatch.setattr(MODULE, "gram_inverse", lambda rows: (used.append(rows.dtype.itemsize), original(rows))[1])
    return used


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("root", [10.0, 1e-1, 1e-4, 1e-12])
@pytest.mark.parametrize("n", [LARGE // 2, LARGE])
def test_the_start_raises_the_dual_and_newtons_method_ends_where_it_ends_from_zero(n, root, biased):
    entropy, x, y = problem(n, root, biased=biased)
    first = first_dual(entropy, x, y, "it")
    assert entropy.conjugate(first @ x) - first @ y < 0
    (end, _), (other, _) = (newton_dual(entropy, x, y, start, 1e-13, "it") for start in (first, np.zeros(n)))
    assert end.far <= 1e-12 * np.linalg.norm(y)
    np.testing.assert_allclose(end.w, other.w, atol=1e-10 * np.abs(end.w).max())
    np.testing.assert_allclose(end.missed, y - x @ end.w, atol=1e-13)
    np.testing.assert_allclose(end.nu, end.dual @ x, rtol=1e-9, atol=1e-11)


def test_one_step_of_the_primal_solves_what_is_nearly_quadratic():
    entropy, x, y = problem(20, 1e3)
    np.testing.assert_allclose(first_dual(entropy, x, y, "it") @ x, entropy.minimize(x, y).dual @ x, rtol=1e-2)


def test_few_factors_serve_many_steps_and_none_of_them_is_double(factors):
    entropy, x, y = problem(2 * LARGE, 1e-2, d=1000)
    _, steps = newton_dual(entropy, x, y, first_dual(entropy, x, y, "it"), 1e-12, "it")
    assert set(factors) == {4}
    assert len(factors) - 1 <= steps / 2


def test_small_problems_take_a_new_double_factor_each_step(factors):
    entropy, x, y = problem(LARGE - 1, 1e-2)
    _, steps = newton_dual(entropy, x, y, np.zeros(LARGE - 1), 1e-12, "it")
    assert factors == [8] * steps


def test_what_single_precision_cannot_factor_is_factored_in_double(factors):
    """Rows that differ by 1e-5 of their size: their product by its transpose is singular in single precision."""
    entropy, x, y = problem(LARGE, 1.0)
    x[1] = x[0] + 1e-5 * x[1]
    y[1] = y[0]
    end, _ = dual_maximizer(entropy, x, y, None, 1e-10, "it")
    assert {4, 8} == set(factors)
    assert end.far <= 1e-10 * np.linalg.norm(y)


def test_where_the_start_fails_zero_is_tried(monkeypatch):
    def fails(*args):
        raise CertificateError("it was not found")

    entropy, x, y = problem(20, 1e-2)
    expected = entropy.minimize(x, y).w
    monkeypatch.setattr(MODULE, "first_dual", fails)
    np.testing.assert_allclose(entropy.minimize(x, y).w, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n", [2, LARGE])
def test_dependent_rows_are_refused(n):
    entropy = HyperbolicEntropy(np.ones(2 * n))
    for labels in (np.ones(n), np.arange(n) + 1.0):
        with pytest.raises(CertificateError, match=r"^it was not found: its Hessian has no Cholesky factors$"):
            dual_maximizer(entropy, np.ones((n, 2 * n)), labels, None, 1e-12, "it")


def test_an_ascent_that_is_none_is_refused(monkeypatch):
    entropy, x, y = problem(20, 1e-2)
    monkeypatch.setattr(MODULE, "armijo_step", lambda *args, **kwargs: 0.0)
    monkeypatch.setattr(MODULE, "gram_inverse", lambda rows: lambda given: -given)
    with pytest.raises(CertificateError, match="no step of Newton's method raises its dual"):
        newton_dual(entropy, x, y, np.zeros(20), 1e-12, "it")
