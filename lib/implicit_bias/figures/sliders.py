"""A picture with sliders that runs offline in any browser: HTML and SVG with its data inside, no library, no network.

Every slider adds a number to a sum, and the frame nearest to that sum is shown: for quantities that depend on several
parameters through one. The text is the same whenever the data are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array
from implicit_bias.figures.templates import rendered, text_of

WIDTH, HEIGHT = 250, 220
LEFT, RIGHT, TOP, BOTTOM = 40, 240, 26, 180  # the axes' box
BOX = {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": RIGHT, "top": TOP, "bottom": BOTTOM}


@dataclass(frozen=True)
class Slider:  # attack: none, it draws
    """A control.

    label: its name.
    texts: what is shown at each stop.
    terms: what each stop adds to the sum, a decimal logarithm; as many as texts.
    start: index of the stop at the beginning.
    """

    label: str
    texts: Sequence[str]
    terms: Sequence[float]
    start: int = 0

    def __post_init__(self) -> None:
        """Refuse stops without a text, and a start that is none of them."""
        if len(self.texts) != len(self.terms):
            raise ValueError(f"texts has {len(self.texts)} entries; it must have one a stop, {len(self.terms)}")
        if not 0 <= self.start < len(self.terms):
            raise ValueError(f"start is {self.start}; it must be the index of one of {len(self.terms)} stops")


@dataclass(frozen=True)
class Panel:
    """Axes with what stays and what moves.

    title, x_label, y_label: words; they also tell a screen reader what is drawn.
    x_ticks, y_ticks: (position, text); the first and the last position are the ends of the axis.
    x: where the moving points are, as many numbers as points, or frames × points.
    y: the moving points, frames × points.
    dots: whether the moving points are drawn as dots instead of a line.
    fixed: curves (x, y) that stay, dashed where their name ends in ' (dashed)', pale dots where it ends in ' (pale)'.
    mark: one large dot that moves too, frames × 2; none by default.
    """

    title: str
    x_label: str
    y_label: str
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    x: ArrayLike
    y: ArrayLike
    dots: bool = False
    fixed: Mapping[str, tuple[ArrayLike, ArrayLike]] = field(default_factory=dict)
    mark: ArrayLike | None = None

    def across(self, x: ArrayLike) -> Array:
        """Horizontal positions in the picture, in tenths of a unit."""
        low, high = self.x_ticks[0][0], self.x_ticks[-1][0]
        return np.round(LEFT + (np.asarray(x, dtype=float) - low) / (high - low) * (RIGHT - LEFT), 1)

    def up(self, y: ArrayLike) -> Array:
        """Vertical positions in the picture, in tenths of a unit; what leaves the axes is drawn at their edge."""
        low, high = self.y_ticks[0][0], self.y_ticks[-1][0]
        inside = np.clip((np.asarray(y, dtype=float) - low) / (high - low), 0, 1)
        return np.round(BOTTOM - inside * (BOTTOM - TOP), 1)

    def marks(self) -> list[list[float]] | None:
        """Where the large dot is in each frame, across and up."""
        if self.mark is None:
            return None
        places = np.asarray(self.mark, dtype=float)
        return [[float(a), float(b)] for a, b in zip(self.across(places[:, 0]), self.up(places[:, 1]), strict=True)]


def sliders(  # attack: none, it draws
    name: str,
    controls: Sequence[Slider],
    positions: ArrayLike,
    panels: Sequence[Panel],
    *,
    sum_label: str,
    said: Mapping[str, Sequence[str]],
) -> str:
    """The HTML of panels that follow sliders; without scripts it shows the frame at the start.

    name: the element's id, unique on its page.
    controls: the sliders.
    positions: the sum at which each frame stands, increasing decimal logarithms.
    panels: what is drawn, each with one moving set of points a frame.
    sum_label: the name of 10^sum, which is shown; where it is empty, it is not.
    said: further values shown in words, by name one text a frame.

    Returns HTML.
    Raises ValueError for frames that do not fit their positions.
    """
    places = array("positions", positions, 1)
    if np.any(np.diff(places) <= 0):
        raise ValueError("positions do not increase; they must")
    counts = [(p.title, len(np.asarray(p.y))) for p in panels] + [(k, len(v)) for k, v in said.items()]
    counts += [(f"mark of {p.title}", len(np.asarray(p.mark))) for p in panels if p.mark is not None]
    for what, count in counts:
        if count != places.size:
            raise ValueError(f"{what!r} has {count} frames; it must have one a position, {places.size}")
    total = sum(control.terms[control.start] for control in controls)
    first = int(np.argmin(np.abs(places - total)))
    data = {
        "name": name,
        "positions": [round(float(p), 6) for p in places],
        "terms": [[round(float(term), 6) for term in control.terms] for control in controls],
        "texts": [list(control.texts) for control in controls],
        "said": [list(texts) for texts in said.values()],
        "panels": [
            {
                "x": np.atleast_2d(panel.across(panel.x)).tolist(),
                "y": panel.up(panel.y).tolist(),
                "dots": panel.dots,
                **({"mark": panel.marks()} if panel.mark is not None else {}),
            }
            for panel in panels
        ],
    }
    words = {sum_label: f"{10**total:.1e}"} if sum_label else {}
    words |= {label: texts[first] for label, texts in said.items()}
    return rendered(
        "sliders.html.j2",
        name=name,
        controls=controls,
        said=words,
        panels=[_drawn(panel, first) for panel in panels],
        data=data,
        style=text_of("sliders.css"),
        script=text_of("sliders.js"),
        box=BOX,
    )


def _drawn(panel: Panel, frame: int) -> dict[str, Any]:
    """What the template draws of one panel at one frame."""
    across = panel.across(panel.x)[frame] if np.ndim(panel.x) > 1 else panel.across(panel.x)
    marks = panel.marks()
    moving = list(zip(across.tolist(), panel.up(panel.y)[frame].tolist(), strict=True))
    return {
        "title": panel.title,
        "x_label": panel.x_label,
        "y_label": panel.y_label,
        "x_ticks": [(float(panel.across(position)), text) for position, text in panel.x_ticks],
        "y_ticks": [(float(panel.up(position)), text) for position, text in panel.y_ticks],
        "fixed": [
            (name, list(zip(panel.across(x).tolist(), panel.up(y).tolist(), strict=True)))
            for name, (x, y) in panel.fixed.items()
        ],
        "moving": moving,
        "dots": panel.dots,
        "mark": marks[frame] if marks else None,
    }
