"""The answer of a sweep, as text for the terminal and as one page that needs nothing else."""

import io
import math
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from rich import box
from rich.table import Table
from rich.text import Text

from reproduce.ground.files import write_text
from reproduce.sweep.summary import CEILING, FLOOR, GROUPS, Spread, Summary

BLUE, RED, GREY = "#0072B2", "#CC3311", "#7F7F7F"  # of the book's palette
PANELS_A_ROW = 3
LONGEST_LABEL = 40
CHARACTERS_A_PANEL = 40  # of labels side by side; more are turned
LOG_IF_SPREAD = 30  # a parameter whose values span more than this factor is drawn on a logarithmic axis
TEMPLATE = Path(__file__).with_name("page.html.j2")


def as_text(summary: Summary, chapter: str) -> Table:
    """One row a claim: in how many runs it held, the interval of that rate, and where it came nearest to failing."""
    short = chapter.rsplit("/", 1)[-1]
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, title=chapter, title_justify="left")
    table.add_column("claim", overflow="fold")
    for heading in ("held", "95 % interval", "controls failed", "error / allowed"):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("at worst at", overflow="fold")
    for claim in summary.claims.values():
        style = "" if claim.held == claim.runs else "bold red"
        table.add_row(
            Text(claim.id.removeprefix(f"{short}."), style=style),
            Text(f"{claim.held}/{claim.runs}", style=style),
            interval_in_words(claim.interval),
            f"{claim.controls}/{claim.runs}",
            f"{claim.worst:.2g}",
            Text(values_in_words(claim.worst_at)),
        )
    return table


def write_page(path: Path, summary: Summary, chapter: str, title: str, about: Mapping[str, str]) -> None:
    """Write the summary as one HTML file with its figures inside.

    path: of the file.
    summary: what to write.
    chapter, title: the name of the chapter and its first heading.
    about: lines on how the sweep was made, by name.
    """
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(values=values_in_words, interval=interval_in_words)
    page = environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        summary=summary,
        chapter=chapter,
        title=title,
        about=about,
        figures=[(name, figure(summary, name)) for name in summary.axes if summary.claims],
    )
    write_text(path, page)


def figure(summary: Summary, name: str) -> str:
    """The part of the tolerance that each claim uses over the values of one parameter, as SVG."""
    from matplotlib.figure import Figure  # half a second, for which no point of a sweep waits

    claims = [claim for claim in summary.claims.values() if name in claim.spreads]
    rows = math.ceil(len(claims) / PANELS_A_ROW)
    drawing = Figure(figsize=(3.9 * min(PANELS_A_ROW, len(claims)), 2.3 * rows + 0.3), layout="constrained")
    panels = drawing.subplots(rows, min(PANELS_A_ROW, len(claims)), squeeze=False, sharex=True, sharey=True)
    values = summary.axes[name]
    numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    for claim, panel in zip(claims, panels.flat, strict=False):
        spreads = claim.spreads[name]
        where = {group: float(summary.middle(name, group)) if numeric else group for group in spreads}
        _draw(panel, [(where[group], spreads[group]) for group in sorted(spreads, key=lambda group: where[group])])
        heading = f"{_label(claim.id.rpartition('.')[2])}  {claim.held}/{claim.runs}"
        panel.set_title(heading, fontsize=10, parse_math=False)
        if not numeric:
            groups = range(min(len(values), GROUPS))
            words = [_label(format_value(summary.middle(name, group))) for group in groups]
            crowded = len(words) * max(map(len, words)) > CHARACTERS_A_PANEL
            panel.set_xticks(groups, words, fontsize=8, rotation=90 if crowded else 0, parse_math=False)
        elif min(values) > 0 and max(values) > LOG_IF_SPREAD * min(values):
            panel.set_xscale("log")
        elif all(isinstance(value, int) for value in values):
            panel.xaxis.get_major_locator().set_params(integer=True)
        panel.tick_params(labelbottom=True)
    for panel in list(panels.flat)[len(claims) :]:
        panel.set_visible(False)
    for panel in panels[:, 0]:
        panel.set_ylabel("error / allowed")
    for panel in list(panels.flat)[max(0, len(claims) - PANELS_A_ROW) : len(claims)]:
        panel.set_xlabel(name)
    svg = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that the font lacks is drawn as an empty box
        drawing.savefig(svg, format="svg", metadata={"Date": None})
    return svg.getvalue()[svg.getvalue().index("<svg") :]


def _draw(panel: Any, points: Sequence[tuple[float, Spread]]) -> None:
    """One claim: geometric mean and range at each value, red where it failed, and the line at which it fails."""
    from matplotlib.ticker import NullLocator

    at = [x for x, _ in points]
    panel.set_yscale("log")
    panel.set_ylim(FLOOR / 2, 2 * CEILING)
    panel.yaxis.set_minor_locator(NullLocator())
    panel.axhline(1.0, color="black", linestyle=(0, (4, 2)), linewidth=1.2, zorder=5)
    panel.vlines(at, [one.low for _, one in points], [one.high for _, one in points], color=GREY, linewidth=1)
    for failed, color, marker in ((False, BLUE, "o"), (True, RED, "X")):
        some = [(x, one.middle) for x, one in points if (one.held < one.runs) is failed]
        panel.plot([x for x, _ in some], [y for _, y in some], marker, color=color, markersize=5)
    panel.spines[["top", "right"]].set_visible(False)
    panel.tick_params(labelsize=8)


def _label(text: str) -> str:
    """As much of a text as a figure has room for; of a path its end."""
    return text if len(text) <= LONGEST_LABEL else f"…{text[1 - LONGEST_LABEL :]}"


def values_in_words(values: Mapping[str, Any]) -> str:
    """Parameters as they are written on the command line."""
    return " ".join(f"{name}={format_value(value)}" for name, value in values.items())


def format_value(value: Any) -> str:
    """A value as it is written on the command line."""
    return ",".join(map(format_value, value)) if isinstance(value, list) else str(value)


def interval_in_words(interval: tuple[float, float]) -> str:
    """The two ends of an interval of rates."""
    return f"{interval[0]:.3f} … {interval[1]:.3f}"
