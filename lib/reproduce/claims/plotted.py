"""The numbers that a figure plots, in the units of its axes, stored beside its picture for who draws it anew."""

import base64
import gzip
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 60  # points of a curve that are stored, evenly spaced along it, with both ends
HEAVY = 20_000  # bytes; a figure of many curves keeps half as many points of each until it is lighter


def plotted(figure: "Figure") -> str:
    """Lines and dots as CSV, a row for each point with four digits; compressed, in base64."""
    most = MOST
    while len(found := _thinned(figure, most)) > HEAVY and most > 2:
        most //= 2
    return found


def read_plotted(stored: str) -> str:
    """The CSV that ``plotted`` stored."""
    return gzip.decompress(base64.b64decode(stored)).decode()


def _thinned(figure: "Figure", most: int) -> str:
    from matplotlib.colors import to_hex  # half a second, which every command would wait that only reads

    rows = ["panel,x axis,y axis,curve,colour,x,y"]
    for panel, axes in enumerate(figure.axes, start=1):
        names = ",".join('"{}"'.format(name.replace('"', '""')) for name in (axes.get_xlabel(), axes.get_ylabel()))
        curves = [(one.get_color(), one.get_xydata()) for one in axes.lines if one.get_transform() == axes.transData]
        for dots in axes.collections:
            if dots.get_offset_transform() == axes.transData:
                curves.append(([*dots.get_facecolor(), *dots.get_edgecolor(), "none"][0], dots.get_offsets()))
        for curve, (colour, points) in enumerate(curves, start=1):
            places = np.ma.masked_invalid(points).tolist()
            seen = (places[round(at)] for at in np.linspace(0, len(places) - 1, min(len(places), most)))
            rows += [f"{panel},{names},{curve},{to_hex(colour)},{x:.4g},{y:.4g}" for x, y in seen if None not in (x, y)]
    return base64.b64encode(gzip.compress("\n".join([*rows, ""]).encode(), mtime=0)).decode()
