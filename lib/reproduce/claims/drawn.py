"""What a figure draws, in numbers: stored beside its picture, so that an execution anew can be held against them.

Nothing here knows of lines, bars or contours. A figure is drawn once more, by a renderer that notes what it is asked
to draw: where, in what colour and width, which words. Each artist is one short line of numbers; ticks are their axis'.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.path import Path
from numpy.typing import NDArray

SHORT = 24  # rows of numbers that are stored as they are; of more, some and what summarizes all
SOME, PARTS = 6, 6  # so many of a longer table's rows, and parts of it of which mean, least and largest are stored
MANY, LINES = 30, 5  # artists of one kind in a row, each with a line of its own; more share so many lines
BLOCKS = 4  # along each side of an image, whose mean colours are stored
AXIS = "matplotlib.axis"  # the group of an axis with its ticks and their labels
Rows = NDArray[np.float64]


class Recorder(RendererBase):
    """Draws nothing and notes everything: by artist where its points lie, how they look, and its words.

    figure: what will be drawn; lengths are noted in points, from the figure's lower left corner.
    """

    def __init__(self, figure: Figure) -> None:
        """Nothing is noted yet."""
        super().__init__()
        self.letters = RendererAgg(*figure.canvas.get_width_height(), figure.dpi)  # type: ignore[no-untyped-call]
        self.unit = 72 / figure.dpi
        self.groups: list[str] = []
        self.marks: list[Mark] = []

    def open_group(self, s: str, gid: str | None = None) -> None:
        """An artist begins; what is inside of an axis is the axis'."""
        if AXIS not in self.groups:
            self.marks.append(Mark(s.removeprefix("matplotlib.")))
        self.groups.append(s)

    def close_group(self, s: str) -> None:
        """An artist ends; what its parent draws after it is a mark of its own."""
        self.groups.pop()
        if self.groups and AXIS not in self.groups:
            self.marks.append(Mark(self.groups[-1]))

    def draw_path(self, gc: GraphicsContextBase, path: Path, transform: Any, rgbFace: Any = None) -> None:
        """A line or an area."""
        seen = np.asarray(path.vertices)
        if path.codes is not None:
            seen = seen[np.asarray(path.codes) != Path.CLOSEPOLY]
        self._note(gc, transform.transform(seen), rgbFace)

    def draw_markers(
        self, gc: GraphicsContextBase, marker_path: Path, marker_trans: Any, path: Path, trans: Any, rgbFace: Any = None
    ) -> None:
        """The same mark in many places."""
        size = np.ptp(np.asarray(marker_trans.transform(marker_path.vertices)), axis=0) * self.unit
        self._note(gc, trans.transform(path.vertices), rgbFace, size)

    def draw_image(self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Any = None) -> None:
        """Pixels, by the mean colours of their blocks."""
        self._note(gc, np.array([[x, y], [x + im.shape[1], y + im.shape[0]]]), None)
        blocks = [part for band in np.array_split(im, BLOCKS) for part in np.array_split(band, BLOCKS, axis=1)]
        self.marks[-1].looks += [[*np.mean(block, axis=(0, 1)) / 255, *[0] * 8] for block in blocks]

    def draw_gouraud_triangles(
        self, gc: GraphicsContextBase, triangles_array: Any, colors_array: Any, transform: Any
    ) -> None:
        """A smoothly shaded area, by the colours of its corners."""
        self._note(gc, transform.transform(np.reshape(triangles_array, (-1, 2))), None)
        self.marks[-1].looks += [[*colour, *[0] * 8] for colour in np.reshape(colors_array, (-1, 4)).tolist()]

    def draw_text(
        self, gc: GraphicsContextBase, x: float, y: float, s: str, prop: Any, angle: float, *how: Any, **mtext: Any
    ) -> None:
        """Words."""
        self._note(gc, np.array([[x, self.letters.height - y]]), None, (prop.get_size_in_points(), angle))
        self.marks[-1].words.append(s)

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        """As in the picture."""
        return self.letters.get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-untyped-call]

    def get_canvas_width_height(self) -> tuple[float, float]:
        """As in the picture."""
        return self.letters.width, self.letters.height

    def points_to_pixels(self, points: Any) -> Any:
        """As in the picture."""
        return points / self.unit

    def option_image_nocomposite(self) -> bool:
        """Each image is noted by itself."""
        return True

    def _note(self, gc: GraphicsContextBase, places: Rows, face: Any, size: Sequence[float] = (0, 0)) -> None:
        places = places[np.isfinite(places).all(axis=1)]
        clip = gc.get_clip_rectangle()
        if clip is not None:
            places = np.clip(places, clip.min, clip.max)  # what lies beyond an axis' end is not seen
        face = (0, 0, 0, 0) if face is None else (*face[:3], face[3] if len(face) > 3 else 1)
        dashes = gc.get_dashes()[1]
        line = (gc.get_linewidth(), 0 if dashes is None else np.sum(dashes))
        self.marks[-1].places += (places * self.unit).tolist()
        self.marks[-1].looks.append([*gc.get_rgb(), *face, *line, *size])


@dataclass
class Mark:
    """What one artist draws.

    kind: the artist's.
    looks: of each piece the colours of its line and area, widths of the line and its dashes, size of a marker.
    places: of each of its points.
    words: what is written.
    """

    kind: str
    looks: list[list[float]] = field(default_factory=list)
    places: list[list[float]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Kind, how it looks, where it lies, and its words."""
        looks = self.looks if self.kind != "axis" else dict.fromkeys(map(tuple, self.looks))
        tables = [summary(np.array([*rows])) for rows in (looks, self.places)]
        look, place = (" ".join(f"{round(number, 2) + 0:g}" for number in table.flat) for table in tables)
        words = "".join(f" | {one}" for one in self.words)
        return f"{self.kind} {len(self.looks)} of {look} @ {len(self.places)}: {place}{words}"


def summary(rows: Rows) -> Rows:
    """A table as it is if it is short, one row if all are the same; else some, and of its parts means and extremes."""
    if not len(rows) or np.ptp(rows, axis=0).max() == 0:
        return rows[:1]
    if len(rows) <= SHORT:
        return rows
    some = rows[np.linspace(0, len(rows) - 1, SOME).round().astype(int)]
    parts = np.array_split(rows, PARTS)
    return np.vstack([some, *([part.mean(axis=0), part.min(axis=0), part.max(axis=0)] for part in parts)])


def drawn(figure: Figure) -> list[str]:
    """What a figure draws where it was laid out last, one line for each artist, from the lowest to the highest."""
    recorder, layout = Recorder(figure), figure.get_layout_engine()
    figure.set_layout_engine("none")  # laid out once more, it would not lie where it lies in the picture
    figure.draw(recorder)
    figure.set_layout_engine(layout)
    seen = [mark for mark in recorder.marks if mark.looks]
    runs = [list(run) for _, run in groupby(seen, key=lambda mark: mark.kind)]
    parts = [
        part for run in runs for part in (batched(run, -(-len(run) // LINES)) if len(run) > MANY else batched(run, 1))
    ]
    return [together(part).line() for part in parts]


def together(marks: Sequence[Mark]) -> Mark:
    """Artists of one kind as one."""
    one = Mark(marks[0].kind)
    for mark in marks:
        one.looks += mark.looks
        one.places += mark.places
        one.words += mark.words
    return one


def batched(marks: list[Mark], size: int) -> list[list[Mark]]:
    """The marks, so many at a time."""
    return [marks[at : at + size] for at in range(0, len(marks), size)]
