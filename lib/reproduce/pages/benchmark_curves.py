"""How the times of a benchmark's methods grow with the size of the problem, as a picture for its page."""

import base64
import io
from typing import Any

from reproduce.benchmarks import Group
from reproduce.pages.plain_tables import Picture

INCHES = 5.2, 3.0
LIBRARY, PLAIN = "#0072B2", "#555555"
MARKS = ("s", "^", "D", "v", "P")  # of the other methods, so that they differ without a colour
DASHES = ("--", "-.", ":", (0, (5, 1)), (0, (1, 1)))


def growth(group: Group) -> Picture | None:
    """Seconds against the size, both axes logarithmic, the library's methods in blue; None without such times."""
    shown = [one for one in group.timings if one.curve]
    if not shown:
        return None
    import matplotlib as mpl  # half a second, for this page alone
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "svg.hashsalt": group.name,
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.size": 10.0,
    }
    with mpl.rc_context(settings):
        figure = Figure(figsize=INCHES, layout="constrained")
        axes = figure.subplots()
        others = 0
        for one in shown:
            look: dict[str, Any] = {"color": LIBRARY, "marker": "o", "linewidth": 2.2}
            if one.plain:
                look = {"color": PLAIN, "marker": MARKS[others % 5], "linestyle": DASHES[others % 5], "linewidth": 1.3}
                others += 1
            axes.loglog(*zip(*one.curve, strict=True), label=one.method, **look)
        sizes = sorted({size for one in shown for size, _ in one.curve})
        axes.set_xticks(sizes, [f"{size:,g}" for size in sizes])
        axes.minorticks_off()
        axes.set(xlabel=group.letter, ylabel="seconds")
        axes.grid(visible=True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(loc="outside upper left", ncols=1, frameon=False, fontsize=9)
        drawn = io.BytesIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    words = "; ".join(f"{one.method}: {one.curve[0][1]:.2g} s to {one.curve[-1][1]:.2g} s" for one in shown)
    alt = f"Seconds against {group.letter} from {sizes[0]:g} to {sizes[-1]:g}, both logarithmic. {words}"
    return Picture(f"data:image/svg+xml;base64,{base64.b64encode(drawn.getvalue()).decode()}", alt)
