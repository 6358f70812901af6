"""Sparse minimizers: the authors' problem, one spike, none, and the derivatives."""

import numpy as np
import pytest
from library.helpers import both, refusal

from implicit_bias.data import Deconvolution, three_spikes
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.measures import SparseMeasure, blasso, mirror_constant
from implicit_bias.limits.measures.blasso import certified


@pytest.mark.parametrize(
    ("signs", "penalty", "value"),
    [((1, 1, 1), 1.0, 2.766578807082), ((1, 1, 1), 4.0, 10.070304179044), ((1, -1, 1), 1.0, 2.794170824036)],
)
def test_minimum_of_the_authors_problem(signs, penalty, value):
    answer = blasso(three_spikes(signs), penalty, signed=min(signs) < 0)
    assert answer.value == pytest.approx(value, abs=2e-12)
    assert answer.certificate is not None
    assert answer.certificate.worst <= 1e-12
    assert np.abs(answer.slope()).max() < 1e-12
    lighter = SparseMeasure(answer.problem, penalty, answer.positions, answer.masses * 0.99)
    with pytest.raises(CertificateError, match="the sparse measure is not certified"):
        certified(lighter, signed=min(signs) < 0)


@pytest.mark.parametrize("dimension", [1, 2])
def test_one_spike_is_answered_by_one_spike(dimension):
    size = 5**dimension
    problem = Deconvolution(np.full((1, dimension), 1.0), np.array([0.9]), 2)
    answer = blasso(problem, 2.0)
    np.testing.assert_allclose(answer.masses, [0.9 - 2 / size], atol=1e-12)
    np.testing.assert_allclose(answer.positions, problem.positions, atol=1e-9)
    assert mirror_constant(answer) == pytest.approx((0.9 - 2 / size) * dimension / 8)


def test_a_penalty_above_the_correlations_leaves_nothing():
    assert blasso(three_spikes(), 80.0).masses.size == 0


@both
def test_hessian_is_the_derivative_of_the_slope(problem):
    s, d = 2, problem.dimension
    measure = SparseMeasure(problem, 0.5, np.array([[1.0, 2.0], [3.0, 5.0]])[:, :d], np.array([0.7, 1.1]))
    columns = []
    for step in 1e-5 * np.eye(s * (1 + d)):
        columns.append((measure.moved(step).slope() - measure.moved(-step).slope()) / 2e-5)
    np.testing.assert_allclose(measure.hessian(), np.array(columns).T, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: blasso(three_spikes(), 0.0), "penalty is 0"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
