"""The neuron's regularizer: the paper's formula, derivatives, convexity, its minimizer against the closed form."""

import numpy as np
import pytest
from library.limits.neuron.cases import start

from implicit_bias.limits.neuron import NeuronRegularizer, linear_neuron_limit

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
