"""Predictions in another unit: what the data's scale does to each limit is known exactly, and holds at every scale.

A prediction of ``implicit_bias.limits`` stands below with its law, or says ``# law: none, REASON`` on the line of its
``def``; one that does neither fails the last test but one. What a prediction answers with follows its law.
"""

import importlib
import inspect
import pkgutil
import re
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from library.helpers import first_line

import implicit_bias.limits
from implicit_bias.data import (
    BiasLaw,
    Classification,
    Deconvolution,
    Samples,
    Teacher,
    clusters,
    gaussian_mixture,
    nearly_orthogonal,
    planar_teacher,
    random_spikes,
    random_teacher,
    separable,
    sparse_regression,
)
from implicit_bias.flows import newton_schulz
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.losses import Squared
from implicit_bias.potentials import Cubic, Quadratic

FAMILIES = [
    importlib.import_module(f"implicit_bias.limits.{family.name}")
    for family in pkgutil.iter_modules(implicit_bias.limits.__path__)
    if family.ispkg
]
limits = SimpleNamespace(**{name: getattr(family, name) for family in FAMILIES for name in family.__all__})

COVARIANT = set()

scales = st.floats(-9, 9).map(lambda power: 10.0**power)


def covariant(*names, examples=6, extremes=()):
    """A test of the laws of these predictions, at random scales s and t from 1e-9 to 1e9, and at given ones."""
    COVARIANT.update(names)

    def decorate(test):
        test = given(s=scales, t=scales)(test)
        for s, t in extremes:
            test = example(s=s, t=t)(test)
        return settings(max_examples=examples, deadline=None, derandomize=True, database=None)(test)

    return decorate


def same(found, expected, rtol=1e-8):
    """Arrays that agree relative to their largest entry."""
    found, expected = np.asarray(found), np.asarray(expected)
    size = float(np.max(np.abs(expected), initial=0.0))
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * size)


FAR = [(1e150, 1.0), (1e-150, 1.0), (1.0, 1e150), (1.0, 1e-150), (1e-70, 1e70), (1e70, 1e-70)]
POINTS = separable(np.random.default_rng(0), 20, 5, support=3).signed
REGRESSION = sparse_regression(np.random.default_rng(1), 6, 12, nonzeros=2)
X, Y = REGRESSION.x, REGRESSION.y


# --- margins and least norms


@covariant("entropic_margin", extremes=[(1e100, 1.0), (1e-100, 1.0)])
def test_the_multipliers_of_maximal_entropy_scale_as_those_of_the_margin(s, t):
    one, other = limits.entropic_margin(POINTS), limits.entropic_margin(s * POINTS)
    same(other.w * s, one.w)
    same(other.alpha * s * s, one.alpha)


@covariant("max_margin", extremes=[(1e150, 1.0), (1e-150, 1.0)])
def test_the_maximum_margin_of_s_z_is_w_over_s_with_alpha_over_s_squared(s, t):
    one, other = limits.max_margin(POINTS), limits.max_margin(s * POINTS)
    same(other.w * s, one.w)
    same(other.alpha * s * s, one.alpha)
    same(other.direction, one.direction)
    assert list(other.support) == list(one.support)
    same([other.slack, other.contraction], [one.slack, one.contraction])


@covariant(
    "kernel_margin",
    "kernel_prices",
    "margin_deviation",
    "classifier_deviation",
    "classifier_draws",
    "margin_lag",
    extremes=[(1e100, 1.0), (1e-100, 1.0)],
)
def test_the_margin_of_a_kernel_s_k_is_the_root_of_s_times_as_large(s, t):
    gram = POINTS @ POINTS.T + np.eye(len(POINTS))
    labels = np.resize([1.0, -1.0], len(POINTS))
    one, other = limits.kernel_margin(gram, labels), limits.kernel_margin(s * gram, labels)
    same(other.margin / np.sqrt(s), one.margin)
    same(other.alpha * s, one.alpha)
    same(limits.margin_lag(limits.max_margin(POINTS)), limits.margin_lag(limits.max_margin(4 * POINTS)) + np.zeros(1))
    across, own = gram[:2] / 2, np.diag(gram)[:2]
    same(limits.kernel_prices(s * gram, labels, s * across, s * own), limits.kernel_prices(gram, labels, across, own))
    plane = clusters(np.random.default_rng(3), 6)
    near, places = min(max(s, 1e-9), 1e9), np.array([[0.1, 0.2, 1.0]])
    same(
        limits.classifier_deviation(near * plane.x, plane.y, near * places),
        limits.classifier_deviation(plane.x, plane.y, places),
    )
    two = 2.0 ** round(np.log2(near))  # so that rounding turns no mode of the covariance of what is drawn
    drawn = [
        limits.classifier_draws(u * plane.x, plane.y, u * places, 100, 5, np.random.default_rng(0)) for u in (two, 1)
    ]
    same(drawn[0], drawn[1])
    same(limits.margin_deviation(min(max(s, 1e-9), 1e9) * plane.x, plane.y), limits.margin_deviation(plane.x, plane.y))


@covariant("kernel_classifier", examples=3, extremes=[(1e100, 1.0), (1e-100, 1.0)])
def test_the_classifier_of_s_x_is_s_times_as_large(s, t):
    points = clusters(np.random.default_rng(4), 8)
    far = Classification(x=s * points.x, y=points.y)
    same(limits.kernel_classifier(far).predict(far.x) / s, limits.kernel_classifier(points).predict(points.x))


