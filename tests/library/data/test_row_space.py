"""The span of the samples and what lies outside it."""

import numpy as np
import pytest

from implicit_bias.data import RowSpace


def test_what_lies_outside_the_row_space_is_orthogonal_to_every_sample():
    generator = np.random.default_rng(0)
    x, v = generator.standard_normal((4, 9)), generator.standard_normal((2, 3, 9))
    space = RowSpace(x)
    outside = space.outside(v)
    np.testing.assert_allclose(outside @ x.T, 0, atol=1e-13)
    np.testing.assert_allclose(outside, v - v @ np.linalg.pinv(x) @ x, atol=1e-13)
    np.testing.assert_array_equal(space.outside(v[0, 0]), v[0, 0] - space.basis @ (space.basis.T @ v[0, 0]))


@pytest.mark.parametrize("x", [[[1.0, 2.0], [2.0, 4.0]], [[1.0], [2.0]], [[0.0, 0.0]]])
def test_dependent_rows_span_no_row_space_of_their_number(x):
    with pytest.raises(ValueError, match="dependent rows; they must be independent"):
        RowSpace(np.array(x))


def test_a_vector_of_another_length_is_refused():
    with pytest.raises(ValueError, match=r"^v has shape \(2,\); its last axis must have 3 entries$"):
        RowSpace(np.eye(2, 3)).outside([1.0, 2.0])
