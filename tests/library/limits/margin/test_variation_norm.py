"""The largest margin in the variation norm: known answers, a program on a grid, laws, refusals, rough solvers."""

import sys
import time

import numpy as np
import pytest
from library.helpers import refusal
from scipy.optimize import linprog

from implicit_bias.data import Classification, clusters
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import margin_bound, restricted_margin, variation_margin
from implicit_bias.limits.margin.variation_certificate import certify_variation_margin
from implicit_bias.limits.margin.variation_norm import program

AXES = np.eye(3)


def grid(count):
    """Directions spread evenly over the sphere."""
    k = np.arange(count) + 0.5
    height, angle = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    ring = np.sqrt(1 - height**2)
    return np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)


def dual_program(points, directions):
    """min_p max_k ½ |Σ p_i y_i (u_k·x_i)₊|: the dual side, by another algorithm of HiGHS."""
    signed = points.y[:, None] * np.maximum(points.x @ directions.T, 0)
    n, k = signed.shape
    rows = np.vstack([np.hstack([signed.T, -np.ones((k, 1))]), np.hstack([-signed.T, -np.ones((k, 1))])])
    answer = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=rows,
        b_ub=np.zeros(2 * k),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=[1.0],
        method="highs-ipm",
    )
    return answer.fun / 2


def test_two_orthogonal_points_have_a_quarter():
    answer = variation_margin(Classification(x=AXES[:2], y=np.array([1.0, -1.0])))
    assert answer.margin == pytest.approx(0.25, rel=1e-9)
    assert answer.bound == pytest.approx(0.25, rel=1e-9)
    np.testing.assert_allclose(answer.weights, [0.5, 0.5], atol=1e-8)


def test_three_orthogonal_points_are_known():
    """p = (a, 1−2a, a): the positive pair shares a direction and yields √2 a, the negative point 1 − 2a."""
    answer = variation_margin(Classification(x=AXES, y=np.array([1.0, -1.0, 1.0])))
    assert answer.margin == pytest.approx((np.sqrt(2) - 1) / 2, rel=1e-9)
    # Near its best direction the response is quadratic: at a gap of 1e-10 the direction is known to 1e-5.
    np.testing.assert_allclose(answer.weights, np.array([1, np.sqrt(2), 1]) / (2 + np.sqrt(2)), atol=1e-4)
    shared = answer.directions[answer.masses > 0]
    np.testing.assert_allclose(shared, np.tile([np.sqrt(0.5), 0, np.sqrt(0.5)], (len(shared), 1)), atol=1e-4)


