"""What floats that nearly solve equations prove: eigenvalues, forms, solutions nearby, dependent rows."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from implicit_bias.limits.enclosed_equations import (
    ELIMINATED,
    Solvable,
    enclose_form,
    least_eigenvalue,
    missed_share,
    solvable,
    squared_length,
)
from implicit_bias.limits.rounding import Balls, Exact, Unproved


def normal(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize("n", [1, 2, 10, 60])
@pytest.mark.parametrize("floor", [1.0, 1e-4, 1e-8])
@pytest.mark.parametrize("unit", [1.0, 1e-150, 1e150])
def test_the_least_eigenvalue_is_bounded_from_below_and_not_far_off(n, floor, unit):
    basis = np.linalg.qr(normal(n, n, n))[0]
    k = unit * (basis * np.geomspace(1, floor, n)) @ basis.T
    k = (k + k.T) / 2
    least = float(np.linalg.eigvalsh(k)[0])
    assert least / 10 < least_eigenvalue(k) < least


def test_what_is_not_positive_is_not_said_to_be():
    for seed in range(200):
        features = normal(seed, 6, 3)
        k = features @ features.T  # singular, by rounding on either side
        for moved in (k, k - 1e-15 * np.eye(6), -np.eye(6), np.zeros((6, 6))):
            with pytest.raises(Unproved):
                least_eigenvalue(moved)


@pytest.mark.parametrize("freedom", [0.0, 0.3, 1e9])
@pytest.mark.parametrize("seed", range(5))
def test_a_form_is_enclosed_by_any_weights(freedom, seed):
    """In fractions: elimination without pivots, for the matrix is positive definite."""
    features, y = normal(seed, 5, 7), normal(seed + 100, 5)
    k = features @ features.T
    k = np.triu(k) + np.triu(k, 1).T
    rows = [[Fraction(k[i, j]) + Fraction(freedom) for j in range(5)] + [Fraction(y[i])] for i in range(5)]
    for i in range(5):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(5):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    truth = sum(Fraction(label) * row[-1] for label, row in zip(y, rows, strict=True))
    weights = np.array([float(row[-1]) for row in rows])
    for off in (0.0, 1e-6, 1e-3):
        found = enclose_form(k, y, weights + off * normal(seed + 200, 5), 1e-9, freedom)
        assert Fraction(found.low) <= truth <= Fraction(found.high)
        if freedom <= 1:
            assert found.width > off**2 / 1e3 if off else found.width < 1e-13
    assert enclose_form(k, 0 * y, 0 * y, 1e-9).width == 0.0
    assert enclose_form(k, y, weights * np.nan, 1e-9).width == np.inf
    assert enclose_form(-k, y, weights, 1e-9).width == np.inf


@pytest.mark.parametrize("numbers", [Balls, Exact])
@pytest.mark.parametrize("seed", range(5))
def test_a_solution_is_within_what_is_said(numbers, seed):
    x, w, y = normal(seed, 4, 6), normal(seed + 50, 6), normal(seed + 100, 4)
    kept = solvable(x, y)
    missed = numbers.of(y) - numbers.of(x) @ numbers.of(w)
    nearest = np.linalg.norm(np.linalg.pinv(x) @ (y - x @ w))
    off, off_l1 = kept.off(numbers, missed)
    assert nearest <= off.high <= 20 * nearest
    assert nearest <= off_l1.high <= 50 * nearest
    support = np.array([0, 2, 3, 5])
    only = solvable(x, y, support)
    assert not np.any(only.inverse[[1, 4]])
    move = np.zeros(6)
    move[support] = np.linalg.solve(x[:, support], y - x @ w)
    off, off_l1 = only.off(numbers, missed)
    assert np.linalg.norm(move) <= off.high
    assert np.abs(move).sum() <= off_l1.high


def test_equal_rows_are_one_and_dependent_ones_are_left_out():
    x, y = normal(0, 3, 5), normal(1, 3)
    twice = solvable(np.vstack([x, x[:2]]), np.append(y, y[:2]))
    assert twice.x.shape == (3, 5)
    more = solvable(np.vstack([x, normal(2, 4, 5)]), np.append(y, normal(3, 4)))
    assert more.x.shape == (5, 5)
    whole = np.array([[1.0, 2.0, 3.0, 0.0], [0.0, 1.0, 1.0, 1.0], [1.0, 3.0, 4.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    kept = solvable(whole, np.array([1.0, 2.0, 3.0, 0.0]))
    np.testing.assert_array_equal(kept.x, whole[:2])
    for label in (3.0 + 1e-15, 2.0):
        with pytest.raises(Unproved, match="contradict each other"):
            solvable(whole, np.array([1.0, 2.0, label, 0.0]))
    with pytest.raises(Unproved, match="contradict each other"):
        solvable(np.vstack([x, x[:1]]), np.append(y, y[0] + 1))
    with pytest.raises(Unproved, match="too many equations"):
        solvable(normal(0, 60, 3) @ normal(1, 3, 70), normal(2, 60))


def test_equal_rows_are_left_out_of_more_than_fractions_could_eliminate():
    x, y = normal(0, 40, 60), normal(1, 40)
    assert ELIMINATED < 41 * 41 * 60
    kept = solvable(np.vstack([x, x[7]]), np.append(y, y[7]))
    assert {*map(tuple, kept.x)} == {*map(tuple, x)}
    assert len(kept.x) == 40


@pytest.mark.parametrize("numbers", [Balls, Exact])
def test_the_distance_to_the_solutions_of_one_equation_is_exact(numbers):
    """w_1 + … + w_4 = 1 at w = 0: the nearest solution is ¼ (1, 1, 1, 1), at ½ in ℓ2 and 1 in ℓ1."""
    x, y = np.ones((1, 4)), np.ones(1)
    for scale in (1.0, 0.5):  # of R, which need not be an inverse but up to ε = ½
        off, off_l1 = Solvable(x, y, scale * np.full((4, 1), 0.25)).off(numbers, numbers.of(y))
        assert 0.5 <= off.high <= 0.5 + 1e-12
        assert 1.0 <= off_l1.high <= 1.0 + 1e-12
    with pytest.raises(Unproved, match="may depend on each other"):
        Solvable(x, y, np.zeros((4, 1))).off(numbers, numbers.of(y))


@pytest.mark.parametrize(
    ("x", "w", "y", "share"),
    [
        ([[3.0, 1.0]], [1.0, 1.0], [4.0], 0.0),
        ([[3.0, 1.0]], [1.0, 1.0], [5.0], 0.2),
        ([[1.0, 2.0**-60]], [1.0, 1.0], [1.0], 0.0),  # missed by 2^-60, which no float sees
        ([[1.0, -1.0, 2.0**-60], [0.0, 0.0, 2.0**-60]], [1.0, 1.0, 1.0], [0.0, 2.0**-60], 1.0),
        ([[1.0, 2.0**-60], [0.0, 2.0**-60]], [1.0, 1.0], [1.0, 2.0**-60], 0.0),
        ([[1.0, 2.0**-60, -1.0]], [1.0, 1.0, 1.0], [2.0**-61], 1.0),  # floats add to 0 or to 2^-60
    ],
)
def test_what_is_missed_is_not_hidden_by_rounding(x, w, y, share):
    found = missed_share(*map(np.array, (x, w, y)), 1e-10)
    assert found == pytest.approx(share, abs=1e-15)


def test_of_many_data_the_rounding_is_added_where_it_may_be_more_than_allowed():
    x, w = np.random.default_rng(0).standard_normal((400, 400)), np.ones(400)
    y = x @ w
    assert missed_share(x, w, y, 1e-10) <= 1e-15
    assert 1e-16 < missed_share(x, w, y, 1e-16) < 1e-11
    assert missed_share(x, w, np.zeros(400), 1e-10) == np.inf


@pytest.mark.parametrize(("n", "refused", "proved"), [(2, 1e-15, 2e-14), (50, 1e-12, 1e-11)])
def test_what_rounding_may_have_made_positive_is_refused(n, refused, proved):
    """An eigenvalue counts from a few times 8·2(n + 4)·2⁻⁵³ of the trace on, whatever the others are."""
    k = np.eye(n)
    k[-1, -1] = refused
    with pytest.raises(Unproved, match="not proved to be positive"):
        least_eigenvalue(k)
    k[-1, -1] = proved
    assert proved / 10 < least_eigenvalue(k) < proved


@pytest.mark.parametrize("off", [1e-9, 1e-10])
@pytest.mark.parametrize("seed", range(5))
def test_nearly_dependent_rows_are_inverted_by_orthogonal_vectors(seed, off):
    """Of XXᵀ, whose condition is the square, float64 holds no inverse."""
    x, y = normal(seed, 4, 7), normal(seed + 100, 4)
    x[3] = x[0] + off * x[3]
    kept = solvable(x, y)
    rest = np.eye(4) - kept.x @ kept.inverse
    assert np.abs(rest).max() < 1e-3
    w = np.linalg.lstsq(x, y)[0]
    kept.off(Balls, Balls.of(y) - Balls.of(x) @ Balls.of(w))


@pytest.mark.parametrize("n", [1, 5, 30])
def test_what_is_factorized_is_the_matrix_less_what_is_proved(monkeypatch, n):
    """Rump's theorem is of A = K − cI: with any other A the bound would be as large, and no proof."""
    module, given = sys.modules["implicit_bias.limits.enclosed_equations"], []
    right = module.cholesky
    monkeypatch.setattr(module, "cholesky", lambda a: (given.append(a.copy()), right(a))[1])
    features = normal(n, n, 2 * n)
    k = features @ features.T
    bound = least_eigenvalue(k)
    unit = k[0, 0] / given[0][0, 0]
    assert np.all(np.diag(k - unit * given[-1]) >= bound)
    np.testing.assert_allclose(unit * given[-1] - np.diag(np.diag(unit * given[-1])), k - np.diag(np.diag(k)))


