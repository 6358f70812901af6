"""Margins of kernels: known answers, other roots of the Gram matrix, the lag."""

from dataclasses import replace

import numpy as np
import pytest

from implicit_bias.data import clusters, separable
from implicit_bias.flows import log_time_flow
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import kernel_margin, margin_lag, max_margin
from implicit_bias.limits.margin.kernel import _on_support, certify_kernel_margin
from implicit_bias.losses import Exponential
from implicit_bias.models.linear import LinearClassifier

POINTS = clusters(np.random.default_rng(0), 20)


def test_the_linear_kernel_gives_the_linear_classifier():
    problem = separable(np.random.default_rng(1), 20, 5, support=3)
    linear, kernel = max_margin(problem.signed), kernel_margin(problem.x @ problem.x.T, problem.y)
    assert kernel.margin == pytest.approx(linear.margin, rel=1e-10)
    np.testing.assert_allclose(kernel.alpha, linear.alpha, atol=1e-8 * linear.alpha.max())
    np.testing.assert_array_equal(kernel.support, linear.support)
    assert kernel.slack == pytest.approx(linear.slack, rel=1e-7)


@pytest.mark.parametrize("unit", [1e-200, 1e-100, 1e-6, 1e6, 1e100, 1e200])
def test_the_margin_is_covariant(unit):
    gram = relu_kernel(POINTS.x, POINTS.x)
    assert kernel_margin(unit * gram, POINTS.y).margin == pytest.approx(
        np.sqrt(unit) * kernel_margin(gram, POINTS.y).margin, rel=1e-8
    )


def test_no_weights_of_the_dual_do_better():
    gram = relu_kernel(POINTS.x, POINTS.x)
    least = kernel_margin(gram, POINTS.y).margin ** 2
    for p in np.random.default_rng(2).dirichlet(np.full(20, 0.2), 2000):
        assert (p * POINTS.y) @ gram @ (p * POINTS.y) >= least * (1 - 1e-10)


@pytest.mark.parametrize(
    ("gram", "said"),
    [
        ([[1.0, 0.5], [0.4, 1.0]], "gram is no symmetric matrix"),
        ([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0]], "gram"),
        ([[1.0, 2.0], [2.0, 1.0]], "gram has the eigenvalue -1"),
        ([[1.0, np.nan], [np.nan, 1.0]], "gram"),
    ],
)
def test_what_is_no_kernel_is_refused(gram, said):
    with pytest.raises(ValueError, match=said):
        kernel_margin(gram, [1.0, -1.0])


def test_points_that_the_kernel_cannot_separate_are_refused():
    with pytest.raises(CertificateError):
        kernel_margin(np.ones((2, 2)), [1.0, -1.0])


@pytest.mark.parametrize("y", [[2.0, 1.0], [0.5, -3.0], [0.0, 1.0], [True, False]])
def test_labels_other_than_signs_are_refused(y):
    with pytest.raises(ValueError, match="y holds .*; every label must be 1 or -1"):
        kernel_margin(np.eye(2), y)


def test_points_on_a_line_that_nothing_separates_are_refused_in_spite_of_rounding():
    x = np.array([[0.2], [0.03], [-2.0]])
    with pytest.raises(CertificateError):
        kernel_margin(x @ x.T, [-1.0, 1.0, -1.0])


@pytest.mark.parametrize("seed", range(10))
def test_what_is_certified_is_the_matrix_that_was_given(seed):
    """Rows over twelve orders of magnitude: those of the factor are not those of the matrix, to 1e-10 of the margin."""
    stream = np.random.default_rng(seed)
    features = stream.standard_normal((4, 6)) * 10.0 ** stream.uniform(-6, 6, (4, 1))
    gram, y = features @ features.T, np.array([1.0, -1.0, 1.0, -1.0])
    try:
        machine = kernel_margin(gram, y)
    except CertificateError:  # an honest refusal
        return
    outputs = y * (gram @ (machine.alpha * y))
    assert outputs.min() >= 1 - 1e-9
    size = np.sqrt(machine.alpha @ (y * outputs * y))
    assert machine.margin == pytest.approx(1 / size, rel=1e-9)
    found = machine.certificate.enclosure
    assert found.low <= machine.margin <= found.high
    assert found.width <= 1e-9


def test_the_enclosure_sees_a_machine_of_another_matrix():
    gram = relu_kernel(POINTS.x, POINTS.x)
    machine = kernel_margin(gram, POINTS.y)
    assert machine.certificate.enclosure.width < 1e-10
    other = certify_kernel_margin(gram + 1e-6 * np.eye(len(gram)), POINTS.y, machine)
    assert other.enclosure.width > 1e-8
    assert other.gap > 1e-8
    fewer = replace(machine, alpha=machine.alpha * (1 - 1e-6))
    assert certify_kernel_margin(gram, POINTS.y, fewer).primal == pytest.approx(1e-6, rel=1e-3)
    negative = machine.alpha - 1e-6 * machine.alpha.max() * (machine.alpha == 0)
    assert certify_kernel_margin(gram, POINTS.y, replace(machine, alpha=negative)).dual == pytest.approx(1e-6)
    for wrong in (replace(machine, alpha=machine.alpha * np.nan), replace(machine, alpha=0 * machine.alpha)):
        with np.errstate(invalid="ignore"):
            assert certify_kernel_margin(gram, POINTS.y, wrong).enclosure is None
    with pytest.raises(CertificateError, match="its value is proved to lie between") as refused:
        kernel_margin(gram, POINTS.y, tol=1e-18)
    assert refused.value.answer.margin == pytest.approx(machine.margin, rel=1e-9)


def test_the_margin_of_the_flow_is_late_by_the_constant():
    problem = separable(np.random.default_rng(5), 12, 4, support=3, slack=0.5)
    limit = max_margin(problem.signed)
    run = log_time_flow(LinearClassifier(problem, Exponential()), np.zeros(4), log_t_end=600.0, record=[300.0])
    w = run.theta[1:, :-1]
    missing = 1 - (w @ problem.signed.T).min(axis=1) / np.linalg.norm(w, axis=1) / limit.margin
    assert 2 * missing[1] * 600 - missing[0] * 300 == pytest.approx(margin_lag(limit), rel=1e-3)


def test_equal_multipliers_are_not_late():
    assert margin_lag(max_margin(np.eye(3))) == pytest.approx(0.0, abs=1e-12)


def test_the_support_alone_gives_multipliers_margin_and_slack_again():
    gram = relu_kernel(POINTS.x, POINTS.x)
    machine = kernel_margin(gram, POINTS.y)
    assert 0 < machine.slack < np.inf
    spoiled = replace(machine, alpha=3 * machine.alpha, w=2 * machine.w, slack=7.0)
    again = _on_support(gram, POINTS.y, spoiled)
    np.testing.assert_allclose(again.alpha, machine.alpha, rtol=1e-6)
    assert again.margin == pytest.approx(machine.margin, rel=1e-9)
    assert again.slack == pytest.approx(machine.slack, rel=1e-6)
    assert _on_support(np.eye(2), np.ones(2), kernel_margin(np.eye(2), np.ones(2))).slack == np.inf
