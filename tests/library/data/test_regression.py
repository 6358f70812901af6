"""Sparse regression is the paper's problem, and refuses what it cannot be."""

import numpy as np
import pytest

from implicit_bias.data import sparse_regression


def test_sparse_regression_is_the_papers_problem():
    problem = sparse_regression(np.random.default_rng(0), 2000, 2000, nonzeros=5, noise_variance=0.01)
    assert np.count_nonzero(problem.w_star) == 5
    assert np.linalg.norm(problem.w_star) == pytest.approx(1)
    assert np.var(problem.y - problem.x @ problem.w_star) == pytest.approx(0.01, rel=0.1)
    assert np.var(problem.x) == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 11}, "n is 11; it must be a whole number of at least 1 and at most 10"),
        ({"nonzeros": 0}, "nonzeros is 0"),
        ({"noise_variance": -1}, r"noise_variance is -1; it must lie in \[0, inf\)"),
    ],
)
def test_sparse_regression_refuses(change, words):
    with pytest.raises(ValueError, match=words):
        sparse_regression(np.random.default_rng(0), **{"n": 5, "d": 10, "nonzeros": 2, **change})
