"""The neuron's regularizer and closed form: derivatives, convexity, certificates, and each against the other."""

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.optimize import minimize

from implicit_bias.data import sparse_regression
from implicit_bias.limits import (
    CertificateError,
    NeuronRegularizer,
    leaky_neuron_limit,
    least_norm,
    linear_neuron_limit,
    unleaked,
)

DELTAS = [0.0, 1e-6, 0.5, 50.0, -0.3]


@pytest.fixture
def problem():
    return sparse_regression(np.random.default_rng(1), 5, 9, nonzeros=2)


def start(delta, scale=1.0, d=9):
    """A positive a and a w with a² − ‖w‖² = δ and aw = w̃ of length scale."""
    direction = np.random.default_rng(2).standard_normal(d)
    direction *= scale / np.linalg.norm(direction)
    a, _ = NeuronRegularizer(delta, direction).amplitudes(scale)
    return a, direction / a


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


def test_minimizer_against_a_general_solver(problem):
    a, w = start(0.5)
    q = NeuronRegularizer(0.5, a * w)
    free, fixed = null_space(problem.x), least_norm(problem.x, problem.y).w
    answer = minimize(
        lambda c: q.value(fixed + free @ c),
        np.zeros(free.shape[1]),
        jac=lambda c: q.gradient(fixed + free @ c) @ free,
        method="BFGS",
        options={"gtol": 1e-9},
    )
    np.testing.assert_allclose(
        fixed + free @ answer.x, linear_neuron_limit(problem.x, problem.y, a, w).predictor, atol=1e-8
    )


def test_a_changed_sign_and_a_leak(problem):
    a, w = start(-0.3)
    other = linear_neuron_limit(problem.x, problem.y, a, w, sign=-1)
    assert other.a < 0
    np.testing.assert_allclose(other.predictor, linear_neuron_limit(problem.x, problem.y, -a, w).predictor)
    np.testing.assert_allclose(unleaked([2.0, -3.0, 0.0], 1, 0.5), [2, -6, 0])
    np.testing.assert_allclose(unleaked([2.0, -3.0, 0.0], -1, 0.5), [4, -3, 0])
    a, w = start(0.3)
    limit = leaky_neuron_limit(problem.x, problem.y, -a, w, 0.2)
    z = problem.x @ limit.w
    np.testing.assert_allclose(limit.a * np.where(z > 0, z, 0.2 * z), problem.y, atol=1e-10)


def test_very_negative_delta_does_not_cancel(problem):
    w = np.random.default_rng(5).standard_normal(9)
    w -= np.linalg.lstsq(problem.x, problem.x @ w)[0] * 0.9
    limit = linear_neuron_limit(problem.x, problem.y, 1e-7, 1e4 * w)
    assert limit.certificate.worst < 1e-9


def test_refusals(problem):
    with pytest.raises(ValueError, match="w0 is 0"):
        NeuronRegularizer(0.1, np.zeros(3))
    with pytest.raises(ValueError, match="delta is nan"):
        NeuronRegularizer(np.nan, np.ones(3))
    with pytest.raises(ValueError, match="a0 is 0; it must have a sign"):
        linear_neuron_limit(problem.x, problem.y, 0.0, np.ones(9))
    with pytest.raises(ValueError, match="sign is 3"):
        linear_neuron_limit(problem.x, problem.y, 1.0, np.ones(9), sign=3)
    with pytest.raises(ValueError, match="a0² − ‖w0‖² is -8; it must be at least 0"):
        leaky_neuron_limit(problem.x, problem.y, 1.0, np.ones(9), 0.5)
    with pytest.raises(ValueError, match=r"slope is 0; it must lie in \(0, 1\]"):
        leaky_neuron_limit(problem.x, problem.y, 3.0, np.ones(9), 0.0)
    with pytest.raises(CertificateError):
        linear_neuron_limit(np.ones((2, 3)), [0.0, 1.0], 1.0, np.ones(3))
    with pytest.raises(CertificateError):
        NeuronRegularizer(0.1, np.ones(3)).minimize(np.ones((2, 3)), [0.0, 1.0])
