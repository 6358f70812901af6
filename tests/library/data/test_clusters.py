"""Clusters on a grid: where they lie, their labels, and what is refused."""

import numpy as np
import pytest
from library.helpers import refusal

from implicit_bias.data import clusters


@pytest.mark.parametrize(("k", "labels"), [(2, "diagonal"), (3, "diagonal"), (3, "random"), (4, "random")])
def test_points_lie_in_their_clusters_with_one_label_each(k, labels):
    points = clusters(np.random.default_rng(1), 10 * k * k + 1, k, d=5, labels=labels)
    gap = 1 / (3 * k - 1)
    place = (points.x[:, :2] + 0.5) / gap  # centres at 1, 4, 7, …, of radius 1
    cell = np.round((place - 1) / 3).astype(int)
    away = np.linalg.norm(place - 1 - 3 * cell, axis=1)
    assert away.max() <= 1
    assert 0.3 < np.mean(away) < 0.7  # uniform in the radius
    index = cell[:, 0] * k + cell[:, 1]
    counts = np.bincount(index, minlength=k * k)
    assert set(counts) <= {10, 11}
    label = np.array([points.y[index == c][0] for c in range(k * k)])
    np.testing.assert_array_equal(points.y, label[index])
    if labels == "random":
        assert np.sum(label < 0) == k * k // 2
    else:
        np.testing.assert_array_equal(label, [-1 if (c // k + c % k) % 2 == 0 else 1 for c in range(k * k)])
    np.testing.assert_array_equal(points.x[:, -1], 1)
    assert np.abs(points.x[:, 2:-1]).max() <= 0.5
    assert np.ptp(points.x[:, 2]) > 0.8
    far = points.x[points.y > 0, None, :2] - points.x[points.y < 0, :2]
    assert np.linalg.norm(far, axis=2).min() >= gap


def test_bad_clusters_are_refused():
    stream = np.random.default_rng(0)
    refusal(lambda: clusters(stream, 3), "n is 3; it must be a whole number of at least 4")
    refusal(lambda: clusters(stream, 9, 1), "k is 1; it must be a whole number of at least 2")
    refusal(lambda: clusters(stream, 9, d=2), "d is 2; it must be a whole number of at least 3")
    refusal(lambda: clusters(stream, 9, labels="rows"), "labels is 'rows'; it must be one of diagonal, random")
