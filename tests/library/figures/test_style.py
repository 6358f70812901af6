"""Panels stand side by side, each of as many axes as asked for."""

import pytest
from matplotlib import pyplot as plt

from implicit_bias.figures import style


def test_panels_are_figures_of_their_own():
    left, right = style.panels(2, (9.6, 3.9))
    assert left.figure is not right.figure
    whole = left.figure.figure
    assert tuple(whole.get_size_inches()) == (9.6, 3.9)
    assert len(whole.subfigs) == 2
    plt.close(whole)


def test_a_panel_may_hold_axes_that_share_x():
    (above, below), right = style.panels(2, (9.6, 4.4), rows=(2, 1))
    below.set_xlim(3, 4)
    assert above.get_xlim() == (3, 4)
    assert right.get_xlim() != (3, 4)
    plt.close(right.figure.figure)


@pytest.mark.parametrize(
    ("n", "rows", "words"), [(0, (), "n is 0"), (2, (1,), r"rows is \(1,\)"), (1, (0,), "rows is")]
)
def test_a_figure_without_axes_is_refused(n, rows, words):
    with pytest.raises(ValueError, match=words):
        style.panels(n, (3, 3), rows)


def test_a_rim_is_blue_below_zero_and_red_above():
    (ax,) = style.panels(1, (3, 3))
    angle = [0.0, 1.5, 3.0, 4.5, 6.3]
    style.rim(ax, angle, [-2.0, 0.0, 1.0, 2.0, -2.0], level=2.0, inner=1.0, outer=1.1)
    (ring,) = ax.collections
    colors = ring.to_rgba(ring.get_array())[0]
    assert colors[1, :3] == pytest.approx([1, 1, 1], abs=0.01)
    assert colors[0, 2] > colors[0, 0]
    assert colors[3, 0] > colors[3, 2]
    plt.close(ax.figure.figure)
