import numpy as np
import pytest

from implicit_bias.data import sparse_regression


@pytest.fixture
def problem():
    return sparse_regression(np.random.default_rng(1), 5, 9, nonzeros=2)