@covariant("l1_max_margin", extremes=[(1e150, 1.0), (1e-150, 1.0)])
def test_the_l1_maximum_margin_of_s_z_is_w_over_s_with_alpha_over_s(s, t):
    one, other = limits.l1_max_margin(POINTS), limits.l1_max_margin(s * POINTS)
    same(other.w * s, one.w)
    same(other.alpha * s, one.alpha)
    same(other.direction, one.direction)


TOKENS, QUERIES = np.random.default_rng(3).standard_normal((3, 3, 4)), np.random.default_rng(4).standard_normal((3, 4))


@covariant("attention_margin", "token_differences", extremes=[(1e140, 1.0), (1e-140, 1.0)])
def test_the_matrix_of_attention_shrinks_as_the_tokens_grow(s, t):
    same(
        limits.token_differences(s * TOKENS, QUERIES, np.zeros(3)),
        s * limits.token_differences(TOKENS, QUERIES, np.zeros(3)),
    )
    for norm, power in (("nuclear", 1), ("frobenius", 2)):
        one = limits.attention_margin(TOKENS, QUERIES, np.zeros(3), norm)
        other = limits.attention_margin(s * TOKENS, QUERIES, np.zeros(3), norm)
        same(other.w * s, one.w)
        same(other.multipliers * s**power, one.multipliers)


@covariant("attention_decay")
def test_tokens_that_grow_are_a_decay_that_shrinks(s, t):
    scores = [[1.0, 0.0, 0.0]] * 3
    one = limits.attention_decay(TOKENS, QUERIES, scores, -50.0)
    other = limits.attention_decay(s * TOKENS, QUERIES, scores, -50.0 + np.log(s))
    same(other.w * s, one.w)


@covariant("adam_path", extremes=[(1e150, 1.0), (1e-150, 1.0)])
def test_the_path_of_adam_shrinks_as_the_points_grow(s, t):
    one, other = limits.adam_path(POINTS), limits.adam_path(s * POINTS)
    same(other.knots, one.knots)
    same(other.places * s, one.places)
    same(other.slopes * s, one.slopes)


@covariant("matrix_margin", "matrix_norm", "dual_norm", "class_differences", extremes=[(1e150, 1.0), (1e-150, 1.0)])
def test_the_margin_of_a_matrix_grows_with_the_points_and_its_matrix_stays(s, t):
    x, y = np.vstack([POINTS, -POINTS]), np.repeat([0, 1], len(POINTS))
    same(limits.class_differences(s * x, y), s * limits.class_differences(x, y))
    for norm in ("frobenius", "entries"):
        one, other = limits.matrix_margin(x, y, norm), limits.matrix_margin(s * x, y, norm)
        same(np.array([other.margin]), np.array([s * one.margin]))
        same(other.w, one.w)
        assert limits.matrix_norm(t * one.w, norm) == pytest.approx(t * limits.matrix_norm(one.w, norm))
        assert limits.dual_norm(t * one.w, norm) == pytest.approx(t * limits.dual_norm(one.w, norm))


@covariant("settled_matrix", extremes=[(1e100, 1.0), (1e-100, 1.0)])
def test_where_steps_end_does_not_see_the_unit_of_the_points(s, t):
    z = limits.class_differences(np.diag([1.0, 2.0, 2.0]), np.arange(3))
    one = limits.settled_matrix(z, 4 * np.eye(3), newton_schulz)
    other = limits.settled_matrix(s * z, 4 / s * np.eye(3), newton_schulz)
    same(other.w, one.w, rtol=1e-4)
    same(other.weights, one.weights, rtol=1e-4)


@covariant(
    "variation_margin",
    "variation_margin_of_many",
    "variation_prices",
    "restricted_margin",
    "margin_bound",
    "largest_responses",
    examples=3,
    extremes=[(1e150, 1.0), (1e-150, 1.0)],
)
def test_the_variation_margin_of_s_x_is_s_times_as_large(s, t):
    points = clusters(np.random.default_rng(2), 8)
    far = Classification(x=s * points.x, y=points.y)
    one, other = limits.variation_margin(points), limits.variation_margin(far)
    same([other.margin / s, other.bound / s], [one.margin, one.bound])
    same(other.predict(far.x) / s, one.predict(points.x))
    same(limits.variation_margin_of_many(far).bound / s, one.bound)
    places = np.array([[0.02, 0.1, 1.0], [0.1, 0.0, 1.0]])
    prices = (limits.variation_prices(p, b, u * places, cap=0.5) for p, b, u in ((points, one, 1.0), (far, other, s)))
    np.testing.assert_allclose(*prices, atol=1e-3)
    same(limits.restricted_margin(far, t * one.directions) / s, one.margin)
    same(limits.margin_bound(far, t * one.weights) / s, one.bound)
    same(
        limits.largest_responses(far.x, t * points.y)[1][0] / s / t, limits.largest_responses(points.x, points.y)[1][0]
    )


@covariant("simplex_margin", "MultiplicativeRate", "ProjectedRate")
def test_margins_of_combinations_and_their_rates_at_s_z(s, t):
    one, other = limits.simplex_margin(POINTS), limits.simplex_margin(s * POINTS)
    same(other.margin / s, one.margin)
    same(other.a, one.a)
    same(other.p, one.p)
    rate, far = limits.MultiplicativeRate(POINTS, t), limits.MultiplicativeRate(s * POINTS, t / s)  # βz has no unit
    same(far.least_log_beta(9) + np.log(s), rate.least_log_beta(9))
    same(far.most_log_beta(9) + np.log(s), rate.most_log_beta(9))
    same(far.bound(9) / s, rate.bound(9))
    same(far.paper(9) / s, rate.paper(9))
    rate, far = limits.ProjectedRate(POINTS), limits.ProjectedRate(s * POINTS)  # β ≥ 1 sets a unit: the rest scales
    same(far.margin / s, rate.margin)
    same(far.least_log_beta(9), rate.least_log_beta(9))


