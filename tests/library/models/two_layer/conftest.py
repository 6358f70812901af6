import numpy as np
import pytest
from library.helpers import SLOPE, nearly_orthogonal_points
from library.models.two_layer.cases import NET, A

from implicit_bias.limits.margin import rank_two
from implicit_bias.losses import SmoothMargin
from implicit_bias.models.two_layer import Risk


@pytest.fixture
def problem():
    return nearly_orthogonal_points()


@pytest.fixture
def limit(problem):
    return rank_two(problem, SLOPE, 3, 2)


@pytest.fixture
def flow(problem, limit):
    """From a network with the right signs: the limit, moved a little in the span."""
    w = limit.weights + 0.001 * np.random.default_rng(2).standard_normal((5, 9))
    return Risk(NET, problem, SmoothMargin()).in_span(w, A)
