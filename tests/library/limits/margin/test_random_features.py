"""Classifiers of random features: their spread against simulation and against the derivative in one neuron."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import clusters
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.margin import classifier_deviation, kernel_margin

POINTS = clusters(np.random.default_rng(0), 14)
PLACES = np.array([[0.1, 0.02, 1.0], [-0.3, 0.05, 1.0], [0.02, -0.4, 1.0]])


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
