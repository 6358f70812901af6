"""Leaky classifiers, nearly orthogonal sets and the rank-two limit: known answers, autograd, independent solvers."""

import numpy as np
import pytest
import torch

from implicit_bias.data import Classification, nearly_orthogonal
from implicit_bias.flows import gradient_flow
from implicit_bias.limits import (
    CertificateError,
    boundary_factor,
    margin_search,
    max_margin,
    orthogonality,
    rank_two,
    two_neuron_program,
)
from implicit_bias.models import LeakyClassifier

SLOPE = 0.4


@pytest.fixture
def problem():
    correlation = SLOPE**3 / (3 * 1.5**2 * 6)
    return nearly_orthogonal(np.random.default_rng(0), 6, 9, ratio=1.5, correlation=correlation, positives=2)


@pytest.fixture
def model(problem):
    return LeakyClassifier(problem, SLOPE, 3, 2)


@pytest.mark.parametrize("seed", range(5))
def test_nearly_orthogonal_sets_have_the_norms_and_inner_products_asked_for(seed):
    problem = nearly_orthogonal(np.random.default_rng(seed), 7, 11, ratio=1.4, correlation=0.05, positives=3)
    gram = problem.x @ problem.x.T
    norms = np.sqrt(np.diag(gram))
    assert norms.min() == pytest.approx(1)
    assert norms.max() == pytest.approx(1.4)
    assert np.abs(gram - np.diag(norms**2)).max() == pytest.approx(0.05)
    assert np.sum(problem.y == 1) == 3
    # γ³ R_min² / (3 R² n p), by hand
    assert orthogonality(problem, 0.5) == pytest.approx(0.125 / (3 * 1.96 * 7 * 0.05))


def test_orthogonal_sets():
    problem = nearly_orthogonal(np.random.default_rng(0), 4, 4, ratio=1, correlation=0)
    np.testing.assert_allclose(problem.x @ problem.x.T, np.eye(4), atol=1e-12)
    assert orthogonality(Classification(x=np.diag([1.0, 2.0]), y=np.array([1.0, -1.0])), 0.5) == np.inf


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 1}, "n is 1; it must be a whole number of at least 2"),
        ({"d": 5}, "d is 5; it must be a whole number of at least 6"),
        ({"ratio": 0.5}, r"ratio is 0.5; it must lie in \[1, inf\)"),
        ({"correlation": -1}, "correlation is -1; it must lie in"),
        ({"positives": 7}, "positives is 7; it must be a whole number of at least 0 and at most 6"),
        ({"correlation": 2}, "correlation is 2; no 6 points of norms in .* below 0.2 such points exist"),
    ],
)
def test_nearly_orthogonal_refuses(change, words):
    with pytest.raises(ValueError, match=words):
        nearly_orthogonal(np.random.default_rng(0), **{"n": 6, "d": 9, **change})


def test_gradient(model, problem):
    w = np.random.default_rng(1).standard_normal((5, 9))
    tensor = torch.tensor(w, requires_grad=True)
    z = tensor @ torch.tensor(problem.x).T
    f = torch.tensor(model.output_weights) @ torch.maximum(z, SLOPE * z)
    torch.log(torch.exp(-torch.tensor(problem.y) * f).mean()).backward()
    np.testing.assert_allclose(model.rescaled_velocity(w.ravel()), -tensor.grad.numpy().ravel(), rtol=1e-10)
    np.testing.assert_allclose(model.output(w, problem.x), f.detach().numpy())
    np.testing.assert_allclose(model.margins(w @ problem.x.T), problem.y * f.detach().numpy())


def test_second_layer(model):
    np.testing.assert_allclose(model.output_weights, np.array([1, 1, 1, -1, -1]) / np.sqrt(5))


def test_span_flow_is_the_flow_of_all_weights(model):
    w = np.random.default_rng(2).standard_normal((5, 9))
    span = model.in_span(w)
    state = np.random.default_rng(3).standard_normal(span.start.size)
    moved = span.weights(state)
    np.testing.assert_allclose(span.weights(span.start), w)
    np.testing.assert_allclose(span.pre_activations(state), moved @ model.problem.x.T)
    velocity = span.velocity(state).reshape(5, 6) @ model.problem.x
    np.testing.assert_allclose(velocity.ravel(), model.rescaled_velocity(moved.ravel()), atol=1e-12)
    np.testing.assert_allclose(span.weights(np.stack([state, state]))[1], moved)
    signs = np.sign(moved @ model.problem.x.T) != np.sign(np.outer(model.output_weights, model.problem.y))
    assert span.disagreements(state) == signs.sum() > 0


