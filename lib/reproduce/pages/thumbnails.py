"""The first figure of a chapter, made small for its card: one panel of it, on white, as a file beside the pages."""

import base64
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from nbformat import NotebookNode
from PIL import Image, ImageChops

from reproduce.ground.errors import PressError, quoted

HERO = "hero"
FOLDER = "_static/cards"
WIDTH, HEIGHT = 432, 288  # of a thumbnail
MARGIN = 10
COLOURS = 64
PANEL = re.compile(r"([1-9]) of ([1-9])(?:x([1-9]))?")
STILL = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")
REACH = 0.07  # of the figure: so far from its even share a cut between two panels is looked for
GAP = 6  # white columns behind a panel, before what is written at the next one's axis


@dataclass(frozen=True)
class Hero:
    """The figure that opens a chapter.

    picture: a PNG; of a film its still frame.
    alt: what is drawn, in words.
    classes: of the image, which say how its panels stack.
    """

    picture: bytes
    alt: str
    classes: str = ""


def hero_of(notebook: NotebookNode, figure: str = "") -> Hero | None:
    """What the cell with the tag ``hero`` stores, or with another figure's name; None if there is none."""
    for cell in notebook.cells:
        told = cell.metadata.get("mystnb", {})
        if told.get("figure", {}).get("name") == figure if figure else HERO in cell.metadata.get("tags", []):
            image = told.get("image", {})
            for output in cell.get("outputs", []):
                encoded = _encoded(output.get("data", {}))
                if encoded:
                    return Hero(base64.b64decode(encoded), str(image.get("alt", "")), str(image.get("classes", "")))
    return None


def place(chapter: str) -> str:
    """Where the thumbnail of a chapter lies, from the first page on."""
    return f"{FOLDER}/{chapter.replace('/', '-')}.png"


def write_thumbnail(path: Path, hero: Hero, panel: str) -> None:
    """Write the thumbnail of a figure; with the same pixels it is the same file.

    path: where to.
    hero: the figure.
    panel: ``2 of 3`` in a row, ``2 of 3x2`` in columns and rows; empty for all of it.
    """
    picture = panel_of(hero, panel)
    picture.thumbnail((WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN), Image.Resampling.LANCZOS)
    canvas = Image.new("RGB", (WIDTH, HEIGHT), "white")
    canvas.paste(picture, ((WIDTH - picture.width) // 2, (HEIGHT - picture.height) // 2))
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def panel_of(hero: Hero, panel: str) -> Image.Image:
    """One panel of a figure, on white."""
    with Image.open(io.BytesIO(hero.picture)) as opened:
        figure = Image.alpha_composite(Image.new("RGBA", opened.size, "white"), opened.convert("RGBA")).convert("RGB")
    return trimmed(cut_out(figure, panel))


def cut_out(figure: Image.Image, panel: str) -> Image.Image:
    """One panel of a figure; the cuts run through white gaps near the even share of each panel."""
    if not panel:
        return figure
    found = PANEL.fullmatch(panel)
    if found is None:
        raise PressError(f"panel is '{quoted(panel)}'; it must be like 2 of 3, or like 2 of 3x2")
    number, columns, rows = int(found[1]) - 1, int(found[2]), int(found[3] or 1)
    if number >= columns * rows:
        raise PressError(f"panel is '{panel}'; there are only {columns * rows}")
    row, column = divmod(number, columns)
    white = np.asarray(figure.convert("L")) > 250
    left, right = _cuts(white.all(axis=0), columns, across=True)[column : column + 2]
    top, bottom = _cuts(white[:, left:right].all(axis=1), rows)[row : row + 2]
    return figure.crop((left, top, right, bottom))


def trimmed(picture: Image.Image) -> Image.Image:
    """A picture without its white border; as it is if it is all white."""
    box = ImageChops.difference(picture, Image.new("RGB", picture.size, "white")).getbbox()
    return picture.crop(box) if box else picture


def _cuts(white: Any, parts: int, *, across: bool = False) -> list[int]:
    """Where to cut lines, some of them white, into parts: both ends, and a place between any two parts.

    white: which lines are white.
    parts: how many.
    across: from left to right, where the first gap is meant: the label of the next panel's axis comes behind it.
    """
    reach = round(REACH * white.size)
    cuts = [0]
    for part in range(1, parts):
        near = round(part * white.size / parts)
        gaps = _gaps(white[near - reach : near + reach])
        wide = [gap for gap in gaps if gap[1] - gap[0] >= GAP] if across else []
        start, end = wide[0] if wide else max(gaps, key=lambda gap: gap[1] - gap[0], default=(reach, reach))
        cuts.append(near - reach + (start + end) // 2)
    return [*cuts, int(white.size)]


def _gaps(white: Any) -> list[tuple[int, int]]:
    """The runs of white lines, each with its first line and the one after its last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], white, [False]]).astype(int)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _encoded(data: Mapping[str, Any]) -> str:
    if "image/png" in data:
        return "".join(data["image/png"])
    still = STILL.search("".join(data.get("text/html", "")))
    return still[1] if still else ""
