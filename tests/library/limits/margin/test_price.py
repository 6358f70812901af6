"""Prices of boundaries: known answers, programs of another kind, networks that try to pay less, refusals."""

from fractions import Fraction

import numpy as np
import pytest
from library.helpers import refusal
from scipy.linalg import null_space
from scipy.optimize import linprog

from implicit_bias.data import Classification, clusters, separable
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.margin import kernel_margin, kernel_prices, max_margin, variation_margin, variation_prices
from implicit_bias.limits.margin.arrangement import unit_rows
from implicit_bias.limits.margin.price import _Programs
from implicit_bias.limits.margin.sweep import ROUNDING

POINTS = clusters(np.random.default_rng(0), 14)
BEST = variation_margin(POINTS)
PLACES = np.column_stack([np.random.default_rng(1).uniform(-0.2, 0.2, (5, 2)), np.ones(5)])
TWO = Classification(x=np.eye(3)[:2], y=np.array([1.0, -1.0]))


@pytest.mark.parametrize("angle", [0.1, 0.7, 1.3, np.pi / 2])
def test_two_opposite_points_and_a_line_pay_one_minus_the_sine(angle):
    z, place = np.array([[2.0, 0.0], [-2.0, 0.0]]), np.array([[np.cos(angle), np.sin(angle)]])
    price = kernel_prices(z @ z.T, [1.0, -1.0], place @ z.T, [1.0])
    np.testing.assert_allclose(price, 1 - np.sin(angle), atol=1e-9)


def test_the_functions_that_vanish_are_those_across_the_place():
    """The same margin in coordinates: of the points' projections on the space across the place."""
    problem = separable(np.random.default_rng(2), 12, 6, support=3)
    places = np.random.default_rng(3).standard_normal((6, 6))
    prices = kernel_prices(
        problem.x @ problem.x.T, problem.y, places @ problem.x.T, np.einsum("kd,kd->k", places, places)
    )
    for price, place in zip(prices, places, strict=True):
        across = max_margin(problem.signed @ null_space(place[None]))
        assert price == pytest.approx(1 - across.margin / max_margin(problem.signed).margin, abs=1e-8)


def test_where_nothing_that_vanishes_separates_the_price_is_one():
    gram = relu_kernel(POINTS.x, POINTS.x)
    assert kernel_prices(gram, POINTS.y, gram[:1], gram[0, :1])[0] == pytest.approx(1, abs=1e-6)


def test_no_function_of_the_kernel_pays_less():
    gram, own = relu_kernel(POINTS.x, POINTS.x), np.sum(PLACES**2, axis=1) / 2
    across, best = relu_kernel(PLACES, POINTS.x), kernel_margin(gram, POINTS.y)
    prices = kernel_prices(gram, POINTS.y, across, own)
    signs = np.sign(across @ (best.alpha * POINTS.y))
    for noise in np.random.default_rng(4).standard_normal((200, 14)):
        charges = POINTS.y * best.alpha + noise * best.alpha.max() * 0.3
        f = gram @ charges / np.sqrt(charges @ gram @ charges)
        lacks = 1 - np.min(POINTS.y * f) / best.margin
        assert np.all(prices[np.sign(across @ charges) != signs] <= lacks + 1e-9)


def on_a_grid(points, place, count=4000):
    """The largest margin of ½ Σ ν_k (u_k·x)₊ with Σ|ν_k| ≤ 1 that vanishes at a place, over many directions."""
    k = np.arange(count) + 0.5
    height, angle = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    ring = np.sqrt(1 - height**2)
    u = np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)
    signed, zero = points.y[:, None] * np.maximum(points.x @ u.T, 0) / 2, np.maximum(u @ place, 0)
    answer = linprog(
        np.append(np.zeros(2 * count), -1.0),
        A_ub=np.vstack([np.hstack([-signed, signed, np.ones((14, 1))]), np.append(np.ones(2 * count), 0.0)]),
        b_ub=np.append(np.zeros(14), 1.0),
        A_eq=np.concatenate([zero, -zero, [0.0]])[None],
        b_eq=[0.0],
        bounds=[(0, None)] * (2 * count) + [(None, None)],
        method="highs-ipm",
    )
    return -answer.fun


def test_the_prices_are_those_of_a_program_over_a_grid():
    low, high = variation_prices(POINTS, BEST, PLACES, cap=0.9, tolerance=1e-4)
    assert np.all(low <= high + 1e-12)
    assert np.all(high - low <= 1e-4)
    for price, place in zip(high, PLACES, strict=True):
        by_grid = 1 - on_a_grid(POINTS, place) / BEST.bound
        assert price - 1e-4 <= by_grid <= price + 0.03  # fewer networks pay more, by what the grid misses


