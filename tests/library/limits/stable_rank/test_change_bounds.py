"""The proved bounds on what gradient descent adds to a first layer, against changes whose norms are known."""

import numpy as np
import pytest
from library.first_layer import N

from implicit_bias.data import Classification
from implicit_bias.limits.stable_rank import change_bounds


def test_bounds_on_the_change(data):
    z = data.signed
    gathered = np.linspace(1, 2, N)
    bounds = change_bounds(data, 1.0, gathered)
    change = gathered @ z
    q = z.sum(axis=0)
    assert bounds.spectral == pytest.approx(change @ q / np.linalg.norm(q), rel=1e-12)
    assert bounds.frobenius >= np.linalg.norm(change)
    orthogonal = Classification(x=np.eye(4, 9), y=np.array([1.0, -1.0, 1.0, -1.0]))
    sharp = change_bounds(orthogonal, 0.5, np.full(4, 0.1))
    assert sharp.frobenius == pytest.approx(0.2, rel=1e-12)
    assert sharp.stable_rank == pytest.approx(4, rel=1e-12)
    assert sharp.with_start(0.1, 0.05) == pytest.approx((0.3 / 0.05) ** 2, rel=1e-12)
    assert sharp.with_start(0.1, 0.1) == np.inf


def test_bounds_refuse(data):
    with pytest.raises(ValueError, match="slope is 0; it must lie in"):
        change_bounds(data, 0.0, np.ones(N))
    opposed = Classification(x=np.array([[1.0, 0.0], [-3.0, 0.0]]), y=np.ones(2))
    with pytest.raises(ValueError, match="data holds 1 samples with"):
        change_bounds(opposed, 0.5, np.ones(2))
