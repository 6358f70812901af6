"""The two general solvers: programs without a solution, the network by hand, other lengths.

test_rank_two.py has the closed form.
"""

from fractions import Fraction

import numpy as np
import pytest
from library.helpers import SLOPE

from implicit_bias.data import Classification
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import margin_search, rank_two, two_neuron_program
from implicit_bias.limits.margin.search import enclose_program, network_margins

# One point with both labels: m₁ = m₂ = 1 asks for v − γu ≥ √2 and u − γv ≥ √2 along it, least at v = u = √2/(1 − γ).
SAME = Classification(x=np.array([[1.0, 0.0], [1.0, 0.0]]), y=np.array([1.0, -1.0]))


def test_programs_without_a_solution_say_so():
    with pytest.raises(CertificateError, match="the program was not solved: Clarabel says infeasible"):
        two_neuron_program(SAME, 1.0, 1, 1)


@pytest.mark.parametrize("slope", [0.1, 0.5, 0.9])  # at 0.5 Clarabel gives up if held to residuals of 1e-13
def test_a_point_with_both_labels_has_a_solution_below_slope_one(slope):
    for row in two_neuron_program(SAME, slope, 1, 1):
        np.testing.assert_allclose(row, [np.sqrt(2) / (1 - slope), 0], atol=1e-8)


def test_margins_by_hand():
    """Three rows on two samples, one of the positive sign: γ = ½."""
    problem = Classification(x=np.array([[1.0, 2.0], [3.0, -1.0]]), y=np.array([1.0, -1.0]))
    w = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # z: (1, 3); (2, −1); (3, 2)
    np.testing.assert_allclose(network_margins(problem, 0.5, 1, w), np.array([-4.0, -1.5]) / np.sqrt(3), rtol=1e-14)
    np.testing.assert_allclose(network_margins(problem, 0.5, 3, w), np.array([6.0, -4.5]) / np.sqrt(3), rtol=1e-14)


@pytest.mark.parametrize("counts", [(1, 1), (3, 1)])
def test_a_search_with_as_many_rows_as_samples_or_not_finds_the_closed_form(problem, counts):
    assert rank_two(problem, SLOPE, *counts).valid
    weights, values = margin_search(problem, SLOPE, *counts, np.random.default_rng(0), starts=5)
    np.testing.assert_allclose(weights, rank_two(problem, SLOPE, *counts).weights, atol=1e-5)
    assert values[0] == pytest.approx(np.sum(weights**2) / 2, rel=1e-12)
    assert np.all(np.diff(values) >= 0)


def test_both_follow_the_length_of_the_samples(problem):
    """x → 8x: W → W/8 and ½‖W‖² → ½‖W‖²/64, to the last bit, as 8 is a power of two."""
    longer = Classification(x=8 * problem.x, y=problem.y)
    (weights, values), (scaled, smaller) = (
        margin_search(one, SLOPE, 2, 1, np.random.default_rng(0), starts=3) for one in (problem, longer)
    )
    np.testing.assert_array_equal(scaled, weights / 8)
    np.testing.assert_array_equal(smaller, np.asarray(values) / 64)
    for of_longer, row in zip(
        two_neuron_program(longer, SLOPE, 2, 1), two_neuron_program(problem, SLOPE, 2, 1), strict=True
    ):
        np.testing.assert_allclose(of_longer, row / 8, rtol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_any_rows_and_multipliers_enclose_the_program_as_fractions_do(seed):
    stream = np.random.default_rng(seed)
    x, y = stream.standard_normal((4, 6)), np.array([1.0, -1.0, 1.0, -1.0])
    problem, counts, slope = Classification(x=x, y=y), (3, 2), 0.3
    best = rank_two(problem, slope, *counts)  # solves the program where its multipliers are positive
    v, u = two_neuron_program(problem, slope, *counts)
    value = (3 * v @ v + 2 * u @ u) / 2
    push, other = stream.uniform(-0.1, 1, 4), 1e-3 * stream.standard_normal(6)
    found = enclose_program(problem, slope, counts, v + other, u, push)
    assert found.low <= value * (1 + 1e-9)
    assert value <= found.high * (1 + 1e-9)
    v = [Fraction(float(one)) for one in v + other]
    u, slope = [Fraction(float(one)) for one in u], Fraction(slope)
    z = [[Fraction(float(one)) for one in row] for row in problem.signed]
    alpha, beta = [1, slope, 1, slope], [slope, 1, slope, 1]

    def dot(one, two):
        return sum(a * b for a, b in zip(one, two, strict=True))

    least = min(3 * a * dot(row, v) - 2 * b * dot(row, u) for row, a, b in zip(z, alpha, beta, strict=True))
    high = 5 * (3 * dot(v, v) + 2 * dot(u, u)) / (2 * least**2)
    force = [max(Fraction(float(one)), Fraction(0)) for one in push]
    sums = [
        [sum(f * p * row[j] for f, p, row in zip(force, part, z, strict=True)) for j in range(6)]
        for part in (alpha, beta)
    ]
    low = 5 * sum(force) ** 2 / (2 * (3 * dot(sums[0], sums[0]) + 2 * dot(sums[1], sums[1])))
    assert Fraction(found.low) <= low <= Fraction(found.low) * (1 + Fraction(1, 10**15))
    assert Fraction(found.high) * (1 - Fraction(1, 10**15)) <= high <= Fraction(found.high)
    if best.valid:
        assert best.multipliers.sum() / 2 == pytest.approx(value, rel=1e-9)


def test_a_program_that_is_not_proved_is_refused_with_its_rows(problem):
    v, u = two_neuron_program(problem, SLOPE, 3, 2)
    with pytest.raises(CertificateError, match="is proved to lie between .*, allowed 1.0e-18") as refused:
        two_neuron_program(problem, SLOPE, 3, 2, tol=1e-18)
    np.testing.assert_array_equal(refused.value.answer, (v, u))
    one = np.ones(problem.y.size)
    for wrong in ((-v, -u, one), (0 * v, 0 * u, one), (v * np.nan, u, one), (v, u, -one)):
        assert enclose_program(problem, SLOPE, (3, 2), *wrong).width == np.inf