@covariant("least_norm", "least_l1", extremes=FAR)
@pytest.mark.parametrize(("solve", "power"), [(limits.least_norm, 2), (limits.least_l1, 1)])
def test_least_norms_of_s_x_and_t_y_are_t_w_over_s(solve, power, s, t):
    one, other = solve(X, Y), solve(s * X, t * Y)
    same(other.w * (s / t), one.w)
    same(other.dual * s if power == 1 else other.dual * s / t * s, one.dual)


@st.composite
def spread_points(draw, orders=4):
    """A separable set whose rows range over 2·orders orders of magnitude, and the direction that separates it."""
    stream = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, d = draw(st.sampled_from([(20, 5), (6, 3), (5, 5), (12, 30), (8, 1), (1, 4)]))
    if d == 1 or n == 1:
        z, direction = np.abs(stream.standard_normal((n, d))) + 0.1, np.ones(d)
    else:
        problem = separable(stream, n, d, support=min(3, d))
        z, direction = problem.signed, problem.direction
    z = z * 10.0 ** stream.uniform(-orders, orders, (n, 1))
    return np.vstack([z, z[: draw(st.integers(0, 2))]]), direction


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(points=spread_points(), power=st.sampled_from([0, -9, 9, -60, 60]))
@pytest.mark.parametrize("solve", [limits.max_margin, limits.l1_max_margin])
def test_separable_sets_are_separated_whatever_their_rows_lengths(solve, points, power):
    z, _ = points
    answer = solve(10.0**power * z)
    assert answer.certificate.worst <= 1e-10
    margins = (10.0**power * z) @ answer.w
    # In units of the rounding of each row's own terms
    rounding = np.finfo(float).eps * np.abs(10.0**power * z) @ np.abs(answer.w)
    assert np.all(margins >= 1 - 1e-10 - 1000 * rounding)
    assert np.all(answer.alpha >= 0)
    norm = np.linalg.norm(answer.w) ** 2 if solve is limits.max_margin else np.abs(answer.w).sum()
    assert answer.alpha.sum() == pytest.approx(norm, rel=1e-9)


@pytest.mark.parametrize("solve", [limits.max_margin, limits.l1_max_margin])
def test_margins_of_two_axes_are_known_at_any_lengths(solve):
    for first, second in ((1.0, 1e-8), (1e-150, 1e-142), (3e142, 7e150), (1.0, 1.0)):
        answer = solve([[first, 0.0], [0.0, second]])
        np.testing.assert_allclose(answer.w, [1 / first, 1 / second], rtol=1e-14)


def test_the_maximum_margin_of_three_points_is_that_of_fractions():
    """The first two points carry it: z_1·w = z_2·w = 1 by Cramer's rule in whole numbers. The third is farther."""
    z = [(10**8, 3), (-5, 7), (10**9, 1)]
    (a, b), (c, e) = ((Fraction(p), Fraction(q)) for p, q in z[:2])
    w = ((e - b) / (a * e - b * c), (a - c) / (a * e - b * c))
    gram = (a * a + b * b, a * c + b * e, c * c + e * e)
    determinant = gram[0] * gram[2] - gram[1] ** 2
    alpha = ((gram[2] - gram[1]) / determinant, (gram[0] - gram[1]) / determinant)
    answer = limits.max_margin(np.array(z, dtype=float))
    same(answer.w, [float(part) for part in w], rtol=1e-14)
    np.testing.assert_allclose(answer.alpha, [*(float(part) for part in alpha), 0.0], rtol=1e-12)


def test_margins_agree_with_clarabel():
    import cvxpy as cp

    for seed in range(3):
        z = separable(np.random.default_rng(seed), 15, 4, support=3).signed
        z = z * 10.0 ** np.random.default_rng(seed).uniform(-1, 1, (15, 1))
        for solve, norm in ((limits.max_margin, 2), (limits.l1_max_margin, 1)):
            w = cp.Variable(4)
            cp.Problem(cp.Minimize(cp.norm(w, norm)), [z @ w >= 1]).solve(solver=cp.CLARABEL)
            same(np.linalg.norm(solve(z).w, norm), np.linalg.norm(w.value, norm), rtol=1e-6)


@pytest.mark.parametrize("solve", [limits.max_margin, limits.l1_max_margin])
@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1.0, 1e9, 1e150])
def test_sets_that_cannot_be_separated_are_refused_at_any_scale(solve, scale):
    stream = np.random.default_rng(0)
    lengths = 10.0 ** stream.uniform(-4, 4, (3, 1))
    for z in ([[1.0, 0.2], [-1.0, 0.3], [0.1, -1.0]], [[1.0, 2.0], [-0.3, -0.6], [1.0, 0.0]], [[1.0], [1.0], [-1e-3]]):
        with pytest.raises(CertificateError, match="no direction separates the points"):
            solve(scale * lengths * np.array(z))
    with pytest.raises(CertificateError, match="no direction separates the points: one of them is 0"):
        solve(scale * np.array([[1.0, 2.0], [0.0, 0.0]]))


