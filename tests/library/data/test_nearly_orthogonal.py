"""Nearly orthogonal sets have the norms and inner products asked for, or are refused."""

import numpy as np
import pytest

from implicit_bias.data import Classification, nearly_orthogonal
from implicit_bias.limits.margin import orthogonality


@pytest.mark.parametrize("seed", range(5))
def test_nearly_orthogonal_sets_have_the_norms_and_inner_products_asked_for(seed):
    problem = nearly_orthogonal(np.random.default_rng(seed), 7, 11, ratio=1.4, correlation=0.05, positives=3)
    gram = problem.x @ problem.x.T
    norms = np.sqrt(np.diag(gram))
    assert norms.min() == pytest.approx(1)
    assert norms.max() == pytest.approx(1.4)
    assert np.abs(gram - np.diag(norms**2)).max() == pytest.approx(0.05)
    assert np.sum(problem.y == 1) == 3
    # γ³/((1 + γ + γ²) ε), sample by sample
    overlaps = [sum(abs(gram[i, k]) / norms[k] ** 2 for k in range(7) if k != i) for i in range(7)]
    assert orthogonality(problem, 0.5) == pytest.approx(0.125 / (1.75 * max(overlaps)))


def test_orthogonal_sets():
    problem = nearly_orthogonal(np.random.default_rng(0), 4, 4, ratio=1, correlation=0)
    np.testing.assert_allclose(problem.x @ problem.x.T, np.eye(4), atol=1e-12)
    assert orthogonality(Classification(x=np.diag([1.0, 2.0]), y=np.array([1.0, -1.0])), 0.5) == np.inf


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 1}, "n is 1; it must be a whole number of at least 2"),
        ({"d": 5}, "d is 5; it must be a whole number of at least 6"),
        ({"ratio": 0.5}, r"ratio is 0.5; it must lie in \[1, 1e\+100\]"),
        ({"correlation": -1}, "correlation is -1; it must lie in"),
        ({"positives": 7}, "positives is 7; it must be a whole number of at least 0 and at most 6"),
        ({"correlation": 2}, "correlation is 2; no 6 points of norms in .* below 0.2 such points exist"),
    ],
)
def test_nearly_orthogonal_refuses(change, words):
    with pytest.raises(ValueError, match=words):
        nearly_orthogonal(np.random.default_rng(0), **{"n": 6, "d": 9, **change})
