"""The names of the curves in the CSV of a figure: those that the figure itself shows, and no others."""

import csv
import gzip
import io
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from reproduce.claims.drawn import drawn
from reproduce.claims.plotted import plotted
from reproduce.running.curve_names import with_names

X = np.linspace(0.0, 1.0, 40)
THEORY: dict[str, Any] = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 1.4, "zorder": 5}


def legend(axes: Any) -> None:
    axes.plot(X, X, color="#0072b2", label="$\\beta=1$")
    axes.plot(X, 2 * X, color="#0072b2", linestyle="--", label="grid, fine")
    axes.plot(X, 3 * X, "o", color="#cc3311", label="samples")
    axes.legend()


def words_in_their_colour(axes: Any) -> None:
    axes.plot(X, X, color="#0072b2")
    axes.plot(X, 2 * X, color="#e69f00")
    axes.plot(X, 3 * X, color="#e69f00")
    axes.text(0.5, 0.2, "one\nnetwork", color="#0072b2")
    axes.text(0.1, 2.5, "kernels", color="#a87400")  # darker, to be read
    axes.set_title("(a) what is seen", color="#0072b2")


def the_nearest(axes: Any) -> None:
    for level, name in ((1.0, "usual start"), (9.0, "small start")):
        axes.plot(X, 0 * X + level, color="#009e73")
        axes.text(0.4, level, name, color="#009e73")


def theory(axes: Any) -> None:
    axes.plot(X, X, color="#0072b2")
    axes.plot(X, 1.01 * X, **THEORY)
    axes.plot(X, 2.01 * X, **THEORY)
    axes.text(0.2, 0.2, "a note")


def none(axes: Any) -> None:
    axes.plot(X, X, color="black")
    axes.plot(X, 2 * X, color="#0072b2")
    axes.plot(X, 3 * X, color="#0072b2")
    axes.plot(X, 4 * X, color="#cc3311")
    axes.text(0.5, 0.5, "one", color="#0072b2")
    axes.text(0.5, 0.6, "two", color="#0072b2")
    axes.text(0.5, 0.7, "three", color="#0072b2")
    axes.text(0.9, 3.6, "16°", color="#cc3311")  # a value


@pytest.mark.parametrize(("draw", "names"), [
    (legend, ["$\\beta=1$", "grid, fine", "samples"]),
    (words_in_their_colour, ["one network", "kernels 1", "kernels 2"]),
    (the_nearest, ["usual start", "small start"]),
    (theory, ["1", "theory 1", "theory 2"]),
    (none, ["1", "2", "3", "4"]),
])  # fmt: skip
def test_a_curve_is_called_what_the_figure_calls_it(draw: Callable[[Any], None], names: list[str]) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
    left.plot(X, X)
    left.set_xlabel("other axes")
    draw(right)
    right.set(xlabel="time, in steps", ylabel="error")
    figure.canvas.draw()
    table, marks = gzip.decompress(b64decode(plotted(figure))).decode(), drawn(figure)
    plt.close(figure)
    before, after, *without = (
        list(csv.DictReader(io.StringIO(one)))
        for one in (table, with_names(table, marks), with_names(table, []), with_names(table, marks[5:8]))
    )
    assert [*dict.fromkeys(row["curve"] for row in after if row["panel"] == "2")] == names
    assert [{**row, "curve": ""} for row in after] == [{**row, "curve": ""} for row in before]
    assert without == [before, before]