def test_frozen_flow_and_its_jacobian(model):
    span = model.in_span(0.1 * np.random.default_rng(2).standard_normal((5, 9)))
    limit = rank_two(model.problem, SLOPE, 3, 2)
    # a network with the right signs: the limit, moved a little in the span
    span = model.in_span(limit.weights + 0.01 * span.w)
    frozen = span.freeze(span.start)
    assert span.disagreements(span.start) == 0
    np.testing.assert_allclose(frozen.kernel, limit.kernel, rtol=1e-12)
    point = frozen.start + np.random.default_rng(4).standard_normal(11)
    steps = 1e-6 * np.eye(11)
    numeric = np.array([(frozen.velocity(point + e) - frozen.velocity(point - e)) / 2e-6 for e in steps]).T
    np.testing.assert_allclose(frozen.jacobian(point), numeric, atol=1e-8)
    run = gradient_flow(frozen.velocity, frozen.start, jacobian=frozen.jacobian, t_end=5.0, method="DOP853")
    full = gradient_flow(span.velocity, span.start, t_end=5.0, method="DOP853")
    np.testing.assert_allclose(frozen.coefficients(run.final), full.final, atol=1e-8)
    late = gradient_flow(frozen.velocity, frozen.start, t_end=1e3, method="BDF")
    expected = limit.shares * 1e3 + limit.offset(frozen.start_margins)
    np.testing.assert_allclose(frozen.gathered(late.final), expected, atol=1e-7)


@pytest.mark.parametrize("counts", [(3, 2), (1, 4), (5, 1)])
def test_closed_form_solves_both_programs(problem, counts):
    limit = rank_two(problem, SLOPE, *counts)
    assert limit.valid
    v, u = two_neuron_program(problem, SLOPE, *counts)
    np.testing.assert_allclose(v, limit.v, atol=1e-9)
    np.testing.assert_allclose(u, limit.u, atol=1e-9)
    weights, values = margin_search(problem, SLOPE, *counts, np.random.default_rng(0), starts=5)
    np.testing.assert_allclose(weights, limit.weights, atol=1e-5)
    np.testing.assert_allclose(values, limit.multipliers.sum() / 2, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(limit.direction), 1)
    np.testing.assert_allclose(limit.shares.sum(), 1)
    squares = np.linalg.svd(limit.weights, compute_uv=False) ** 2
    assert limit.stable_rank == pytest.approx(squares.sum() / squares[0])
    assert (problem.signed @ limit.boundary).min() >= 1
    shortest = max_margin(problem.signed).w
    assert np.linalg.norm(limit.boundary) <= boundary_factor(SLOPE, *counts) * np.linalg.norm(shortest)


def test_one_sample_is_known():
    limit = rank_two(Classification(x=np.array([[0.0, 2.0]]), y=np.array([-1.0])), 0.5, 1, 3)
    # K = 4 (1/4 + 3)/4 = 13/4
    np.testing.assert_allclose(limit.multipliers, [4 / 13])
    np.testing.assert_allclose(limit.v, [0, -2 / 13])
    np.testing.assert_allclose(limit.u, [0, 4 / 13])


def test_a_wrong_sign_is_seen():
    problem = Classification(x=np.array([[1.0, 0.0], [0.9, 0.3]]), y=np.array([1.0, -1.0]))
    limit = rank_two(problem, 0.1, 1, 1)
    assert not limit.valid
    assert limit.certificate.dual > 0.1


def test_boundary_factor_is_the_least_norm_along_the_maximum_margin():
    for slope, m1, m2 in [(0.5, 1, 1), (0.5, 9, 1), (0.3, 1, 2), (0.8, 2, 3)]:
        total = np.sqrt(m1 + m2)
        s, t = np.meshgrid(np.linspace(0, 3 * total / m1, 1501), np.linspace(0, 3 * total / m2, 1501))
        allowed = (m1 * s + slope * m2 * t >= total) & (slope * m1 * s + m2 * t >= total)
        least = np.sqrt(np.min((m1 * s**2 + m2 * t**2)[allowed]))
        assert boundary_factor(slope, m1, m2) == pytest.approx(least, rel=5e-3)
        assert boundary_factor(slope, m1, m2) == boundary_factor(slope, m2, m1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: rank_two(p, 0.0, 1, 1), r"slope is 0; it must lie in \(0, 1\]"),
        (lambda p: rank_two(p, 0.5, 0, 1), "positive is 0; it must be a whole number of at least 1"),
        (lambda p: boundary_factor(0.5, 1, 0), "negative is 0; it must be a whole number of at least 1"),
        (lambda p: LeakyClassifier(p, 2.0, 1, 1), r"slope is 2; it must lie in \[0, 1\]"),
        (lambda p: LeakyClassifier(p, 0.5, 0, 0), r"positive \+ negative is 0"),
        (lambda p: LeakyClassifier(p, 0.5, 1, 1).in_span(np.ones((3, 9))), "w has shape"),
        (
            lambda p: rank_two(Classification(x=np.ones((2, 3)), y=np.array([1.0, -1.0])), 0.5, 1, 1),
            "problem holds 2 samples of rank 1; they must be independent",
        ),
    ],
)
def test_refuses(problem, call, words):
    with pytest.raises(ValueError, match=words):
        call(problem)


def test_programs_without_a_solution_say_so():
    same = Classification(x=np.array([[1.0, 0.0], [1.0, 0.0]]), y=np.array([1.0, -1.0]))
    with pytest.raises(CertificateError, match="the program was not solved"):
        two_neuron_program(same, 0.5, 1, 1)
