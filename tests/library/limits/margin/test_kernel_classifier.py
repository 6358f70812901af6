"""The classifier of the ReLU kernel: its margin, its norm, many random features, refusals."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import clusters
from implicit_bias.kernels import relu_kernel
from implicit_bias.limits.margin import kernel_classifier, kernel_margin

POINTS = clusters(np.random.default_rng(0), 40, 3, d=8, labels="random")


def test_its_least_margin_is_that_of_the_machine():
    classifier = kernel_classifier(POINTS)
    margins = POINTS.y * classifier.predict(POINTS.x)
    assert margins.min() == pytest.approx(classifier.machine.margin, rel=1e-9)
    np.testing.assert_allclose(margins[classifier.machine.support], classifier.machine.margin, rtol=1e-8)


def test_it_predicts_with_the_kernel():
    classifier = kernel_classifier(POINTS)
    x = np.random.default_rng(1).standard_normal((30, 8))
    charges = classifier.machine.margin * classifier.machine.alpha * POINTS.y
    np.testing.assert_allclose(classifier.predict(x), relu_kernel(x, POINTS.x) @ charges, atol=1e-13)
    gram = relu_kernel(POINTS.x, POINTS.x)
    assert charges @ gram @ charges == pytest.approx(1, rel=1e-9)
    assert kernel_margin(gram, POINTS.y).margin == classifier.machine.margin


def test_parallel_opposite_and_vanishing_points_have_their_values():
    classifier = kernel_classifier(POINTS)
    x = np.concatenate([size * POINTS.x for size in (3.0, -1.0, -0.7, -1.9)])  # of some the cosine is rounded past 1
    same = relu_kernel(x, POINTS.x) @ (classifier.machine.margin * classifier.machine.alpha * POINTS.y)
    np.testing.assert_allclose(classifier.predict(x), same, atol=1e-13)
    assert classifier.predict(np.zeros((1, 8)))[0] == 0


def test_it_is_the_limit_of_many_random_features():
    theta = np.random.default_rng(2).standard_normal((8, 200_000))
    x = np.random.default_rng(3).uniform(-0.5, 0.5, (200, 8))
    phi, phi_new = (np.maximum(part @ theta, 0) / np.sqrt(theta.shape[1]) for part in (POINTS.x, x))
    machine = kernel_margin(phi @ phi.T, POINTS.y)
    features = phi_new @ (phi.T @ (machine.margin * machine.alpha * POINTS.y))
    np.testing.assert_allclose(features, kernel_classifier(POINTS).predict(x), atol=0.02)


def test_points_of_another_dimension_are_refused():
    refusal(lambda: kernel_classifier(POINTS).predict(np.ones((2, 7))), "x")
