"""One style for every figure: Okabe–Ito colours, theory dashed in black over measurement, legible at half size."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.animation import FuncAnimation
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from implicit_bias.checks import Array

# Okabe and Ito's palette, which readers with any of the common colour-vision deficiencies can tell apart.
COLORS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "grey": "#7F7F7F",
    "black": "#000000",
}
THEORY: dict[str, Any] = {"color": COLORS["black"], "linestyle": (0, (4, 2)), "linewidth": 1.4, "zorder": 5}


def use_style() -> None:
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
            "legend.fontsize": 11,
            "mathtext.fontset": "cm",
            "animation.embed_limit": 5,
        }
    )


def theory(ax: Axes, x: ArrayLike, y: ArrayLike, label: str | None = None) -> None:
    """Draw a prediction: dashed, black, over whatever is measured."""
    ax.plot(x, y, label=label, **THEORY)


def theory_level(ax: Axes, y: float, label: str | None = None) -> None:
    """Draw a predicted constant: dashed, black."""
    ax.axhline(y, label=label, **THEORY)


def agreement(ax: Axes, predicted: ArrayLike, measured: ArrayLike, label: str | None = None) -> None:
    """Measured against predicted coordinates, with the diagonal on which they agree."""
    predicted, measured = np.asarray(predicted), np.asarray(measured)
    ax.plot(predicted, measured, "o", color=COLORS["blue"], markersize=5, markeredgewidth=0, alpha=0.7, label=label)
    low, high = min(*ax.get_xlim(), *ax.get_ylim()), max(*ax.get_xlim(), *ax.get_ylim())
    theory(ax, [low, high], [low, high])


def animate_boundary(
    z: Array, weights: Array, log_t: Sequence[float] | Array, limit: Array, *, reach: float, interval_ms: int = 250
) -> str:
    """Play how the boundary of a linear classifier in the plane turns to its limit, one frame a recorded time.

    z: N × 2, the signed points y_i x_i; the classifier is right where w·z > 0.
    weights: frames × 2, w at the recorded times.
    log_t: the times' logarithms ln t.
    limit: the predicted direction, 2 entries.
    reach: half the side of the drawn square.
    interval_ms: milliseconds a frame.

    Returns the HTML of a player that runs offline in any browser.
    """
    fig, ax = plt.subplots(figsize=(4.6, 4.6), layout="constrained", dpi=80)
    ax.plot(z[:, 0], z[:, 1], "o", color=COLORS["blue"], markersize=6, alpha=0.8)
    ends = np.array([-2 * reach, 2 * reach])
    theory(ax, ends * limit[1], -ends * limit[0])
    (boundary,) = ax.plot([], [], color=COLORS["red"], linewidth=2.5)
    arrow = ax.quiver([0.0], [0.0], [0.0], [0.0], color=COLORS["red"], angles="xy", scale_units="xy", scale=1)
    ax.quiver(
        [0.0],
        [0.0],
        [limit[0]],
        [limit[1]],
        color=COLORS["black"],
        angles="xy",
        scale_units="xy",
        scale=1,
        width=0.005,
        zorder=6,
    )
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), xlabel=r"$y\,x_1$", ylabel=r"$y\,x_2$", aspect="equal")
    title = ax.set_title("")

    def draw(frame: int) -> None:
        direction = weights[frame] / np.linalg.norm(weights[frame])
        boundary.set_data(ends * direction[1], -ends * direction[0])
        arrow.set_UVC([direction[0]], [direction[1]])
        exponent = log_t[frame] / np.log(10)
        away = np.degrees(np.arccos(min(1.0, float(direction @ limit))))
        title.set_text(rf"$t=10^{{{exponent:.1f}}}$: {away:.2f}° from the maximum margin")

    player = FuncAnimation(fig, draw, frames=len(weights), interval=interval_ms, blit=False)
    html = str(player.to_jshtml(default_mode="once"))
    plt.close(fig)
    return html
