"""The neuron's regularizer: the paper's formula, derivatives, convexity, its minimizer against the closed form."""

import sys

import mpmath
import numpy as np
import pytest
from library.limits.by_digits import least
from library.limits.neuron.cases import start

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.near_interpolator import NearInterpolator
from implicit_bias.limits.neuron import NeuronRegularizer, linear_neuron_limit
from implicit_bias.limits.neuron.least_value import enclose_least_value
from implicit_bias.limits.rounding import Balls, Between

DELTAS = [0.0, 1e-6, 0.5, 50.0, -0.3]


def test_value_is_the_papers_formula():
    for delta in DELTAS:
        x = 0.7
        s = np.sqrt(x**2 + delta**2 / 4)
        papers = (x**2 - delta / 2 * (delta / 2 + s)) * np.sqrt(s - delta / 2) / x
        assert NeuronRegularizer(delta, np.ones(2)).radial(x) == pytest.approx(papers, rel=1e-6)
    assert NeuronRegularizer(0.0, np.ones(2)).radial(0.25) == pytest.approx(0.125)  # x^{3/2}


@pytest.mark.parametrize("delta", DELTAS)
def test_derivatives(delta):
    stream = np.random.default_rng(3)
    q, w, step = NeuronRegularizer(delta, stream.standard_normal(4)), stream.standard_normal(4), 1e-5
    numeric = [(q.value(w + step * e) - q.value(w - step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(q.gradient(w), numeric, atol=1e-8)
    numeric = [(q.gradient(w + step * e) - q.gradient(w - step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(q.hessian(w), numeric, atol=1e-8)
    assert np.linalg.eigvalsh(q.hessian(w))[0] > 0
    np.testing.assert_allclose(q.gradient(q.w0), 0, atol=1e-14)


@pytest.mark.parametrize("delta", DELTAS)
def test_conjugate(delta):
    stream = np.random.default_rng(4)
    q, w = NeuronRegularizer(delta, stream.standard_normal(4)), stream.standard_normal(4)
    nu = q.gradient(w)
    np.testing.assert_allclose(q.from_gradient(nu), w, rtol=1e-9)
    assert q.value(w) + q.conjugate(nu) == pytest.approx(nu @ w, abs=1e-10)


def test_at_zero():
    for delta in (0.0, 0.5):
        q = NeuronRegularizer(delta, np.ones(2))
        np.testing.assert_allclose(q.gradient(np.zeros(2)), q.z)
        assert q.amplitudes(0.0) == (np.sqrt(delta), 0.0)


def test_hessian_at_the_start_is_the_inverse_tangent_kernel():
    a, w = start(0.5)
    hessian = NeuronRegularizer(0.5, a * w).hessian(a * w)
    np.testing.assert_allclose(hessian @ (a**2 * np.eye(9) + np.outer(w, w)), 1.5 * a * np.eye(9), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-6, 1e-2, 1.0, 1e2])
@pytest.mark.parametrize("delta", DELTAS)
def test_minimizer_is_the_closed_form(problem, delta, scale):
    a, w = start(delta, scale)
    closed = linear_neuron_limit(problem.x, problem.y, a, w)
    answer = NeuronRegularizer(delta, a * w).minimize(problem.x, problem.y)
    assert closed.certificate.worst < 1e-11
    assert answer.certificate.worst < 1e-9
    np.testing.assert_allclose(answer.w, closed.predictor, atol=1e-9 * max(1, scale))
    assert closed.a**2 - closed.w @ closed.w == pytest.approx(delta, abs=1e-9 * max(1, scale))


def value_by_digits(q, x, y, dual):
    """min Q in sixty digits, with A and V by S as the paper has them."""
    delta, w0 = mpmath.mpf(float(q.delta)), [mpmath.mpf(float(entry)) for entry in q.w0]

    def amplitudes(size):
        s = mpmath.sqrt(size**2 + delta**2 / 4)
        return mpmath.sqrt(s + delta / 2), mpmath.sqrt(s - delta / 2)

    size0 = mpmath.norm(w0)
    z = [-mpmath.mpf(3) / 2 * amplitudes(size0)[1] * entry / size0 for entry in w0]

    def from_gradient(nu):
        v = [2 * (one - two) / 3 for one, two in zip(nu, z, strict=True)]
        return [mpmath.sqrt(delta + mpmath.fdot(v, v)) * entry for entry in v]

    def value(w):
        a, v = amplitudes(mpmath.norm(w))
        return (v**2 - delta / 2) * a + mpmath.fdot(z, w)

    return least(x, y, dual, from_gradient, value)


@pytest.mark.parametrize("scale", [1e-6, 1e-2, 1.0, 1e2])
@pytest.mark.parametrize("delta", DELTAS)
def test_the_least_value_of_sixty_digits_is_enclosed(delta, scale):
    stream = np.random.default_rng(5)
    x, y, w0 = stream.standard_normal((2, 4)), stream.standard_normal(2), scale * stream.standard_normal(4)
    q = NeuronRegularizer(delta, w0)
    answer = q.minimize(x, y)
    best = answer.certificate.enclosure
    with mpmath.workdps(60):
        truth = value_by_digits(q, x, y, answer.dual)
        assert best.low <= truth <= best.high
        assert best.high - best.low <= 1e-12 * max(abs(truth), answer.dual @ y)
        for miss in (1e-7, 1e-3):
            w, dual = answer.w + miss * stream.standard_normal(4), answer.dual * (1 + miss * stream.standard_normal(2))
            wide = q.certify(w, dual, x, y).enclosure
            assert wide.low <= truth <= wide.high
            assert 0.9 * (best.high - best.low) < wide.high - wide.low < 100 * miss * max(1, scale) * (1 + abs(delta))


def test_from_the_kink_too():
    x, y = np.array([[1.0, 1.0]]), np.array([2.0])
    for w0 in ([0.1, 0.0], [-2.0, -1.0]):
        q = NeuronRegularizer(-0.3, np.array(w0))
        best = q.minimize(x, y).certificate.enclosure
        for w in (np.zeros(2), np.array([1e-9, 0.0])):
            wide = q.certify(w, np.ones(1), x, y).enclosure
            assert wide.low <= best.low
            assert best.high <= wide.high < np.inf


def test_what_is_not_proved_is_refused_with_the_answer():
    q = NeuronRegularizer(0.5, np.array([0.1, 0.0]))
    with pytest.raises(CertificateError, match="is not certified") as refused:
        q.minimize([[1.0, 1.0]], [2.0], tol=1e-17)
    np.testing.assert_allclose(refused.value.answer.w.sum(), 2)
    assert refused.value.certificate.enclosure.width < 1e-12


def test_from_the_kink_against_the_start_too():
    q = NeuronRegularizer(-0.3, np.array([-10.0, -10.0]))  # by symmetry the best is (1, 1)
    wide = q.certify(np.zeros(2), np.ones(1), np.array([[1.0, 1.0]]), np.array([2.0])).enclosure
    assert wide.low <= q.value(np.ones(2)) <= wide.high < np.inf


def test_far_from_the_kink_the_slope_is_that_of_the_far_end():
    """From w̃ = 0 the way to the interpolators is long, and Q grows like the power 3/2 on it."""
    q, x, y = NeuronRegularizer(-0.3, np.array([0.1, 0.0])), np.array([[1.0, 1.0]]), np.array([200.0])
    best = q.minimize(x, y).certificate.enclosure
    assert best.high <= q.certify(np.zeros(2), np.ones(1), x, y).enclosure.high <= 10 * best.low


@pytest.mark.parametrize("delta", [0.5, -0.3])
def test_beside_the_best_point_the_bounds_are_off_to_second_order(delta):
    stream = np.random.default_rng(5)
    x, y, w0 = stream.standard_normal((2, 4)), stream.standard_normal(2), stream.standard_normal(4)
    q = NeuronRegularizer(delta, w0)
    answer = q.minimize(x, y)
    for miss in (1e-4, 1e-5):
        wide = q.certify(answer.w + miss * stream.standard_normal(4), answer.dual, x, y).enclosure
        assert wide.high - answer.certificate.enclosure.low <= 100 * miss**2


@pytest.mark.parametrize("off", [0.3, 0.1, 0.01])
@pytest.mark.parametrize("delta", [-0.5, 0.0, 0.5])
def test_at_right_angles_to_the_start_the_value_grows_by_what_is_said(monkeypatch, delta, off):
    """At w̃(0), where ∇Q = 0, with λ = 0 and the distance as it is: the second-order term alone, by trial."""
    near = NearInterpolator(Balls.of(np.zeros(2)), Between.of(0.0), Between.of(0.0), Between.of(off))
    module = sys.modules["implicit_bias.limits.neuron.least_value"]
    monkeypatch.setattr(module, "near_interpolator", lambda *_: near)
    w0 = np.array([1.0, 0.0])
    found = enclose_least_value(delta, w0, w0, np.zeros(1), np.array([[0.0, 1.0]]), np.array([off]))
    q = NeuronRegularizer(delta, w0)
    least = min(q.value(np.array([along, off])) for along in np.linspace(0.8, 1.2, 4001))
    assert found.low <= q.value(w0) <= least <= found.high
    assert found.high - q.value(w0) <= 2 * (least - q.value(w0))


@pytest.mark.parametrize("near", [0.0, 0.5, 1.9])
@pytest.mark.parametrize("delta", [-1e-6, -0.1, -3.0])
def test_over_the_kink_the_slope_is_that_of_the_far_end(delta, near):
    """Of one equation in one unknown the interpolator is known: w̃ = near + 1."""
    w0 = np.array([1e-6])
    found = enclose_least_value(delta, w0, np.array([near]), np.ones(1), np.ones((1, 1)), np.array([near + 1]))
    truth = NeuronRegularizer(delta, w0).value(np.array([near + 1]))
    assert found.low <= truth <= found.high < truth + 20
