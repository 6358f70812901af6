"""Pictures that a shell shows are stored with the numbers of what they draw; matplotlib is loaded by who draws."""

import sys
from typing import Any

from IPython.core.formatters import PNGFormatter


class PicturesWithNumbers(PNGFormatter):
    """IPython's way from a figure to its picture, which stores what is drawn in the picture's metadata."""

    def __call__(self, obj: Any) -> Any:
        """The picture of any object; of a figure with its numbers."""
        shown = super().__call__(obj)
        figures = sys.modules.get("matplotlib.figure")  # without it there is no figure
        if shown is None or figures is None or not isinstance(obj, figures.Figure):
            return shown
        from reproduce.claims.drawn import drawn
        from reproduce.claims.plotted import plotted

        picture, about = shown if isinstance(shown, tuple) else (shown, {})
        return picture, {**about, "drawn": drawn(obj), "plotted": plotted(obj)}


def store_what_is_drawn(formatters: dict[str, Any]) -> None:
    """From here on each figure that a shell with these formatters shows is stored with the numbers of what it draws."""
    before = formatters["image/png"]
    ours = PicturesWithNumbers(parent=before.parent)
    ours.type_printers, ours.deferred_printers = before.type_printers, before.deferred_printers
    formatters["image/png"] = ours
