"""What a figure draws, in numbers: every artist is there, and what is changed in the figure's code changes them."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from implicit_bias.figures import style
from reproduce.claims import Claims, author
from reproduce.claims.drawn import drawn, summary
from reproduce.claims.plotted import plotted
from reproduce.running.pictures import marks_otherwise

X = np.linspace(0, 1, 300)


def figure(change: Callable[[Axes], object] = lambda ax: None, data: float = 1.0) -> Figure:
    with plt.rc_context():
        style.use_style()
        made, ax = plt.subplots()
        ax.plot(X, data * np.sin(9 * X), label="measured")
        ax.plot(X[::20], X[::20] ** 2, "o", label="dots")
        style.theory(ax, X, X, label="predicted")
        ax.fill_between(X, X - 0.1, X + 0.1, alpha=0.2)
        ax.scatter(X[::30], X[::30], c=X[::30])
        ax.contour(X[::10], X[::10], np.outer(X[::10], X[::10]), levels=3)
        ax.imshow(np.outer(X, X), extent=(0, 0.5, 0, 0.5), alpha=0.3)
        ax.pcolormesh(X[::100], -X[::100], np.outer(X[::100], X[::100]), shading="gouraud")
        ax.set(xlim=(0, 1), ylim=(-1, 1.2), xlabel="$t$", title="a sine", aspect="auto")
        ax.annotate("here", (0.5, 0.5), (0.6, 0.8), arrowprops={"arrowstyle": "->"})
        ax.legend(loc="lower right")  # matplotlib warns where looking for the best place takes a second
        change(ax)
    plt.close(made)
    return made


def otherwise(change: Callable[[Axes], object]) -> list[str]:
    return [what for what, _, _ in marks_otherwise(drawn(figure()), drawn(figure(change)))]


def recolour(ax: Axes) -> None:
    ax.lines[0].set_color("tab:red")


CHANGES: dict[str, Callable[[Axes], object]] = {
    "a curve erased": lambda ax: ax.lines[0].remove(),
    "a curve hidden": lambda ax: ax.lines[1].set_visible(False),
    "a curve moved by a hundredth": lambda ax: ax.lines[0].set_ydata(np.sin(9 * X) + 0.022),
    "a curve repainted": recolour,
    "a curve wider": lambda ax: ax.lines[2].set_linewidth(2.0),
    "no dashes": lambda ax: ax.lines[2].set_linestyle("-"),
    "one dot moved": lambda ax: ax.lines[1].set_ydata([0.1, *(X[::20] ** 2)[1:]]),
    "larger dots": lambda ax: ax.lines[1].set_markersize(9),
    "a band moved": lambda ax: ax.fill_between(X, X - 0.2, X + 0.1, alpha=0.2),
    "points recoloured": lambda ax: ax.collections[1].set_array(X[::-30]),
    "another image": lambda ax: ax.images[0].set_data(np.outer(X, 1 - X)),
    "another shading": lambda ax: ax.collections[-1].set_array(np.eye(3)),
    "another end of an axis": lambda ax: ax.set_xlim(0, 1.1),
    "another scale": lambda ax: ax.set_yscale("symlog"),
    "another title": lambda ax: ax.set_title("a cosine"),
    "another name in the legend": lambda ax: ax.legend(["theory", "dots", "predicted"], loc="lower right"),
    "curves in another order": lambda ax: ax.lines[0].set_zorder(9),
    "an arrow elsewhere": lambda ax: ax.annotate("here", (0.4, 0.5), (0.6, 0.8)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_in_a_figure_changes_in_its_numbers(change: str) -> None:
    assert otherwise(CHANGES[change])


def test_drawn_twice_it_is_the_same_and_another_processor_changes_nothing() -> None:
    assert drawn(figure()) == drawn(figure())
    assert list(marks_otherwise(drawn(figure()), drawn(figure(data=1 + 1.5e-5)))) == []


def test_it_is_short_however_long_the_data_are() -> None:
    def long(ax: Axes) -> None:
        ax.plot(np.linspace(0, 1, 100_000), np.random.default_rng(0).random(100_000))

    assert len(json.dumps(drawn(figure(long)))) < 10_000


def test_a_long_table_is_stored_in_short_and_no_spike_is_lost() -> None:
    rows = np.zeros((1000, 2))
    assert len(summary(rows)) == 1
    rows[421, 1] = 3.0
    assert summary(rows).max() == 3.0
    assert len(summary(rows)) < 30


def test_a_shell_stores_the_numbers_with_the_picture_and_the_picture_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    formatter = DisplayFormatter()
    shell: Any = SimpleNamespace(display_formatter=formatter)
    monkeypatch.setattr(author, "get_ipython", lambda: shell)
    png = formatter.formatters["image/png"]
    png.for_type(Figure, lambda one: str(one.get_size_inches()))
    Claims("one")
    Claims("another")
    shown = figure()
    data, about = formatter.format(shown)
    assert data["image/png"] == str(shown.get_size_inches())
    assert about["image/png"] == {"drawn": drawn(shown), "plotted": plotted(shown)}
    formatter.formatters["image/png"].for_type(Figure, lambda one: ("picture", {"width": 3}))
    assert formatter.format(shown)[1]["image/png"] == {"width": 3, "drawn": drawn(shown), "plotted": plotted(shown)}
    assert "image/png" not in formatter.format("no figure")[0]