@pytest.mark.parametrize(("k", "n", "labels"), [(2, 12, "diagonal"), (2, 30, "diagonal"), (3, 20, "random")])
@pytest.mark.parametrize("seed", range(2))
def test_a_program_on_a_grid_comes_near_from_below(k, n, labels, seed):
    points = clusters(np.random.default_rng(seed), n, k, labels=labels)
    answer = variation_margin(points)
    assert answer.certificate.worst <= 1e-9
    assert answer.margin <= answer.bound <= answer.margin * (1 + 1e-9)
    on_grid = dual_program(points, grid(4000))
    assert answer.bound * 0.97 <= on_grid <= answer.bound * (1 + 1e-7)
    np.testing.assert_allclose(np.linalg.norm(answer.directions, axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(np.abs(answer.masses).sum(), 1, rtol=1e-14)
    assert (points.y * answer.predict(points.x)).min() == pytest.approx(answer.margin, rel=1e-12)
    assert margin_bound(points, 7 * answer.weights) == pytest.approx(answer.bound, rel=1e-12)


def test_it_is_certified_within_seconds():
    begin = time.process_time()
    variation_margin(clusters(np.random.default_rng(7), 30))
    assert time.process_time() - begin < 5


def test_a_margin_of_given_directions_is_a_lower_bound():
    points = clusters(np.random.default_rng(3), 20)
    answer = variation_margin(points)
    directions = grid(500)
    found = restricted_margin(points, directions)
    assert found == pytest.approx(dual_program(points, directions), rel=1e-6)
    assert found < answer.margin
    assert restricted_margin(points, np.vstack([directions, 3 * answer.directions])) == pytest.approx(
        answer.margin, rel=1e-9
    )
    assert restricted_margin(points, directions[:1]) == 0
    assert margin_bound(points, np.ones(20)) > answer.bound
    high = clusters(np.random.default_rng(3), 20, d=9)
    assert restricted_margin(high, np.random.default_rng(4).standard_normal((400, 9))) > 0


def test_labels_rotations_and_the_order_of_points_do_not_matter():
    points = clusters(np.random.default_rng(5), 14)
    turn = np.linalg.qr(np.random.default_rng(6).standard_normal((3, 3)))[0]
    right = variation_margin(points).margin
    for x, y in ((points.x, -points.y), (points.x @ turn, points.y), (points.x[::-1], points.y[::-1])):
        assert variation_margin(Classification(x=x, y=y)).margin == pytest.approx(right, rel=1e-9)
    twice = Classification(x=np.vstack([points.x, points.x[:3]]), y=np.append(points.y, points.y[:3]))
    assert variation_margin(twice).margin == pytest.approx(right, rel=1e-9)


BAD = {
    "one class": (lambda: variation_margin(Classification(AXES, np.ones(3))), "points.y holds 1 alone"),
    "opposed": (
        lambda: variation_margin(Classification(AXES[[0, 1, 0]], np.array([1.0, 1, -1]))),
        "points.y holds 1 and -1 at points 0 and 2, which are the same up to a factor",
    ),
    "one ray": (
        lambda: restricted_margin(Classification(AXES[[0, 1, 0]] * [[1], [1], [9]], np.array([1.0, 1, -1])), AXES),
        "which are the same up to a factor",
    ),
    "d": (
        lambda: variation_margin(clusters(np.random.default_rng(0), 8, d=5)),
        "points.x has shape (8, 5); it must be any × 3",
    ),
    "zero": (
        lambda: variation_margin(Classification(AXES * [[1], [0], [1]], np.array([1.0, -1, 1]))),
        "points.x holds a row of zeros",
    ),
    "direction": (
        lambda: restricted_margin(Classification(AXES, np.array([1.0, -1, 1])), np.zeros((1, 3))),
        "directions holds a row of zeros",
    ),
    "weights": (
        lambda: margin_bound(Classification(AXES, np.array([1.0, -1, 1])), [1.0, -2.0, 0.0]),
        "weights holds -2 to 1; they must be at least 0",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_points_are_refused_in_one_line(bad):
    refusal(*BAD[bad])


def test_labels_that_no_network_separates_are_refused():
    """±x in four directions of R³ obey a linear relation that no sum of ReLUs breaks."""
    x = np.vstack([AXES, [[1.0, 1, 1]]])
    relation = np.array([1.0, 1, 1, -1])
    points = Classification(np.vstack([x, -x]), np.concatenate([relation, -relation]))
    with pytest.raises(CertificateError, match="no two-layer network was found that separates the points"):
        variation_margin(points)


@pytest.mark.parametrize("spoiled", ["x", "marginals"])
def test_a_solver_that_errs_is_refused(monkeypatch, spoiled):
    module = sys.modules["implicit_bias.limits.margin.variation_norm"]
    right = module.linprog

    def rough(*args, **kwargs):
        answer = right(*args, **kwargs)
        if spoiled == "x":
            answer.x = np.roll(answer.x, 1)
        else:
            answer.ineqlin.marginals = np.roll(answer.ineqlin.marginals, 1)
        return answer

    monkeypatch.setattr(module, "linprog", rough)
    with pytest.raises(CertificateError):
        variation_margin(clusters(np.random.default_rng(0), 12))


def test_an_oracle_that_forgets_places_is_found_out():
    """The certificate asks the whole sphere: programs on a few directions alone are not certified."""
    points = clusters(np.random.default_rng(0), 12)
    answer = variation_margin(points)
    near = answer.directions + 1e-3 * np.random.default_rng(1).standard_normal(answer.directions.shape)
    near /= np.linalg.norm(near, axis=1)[:, None]
    assert certify_variation_margin(points, near, answer.masses, answer.weights).gap > 1e-6


@pytest.mark.parametrize("unit", [1.0, 1e-9])
@pytest.mark.parametrize("seed", range(4))
def test_a_program_is_solved_to_rounding_at_its_vertex_in_any_unit(unit, seed):
    signed = np.random.default_rng(seed).standard_normal((10, 60))
    masses, weights = program(unit * signed, 1 / unit)
    assert np.abs(masses).sum() == pytest.approx(1, abs=1e-14)
    assert weights.sum() == pytest.approx(1, abs=1e-14)
    assert np.max(np.abs(signed.T @ weights)) / np.min(signed @ masses) == pytest.approx(1, abs=1e-13)


def test_first_weights_that_prove_nearly_the_best_bound_do_not_end_the_search():
    points = Classification(
        np.array([[2.0, -1.0, 100.0], [-1.0, -2.0, 100.0], [1.0, 2.0, 100.0]]), np.array([1.0, -1, -1])
    )
    assert variation_margin(points).certificate.enclosure.width <= 1e-9


def test_more_pairs_of_points_than_memory_holds_are_refused_at_once():
    x = np.column_stack([np.random.default_rng(0).uniform(-1, 1, (20_000, 2)), np.ones(20_000)])
    with pytest.raises(ValueError, match=r"rows of points\.x is 20000; its arrays would take more than 4 GiB"):
        variation_margin(Classification(x, np.where(x[:, 0] > 0, 1.0, -1.0)))