def test_a_narrow_wedge_is_separated_or_refused_with_the_truth():
    """Two points nearly opposite to each other: w = (0, 1/ε), with multipliers whose sum cancels to ε of them."""
    for width in (1e-3, 1e-5):
        answer = limits.max_margin([[1.0, width], [-1.0, width]])
        same(answer.w, [0.0, 1 / width])
    with pytest.raises(CertificateError, match="is not certified"):  # separable, but not to 1e-10 in a float64
        limits.max_margin([[1.0, 1e-9], [-1.0, 1.1e-9]])
    with pytest.raises(CertificateError, match="of their convex hull"):
        limits.max_margin([[1.0, 1e-17], [-1.0, 1e-17]])


@pytest.mark.parametrize("solve", [limits.least_norm, limits.least_l1])
def test_least_norms_of_rows_of_any_lengths(solve):
    stream = np.random.default_rng(2)
    for labels in (Y, Y * (np.arange(6) > 0), 0 * Y):
        lengths = 10.0 ** stream.uniform(-4, 4, 6)
        one, other = solve(X, labels), solve(lengths[:, None] * X, lengths * labels)
        same(other.w, one.w)
        same(other.dual * lengths, one.dual)
        twice = solve(np.vstack([X, X[:2]]), np.append(labels, labels[:2]))
        same(twice.w, one.w)


@pytest.mark.parametrize("solve", [limits.least_norm, limits.least_l1])
def test_one_equation_in_one_unknown_at_any_scale(solve):
    for x, y in ((1e-150, 1.0), (1e150, 1.0), (-3.0, 7.0)):
        np.testing.assert_allclose(solve([[x]], [y]).w, [y / x], rtol=1e-14)


def test_what_no_float_can_hold_is_refused():
    for solve in (lambda: limits.max_margin(np.eye(2) * 1e-300), lambda: limits.max_margin(np.eye(2) * 1e-160)):
        with pytest.raises(CertificateError, match="a float64 cannot hold the multipliers"):
            solve()
    with pytest.raises(CertificateError, match="a float64 cannot hold the multipliers"):
        limits.least_norm(np.eye(2, 3) * 1e-300, [1.0, 1.0])


# --- lazy training

KERNEL = np.array([[2.0, 0.3, -0.1], [0.3, 1.0, 0.2], [-0.1, 0.2, 1.5]])
LABELS = np.array([1.0, -0.5, 0.7])
PLANE = np.array([[1.0, 0.2], [-0.3, 0.9], [-0.6, -0.8]])


@covariant("lazy_expansion", examples=4)
def test_the_expansion_of_a_kernel_s_k_and_labels_t_y(s, t):
    third, times = np.arange(27.0).reshape(3, 3, 3) / 27, np.array([0.3, 1.0, 4.0])
    one = limits.lazy_expansion(Squared("sum"), LABELS, times, KERNEL, third)
    other = limits.lazy_expansion(Squared("sum"), t * LABELS, times / s, s * KERNEL, s * third)
    same(other.linear / t, one.linear)
    same(other.first * s / t / t, one.first, rtol=1e-6)
    same(other.displacement * np.sqrt(s) / t, one.displacement)


@covariant("lazy_bound")
def test_the_bound_of_a_kernel_s_k_and_labels_t_y(s, t):
    one, other = limits.lazy_bound(KERNEL, LABELS, 2.0), limits.lazy_bound(s * KERNEL, t * LABELS, 2.0)
    same(
        [other.scale * s / t, other.distance * s / t / t, other.displacement * np.sqrt(s) / t],
        [one.scale, one.distance, one.displacement],
    )


SECONDS = np.array([[[[1.0, 0.5], [0.5, -1.0]]] * 3, [[[0.2, 0.1], [0.1, 2.0]]] * 3])
FEATURES = np.array([[1.0, 0.2, 0.4], [0.3, 1.0, -0.5]])
AROUND = np.column_stack([np.cos(np.arange(7)), np.sin(np.arange(7))])


@covariant("bilinear_norm", "lazy_criterion", "wide_criterion")
def test_the_criterion_of_laziness_has_no_unit(s, t):
    norms = limits.bilinear_norm(SECONDS), limits.bilinear_norm(s * SECONDS)
    same([norms[1].below / s, norms[1].above / s], [norms[0].below, norms[0].above], rtol=1e-6)
    one = limits.lazy_criterion(LABELS, KERNEL, SECONDS)
    other = limits.lazy_criterion(s * LABELS, (s / t) ** 2 * KERNEL, s / t / t * SECONDS)
    same([other.below, other.above], [one.below, one.above], rtol=1e-6)
    gradients = np.stack([KERNEL[:, :2], KERNEL[:, 1:]])
    law = limits.wide_criterion(LABELS, gradients, SECONDS)
    scaled = limits.wide_criterion(s * LABELS, s / t * gradients, s / t / t * SECONDS)
    same([scaled.constant, scaled.scatter, scaled.shift], [law.constant, law.scatter, law.shift], rtol=1e-6)


@covariant("gated_paths", examples=4)
def test_the_paths_of_long_neurons_for_s_x_and_t_y(s, t):
    half, out, times = AROUND[:2] + 0.3, np.array([1.0, 0.7]), np.array([0.0, 0.5, 2.0])
    w, a = np.vstack([half, half]), np.concatenate([out, -out])
    one, other = (limits.gated_paths(u * PLANE, v * LABELS, w, a, times / u**2) for u, v in ((1, 1), (s, t)))
    same(other.w * s / t, one.w, rtol=1e-6)
    same(other.a * s / t, one.a, rtol=1e-6)
    same(other.second_w * (s / t) ** 2, one.second_w, rtol=1e-6)


