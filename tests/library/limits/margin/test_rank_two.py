"""The rank-two limit: known answers and independent solvers."""

from fractions import Fraction

import numpy as np
import pytest
from library.helpers import SLOPE

from implicit_bias.data import Classification
from implicit_bias.limits.margin import (
    boundary_factor,
    margin_search,
    max_margin,
    orthogonality,
    rank_two,
    two_neuron_program,
)
from implicit_bias.limits.margin.rank_two import _enclosure


@pytest.mark.parametrize("factor", [0.3, 3.0])
def test_rank_two_and_its_condition_at_any_length_of_the_samples(problem, factor):
    """x → rx: λ → λ/r², W → W/r; the condition and every angle stay."""
    longer = Classification(x=factor * problem.x, y=problem.y)
    assert orthogonality(longer, SLOPE) == pytest.approx(orthogonality(problem, SLOPE), rel=1e-12)
    limit, scaled = rank_two(problem, SLOPE, 3, 2), rank_two(longer, SLOPE, 3, 2)
    np.testing.assert_allclose(scaled.multipliers, limit.multipliers / factor**2, rtol=1e-10)
    np.testing.assert_allclose(scaled.weights, limit.weights / factor, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(scaled.kernel, limit.kernel * factor**2, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("counts", [(3, 2), (1, 4), (5, 1)])
def test_closed_form_solves_both_programs(problem, counts):
    limit = rank_two(problem, SLOPE, *counts)
    assert limit.valid
    v, u = two_neuron_program(problem, SLOPE, *counts)
    np.testing.assert_allclose(v, limit.v, atol=1e-9)
    np.testing.assert_allclose(u, limit.u, atol=1e-9)
    weights, values = margin_search(problem, SLOPE, *counts, np.random.default_rng(0), starts=5)
    np.testing.assert_allclose(weights, limit.weights, atol=1e-5)
    np.testing.assert_allclose(values, limit.multipliers.sum() / 2, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(limit.direction), 1)
    np.testing.assert_allclose(limit.shares.sum(), 1)
    squares = np.linalg.svd(limit.weights, compute_uv=False) ** 2
    assert limit.stable_rank == pytest.approx(squares.sum() / squares[0])
    assert (problem.signed @ limit.boundary).min() >= 1
    shortest = max_margin(problem.signed).w
    assert np.linalg.norm(limit.boundary) <= boundary_factor(SLOPE, *counts) * np.linalg.norm(shortest)


def test_one_sample_is_known():
    limit = rank_two(Classification(x=np.array([[0.0, 2.0]]), y=np.array([-1.0])), 0.5, 1, 3)
    # K = 4 (1/4 + 3)/4 = 13/4
    np.testing.assert_allclose(limit.multipliers, [4 / 13])
    np.testing.assert_allclose(limit.v, [0, -2 / 13])
    np.testing.assert_allclose(limit.u, [0, 4 / 13])


def test_a_wrong_sign_is_seen():
    problem = Classification(x=np.array([[1.0, 0.0], [0.9, 0.3]]), y=np.array([1.0, -1.0]))
    limit = rank_two(problem, 0.1, 1, 1)
    assert not limit.valid
    assert limit.certificate.dual > 0.1


def test_boundary_factor_is_the_least_norm_along_the_maximum_margin():
    for slope, m1, m2 in [(0.5, 1, 1), (0.5, 9, 1), (0.3, 1, 2), (0.8, 2, 3)]:
        total = np.sqrt(m1 + m2)
        s, t = np.meshgrid(np.linspace(0, 3 * total / m1, 1501), np.linspace(0, 3 * total / m2, 1501))
        allowed = (m1 * s + slope * m2 * t >= total) & (slope * m1 * s + m2 * t >= total)
        least = np.sqrt(np.min((m1 * s**2 + m2 * t**2)[allowed]))
        assert boundary_factor(slope, m1, m2) == pytest.approx(least, rel=5e-3)
        assert boundary_factor(slope, m1, m2) == boundary_factor(slope, m2, m1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: rank_two(p, 0.0, 1, 1), r"slope is 0; it must lie in \(0, 1\]"),
        (lambda p: rank_two(p, 0.5, 0, 1), "positive is 0; it must be a whole number of at least 1"),
        (lambda p: boundary_factor(0.5, 1, 0), "negative is 0; it must be a whole number of at least 1"),
        (
            lambda p: rank_two(Classification(x=np.ones((2, 3)), y=np.array([1.0, -1.0])), 0.5, 1, 1),
            "problem holds 2 samples of rank 1; they must be independent",
        ),
    ],
)
def test_refuses(problem, call, words):
    with pytest.raises(ValueError, match=words):
        call(problem)


@pytest.mark.parametrize("seed", range(6))
def test_the_value_lies_in_its_enclosure_by_elimination_in_fractions(seed):
    stream = np.random.default_rng(seed)
    n = int(stream.integers(1, 6))
    points = Classification(stream.standard_normal((n, 7)), np.where(stream.random(n) < 0.5, 1.0, -1))
    enclosure = rank_two(points, SLOPE, 3, 2).certificate.enclosure
    x = [[Fraction(float(v)) for v in row] for row in points.signed]
    alpha, beta = ([Fraction(1) if (y > 0) == up else Fraction(SLOPE) for y in points.y] for up in (True, False))
    rows = [
        [
            sum(a * b for a, b in zip(x[i], x[k], strict=True)) * (3 * alpha[i] * alpha[k] + 2 * beta[i] * beta[k]) / 5
            for k in range(n)
        ]
        + [Fraction(1)]
        for i in range(n)
    ]
    for i in range(n):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in set(range(n)) - {i}:
            rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    value = sum(row[n] for row in rows) / 2
    assert Fraction(enclosure.low) <= value <= Fraction(enclosure.high)
    assert enclosure.width <= 1e-12


@pytest.mark.parametrize("unit", [1.0, 0.01])
@pytest.mark.parametrize("seed", range(3))
def test_multipliers_that_are_off_enclose_the_value_more_widely(problem, seed, unit):
    problem = Classification(x=unit * problem.x, y=problem.y)
    limit = rank_two(problem, SLOPE, 3, 2)
    off = 1e-3 * np.random.default_rng(seed).standard_normal(problem.y.size) * limit.multipliers.max()
    found = _enclosure(problem, SLOPE, (3, 2), limit.kernel, limit.multipliers + off)
    assert found.low < limit.multipliers.sum() / 2 < found.high
    assert 1e-9 < found.width < 1e-2
    missed = 1 - limit.kernel @ (limit.multipliers + off)
    room = missed @ missed / (2 * np.linalg.eigvalsh(limit.kernel)[0])  # the eigenvalue is proved to about a quarter
    assert found.high - found.low < 5 * room


def test_a_kernel_that_is_not_that_of_the_points_proves_nothing(problem):
    limit = rank_two(problem, SLOPE, 3, 2)
    other = limit.kernel + limit.kernel.max() * np.eye(problem.y.size)
    assert _enclosure(problem, SLOPE, (3, 2), other, limit.multipliers * (1 + 1e-6)).width == np.inf


def test_the_condition_is_the_overlap_of_a_sample_with_all_others():
    points = Classification(np.array([[2.0, 0.0], [0.1, 1.0]]), np.array([1.0, -1.0]))
    overlap = max(0.2 / 1.01, 0.2 / 4)  # of the first with the second, and the other way round
    assert orthogonality(points, 0.5) == pytest.approx(0.125 / 1.75 / overlap)
    with pytest.raises(ValueError, match="problem holds a sample that is 0"):
        orthogonality(Classification(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([1.0, -1.0])), 0.5)