def test_the_cap_ends_the_search_early_and_keeps_the_bounds():
    low, _ = variation_prices(POINTS, BEST, PLACES, cap=0.9, tolerance=1e-4)
    capped, above = variation_prices(POINTS, BEST, PLACES, cap=0.02, tolerance=1e-4)
    np.testing.assert_allclose(capped, np.minimum(low, 0.02), atol=1e-4)
    assert np.all(above >= low - 1e-12)


def test_the_order_of_the_places_does_not_matter():
    low, _ = variation_prices(POINTS, BEST, PLACES, tolerance=1e-4)
    back, _ = variation_prices(POINTS, BEST, PLACES[::-1], tolerance=1e-4)
    np.testing.assert_allclose(back[::-1], low, atol=1e-4)


def test_two_orthogonal_points_pay_nothing_between_them_and_all_on_them():
    best = variation_margin(TWO)
    low, high = variation_prices(TWO, best, [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]], cap=0.5)
    np.testing.assert_allclose([low[0], high[0]], 0, atol=1e-3)
    assert low[1] == 0.5
    assert high[1] == 1.0


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"x": [[1.0, 2.0]]}, "x has shape"),
        ({"cap": 0.0}, "cap is 0"),
        ({"cap": 1.0}, "cap is 1"),
        ({"tolerance": 0.0}, "tolerance is 0"),
        ({"x": [[np.nan, 0.0, 1.0]]}, "x "),
    ],
)
def test_what_cannot_be_asked_is_refused(changed, said):
    asked = {"points": TWO, "best": variation_margin(TWO), "x": [[1.0, 1.0, 0.0]], **changed}
    refusal(lambda: variation_prices(**asked), said)


@pytest.mark.parametrize(("across", "own", "said"), [([[1.0]], [1.0], "across"), ([[1.0, 0.0]], [1.0, 1.0], "own")])
def test_kernel_values_that_do_not_fit_are_refused(across, own, said):
    refusal(lambda: kernel_prices(np.eye(2), [1.0, -1.0], across, own), said)


def test_a_network_that_misses_zero_proves_what_it_has_with_the_neuron_that_is_missing():
    programs, place = _Programs(POINTS, BEST), np.array([0.3, -0.2, 1.0])
    ray = place[None] / np.linalg.norm(place)
    masses = 0.9 * BEST.masses
    beside = -np.maximum(programs.pool @ place, 0) @ masses / np.maximum(ray @ place, 0)
    hidden = np.maximum(POINTS.x @ np.vstack([programs.pool, ray]).T, 0)
    whole = np.append(masses, beside)
    assert abs(beside[0]) > 1e-3
    least = np.min(POINTS.y * (hidden @ whole)) / np.abs(whole).sum() / 2 / BEST.bound
    assert programs._reached(place, ray, masses) <= least * (1 + 1e-12)


@pytest.mark.parametrize("length", [0.1, 1.0, 7.0])
def test_what_a_price_proves_is_that_of_fractions(length):
    """A network that misses 0 at the place, mended by a neuron along it, and the bound of any response."""
    programs, stream = _Programs(POINTS, BEST), np.random.default_rng(5)
    place = length * PLACES[0]
    ray = unit_rows("x", place[None])
    masses = np.zeros(len(programs.pool))
    masses[: len(BEST.masses)] = BEST.masses
    masses = masses + 0.01 * stream.standard_normal(masses.size)
    u = np.vstack([programs.pool, ray])
    missed = np.maximum(programs.pool @ place, 0) @ masses
    charges = np.append(masses, -missed / np.linalg.norm(place))
    assert abs(missed) > 1e-4 * length
    outputs = POINTS.y * (np.maximum(POINTS.x @ u.T, 0) @ charges)
    exact = outputs.min() / np.abs(charges).sum() / (2 * BEST.bound)
    reached = programs._reached(place, ray, masses)
    assert exact - 2 * abs(missed / length) / (2 * BEST.bound) <= reached <= exact * (1 + 1e-12)
    weights = stream.standard_normal(5)
    bound = Fraction(0.3) * (1 + Fraction(ROUNDING)) / sum(abs(Fraction(one)) for one in weights.tolist())
    for value in (0.3, -0.3):
        found = Fraction(programs._proved(value, weights)) * Fraction(2 * BEST.margin)
        assert bound <= found <= bound * (1 + Fraction(1, 10**15))
