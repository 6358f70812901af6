"""Several right-hand sides at once are those one by one, with one factorization and the worst certificate."""

import sys

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.limits.interpolation import HyperbolicEntropy, least_l1, least_norm
from implicit_bias.limits.lazy import kernel_regression, linear_descent

STREAM = np.random.default_rng(0)
X, Y = STREAM.standard_normal((6, 14)), STREAM.standard_normal((6, 3)) * [1.0, 1e-3, 1e3]
ENTROPY = HyperbolicEntropy(np.ones(14))
SOLVERS = {
    "least norm": least_norm,
    "least l1": least_l1,
    "entropy": ENTROPY.minimize,
    "kernel": lambda x, y: kernel_regression(x @ x.T, y, x[:2] @ x.T),
}
PARTS = {"kernel": ("weights", "values")}


@pytest.mark.parametrize("name", SOLVERS)
def test_columns_are_those_one_by_one(name):
    solve = SOLVERS[name]
    found, each = solve(X, Y), [solve(X, one) for one in Y.T]
    for part in PARTS.get(name, ("w", "dual")):
        wanted = np.array([getattr(one, part) for one in each]).T
        np.testing.assert_allclose(
            getattr(found, part) / np.abs(wanted).max(axis=0), wanted / np.abs(wanted).max(axis=0), atol=1e-12
        )
    assert found.certificate.enclosure.width == pytest.approx(
        max(one.certificate.enclosure.width for one in each), rel=0.9
    )
    assert found.certificate.worst <= 3 * max(one.certificate.worst for one in each) + 1e-15
    one = solve(X, Y[:, :1])
    assert [getattr(one, part).shape[1] for part in PARTS.get(name, ("w", "dual"))] == [1, 1]


def test_descent_of_columns_is_that_of_each():
    kernel, cross, steps = X @ X.T, X[:2] @ X.T, [0, 3, 50]
    rate = 1 / np.linalg.eigvalsh(kernel)[-1]
    found = linear_descent(kernel, Y, cross, rate, steps)
    for j, y in enumerate(Y.T):
        one = linear_descent(kernel, y, cross, rate, steps)
        size = np.abs(y).max()
        np.testing.assert_allclose(found.values[:, :, j], one.values, atol=1e-13 * size)
        np.testing.assert_allclose(found.fitted[:, :, j], one.fitted, atol=1e-13 * size)
        np.testing.assert_allclose(found.end[:, j], one.end, atol=1e-12 * size)


@pytest.mark.parametrize(
    ("module", "name", "call"),
    [
        ("implicit_bias.limits.lazy.tangent_limit", "cho_factor", lambda: SOLVERS["kernel"](X, Y)),
        ("implicit_bias.limits.enclosed_equations", "least_eigenvalue", lambda: SOLVERS["kernel"](X, Y)),
        ("implicit_bias.limits.enclosed_equations", "least_eigenvalue", lambda: least_norm(X, Y)),
    ],
)
def test_the_matrix_is_factorized_once(module, name, call, monkeypatch):
    module, count = sys.modules[module], []
    right = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *given, **named: count.append(1) or right(*given, **named))
    call()
    assert len(count) == 1


def test_a_wrong_column_is_refused():
    x, y = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 1.0], [1.0, 2.0]])
    with pytest.raises(RuntimeError, match="the interpolator of least norm is not certified"):
        least_norm(x, y)
    refusal(lambda: least_norm(X, Y[:4]), "y has shape (4, 3); it must be 6 × any")
    refusal(lambda: least_norm(X, np.zeros((6, 2, 2))), "y has 3 axes (shape (6, 2, 2)); it must have 1 or 2")
