"""Whether a figure came out as it is stored: by the numbers beside its picture, and the picture itself by its ink.

The numbers say what was drawn, artist by artist (``reproduce.claims.drawn``); a curve that was erased, moved or painted
anew differs in them. A picture that was edited alone differs in its ink from the one that the same numbers give.
"""

import base64
import hashlib
import io
import math
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from reproduce.running.kernel import ONE_ARITHMETIC, variables

NEAR = 0.05  # points, or the full of a colour: 1.5e-5 of a number, the most that another processor changed, is a tenth
SHOWN = 1e-3  # relative: a number in the words of a figure, which shows a few digits
BLOCK = 16  # pixels: a block's side
LEVELS = 6.0  # of 255: by how much the pixels of a block may differ in the mean, slightly blurred
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
PICTURE = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s\\]+)")
Otherwise = tuple[str, str, str]  # what differs, as it is stored, as it came out


def same_rounding() -> bool:
    """Whether kernels compute here as they did for what is stored; where not, curves of rounding are other curves."""
    return ONE_ARITHMETIC.items() <= variables().items()


def pictures_otherwise(stored: list[Any], fresh: list[Any], *, places: bool = True) -> Iterator[Otherwise]:
    """In what the pictures of one cell's outputs differ from those of the same cell executed anew.

    stored: the cell's outputs.
    fresh: those of its execution.
    places: whether to compare where things lie; else only which artists there are, their colours and words.
    """
    shown = [[output for output in outputs if next(_pictures(output), None) is not None] for outputs in (stored, fresh)]
    number = 0
    for one, other in zip_longest(*shown, fillvalue={}):
        marks = [_drawn(output) for output in (one, other)]
        if marks[0] != marks[1]:
            for what, mine, theirs in marks_otherwise(*marks, places=places):
                yield f"picture {number + 1}, {what}", mine, theirs
        for pair in zip_longest(_pictures(one), _pictures(other)):
            number += 1
            if None in pair or (places and ink_apart(*pair) > LEVELS):
                yield f"picture {number}", _there(pair[0]), _there(pair[1])


def marks_otherwise(stored: list[str] | None, fresh: list[str] | None, *, places: bool = True) -> Iterator[Otherwise]:
    """In what two figures differ by the numbers of what they draw; of each mark the first difference."""
    if stored is None or fresh is None or len(stored) != len(fresh):
        yield "what is drawn", _counted(stored), _counted(fresh)
        return
    for number, pair in enumerate(zip(stored, fresh, strict=True), start=1):
        for part, absolute, relative in ((0, NEAR, 0.0), (1, NEAR if places else math.inf, 0.0), (2, 0.0, SHOWN)):
            mine, theirs = (_parts(mark)[part] for mark in pair)
            if not _near(mine, theirs, absolute, relative):
                yield f"mark {number} ({pair[0].split(' ')[0]})", *_first(mine, theirs, absolute, relative)
                break


def ink_apart(stored: bytes, fresh: bytes) -> float:
    """By how many of 255 levels two PNGs differ where they differ most: the mean over a block of 16 × 16 pixels.

    Both are blurred over 3 × 3 pixels first, as an edge that moves by a hundredth of a pixel is no other edge.
    Infinity for what is no picture, and for two of different size.
    """
    if stored == fresh:
        return 0.0
    try:
        one, other = (_levels(data) for data in (stored, fresh))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return math.inf
    if one.shape != other.shape:
        return math.inf
    apart = np.abs(_blurred(one - other)).max(axis=2)
    rows, columns = (np.arange(0, side, BLOCK) for side in apart.shape)
    sums = np.add.reduceat(np.add.reduceat(apart, rows, axis=0), columns, axis=1)
    return float(sums.max()) / BLOCK**2


def _levels(data: bytes) -> NDArray[np.float32]:
    picture = Image.open(io.BytesIO(data)).convert("RGBA")
    return np.asarray(
        Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB"), np.float32
    )


def _blurred(levels: NDArray[np.float32]) -> NDArray[np.float32]:
    wide = np.pad(levels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    down = wide[:-2] + wide[1:-1] + wide[2:]
    return np.asarray((down[:, :-2] + down[:, 1:-1] + down[:, 2:]) / 9)


def _pictures(output: Any) -> Iterator[bytes]:
    data = output.get("data", {})
    encoded = [data["image/png"]] if "image/png" in data else []
    for picture in [*encoded, *PICTURE.findall("".join(data.get("text/html", "")))]:
        text = "".join(picture).replace("\\", "")
        try:
            yield base64.b64decode(text)
        except ValueError:  # an edited one that is no base64 any more is a picture that differs
            yield text.encode()


def _drawn(output: Any) -> list[str] | None:
    about = output.get("metadata", {}).get("image/png")
    marks = about.get("drawn") if isinstance(about, dict) else None
    return [str(mark) for mark in marks] if isinstance(marks, list) else None


def _parts(mark: str) -> tuple[str, str, str]:
    """How a mark looks, where it lies, and its words."""
    look, _, rest = mark.partition(" @ ")
    place, _, words = rest.partition(" | ")
    return look, place, words


def _near(stored: str, fresh: str, absolute: float, relative: float) -> bool:
    """Whether two texts are one but for numbers, which are near each other."""
    if stored == fresh:
        return True
    if math.isinf(absolute):
        return True
    if NUMBER.sub("#", stored) != NUMBER.sub("#", fresh):
        return False
    one, other = (np.array(NUMBER.findall(text), dtype=float) for text in (stored, fresh))
    room = np.maximum(absolute, relative * np.maximum(np.abs(one), np.abs(other)))
    return bool(np.all(np.abs(one - other) <= room + 1e-9))


def _first(stored: str, fresh: str, absolute: float, relative: float) -> tuple[str, str]:
    """The piece of each text in which they first differ; all of both if no piece does."""
    pieces = zip_longest(stored.split(" "), fresh.split(" "), fillvalue="nothing")
    return next((pair for pair in pieces if not _near(*pair, absolute, relative)), (stored, fresh))


def _counted(marks: list[str] | None) -> str:
    return "not recorded" if marks is None else f"{len(marks)} marks"


def _there(picture: bytes | None) -> str:
    """A picture by its checksum, so that two that differ read differently."""
    return "nothing" if picture is None else f"picture {hashlib.sha256(picture).hexdigest()[:8]}"