@covariant("CircleResponse", "least_weights", examples=4)
def test_the_least_weights_for_s_x_and_t_y(s, t):
    one, other = (limits.CircleResponse(u * AROUND, v * np.cos(np.arange(7.0))) for u, v in ((1, 1), (s, t)))
    same(other.largest() / s / t, one.largest())
    seen = np.maximum(AROUND @ [0.6, 0.8], 0) + 0.5 * np.maximum(AROUND @ [-0.8, 0.6], 0)
    one, other = (limits.least_weights(u * AROUND, v * seen) for u, v in ((1, 1), (s, t)))
    same(other.value * s / t, one.value, rtol=1e-6)


@covariant("linear_course", "linear_descent")
def test_a_linear_model_of_s_features_and_t_y(s, t):
    times = np.array([0.0, 1.0, 30.0])
    one, other = (
        limits.linear_course(u * FEATURES, v * LABELS[:2], u * FEATURES, times / u**2) for u, v in ((1, 1), (s, t))
    )
    same(other / t, one)
    one, other = (
        limits.linear_descent(u * KERNEL, v * LABELS, u * KERNEL[:2], 0.3 / u, [0, 3]) for u, v in ((1, 1), (s, t))
    )
    same(other.values / t, one.values)


@covariant("relu_tangent_kernel", "kernel_regression", "tangent_scatter")
def test_the_tangent_kernel_is_of_degree_one_in_each_point(s, t):
    one, other = limits.relu_tangent_kernel(PLANE, PLANE[:2]), limits.relu_tangent_kernel(s * PLANE, t * PLANE[:2])
    same(other / s / t, one)
    fit = limits.kernel_regression(KERNEL, LABELS, KERNEL[:2])
    scaled = limits.kernel_regression(s * KERNEL, t * LABELS, s * KERNEL[:2])
    same(scaled.values / t, fit.values)
    same(scaled.weights * s / t, fit.weights)
    at, there = (limits.tangent_scatter(u * PLANE, v * LABELS, u * PLANE[:, ::-1]) for u, v in ((1, 1), (s, t)))
    same(there.kernel / s / s, at.kernel)
    same(there.covariance / t / t, at.covariance)


# --- entropies and neurons


@covariant("HyperbolicEntropy", "scale_derivative")
def test_the_entropy_of_s_x_t_y_and_root_k_t_over_s(s, t):
    k, w0 = np.linspace(1, 2, 12), 0.1 * np.linspace(-1, 1, 12)
    unit = t / s
    one = limits.HyperbolicEntropy(k, w0).minimize(X, Y)
    other = limits.HyperbolicEntropy(k * unit**2, w0 * unit).minimize(s * X, t * Y)
    same(other.w / unit, one.w)
    same(other.dual * s, one.dual)
    assert other.iterations == pytest.approx(one.iterations, abs=1)
    entropies = limits.HyperbolicEntropy(k), limits.HyperbolicEntropy(k * unit**2)
    (dual, w), (other_dual, other_w) = (
        limits.scale_derivative(e, size * X, scale * one.w)
        for e, size, scale in zip(entropies, (1, s), (1, unit), strict=True)
    )
    same(other_dual * s, dual)
    same(other_w / unit, w)


@covariant("staircase", examples=4, extremes=[(1e150, 1e-100), (1e-150, 1e100)])
def test_the_staircase_of_s_x_and_t_y(s, t):
    one, other = limits.staircase(X, Y), limits.staircase(s * X, t * Y)
    same(other.times * s * t, one.times)
    same(other.plateaus * s / t, one.plateaus)
    same(other.levels, one.levels)
    same(limits.staircase(s * X, t * Y, step=0.01 / s / t).times * s * t, limits.staircase(X, Y, step=0.01).times)


@covariant("cone_program", examples=3)
def test_the_cone_program_of_s_x_t_y_and_t_over_s_a(s, t):
    a, b, unit = np.full(12, 0.4), np.full(12, 0.3), t / s
    one, other = limits.cone_program(X, Y, a, b), limits.cone_program(s * X, t * Y, unit * a, unit * b)
    same(other / unit, one, rtol=1e-6)


@covariant("entropy_path", "entropy_to_l1", examples=4)
def test_the_path_of_s_x_t_y_and_root_k_t_over_s(s, t):
    scales, unit = np.array([1.0, 1e-3, 1e-5]), t / s
    one, other = limits.entropy_path(X, Y, scales), limits.entropy_path(s * X, t * Y, unit * scales)
    same(other.w / unit, one.w)
    same(other.dual * s, one.dual)
    stream = np.random.default_rng(5)
    vertex = [sparse_regression(stream, 3, 6, nonzeros=1) for _ in range(31)][30]
    rich, far = limits.entropy_to_l1(vertex.x, vertex.y), limits.entropy_to_l1(s * vertex.x, t * vertex.y)
    same(far.minimizer(unit * 1e-8) / unit, rich.minimizer(1e-8))
    same([far.slack, far.next_order(unit * 1e-8)], [rich.slack, rich.next_order(1e-8)])


@covariant("NeuronRegularizer", "linear_neuron_limit", "leaky_neuron_limit", "unleaked")
def test_the_neuron_of_s_x_and_t_y_is_a_and_w_times_the_root_of_t_over_s(s, t):
    unit, a0, w0 = t / s, 1.3, 0.2 * np.ones(12)
    root = np.sqrt(unit)
    for solve in (limits.linear_neuron_limit, lambda *problem: limits.leaky_neuron_limit(*problem, 0.4)):
        one, other = solve(X, Y, a0, w0), solve(s * X, t * Y, root * a0, root * w0)
        same(np.append(other.w, other.a) / root, np.append(one.w, one.a))
    delta = a0**2 - w0 @ w0
    one = limits.NeuronRegularizer(delta, a0 * w0).minimize(X, Y)
    other = limits.NeuronRegularizer(unit * delta, unit * a0 * w0).minimize(s * X, t * Y)
    same(other.w / unit, one.w)
    same(other.dual / root * s, one.dual, rtol=1e-6)
    same(limits.unleaked(t * Y, 1, 0.3), t * limits.unleaked(Y, 1, 0.3))


