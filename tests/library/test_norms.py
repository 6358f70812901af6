"""Largest differences and root mean squares: by hand, over an axis, and what has none is refused."""

import numpy as np
import pytest

from implicit_bias.norms import largest_difference, root_mean_square

VALUES = np.array([[3.0, 4.0], [0.0, 12.0]])


def test_the_largest_difference_is_found_wherever_it_stands():
    assert largest_difference(VALUES, VALUES) == 0.0
    assert largest_difference(VALUES, [[3.0, 4.5], [0.25, 12.0]]) == 0.5
    assert largest_difference([1.0, -7.0], 0.0) == 7.0


def test_the_root_mean_square_is_that_of_all_or_over_an_axis():
    assert root_mean_square(VALUES) == pytest.approx(6.5, rel=1e-15)
    assert root_mean_square(VALUES, axis=-1) == pytest.approx(np.array([5.0, 12.0]) / np.sqrt(2) * [1, np.sqrt(1)])
    assert root_mean_square(VALUES, axis=0) == pytest.approx([np.sqrt(4.5), np.sqrt(80)])
    assert f"{root_mean_square([2.0]):.1f}" == "2.0"


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (
            lambda: largest_difference([1.0, 2.0], [1.0, 2.0, 3.0]),
            r"others has shape \(3,\); .* that of values, \(2,\)",
        ),
        (lambda: largest_difference([np.inf], [1.0]), r"values holds inf at \[0\]"),
        (lambda: largest_difference([], []), r"values has shape \(0,\); it must not be empty"),
        (lambda: largest_difference([1e308], [-1e308]), "values is 1e.308 at most and others is 1e.308 at most"),
        (lambda: root_mean_square([]), r"values has shape \(0,\); it must not be empty"),
        (lambda: root_mean_square([1e200]), "values is 1e.200 at most"),
        (lambda: root_mean_square([1.0], axis=1), "axis is 1; it must be a whole number"),
    ],
)
def test_what_has_none_is_refused(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()
