"""The cone program's weights; test_hyperbolic_entropy.py compares its answer with Newton's."""

import numpy as np
import pytest

from implicit_bias.limits.interpolation import cone_program


def test_the_cone_program_refuses_weights_that_are_not_positive(regression):
    with pytest.raises(ValueError, match="a and b hold 0; every entry must be positive"):
        cone_program(regression.x, regression.y, np.ones(12), np.zeros(12))