@covariant("NeuronMetric")
def test_the_metric_of_s_delta_and_s_w_is_over_s(s, t):
    centre, one, other = np.array([1.0, 0.5]), limits.NeuronMetric(0.7), limits.NeuronMetric(0.7 * s)
    same(other.value(s * centre) * s, one.value(centre))
    same(other.inverse(s * centre) / s, one.inverse(centre))
    same(other.loop(s * centre, s * 0.1), one.loop(centre, 0.1))  # a length over s times a length of size s


# --- measures


@covariant(
    "blasso",
    "LocalRates",
    "enclose_sharpness",
    "mirror_constant",
    "mirror_corrections",
    examples=4,
    extremes=[(1e60, 1.0), (1e-60, 1.0)],
)
def test_the_sparse_measure_of_s_c_and_s_lambda_is_s_a_at_the_same_places(s, t):
    problem = random_spikes(np.random.default_rng(0), 2, 1, separation=1.5)
    one = limits.blasso(problem, 0.8)
    other = limits.blasso(replace(problem, masses=s * problem.masses), s * 0.8)
    same(other.masses / s, one.masses)
    same(other.positions, one.positions)
    same(other.value / s / s, one.value)
    same(limits.mirror_constant(other) / s, limits.mirror_constant(one))
    same(limits.mirror_corrections(other) * s, limits.mirror_corrections(one))
    rates, far = limits.LocalRates(one, 1.0, 2.0), limits.LocalRates(other, 1.0, 2.0)
    same(far.spikes[0] / s, rates.spikes[0])
    same([far.rate / s, far.sharpness / s], [rates.rate, rates.sharpness], rtol=1e-6)
    same(limits.enclose_sharpness(far).low / s, limits.enclose_sharpness(rates).low, rtol=1e-6)
    turned = limits.blasso(replace(problem, positions=problem.positions + t % 1), 0.8)
    same(np.sort(turned.masses), np.sort(one.masses))


@covariant("EntropicBound", examples=3)
def test_the_entropic_bound_of_s_c_s_lambda_and_s_start_is_s_squared_times_that_at_s_tau(s, t):
    problem = random_spikes(np.random.default_rng(0), 2, 1, separation=1.5)
    places, start, tau = np.linspace(0, 2 * np.pi, 60, endpoint=False), np.full(60, 1 / 60), np.array([0.5, 5.0])
    one = limits.EntropicBound(problem, 0.8, places, start).values(tau)
    other = limits.EntropicBound(replace(problem, masses=s * problem.masses), s * 0.8, places, s * start).values(
        tau / s
    )
    same(other / s / s, one)


@covariant("positive_fit", examples=3)
def test_the_positive_fit_of_s_a_and_t_b_is_s_t_times_the_masses(s, t):
    teacher = planar_teacher(np.random.default_rng(0), 4)
    one = limits.positive_fit(teacher, 120)
    other = limits.positive_fit(Teacher(s * teacher.w, t * teacher.a), 120)
    same(other.masses / (s * t), one.masses, rtol=1e-5)
    same([other.value / (s * t) ** 2, other.zero / (s * t) ** 2], [one.value, one.zero])
    same(other.gap / (s * t) ** 2, one.gap, rtol=1e-4)


@covariant("mean_field_flow", examples=2)
def test_the_flow_of_densities_knows_the_teacher_by_its_labels_alone(s, t):
    """Labels s·f* have no law: the start, of unit density, stays. Only b‖a‖ enters, and a turn turns the densities."""
    teacher = planar_teacher(np.random.default_rng(0), 3)
    one, other = (limits.mean_field_flow(Teacher(u * teacher.w, teacher.a / u), [2.0], 64) for u in (1.0, s))
    same(other.density, one.density, rtol=1e-7)
    steps = int(64 * (t % 1))
    angle = 2 * np.pi * steps / 64
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turned = limits.mean_field_flow(Teacher(teacher.w @ turn, teacher.a), [2.0], 64)
    same(turned.density, np.roll(one.density, steps, axis=-1), rtol=1e-6)


@covariant("few_neurons_bound", extremes=[(1e70, 1.0), (1e-70, 1.0)])
def test_the_bound_for_few_neurons_of_s_a_and_t_b_is_s_t_squared_times_as_large(s, t):
    teacher = random_teacher(np.random.default_rng(0), 4, 6)
    one, other = (limits.few_neurons_bound(Teacher(u * teacher.w, v * teacher.a), 1, 1) for u, v in ((1, 1), (s, t)))
    same(other / (s * t) ** 2, one)


# --- classification


def scaled(problem, s):
    return Classification(x=s * problem.x, y=problem.y)


