"""What the curves of a figure are called: read off what it draws, its legend and the words in the colour of a curve."""

import colorsys
import csv
import io
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

BACKGROUND = "patch 1 of 0 0 0 0 1 1 1 1 0 0 0 0 @ 4: "  # with which each panel begins
BESIDE, LEVEL = 25.0, 10.0  # points: the most by which the words of a legend begin behind their mark, and lie above it
LETTER = 6.0  # points: its width
THEORY = "theory"  # dashed in black, in every figure of the book
GREY, SHADE = 0.15, 0.02  # of saturation: what has less is grey; of hue: words may be darker than their curve
NEAR = 0.006  # of a colour, as it is stored
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Mark:
    """One mark of a figure, as ``reproduce.claims.drawn`` stores it.

    kind: the artist's.
    look: of its first piece the colours of line and area, the widths of the line and its dashes, the size of a marker.
    places: x and y of its points, one after another; of many points some.
    words: its lines in one.
    """

    kind: str
    look: Sequence[float]
    places: Sequence[float]
    words: str

    def has(self, colour: Colour) -> bool:
        """Whether its line or its area has a colour."""
        return any(at[3] > 0 and _same(at[:3], colour) for at in (self.look[:4], self.look[4:8]))


def with_names(plotted: str, drawn: Sequence[str]) -> str:
    """The CSV of a figure, where the names of its curves take the place of their numbers, as far as it shows any.

    plotted: the CSV.
    drawn: what the figure draws, mark by mark.
    """
    rows = list(csv.DictReader(io.StringIO(plotted)))
    panels = list(_panels(drawn))
    for number in dict.fromkeys(row["panel"] for row in rows):
        own = [row for row in rows if row["panel"] == number]
        marks = panels[int(number) - 1] if int(number) <= len(panels) else []
        if _has_axes(marks, own[0]):
            names = curve_names({row["curve"]: _colour(row["colour"]) for row in own}, marks)
            for row in own:
                row["curve"] = names.get(row["curve"], row["curve"])
    text = io.StringIO()
    writer = csv.DictWriter(text, plotted.partition("\n")[0].split(","), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def curve_names(curves: Mapping[str, Colour], marks: Sequence[Mark]) -> dict[str, str]:
    """The names of those curves of a panel that have one; of several with one name each has a number behind it.

    curves: their colours, by number.
    marks: what the panel draws.
    """
    legend = list(_legend(marks))
    listed = {id(mark) for entry in legend for mark in entry}
    words = [one for one in marks if one.kind == "text" and id(one) not in listed and one.words[2:3] != ")"]
    found: dict[str, str] = {}
    for colour in dict.fromkeys(curves.values()):
        same = [curve for curve, its in curves.items() if its == colour]
        lines = [one for one in marks if one.kind == "line2d" and one.has(colour) and id(one) not in listed]
        names = [its.words for mark, its in legend if mark.has(colour)]
        if not names and any(colour):
            said = [one for one in words if _is_said_in(one, colour, curves.values())]
            names = [one.words for one in said] if len(said) == 1 else _nearest(said, lines)
        elif not names and all(_is_dashed(one) for one in lines):
            names = [THEORY]
        if len(names) in (1, len(same)):
            names = names * len(same) if len(names) == 1 else names
            named = zip(same, names, strict=True)
            found |= {curve: name for curve, name in named if any(map(str.isalpha, name))}  # no mere value
    times, seen = Counter(found.values()), Counter[str]()
    for curve, name in found.items():
        seen[name] += 1
        found[curve] = f"{name} {seen[name]}" if times[name] > 1 else name
    return found


def _panels(drawn: Sequence[str]) -> Iterator[list[Mark]]:
    """The marks of each panel, in their order."""
    begun = [at for at, line in enumerate(drawn) if line.startswith(BACKGROUND)]
    for at, end in pairwise([*begun, len(drawn)]):
        yield [_mark(line) for line in drawn[at:end]]


def _mark(line: str) -> Mark:
    from reproduce.claims.drawn import SHORT, SOME  # with matplotlib, half a second

    seen, _, rest = line.partition(" @ ")
    table, _, words = rest.partition(" | ")
    kind, _, _, *look = seen.split(" ")
    count, _, numbers = table.partition(":")
    places = [float(one) for one in numbers.split()]
    if int(count) > SHORT:  # behind some of its points what summarizes all
        places = places[: 2 * SOME]
    return Mark(kind, [float(one) for one in look[:12]], places, " ".join(words.replace(" | ", " ").split()))


def _has_axes(marks: Sequence[Mark], row: Mapping[str, str]) -> bool:
    """Whether the axes of a panel are those that a row of the CSV names."""
    said = " ".join(mark.words for mark in marks if mark.kind == "axis")
    return all(" ".join(row[name].split()) in said for name in ("x axis", "y axis"))


def _legend(marks: Sequence[Mark]) -> Iterator[tuple[Mark, Mark]]:
    """The entries of a panel's legend: a mark, and the words to the right of it."""
    for mark, words in pairwise(marks):
        if words.kind == "text" and mark.kind not in ("text", "axis") and 0 < len(mark.places) <= 10:
            across, above = words.places[0] - max(mark.places[::2]), mark.places[1] - words.places[1]
            if 0 < across < BESIDE and abs(above) < LEVEL:
                yield mark, words


def _is_said_in(words: Mark, colour: Colour, of_all: Collection[Colour]) -> bool:
    """Whether words have the colour of a curve, or a shade of it that is no other curve's."""
    its = words.look[:3]
    if any(_same(its, one) for one in of_all):
        return _same(its, colour)
    return _is_shade(its, colour) and sum(_is_shade(its, one) for one in set(of_all)) == 1


def _is_shade(words: Sequence[float], colour: Colour) -> bool:
    (hue, saturation, value), (other, its, _) = colorsys.rgb_to_hsv(*words), colorsys.rgb_to_hsv(*colour)
    if value == 0 or min(saturation, its) < GREY:
        return value > 0 and max(saturation, its) < GREY
    return abs(hue - other) < SHADE


def _nearest(words: Sequence[Mark], lines: Sequence[Mark]) -> list[str]:
    """The words nearest to each line; nothing if they are not one each."""
    apart = [[_apart(one, line) for line in lines] for one in words]
    near = [row.index(min(row)) for row in apart if row]
    return [words[near.index(at)].words for at in range(len(lines))] if sorted(near) == [*range(len(lines))] else []


def _apart(words: Mark, line: Mark) -> float:
    """How far words are from a line where they are nearest, in points."""
    left, level = words.places[:2]
    x, y = line.places[::2], line.places[1::2]
    ends = list(zip(x, y, x[1:] or x, y[1:] or y, strict=False))
    return min(
        math.hypot(x0 + part * (x1 - x0) - left - shift * LETTER * len(words.words), y0 + part * (y1 - y0) - level)
        for x0, y0, x1, y1 in ends
        for part in (0, 0.25, 0.5, 0.75, 1)
        for shift in (0, 0.5, 1)
    )


def _is_dashed(line: Mark) -> bool:
    """Whether a line has the dashes of theory, six of its widths from one to the next."""
    width, dashes = line.look[8:10]
    return dashes > 0 and abs(dashes - 6 * width) < NEAR * 10


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < NEAR for a, b in zip(one, other, strict=True))


def _colour(hex: str) -> Colour:
    red, green, blue = (int(hex[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
