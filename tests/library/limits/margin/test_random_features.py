"""Margins and classifiers of random features: their spread against simulation, against the derivative in one neuron."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import clusters
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import (
    classifier_deviation,
    classifier_draws,
    kernel_margin,
    margin_deviation,
    random_features,
)

POINTS = clusters(np.random.default_rng(0), 14)
PLACES = np.array([[0.1, 0.02, 1.0], [-0.3, 0.05, 1.0], [0.02, -0.4, 1.0]])
NEARLY = clusters(np.random.default_rng(5), 100)  # with a multiplier and a slack of a few thousandths


def draw_law(x, y, at, m, draws):
    return classifier_draws(x, y, at, m, draws, np.random.default_rng(4))


def test_the_deviation_of_the_margin_is_that_of_drawn_features():
    x, y = POINTS.x, POINTS.y
    generator, m, draws = np.random.default_rng(3), 2000, 150
    exact = kernel_margin(relu_kernel(x, x), y).margin
    found = []
    for _ in range(draws):
        phi = np.maximum(x @ generator.standard_normal((3, m)), 0) / np.sqrt(m)
        found.append(kernel_margin(phi @ phi.T, y).margin / exact - 1)
    assert np.sqrt(m) * np.std(found) == pytest.approx(margin_deviation(x, y), rel=4 / np.sqrt(2 * draws))


def test_the_deviation_of_the_margin_agrees_with_a_mean_over_draws():
    x, y = POINTS.x, POINTS.y
    machine = kernel_margin(relu_kernel(x, x), y)
    push = machine.margin**2 * machine.alpha * y
    g = np.maximum(np.random.default_rng(4).standard_normal((400_000, 3)) @ x.T, 0) @ push
    expected = np.sqrt(np.mean(g**4) / machine.margin**4 - 1) / 2
    assert margin_deviation(x, y) == pytest.approx(expected, rel=0.02)
    assert margin_deviation(7 * x, y) == pytest.approx(margin_deviation(x, y), rel=1e-6)


def test_the_deviation_of_the_margin_needs_three_coordinates():
    with pytest.raises(ValueError, match="x"):
        margin_deviation(np.ones((4, 2)), [1.0, -1.0, 1.0, -1.0])


def test_it_is_the_spread_of_drawn_classifiers():
    x, y, m, draws = POINTS.x, POINTS.y, 20000, 120
    generator, found = np.random.default_rng(1), []
    for _ in range(draws):
        theta = generator.standard_normal((m, 3))
        phi, seen = (np.maximum(at @ theta.T, 0) / np.sqrt(m) for at in (x, PLACES))
        found.append(seen @ phi.T @ (kernel_margin(phi @ phi.T, y).alpha * y))
    spread = np.sqrt(m) * np.std(found, axis=0)
    np.testing.assert_allclose(spread, classifier_deviation(x, y, PLACES), rtol=4 / np.sqrt(2 * draws))


def test_it_is_the_mean_square_of_the_derivative_in_one_neuron():
    """A little of one more neuron's Gram matrix is mixed in; the classifier moves by that neuron's share."""
    x, y, small = POINTS.x, POINTS.y, 1e-5
    gram, across = relu_kernel(x, x), relu_kernel(PLACES, x)
    before = across @ (kernel_margin(gram, y).alpha * y)
    moved = []
    for theta in np.random.default_rng(2).standard_normal((1500, 3)):
        phi, seen = np.maximum(x @ theta, 0), np.maximum(PLACES @ theta, 0)
        mixed = (1 - small) * gram + small * np.outer(phi, phi)
        shifted = (1 - small) * across + small * np.outer(seen, phi)
        moved.append((shifted @ (kernel_margin(mixed, y).alpha * y) - before) / small)
    scatter = np.std(np.square(moved), axis=0) / np.sqrt(len(moved))
    expected = classifier_deviation(x, y, PLACES) ** 2
    assert np.all(np.abs(np.mean(np.square(moved), axis=0) - expected) <= 4 * scatter + 1e-3 * expected)


def test_at_the_support_vectors_nothing_scatters():
    held = POINTS.x[kernel_margin(relu_kernel(POINTS.x, POINTS.x), POINTS.y).support]
    scale = classifier_deviation(POINTS.x, POINTS.y, PLACES).max()
    np.testing.assert_allclose(classifier_deviation(POINTS.x, POINTS.y, held) / scale, 0, atol=1e-6)


@pytest.mark.parametrize(("at", "said"), [([[0.0, 1.0]], "at has shape"), ([[np.inf, 0.0, 1.0]], "at ")])
def test_places_of_another_dimension_are_refused(at, said):
    refusal(lambda: classifier_deviation(POINTS.x, POINTS.y, at), said)


def test_the_draws_have_the_law_of_drawn_classifiers_where_the_support_changes():
    x, y, m, draws = NEARLY.x, NEARLY.y, 6400, 150
    sigma = classifier_deviation(x, y, PLACES)
    free, held = (np.mean((one / sigma) ** 2, axis=1) for one in draw_law(x, y, PLACES, m, 2000))
    generator, found = np.random.default_rng(3), []
    before = relu_kernel(PLACES, x) @ (kernel_margin(relu_kernel(x, x), y).alpha * y)
    for _ in range(draws):
        theta = generator.standard_normal((m, 3))
        phi, seen = (np.maximum(at @ theta.T, 0) / np.sqrt(m) for at in (x, PLACES))
        classifier = seen @ phi.T @ (kernel_margin(phi @ phi.T, y).alpha * y)
        found.append(np.mean(m * ((classifier - before) / sigma) ** 2))
    scatter = np.std(found) / np.sqrt(draws)
    predicted = 1 + np.mean(free - held)
    assert abs(np.mean(found) - predicted) < 4 * scatter
    assert abs(predicted - 1) > 6 * scatter  # the law of a support that does not change is another one


def test_draws_on_the_support_have_the_predicted_deviation():
    sigma = classifier_deviation(POINTS.x, POINTS.y, PLACES)
    _, held = draw_law(POINTS.x, POINTS.y, PLACES, 100, 4000)
    np.testing.assert_allclose(np.std(held, axis=0), sigma, rtol=4 / np.sqrt(2 * 4000))
    assert np.all(np.abs(np.mean(held, axis=0)) < 4 * sigma / np.sqrt(4000))


def test_the_support_does_not_change_for_very_many_features():
    free, held = draw_law(POINTS.x, POINTS.y, PLACES, 10**12, 50)
    np.testing.assert_allclose(free, held, rtol=1e-6, atol=1e-6 * np.abs(held).max())


def test_draws_keep_the_margin_and_reach_it():
    x, y, m = NEARLY.x, NEARLY.y, 400
    f = relu_kernel(x, x) @ (kernel_margin(relu_kernel(x, x), y).alpha * y)
    free, _ = draw_law(x, y, x, m, 50)
    margins = y * (f + free / np.sqrt(m))
    np.testing.assert_allclose(margins.min(axis=1), 1, atol=1e-5)
    assert len({tuple(np.flatnonzero(one < 1 + 1e-5)) for one in margins}) > 5  # supports


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"at": [[0.0, 1.0]]}, "at has shape"),
        ({"m": 0}, "m is 0; it must be a whole number of at least 1"),
        ({"draws": 0}, "draws is 0; it must be a whole number of at least 1"),
        ({"draws": 10**9}, "draws is 1000000000; its arrays would take more than 4 GiB"),
    ],
)
def test_draws_that_cannot_be_made_are_refused(changes, said):
    asked = {"at": PLACES, "m": 100, "draws": 5} | changes
    refusal(lambda: classifier_draws(POINTS.x, POINTS.y, **asked, generator=np.random.default_rng(0)), said)


def test_a_quadrature_that_misses_a_known_mean_is_refused(monkeypatch):
    monkeypatch.setattr(random_features, "COARSE", 3)
    monkeypatch.setattr(random_features, "FINE", 3)
    for function in (
        margin_deviation,
        lambda x, y: classifier_deviation(x, y, PLACES),
        lambda x, y: draw_law(x, y, PLACES, 100, 2),
    ):
        with pytest.raises(CertificateError, match="the quadrature gives"):
            function(POINTS.x, POINTS.y)
