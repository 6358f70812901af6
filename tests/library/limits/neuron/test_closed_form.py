"""The neuron's closed form: a general solver, signs and leaks, cancellation, refusals."""

import numpy as np
import pytest
from library.limits.neuron.cases import start
from scipy.linalg import null_space
from scipy.optimize import minimize

from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.interpolation import least_norm
from implicit_bias.limits.neuron import NeuronRegularizer, leaky_neuron_limit, linear_neuron_limit, unleaked
from implicit_bias.limits.neuron.closed_form import certify_neuron


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


def test_only_the_part_of_the_input_weights_that_the_data_see_must_be_the_smaller_layer():
    """Of x = w_1 with the label −½: P⊥w(0) is the second coordinate, which may be as long as it likes."""
    limit = leaky_neuron_limit([[1.0, 0.0]], [-0.5], 0.4, [0.3, 5.0], 0.5)
    assert limit.a**2 - limit.w @ limit.w == pytest.approx(0.16 - 0.09 - 25)
    assert limit.a**2 == pytest.approx((0.07 + np.sqrt(0.07**2 + 4)) / 2)
    with pytest.raises(ValueError, match="is -0.07; it must be at least 0"):
        leaky_neuron_limit([[1.0, 0.0]], [-0.5], 0.3, [0.4, 0.0], 0.5)


@pytest.mark.parametrize(("a0", "b"), [(1.5, 2.25 + 0.09 - 0.01 - 0.04 - 0.09), (-0.2, 0.04 - 0.01 - 0.04)])
def test_the_size_of_a_is_enclosed_where_it_is_known(a0, b):
    """Of x = w_1 and w_2 with labels (.3, .4): ‖X⁺y‖ = ½, P⊥w(0) is the third coordinate, a² = ½(b + √(b² + 1))."""
    x, w0 = np.eye(2, 3), np.array([0.1, 0.2, 0.3])
    answer = linear_neuron_limit(x, [0.3, 0.4], a0, w0)
    size = np.sqrt((b + np.sqrt(b * b + 1)) / 2)
    found = answer.certificate.enclosure
    assert found.low <= size * (1 + 1e-15)
    assert size * (1 - 1e-15) <= found.high
    assert found.width < 1e-14
    assert abs(answer.a) == pytest.approx(size, rel=1e-14)
    with pytest.raises(CertificateError, match="its value is proved to lie between"):
        linear_neuron_limit(x, [0.3, 0.4], a0, w0, tol=1e-20)
    off = certify_neuron(x, np.array([0.3, 0.4]), a0, w0, answer.a * (1 + 1e-6), answer.w).enclosure
    assert off.width == pytest.approx(1e-6, rel=1e-3)  # what is enclosed is the limit, and the a that was given


@pytest.mark.parametrize("a", [np.nan, np.inf])
def test_an_answer_that_is_no_number_has_no_enclosure(a):
    found = certify_neuron(np.eye(2, 3), np.array([0.3, 0.4]), 1.5, np.array([0.1, 0.2, 0.3]), a, np.ones(3))
    assert found.enclosure.width == np.inf
    assert found.worst == np.inf


def test_labels_that_no_float_meets_are_refused():
    with pytest.raises(CertificateError, match="is not certified"):
        linear_neuron_limit([[1e-20, 0.0], [-0.3, 0.1]], [1.0, 1.0], 1.0, [0.1, 0.2])


def test_the_residual_is_euclidean():
    """Labels (4, 4, 7) missed by 1, 2 and 2: 3/9 of their length, not the largest miss over the largest label."""
    y = np.array([4.0, 4.0, 7.0])
    w = y - [1.0, 2.0, 2.0]
    a = np.sqrt(np.linalg.norm(w))  # in balance, δ = 0
    found = certify_neuron(np.eye(3), y, 1.0, np.array([1.0, 0.0, 0.0]), a, w / a)
    assert found.primal == pytest.approx(1 / 3, rel=1e-12)


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
    with pytest.raises(ValueError, match="a0² − ‖Pw0‖² is -.*; it must be at least 0"):
        leaky_neuron_limit(problem.x, problem.y, 1.0, np.ones(9), 0.5)
    with pytest.raises(ValueError, match=r"slope is 0; it must lie in \(0, 1\]"):
        leaky_neuron_limit(problem.x, problem.y, 3.0, np.ones(9), 0.0)
    with pytest.raises(CertificateError):
        linear_neuron_limit(np.ones((2, 3)), [0.0, 1.0], 1.0, np.ones(3))
    with pytest.raises(CertificateError):
        NeuronRegularizer(0.1, np.ones(3)).minimize(np.ones((2, 3)), [0.0, 1.0])
