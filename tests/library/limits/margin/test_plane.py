"""The margin of the plane: near the certified one from below, free of other coordinates, refusals."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import Classification, clusters
from implicit_bias.limits.margin import plane_margin, restricted_margin, variation_margin


@pytest.mark.parametrize(("k", "labels"), [(2, "diagonal"), (3, "random")])
@pytest.mark.parametrize("seed", range(2))
def test_it_comes_near_the_certified_margin_from_below(k, labels, seed):
    points = clusters(np.random.default_rng(seed), 20, k, labels=labels)
    exact = variation_margin(points)
    assert 0.99 * exact.bound <= plane_margin(points) <= exact.bound * (1 + 1e-9)


def test_it_is_no_less_than_the_program_over_its_first_directions():
    points = clusters(np.random.default_rng(3), 30)
    index = np.arange(300) + 0.5
    height, angle = 1 - 2 * index / 300, np.pi * (1 + 5**0.5) * index
    ring = np.sqrt(1 - height**2)
    u = np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)
    first = restricted_margin(points, u)
    assert first * (1 - 2e-6) <= plane_margin(points, directions=300) <= 1.2 * first


def test_coordinates_of_noise_do_not_change_it():
    points = clusters(np.random.default_rng(4), 40, 3, d=12, labels="random")
    plane = Classification(points.x[:, [0, 1, -1]], points.y)
    assert plane_margin(points) == plane_margin(plane)


def test_labels_that_the_directions_cannot_separate_have_the_margin_0():
    x = np.column_stack([np.linspace(-1, 1, 60), np.zeros(60), np.ones(60)])
    assert plane_margin(Classification(x, np.resize([1.0, -1.0], 60)), directions=100) == pytest.approx(0, abs=1e-12)


def test_what_it_refuses():
    points = clusters(np.random.default_rng(0), 8)
    refusal(lambda: plane_margin(Classification(points.x[:, :2], points.y)), "points.x")
    refusal(lambda: plane_margin(Classification(points.x, np.ones(8))), "points.y")
    refusal(lambda: plane_margin(points, directions=10), "directions")
