"""The stable rank of what one step adds, against networks that take it."""

import numpy as np
import pytest
from library.first_layer import descend, reduced

from implicit_bias.data import Classification, gaussian_mixture
from implicit_bias.limits.stable_rank import first_change_rank, kinked_stable_rank
from implicit_bias.models.two_layer import Span

M, DRAWS = 400, 40


@pytest.fixture(scope="module")
def mixture():
    return gaussian_mixture(np.random.default_rng(3), 20, 3000, separation=10.0)


@pytest.mark.parametrize("deviation", [1e-3, 0.02, 0.1, 2.0])
@pytest.mark.parametrize("slope", [0.1, 0.5])
def test_one_step_from_any_start(mixture, deviation, slope):
    """The mean over starts; each start's margins are known, as a large start has large ones."""
    stream = np.random.default_rng(4)
    a = np.where(np.arange(M) % 2, 1.0, -1.0) / np.sqrt(M)
    root = np.asarray(np.linalg.cholesky(mixture.x @ mixture.x.T))
    found, expected = [], []
    for _ in range(DRAWS):
        start = Span(deviation * stream.standard_normal((M, 20)), root)  # in a frame of as many axes as samples
        net = reduced((start, a), Classification(root, mixture.y), slope)
        found.append(np.divide(*net.squared_norms_of_change(descend(net, 1))) - 1)
        margins = mixture.y * net.outputs(net.start)
        expected.append(first_change_rank(mixture, slope, M, deviation, margins) - 1)
    assert np.mean(found) == pytest.approx(np.mean(expected), rel=0.015)


def test_its_two_ends(mixture):
    assert first_change_rank(mixture, 0.1, 7, 0.0) == 1
    assert first_change_rank(mixture, 0.1, 7, 1e-6) - 1 == pytest.approx(1e-6, abs=1e-6)
    kinked = kinked_stable_rank(mixture, 0.1, 7) - 1
    assert first_change_rank(mixture, 0.1, 7, 10.0) - 1 == pytest.approx(kinked, rel=5e-3)
    assert first_change_rank(mixture, 1.0, 7, 10.0) == 1


def test_a_common_factor_of_all_slopes_cancels(mixture):
    at_zero = first_change_rank(mixture, 0.1, 7, 0.1)
    assert first_change_rank(mixture, 0.1, 7, 0.1, np.full(20, 2.0)) == pytest.approx(at_zero, rel=1e-12)
    assert first_change_rank(mixture, 0.1, 7, 0.1, np.full(20, 600.0)) == pytest.approx(at_zero, rel=1e-12)


def test_only_samples_of_a_small_margin_count(mixture):
    """Of all samples but two far on the right side only these two are left."""
    two = Classification(mixture.x[:2], mixture.y[:2])
    margins = np.where(np.arange(20) < 2, -300.0, 300.0)
    found = first_change_rank(mixture, 0.1, 7, 0.1, margins)
    assert found == pytest.approx(first_change_rank(two, 0.1, 7, 0.1), rel=1e-12)
    assert abs(first_change_rank(mixture, 0.1, 7, 0.1, -margins) - found) > 0.01


def test_it_refuses():
    opposed = Classification(x=np.array([[1.0, 0.0], [1.0, 0.0]]), y=np.array([1.0, -1.0]))
    with pytest.raises(ValueError, match="must have a direction"):
        first_change_rank(opposed, 0.5, 3, 0.1)
    with pytest.raises(ValueError, match="data holds a sample that is 0"):
        first_change_rank(Classification(np.eye(2, 2, 1), np.ones(2)), 0.5, 3, 0.1)
