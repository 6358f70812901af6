"""Limits against certificates, special cases and independent solvers."""

import sys

import numpy as np
import pytest
import torch
from scipy.optimize import minimize

from implicit_bias.data import separable, sparse_regression
from implicit_bias.limits import (
    Certificate,
    CertificateError,
    HyperbolicEntropy,
    hypentropy_conic,
    l1_max_margin,
    least_l1,
    least_norm,
    max_margin,
)


@pytest.fixture
def regression():
    return sparse_regression(np.random.default_rng(1), 6, 12, nonzeros=2)


def test_max_margin_of_two_points_is_known():
    answer = max_margin([[2.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    np.testing.assert_allclose(answer.w, [0.5, 1.0], atol=1e-12)
    np.testing.assert_allclose(answer.alpha, [0.25, 1.0, 0.0], atol=1e-12)
    assert answer.margin == pytest.approx(1 / np.sqrt(1.25))
    assert answer.slack == pytest.approx(6.5)
    np.testing.assert_allclose(answer.residuals, [-np.log(0.75), -np.log(3.0)], atol=1e-12)
    assert answer.decay == answer.contraction == pytest.approx(1.0)  # z₁ ⊥ z₂: the matrix (z_i·z_j α_j) is the identity


def test_max_margin_scales_with_the_points():
    z = separable(np.random.default_rng(0), 20, 5, support=3).signed
    np.testing.assert_allclose(max_margin(1e6 * z).w, 1e-6 * max_margin(z).w, rtol=1e-10)
    np.testing.assert_allclose(max_margin(1e-6 * z).w, 1e6 * max_margin(z).w, rtol=1e-10)


@pytest.mark.parametrize("solve", [max_margin, l1_max_margin])
def test_margins_of_sets_that_are_not_separable_are_refused(solve):
    z = np.array([[1.0, 0.2], [-1.0, 0.3], [0.1, -1.0]])
    with pytest.raises(CertificateError, match="no direction separates the points"):
        solve(z)
    with pytest.raises(CertificateError, match="no direction separates the points"):
        solve(np.zeros((2, 2)))


@pytest.mark.parametrize("wrong", [[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
def test_max_margin_refuses_a_solver_that_returns_a_wrong_support(monkeypatch, wrong):
    module = sys.modules["implicit_bias.limits.max_margin"]
    monkeypatch.setattr(module, "nnls", lambda *args, **kwargs: (np.array(wrong), 1.0))
    with pytest.raises(CertificateError, match="the maximum-margin direction is not certified"):
        max_margin([[2.0, 0.0], [0.0, 1.0], [5.0, 5.0]])


@pytest.mark.parametrize("scale", [0.9, 1.1])
@pytest.mark.parametrize(("solve", "part"), [(l1_max_margin, "ineqlin"), (least_l1, "eqlin")])
def test_linear_programs_refuse_a_solver_that_returns_a_wrong_answer(monkeypatch, regression, solve, part, scale):
    module = sys.modules[solve.__module__]
    right = module.linprog
    problem = (separable(np.random.default_rng(0), 20, 5, support=3).signed,)
    if solve is least_l1:
        problem = (regression.x, regression.y)

    def primal(*args, **kwargs):
        answer = right(*args, **kwargs)
        answer.x = answer.x * scale
        return answer

    def dual(*args, **kwargs):
        answer = right(*args, **kwargs)
        answer[part].marginals = answer[part].marginals * scale
        return answer

    for wrong in (primal, dual):
        monkeypatch.setattr(module, "linprog", wrong)
        with pytest.raises(CertificateError, match="is not certified"):
            solve(*problem)


def test_l1_margin_is_at_least_that_of_any_direction():
    z = separable(np.random.default_rng(0), 20, 5, support=3).signed
    best = 1 / np.abs(l1_max_margin(z).w).sum()
    for w in np.random.default_rng(1).standard_normal((2000, 5)):
        assert (z @ w).min() / np.abs(w).sum() <= best + 1e-12
    l2 = max_margin(z).w
    assert (z @ l2).min() / np.abs(l2).sum() <= best + 1e-12


def test_least_norm_is_the_pseudoinverse(regression):
    np.testing.assert_allclose(
        least_norm(regression.x, regression.y).w, np.linalg.pinv(regression.x) @ regression.y, atol=1e-12
    )


def test_least_l1_beats_every_other_interpolator(regression):
    x, y = regression.x, regression.y
    answer = least_l1(x, y)
    kernel = np.linalg.svd(x)[2][6:]
    for step in np.random.default_rng(0).standard_normal((500, 6)):
        assert np.abs(answer.w + step @ kernel).sum() >= np.abs(answer.w).sum()


@pytest.mark.parametrize("solve", [least_norm, least_l1])
def test_interpolators_that_do_not_exist_are_refused(solve):
    with pytest.raises(CertificateError, match="is not certified|was not found"):
        solve([[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0])


@pytest.mark.parametrize("root", [1e-6, 1e-2, 1.0, 1e2])
@pytest.mark.parametrize("biased", [False, True])
def test_hyperbolic_entropy_is_consistent(root, biased):
    stream = np.random.default_rng(0)
    w0 = stream.standard_normal(5) if biased else None
    entropy = HyperbolicEntropy(np.full(5, root**2), w0)
    w = torch.tensor(stream.standard_normal(5), requires_grad=True)
    start = torch.zeros(5, dtype=torch.float64) if w0 is None else torch.tensor(w0)

    def formula(v):
        x, x0 = 2 * v / root, 2 * start / root
        return (
            root / 4 * (torch.sqrt(1 + x0**2) - torch.sqrt(1 + x**2) + x * (torch.asinh(x) - torch.asinh(x0)))
        ).sum()

    value = formula(w)
    (gradient,) = torch.autograd.grad(value, w, create_graph=True)
    (curvature,) = torch.autograd.grad(gradient.sum(), w)
    point = w.detach().numpy()
    assert entropy.value(point) == pytest.approx(value.item(), rel=1e-9, abs=1e-10)
    np.testing.assert_allclose(entropy.gradient(point), gradient.detach().numpy(), atol=1e-11)
    np.testing.assert_allclose(entropy.curvature(point), curvature.numpy(), rtol=1e-9)
    nu = entropy.gradient(point)
    np.testing.assert_allclose(entropy.from_gradient(nu), point, rtol=1e-9, atol=1e-12)
    assert entropy.value(point) + entropy.conjugate(nu) == pytest.approx(nu @ point, rel=1e-9)


@pytest.mark.parametrize("root", [1e-3, 1e-1, 10.0])
@pytest.mark.parametrize("biased", [False, True])
def test_newton_agrees_with_the_cone_program_and_with_a_general_solver(regression, root, biased):
    x, y = regression.x, regression.y
    stream = np.random.default_rng(3)
    w0 = 0.3 * stream.standard_normal(12) if biased else None
    k = root**2 * stream.uniform(0.5, 2, 12)
    entropy = HyperbolicEntropy(k, w0)
    answer = entropy.minimize(x, y)
    start = np.zeros(12) if w0 is None else w0
    a = (start + np.sqrt(start**2 + k / 4)) / 2
    try:
        np.testing.assert_allclose(answer.w, hypentropy_conic(x, y, a, k / 16 / a), atol=1e-6)
    except CertificateError:
        assert biased  # at small k a biased cone program defeats Clarabel, which then must not be believed
        assert root == 1e-3
    kernel, particular = np.linalg.svd(x)[2][6:], np.linalg.lstsq(x, y)[0]
    general = minimize(
        lambda t: entropy.value(particular + t @ kernel),
        np.zeros(6),
        jac=lambda t: kernel @ entropy.gradient(particular + t @ kernel),
        method="BFGS",
        options={"gtol": 1e-10},
    )
    np.testing.assert_allclose(answer.w, particular + general.x @ kernel, atol=1e-6)


def test_hyperbolic_entropy_tends_to_its_two_limits(regression):
    x, y = regression.x, regression.y
    l1, l2 = least_l1(x, y).w, least_norm(x, y).w
    roots = np.array([1e1, 1e2, 1e3])
    to_l2 = [np.linalg.norm(HyperbolicEntropy(np.full(12, r**2)).minimize(x, y).w - l2) for r in roots]
    assert np.polyfit(np.log(roots), np.log(to_l2), 1)[0] == pytest.approx(-2, abs=0.05)
    to_l1 = [
        np.linalg.norm(HyperbolicEntropy(np.full(12, r**2)).minimize(x, y).w - l1) for r in (1e-2, 1e-4, 1e-8, 1e-16)
    ]
    assert all(np.diff(to_l1) < 0)


def test_hyperbolic_entropy_refuses():
    with pytest.raises(ValueError, match="k holds 0; every entry must be positive"):
        HyperbolicEntropy(np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match=r"w0 has shape \(3,\); it must be 2"):
        HyperbolicEntropy(np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match=r"x has shape \(1, 3\); it must be any × 2"):
        HyperbolicEntropy(np.ones(2)).minimize(np.ones((1, 3)), [1.0])
    with pytest.raises(CertificateError, match="was not found"):
        HyperbolicEntropy(np.ones(2)).minimize([[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0])


def test_the_cone_program_refuses_weights_that_are_not_positive(regression):
    with pytest.raises(ValueError, match="a and b hold 0; every entry must be positive"):
        hypentropy_conic(regression.x, regression.y, np.ones(12), np.zeros(12))


def test_a_certificate_that_is_too_loose_or_not_a_number_is_refused():
    Certificate(1e-12, 0.0, -1e-12).demand(1e-11, "it")
    for bad in (Certificate(1e-9, 0, 0), Certificate(0, 0, -1e-9), Certificate(float("nan"), 0, 0)):
        with pytest.raises(CertificateError, match="it is not certified"):
            bad.demand(1e-11, "it")