@covariant("rank_two", "agreement", "orthogonality", "two_neuron_program", "margin_search", "pattern_limit", examples=4)
def test_the_networks_of_largest_margin_of_s_x_are_over_s(s, t):
    problem = nearly_orthogonal(np.random.default_rng(0), 4, 6)
    far = scaled(problem, s)
    one, other = (limits.rank_two(p, 0.5, 2, 1) for p in (problem, far))
    same(other.weights * s, one.weights)
    same(other.multipliers * s * s, one.multipliers)
    assert one.valid
    assert other.valid
    same(other.stable_rank, one.stable_rank)
    same(*(limits.orthogonality(p, 0.5) for p in (far, problem)))
    assert limits.agreement(far, 0.5, 2, 1) == limits.agreement(problem, 0.5, 2, 1)
    same(
        *(np.concatenate(limits.two_neuron_program(p, 0.5, 2, 1)) * u for p, u in ((far, s), (problem, 1.0))), rtol=1e-6
    )
    pattern = np.outer([1, 1, -1], problem.y)  # that of the rank-two network
    pattern[0, 0] = 0
    same(*(limits.pattern_limit(p, 0.5, np.array([1.0, 1, -1]), pattern) * u for p, u in ((far, s), (problem, 1.0))))
    found, expected = (limits.margin_search(p, 0.5, 2, 1, np.random.default_rng(1), starts=2) for p in (far, problem))
    same(np.sort(found[1] * s * s), np.sort(expected[1]), rtol=1e-5)


@covariant(
    "spiked_stable_rank",
    "spiked_fluctuation",
    "spike_curve",
    "one_step_error",
    "kinked_stable_rank",
    "change_bounds",
    "gate_bounds",
    "first_change_rank",
    "beside_spike",
)
def test_the_first_layer_of_s_x(s, t):
    data = gaussian_mixture(np.random.default_rng(0), 4, 8, separation=2.0)
    far = scaled(data, s)
    for rank in (limits.spiked_stable_rank, limits.spiked_fluctuation):
        same(rank(s * 9.0, s * 0.5, 30, 40), rank(9.0, 0.5, 30, 40))
    curves = [limits.spike_curve(p, 0.3, 0.1 / u**2, 5, deviation=0.1 / u) for p, u in ((data, 1.0), (far, s))]
    same(curves[1].spike * s, curves[0].spike)
    same(curves[1].slopes * s * s, curves[0].slopes)
    signs = np.array([1.0, -1, 1, 1, -1]) / np.sqrt(5)
    beside = [limits.beside_spike(p, 0.3, signs, curve.slopes) for p, curve in zip((data, far), curves, strict=True)]
    same(beside[1] * s, beside[0])
    same(limits.gate_variance(far, 0.3, 0.1 / s), limits.gate_variance(data, 0.3, 0.1))
    same(limits.one_step_error(far, 0.3) / s, limits.one_step_error(data, 0.3))
    same(limits.kinked_stable_rank(far, 0.3, 7), limits.kinked_stable_rank(data, 0.3, 7))
    same(limits.first_change_rank(far, 0.3, 7, 0.1 / s), limits.first_change_rank(data, 0.3, 7, 0.1))
    inputs = np.linspace(-1, 1, 20).reshape(5, 4)
    gates = [limits.gate_bounds(p, 0.3, np.arange(1.0, 5) / u**2, signs, inputs) for p, u in ((data, 1.0), (far, s))]
    same(np.append(gates[1].lower, gates[1].upper), np.append(gates[0].lower, gates[0].upper))
    bounds = [limits.change_bounds(p, 0.3, t * np.arange(1.0, 5)) for p in (data, far)]
    same([bounds[1].frobenius / s, bounds[1].spectral / s], [bounds[0].frobenius, bounds[0].spectral])


@covariant("first_step_moment", "trace_over_norm", "decoupled_growth")
def test_the_unfed_network_of_s_times_its_start(s, t):
    stream = np.random.default_rng(0)
    x, targets = stream.standard_normal((5, 6)), np.eye(3)[[0, 1, 2, 0, 1]]
    one, other = limits.first_step_moment(x, targets), limits.first_step_moment(s * x, targets)
    same(other / s / s, one)
    same(limits.trace_over_norm(other), limits.trace_over_norm(one))
    w, a = stream.standard_normal((4, 6)), stream.standard_normal((3, 4))
    one, other = (
        limits.decoupled_growth(u * w, u * a, x, targets, 0.1, loudest=50.0 * u * u, most=20) for u in (1.0, s)
    )
    same(other.stable_rank, one.stable_rank)
    same(other.output / s / s, one.output)


@covariant(
    "variation_fit",
    "fit_bound",
    "kernel_ridge",
    "direction_covariance",
    "fixed_space_error",
    "mean_ridge_error",
    examples=3,
    extremes=[(1e60, 1.0), (1e-60, 1.0), (1.0, 1e60), (1.0, 1e-60)],
)
def test_the_fits_of_s_x_and_t_y(s, t):
    stream = np.random.default_rng(0)
    x, y = np.column_stack([stream.uniform(-1, 1, (8, 2)), np.ones(8)]), stream.standard_normal(8)
    one, other = (limits.variation_fit(Samples(u * x, v * y), u * v * 0.05) for u, v in ((1.0, 1.0), (s, t)))
    same([other.value / t / t, other.bound / t / t], [one.value, one.bound], rtol=2e-6)
    same(other.predict(s * x) / t, one.predict(x), rtol=1e-3)
    bounds = [limits.fit_bound(Samples(u * x, v * y), u * v * 0.05, 0.1 * v * y) for u, v in ((1.0, 1.0), (s, t))]
    same(bounds[1] / t / t, bounds[0])
    gram = x @ x.T
    one, other = limits.kernel_ridge(gram, y, [0.1]), limits.kernel_ridge(s * gram, t * y, [s * 0.1])
    same(other.coefficients * s / t, one.coefficients)
    same(other.left_out / t, one.left_out)
    same(limits.direction_covariance(s * x, x) / s, limits.direction_covariance(x, x))
    same(limits.fixed_space_error(s * x, 2) / s / s, limits.fixed_space_error(x, 2))
    errors = [limits.mean_ridge_error(u * x, u * x, gram, gram, 0.1, 0.2 * u) for u in (1.0, s)]
    same(errors[1] / s / s, errors[0])


