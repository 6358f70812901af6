"""The hyperbolic entropy: autograd, its two limits, and its minimizer against independent solvers."""

import mpmath
import numpy as np
import pytest
import torch
from library.limits.by_digits import least
from scipy.optimize import minimize

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import HyperbolicEntropy, cone_program, least_l1, least_norm
from implicit_bias.rates import log_log_slope


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
        np.testing.assert_allclose(answer.w, cone_program(x, y, a, k / 16 / a), atol=1e-6)
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
    assert log_log_slope(roots, to_l2) == pytest.approx(-2, abs=0.05)
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


@pytest.mark.parametrize("root", [1e-6, 1e-2, 1.0, 1e3])
@pytest.mark.parametrize("biased", [False, True])
def test_any_point_and_any_multipliers_enclose_the_least_entropy(regression, root, biased):
    """An interpolator beside the best has more, and what is proved from afar is wider but no less true."""
    x, y = regression.x, regression.y
    stream = np.random.default_rng(1)
    entropy = HyperbolicEntropy(np.full(12, root**2), 0.3 * stream.standard_normal(12) if biased else None)
    answer = entropy.minimize(x, y)
    best = answer.certificate.enclosure
    assert best.width <= 1e-9
    kernel = np.linalg.svd(x)[2][6:]
    for size in (1e-7, 1e-3):
        w, dual = answer.w + size * stream.standard_normal(12), answer.dual * (1 + size * stream.standard_normal(6))
        wide = entropy.certify(w, dual, x, y).enclosure
        assert wide.low <= best.high
        assert best.low <= wide.high
        assert wide.width > best.width
        beside = answer.w + size * stream.standard_normal(6) @ kernel
        beside += np.linalg.lstsq(x, y - x @ beside)[0]
        assert entropy.value(beside) >= best.low
        assert entropy.certify(beside, answer.dual, x, y).enclosure.high >= entropy.value(beside) * (1 - 1e-12)
    with pytest.raises(CertificateError, match="is not certified") as refused:
        entropy.minimize(x, y, tol=1e-17)
    assert refused.value.answer.certificate.enclosure == best


def entropy_by_digits(entropy, x, y, dual):
    roots = [mpmath.sqrt(mpmath.mpf(float(k))) for k in entropy.k]
    start = np.zeros_like(entropy.k) if entropy.w0 is None else entropy.w0
    offsets = [mpmath.asinh(2 * mpmath.mpf(float(w)) / root) for w, root in zip(start, roots, strict=True)]

    def from_gradient(nu):
        return [root / 2 * mpmath.sinh(2 * v + o) for root, v, o in zip(roots, nu, offsets, strict=True)]

    def value(w):
        total = mpmath.mpf(0)
        for root, z, o in zip(roots, w, offsets, strict=True):
            at = 2 * z / root
            total += root / 4 * (mpmath.cosh(o) - mpmath.sqrt(1 + at**2) + at * (mpmath.asinh(at) - o))
        return total

    with mpmath.workdps(60):
        return least(x, y, dual, from_gradient, value)


@pytest.mark.parametrize("root", [1e-8, 1e-3, 1.0, 1e4])
@pytest.mark.parametrize("biased", [False, True])
def test_the_least_entropy_of_sixty_digits_is_enclosed(root, biased):
    stream = np.random.default_rng(2)
    for size in (1e-3, 1.0, 1e3):
        x, y = stream.standard_normal((2, 4)), size * stream.standard_normal(2)
        w0 = size * 0.3 * stream.standard_normal(4) if biased else None
        entropy = HyperbolicEntropy(size**2 * root**2 * stream.uniform(0.5, 2, 4), w0)
        answer = entropy.minimize(x, y)
        best, truth = answer.certificate.enclosure, entropy_by_digits(entropy, x, y, answer.dual)
        assert best.low <= truth <= best.high
        assert best.width <= 1e-12
        worse = entropy.certify(answer.w * (1 + 1e-6), answer.dual * (1 - 1e-6), x, y).enclosure
        assert worse.low <= truth <= worse.high


def test_newtons_method_begins_where_it_is_told(regression):
    entropy = HyperbolicEntropy(np.full(regression.x.shape[1], 0.1))
    answer = entropy.minimize(regression.x, regression.y)
    again = entropy.minimize(regression.x, regression.y, start=answer.dual)
    away = entropy.minimize(regression.x, regression.y, start=1.1 * answer.dual)
    assert again.iterations <= 1 < away.iterations
    for one in (again, away):
        np.testing.assert_allclose(one.w, answer.w, atol=1e-9)


def test_of_a_tiny_k_the_gradient_bounds_what_is_missed():
    """k = 1e-12 at (1, 1), off by 1e-4: ε²/(2√k) is far more than √d ‖∇Q‖∞ ε."""
    entropy, x, y = HyperbolicEntropy(np.full(2, 1e-12)), np.ones((1, 2)), np.array([2.0])
    best = entropy.minimize(x, y)
    found = entropy.certify(best.w * (1 + 1e-4), best.dual, x, y).enclosure
    assert found.low <= entropy.value(best.w) <= found.high < entropy.value(best.w) + 0.006
