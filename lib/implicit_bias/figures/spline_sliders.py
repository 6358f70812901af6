"""The function of least penalty through points, solved anew in the page while a reader shifts them: no library in it.

The page solves the kernel's equations for the biases' uniform law and proves its answer: it shows what the function
misses of the data, and the gap between its penalties and the dual bound.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array, number
from implicit_bias.figures.sliders import BOX, Panel, Slider
from implicit_bias.figures.templates import rendered, text_of


def spline_sliders(  # attack: none, it draws
    name: str,
    x: ArrayLike,
    y: ArrayLike,
    reach: float,
    controls: Sequence[Slider],
    panels: tuple[Panel, Panel],
    *,
    said: Mapping[str, str],
) -> str:
    """The HTML of a spline that follows two sliders: the shift of its labels, and the freedom v of its level.

    name: the element's id, unique on its page.
    x, y: M places and labels.
    reach: B of the biases, uniform on [−B, B].
    controls: the shift c and the freedom v; their terms are the values.
    panels: what stays of two pictures, and the start of what moves as their only frame: the function over its
        places, and the jump over the shift.
    said: the words shown at the start: jump, penalty, misfit and gap, in this order.

    Returns HTML; without scripts it shows the start.
    Raises ValueError for other numbers of sliders, frames or words.
    """
    x = array("x", x, 1)
    y = array("y", y, 1, x.shape)
    number("reach", reach, above=0)
    if len(controls) != 2:
        raise ValueError(f"controls has {len(controls)} entries; it must have two, shift and freedom")
    if len(said) != 4:
        raise ValueError(f"said has {len(said)} entries; it must have four: jump, penalty, misfit and gap")
    for panel in panels:
        if np.ndim(panel.y) != 2 or len(np.asarray(panel.y)) != 1:
            raise ValueError(f"{panel.title!r} has y of shape {np.shape(panel.y)}; it must be one frame of points")
    shift = controls[0].terms[controls[0].start]
    data = {
        "name": name,
        "x": x.tolist(),
        "y": y.tolist(),
        "reach": float(reach),
        "values": [[float(term) for term in control.terms] for control in controls],
        "texts": [list(control.texts) for control in controls],
        "axes": [[ends(panel.x_ticks), ends(panel.y_ticks)] for panel in panels],
        "at": np.asarray(panels[0].x, dtype=float).tolist(),
        "box": BOX,
    }
    return rendered(
        "spline_sliders.html.j2",
        name=name,
        controls=controls,
        said=said,
        panels=[drawn(panel) for panel in panels],
        places=list(zip(panels[0].across(x).tolist(), panels[0].up(y + shift).tolist(), strict=True)),
        data=data,
        style=text_of("sliders.css"),
        script=text_of("spline_sliders.js"),
        box=BOX,
    )


def ends(ticks: Sequence[tuple[float, str]]) -> list[float]:  # attack: none, it draws
    """Where an axis begins and ends.

    ticks: places and their labels, in order.
    """
    return [float(ticks[0][0]), float(ticks[-1][0])]


def drawn(panel: Panel) -> dict[str, object]:  # attack: none, it draws
    """What the template draws of a panel: axes, what stays, and the start of what moves.

    panel: what it shows.
    """

    def points(x: ArrayLike, y: ArrayLike) -> list[tuple[float, float]]:
        return list(zip(panel.across(x).tolist(), panel.up(y).tolist(), strict=True))

    moving: Array = np.asarray(panel.y)[0]
    return {
        "title": panel.title,
        "x_label": panel.x_label,
        "y_label": panel.y_label,
        "x_ticks": [(float(panel.across(position)), text) for position, text in panel.x_ticks],
        "y_ticks": [(float(panel.up(position)), text) for position, text in panel.y_ticks],
        "fixed": [(key, points(*curve)) for key, curve in panel.fixed.items()],
        "moving": points(panel.x, moving),
        "dots": panel.dots,
    }
