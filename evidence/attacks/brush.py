"""One curve of a stored figure erased, moved or painted anew: in its picture, and in the numbers beside it."""

import base64
import io
from typing import Literal

import numpy as np
from PIL import Image

Change = Literal["erase", "move", "repaint"]
CHANGES: tuple[Change, ...] = ("erase", "move", "repaint")
ALIKE = 90  # levels: so near a curve's colour is the curve, with most of its soft edge
PIXELS = 8  # about a hundredth of the width of a panel
POINTS = 2.5
OTHER = (230, 159, 0)  # the palette's orange; what is orange becomes green
GREEN = (0, 158, 115)
CURVES = ((0, 114, 178), GREEN, (204, 51, 17))  # of the figure of the small book


def edited_picture(png: bytes, colour: tuple[int, int, int], change: Change) -> bytes:
    """A picture in which everything of one colour is erased, moved to the right or painted anew."""
    picture = np.array(Image.open(io.BytesIO(png)).convert("RGB"))
    curve = (np.abs(picture.astype(int) - colour) < ALIKE).all(axis=2)
    before = picture.copy()
    picture[curve] = 255
    if change == "repaint":
        picture[curve] = GREEN if colour == OTHER else OTHER
    elif change == "move":
        there = np.roll(curve, PIXELS, axis=1)
        picture[there] = np.roll(before, PIXELS, axis=1)[there]
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=1)
    return file.getvalue()


def edited_marks(marks: list[str], number: int, change: Change) -> list[str]:
    """The numbers of a figure after one of its marks was erased, moved to the right or painted anew."""
    look, at, rest = marks[number].partition(" @ ")
    if change == "repaint":
        kind, pieces, of, red, *others = look.split(" ")
        look = " ".join([kind, pieces, of, f"{(float(red) + 0.5) % 1:g}", *others])
    elif change == "move":
        count, *places = rest.split(" | ")[0].split(" ")
        moved = [f"{float(one) + POINTS * (k % 2 == 0):g}" for k, one in enumerate(places)]
        rest = " ".join([count, *moved])
    return [*marks[:number], *([] if change == "erase" else [f"{look}{at}{rest}"]), *marks[number + 1 :]]


def encoded(png: bytes) -> str:
    """A picture as a notebook stores it."""
    return base64.b64encode(png).decode()