@pytest.mark.parametrize(("n", "d"), [(1, 4), (3, 7), (5, 300)])
@pytest.mark.parametrize("apart", [1.0, 1e-2, 1e-5])
def test_no_vector_is_shortened_more_than_is_said(apart, n, d):
    """In fractions: XXᵀ less the bound is positive definite; float32 proves it for the first two, float64 the last."""
    x = normal(n, n, d)
    x[-1] = x[0] + apart * x[-1] if n > 1 else apart * x[0]
    bound = squared_length(x).low
    assert bound > np.linalg.svd(x)[1][-1] ** 2 / 10
    rows = [[Fraction(entry) for entry in row] for row in x.tolist()]
    gram = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in rows] for one in rows]
    for i in range(n):
        gram[i][i] -= bound
    for i in range(n):
        assert gram[i][i] > 0
        for j in range(i + 1, n):
            share = gram[j][i] / gram[i][i]
            gram[j] = [a - share * b for a, b in zip(gram[j], gram[i], strict=True)]


@pytest.mark.parametrize("digits", [12, 30])
def test_dependent_rows_that_rounding_tells_apart_are_refused(digits):
    """The third row is the sum of two, exactly; products of float32, or of float64, are rounded on either side."""
    for seed in range(20):
        x = np.ldexp(np.random.default_rng(seed).integers(-(2**digits), 2**digits, (3, 200)), -digits)
        x[2] = x[0] + x[1]
        with pytest.raises(Unproved):
            squared_length(x)
