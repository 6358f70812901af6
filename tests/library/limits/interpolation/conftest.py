import numpy as np
import pytest

from implicit_bias.data import sparse_regression


@pytest.fixture
def vertex():
    """Three samples in six dimensions with slack 0.37."""
    stream = np.random.default_rng(5)
    return [sparse_regression(stream, 3, 6, nonzeros=1) for _ in range(31)][30]
