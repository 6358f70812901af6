"""Samples and labels that do not fit each other are refused."""

import numpy as np
import pytest

from implicit_bias.data import Classification, Regression


def test_problems_refuse_arrays_that_do_not_fit():
    with pytest.raises(ValueError, match=r"y has shape \(2,\); it must be 3"):
        Classification(np.ones((3, 2)), np.ones(2))
    with pytest.raises(ValueError, match="y holds 0.5; every label must be -1 or 1"):
        Classification(np.ones((1, 2)), np.array([0.5]))
    with pytest.raises(ValueError, match=r"w_star has shape \(3,\); it must be 2"):
        Regression(np.ones((1, 2)), np.ones(1), np.ones(3))
    with pytest.raises(ValueError, match=r"x holds inf at \[0, 0\]; every entry must be a finite number"):
        Regression(np.array([[np.inf, 1.0]]), np.ones(1), np.ones(2))
