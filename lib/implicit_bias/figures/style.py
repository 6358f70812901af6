"""One style for every figure: one palette, theory dashed in black over measurement, legible at half size."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import whole
from implicit_bias.late import extra

with extra():
    import matplotlib.pyplot as plt
    from cycler import cycler
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap

# Okabe and Ito's palette with the red and the purple of Paul Tol's, which look as they are called in a caption. Readers
# with any of the common colour-vision deficiencies tell them apart as well as Okabe and Ito's own.
COLORS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#CC3311",
    "purple": "#AA3377",
    "sky": "#56B4E9",
    "grey": "#7F7F7F",
    "black": "#000000",
}
THEORY: dict[str, Any] = {"color": COLORS["black"], "linestyle": (0, (4, 2)), "linewidth": 1.4, "zorder": 5}


def use_style() -> None:  # attack: none, it draws
    """Set matplotlib's defaults for the figures of the book."""
    plt.rcParams.update(
        {
            "figure.dpi": 110,
            "figure.figsize": (9.0, 3.8),
            "figure.constrained_layout.use": True,
            "font.size": 12,
            "axes.titlesize": 12,
            "axes.labelsize": 13,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler(color=[COLORS[c] for c in ("blue", "orange", "green", "red", "purple", "sky")]),
            "lines.linewidth": 2.0,
            "legend.frameon": False,
            "legend.fontsize": 12,
            "mathtext.fontset": "cm",
        }
    )


def panels(n: int, size: tuple[float, float], rows: Sequence[int] = ()) -> list[Any]:  # attack: none, it draws
    """A figure of n panels side by side; each is laid out by itself, as on a phone they stack.

    n: number of panels, at least 1.
    size: width and height of the figure in inches.
    rows: how many axes stand one above the other in each panel, n numbers; empty: one in each.

    Returns for each panel its axes, or an array of them where there are several, which share x.
    Raises ValueError for a number of panels below 1, and for rows that are not n numbers, at least 1.

    >>> left, right = panels(2, (9.6, 3.9))
    >>> (above, below), right = panels(2, (9.6, 4.4), rows=(2, 1))
    """
    n = whole("n", n, least=1)
    rows = tuple(rows) or (1,) * n
    if len(rows) != n or min(rows) < 1:
        raise ValueError(f"rows is {rows}; it must hold a number of axes, at least 1, for each of {n} panels")
    parts = plt.figure(figsize=size, dpi=150).subfigures(1, n, squeeze=False)[0]
    return [part.subplots(count, 1, sharex=True) for part, count in zip(parts, rows, strict=True)]


def theory(ax: Axes, x: ArrayLike, y: ArrayLike, label: str | None = None) -> None:  # attack: none, it draws
    """Draw a prediction: dashed, black, over whatever is measured.

    ax: where it is drawn.
    x, y: n places and the n values predicted there.
    label: in the legend; None: none.
    """
    ax.plot(x, y, label=label, **THEORY)


def theory_level(ax: Axes, y: float, label: str | None = None) -> None:  # attack: none, it draws
    """Draw a predicted constant: dashed, black.

    ax: where it is drawn.
    y: the constant.
    label: in the legend; None: none.
    """
    ax.axhline(y, label=label, **THEORY)


def agreement(  # attack: none, it draws
    ax: Axes, predicted: ArrayLike, measured: ArrayLike, label: str | None = None
) -> None:
    """Measured against predicted coordinates, with the diagonal on which they agree.

    ax: where it is drawn.
    predicted, measured: n coordinates of each.
    label: in the legend; None: none.
    """
    predicted, measured = np.asarray(predicted), np.asarray(measured)
    ax.plot(predicted, measured, "o", color=COLORS["blue"], markersize=5, markeredgewidth=0, alpha=0.7, label=label)
    low, high = min(*ax.get_xlim(), *ax.get_ylim()), max(*ax.get_xlim(), *ax.get_ylim())
    theory(ax, [low, high], [low, high])


def rim(  # attack: none, it draws
    ax: Axes, angle: ArrayLike, values: ArrayLike, *, level: float, inner: float, outer: float
) -> None:
    """Draw a function on the circle as a ring of colour: blue below zero, white at zero, red above.

    ax: where it is drawn.
    angle: n angles that go once around, the last with the first.
    values: the n values there.
    level: the size from which on a colour is full, above 0.
    inner, outer: the radii of the ring.
    """
    around = np.asarray(angle)
    unit = np.stack([np.cos(around), np.sin(around)])
    x, y = np.multiply.outer([inner, outer], unit).swapaxes(0, 1)
    shades = LinearSegmentedColormap.from_list("signed", [COLORS["blue"], "#ffffff", COLORS["red"]])
    ax.pcolormesh(x, y, np.stack([values, values]), cmap=shades, vmin=-level, vmax=level, shading="gouraud")
    for radius in (inner, outer):
        ax.plot(*(radius * unit), color=COLORS["grey"], linewidth=0.8)