@covariant("ramp_spline", "ramp_kernel", "ramp_scatter", "finite_element_spline", examples=4)
def test_the_ramp_spline_of_s_x_and_t_y(s, t):
    x, y = np.array([-1.5, -0.4, 0.3, 1.2]), np.array([1.0, -0.5, 0.2, 0.7])
    one, other = (limits.ramp_spline(u * x, v * y, BiasLaw(2.0 * u)) for u, v in ((1.0, 1.0), (s, t)))
    at = np.linspace(-3, 3, 13)
    same(other.predict(s * at) / t, one.predict(at))
    same([other.jump * s / t, other.value * s * s / t / t], [one.jump, one.value])
    same(limits.ramp_kernel(s * x, s * at, BiasLaw(2.0 * s)) / s / s, limits.ramp_kernel(x, at, BiasLaw(2.0)))
    apart = [limits.ramp_scatter(u * x, v * y, BiasLaw(2.0 * u), u * at) for u, v in ((1.0, 1.0), (s, t))]
    same(apart[1].spread / t, apart[0].spread)
    rough = [limits.finite_element_spline(u * x, v * y, BiasLaw(2.0 * u), 100) for u, v in ((1.0, 1.0), (s, t))]
    same(rough[1][1] / t, rough[0][1], rtol=1e-5)


@covariant("potential_response", "response_path", examples=4)
def test_the_response_to_a_potential_of_s_x_and_t_y(s, t):
    x, y, at = np.array([-1.5, -0.4, 0.3, 1.2]), np.array([1.0, -0.5, 0.2, 0.7]), np.linspace(-2, 2, 9)
    one, other = (limits.potential_response(u * x, v * y, BiasLaw(2.0 * u), 3, 2.0) for u, v in ((1.0, 1.0), (s, t)))
    same(other.predict(s * at) / (t / s) ** 3 / s, one.predict(at), rtol=1e-5)
    same(other.kernel_change / t**2, one.kernel_change, rtol=1e-5)
    one, other = (
        limits.response_path(u * x, v * y, BiasLaw(2.0 * u), 2, 1.5, [3 / u**2])[0] for u, v in ((1.0, 1.0), (s, t))
    )
    same(other.predict(s * at) / (t / s) ** 2 / s, one.predict(at), rtol=1e-4)


@covariant("jump_line", examples=4)
def test_the_line_of_jumps_of_s_x_and_t_y(s, t):
    x, y = np.array([-1.5, -0.4, 0.3, 1.2]), np.array([1.0, -0.5, 0.2, 0.7])
    one, other = (limits.jump_line(u * x, v * y, BiasLaw(2.0 * u), 0.3 * u**2) for u, v in ((1.0, 1.0), (s, t)))
    same([other.rise * s, other.start * s / t, other.turn / t], [one.rise, one.start, one.turn])


@covariant("least_potential", examples=4)
def test_the_least_potential_of_s_f_and_t_y(s, t):
    features, y = np.array([[1.0, 2.0, -1.0], [0.0, 1.0, 1.0]]), np.array([1.0, -0.5])
    one, other = (limits.least_potential(u * features, v * y, Quadratic()) for u, v in ((1.0, 1.0), (s, t)))
    same([*(other.u * s / t), other.value * s * s / t / t], [*one.u, one.value])


@covariant("bregman_function", "bregman_program", examples=4)
def test_the_function_of_least_divergence_of_s_x_and_t_y(s, t):
    x, y = np.array([-1.5, -0.4, 0.3, 1.2]), np.array([1.0, -0.5, 0.2, 0.7])
    units = ((1.0, 1.0), (s, t))
    # α is in units of t/s, and |α|³ + ωα² keeps its shape with ω t/s
    one, other = (limits.bregman_function(u * x, v * y, BiasLaw(2.0 * u), Cubic(v / u)) for u, v in units)
    at = np.linspace(-3, 3, 13)
    same(other.predict(s * at) / t, one.predict(at))
    same(other.value / (t / s) ** 3, one.value)
    rough = [limits.bregman_program(u * x, v * y, BiasLaw(2.0 * u), 3, v / u, 40) for u, v in units]
    same(rough[1][1] / (t / s), rough[0][1], rtol=1e-5)


def answers():
    """The classes that predictions answer with; those that minimize are predictions themselves."""
    makers = [getattr(thing, "minimize", thing) for thing in vars(limits).values()]
    returned = " ".join(str(inspect.signature(one).return_annotation) for one in makers)
    return {name for name, one in vars(limits).items() if inspect.isclass(one) and re.search(rf"\b{name}\b", returned)}


def test_every_prediction_has_its_law_or_the_reason_why_there_is_none():
    said = {name for name, thing in vars(limits).items() if "# law: none, " in first_line(thing)}
    assert COVARIANT | answers() | said == set(vars(limits))
    assert not COVARIANT & (answers() | said)


def test_a_spike_far_from_the_size_of_one_is_known():
    for mass in (1e-100, 1e-9, 1e9, 1e100):
        answer = limits.blasso(Deconvolution(np.array([[1.0]]), np.array([mass]), 2), 2 * mass)
        same(answer.masses, [mass * (1 - 2 / 5)], rtol=1e-12)
