"""A picture with sliders that runs offline in any browser: HTML and SVG with its data inside, no library, no network.

Every slider adds a number to a sum, and the frame nearest to that sum is shown: for quantities that depend on several
parameters through one. The text is the same whenever the data are.
"""

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from implicit_bias.checks import Array, array

WIDTH, HEIGHT = 250, 220
LEFT, RIGHT, TOP, BOTTOM = 40, 240, 26, 180  # the axes' box

STYLE = """
.sliders{max-width:66rem;margin:1rem 0;font-family:system-ui,sans-serif;font-size:.9rem;line-height:1.4;
 color:var(--pst-color-text-base,#222)}
.sliders label{display:grid;grid-template-columns:minmax(8rem,11rem) minmax(6rem,1fr) 6.5rem;gap:.8rem;
 align-items:center;margin:.25rem 0}
.sliders input{width:100%;accent-color:#0072B2}
.sliders .said{display:flex;flex-wrap:wrap;gap:.1rem 1.6rem;margin:.5rem 0}
.sliders .said b{font-weight:600;font-variant-numeric:tabular-nums}
.sliders .panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:.6rem}
.sliders svg{width:100%;max-width:22rem;height:auto;display:block}
.sliders svg text{fill:currentColor;font-size:12px}
.sliders .axes,.sliders .fixed{fill:none;stroke:currentColor;stroke-width:1}
.sliders .fixed{stroke-width:1.5}
.sliders .dashed{stroke-dasharray:5 3}
.sliders .moving{fill:none;stroke:#0072B2;stroke-width:2.2;stroke-linejoin:round}
html[data-theme="dark"] .sliders .moving{stroke:#56B4E9}
html[data-theme="dark"] .sliders input{accent-color:#56B4E9}
.sliders .dots{stroke-width:4;stroke-linecap:round}
.sliders .one{stroke-width:10}
@media (max-width:30rem){.sliders label{grid-template-columns:1fr 6rem}
 .sliders input{grid-row:2;grid-column:1/3;height:2rem}
 :has(>.sliders){overflow:visible!important}
 .sliders .controls{position:sticky;top:3.5rem;z-index:1;padding-bottom:.2rem;
  background:var(--pst-color-background,#fff)}}
"""

# Written out with the data in the place of DATA. The nearest frame of the sum; positions increase.
SCRIPT = """
(() => {
  const data = DATA, root = document.getElementById(data.name);
  const inputs = [...root.querySelectorAll("input")], values = [...root.querySelectorAll("output")];
  const moving = [...root.querySelectorAll(".moving")], said = [...root.querySelectorAll(".said b")];
  const show = () => {
    let sum = 0;
    inputs.forEach((input, i) => {
      sum += data.terms[i][input.value];
      values[i].textContent = data.texts[i][input.value];
      input.setAttribute("aria-valuetext", data.texts[i][input.value]);
    });
    let frame = 0;
    data.positions.forEach((p, i) => {
      if (Math.abs(p - sum) < Math.abs(data.positions[frame] - sum)) frame = i;
    });
    moving.forEach((path, i) => {
      const {x, y, dots} = data.panels[i], across = x[frame] ?? x[0];
      const points = across.map((a, j) => (dots || !j ? "M" : "L") + a + " " + y[frame][j] + (dots ? "h0" : ""));
      path.setAttribute("d", points.join(""));
    });
    said.forEach((b, i) => { b.textContent = i ? data.said[i - 1][frame] : (10 ** sum).toExponential(1); });
  };
  inputs.forEach((input) => input.addEventListener("input", show));
  show();
})();
"""


@dataclass(frozen=True)
class Slider:
    """A control.

    label: its name.
    texts: what is shown at each stop.
    terms: what each stop adds to the sum, a decimal logarithm; as many as texts.
    start: index of the stop at the beginning.
    """

    label: str
    texts: Sequence[str]
    terms: Sequence[float]
    start: int = 0

    def __post_init__(self) -> None:
        """Refuse stops without a text, and a start that is none of them."""
        if len(self.texts) != len(self.terms):
            raise ValueError(f"texts has {len(self.texts)} entries; it must have one a stop, {len(self.terms)}")
        if not 0 <= self.start < len(self.terms):
            raise ValueError(f"start is {self.start}; it must be the index of one of {len(self.terms)} stops")


@dataclass(frozen=True)
class Panel:
    """Axes with what stays and what moves.

    title, x_label, y_label: words; they also tell a screen reader what is drawn.
    x_ticks, y_ticks: (position, text); the first and the last position are the ends of the axis.
    x: where the moving points are, as many numbers as points, or frames × points.
    y: the moving points, frames × points.
    dots: whether the moving points are drawn as dots instead of a line.
    fixed: curves (x, y) that stay, dashed where their name ends in ' (dashed)'.
    """

    title: str
    x_label: str
    y_label: str
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    x: ArrayLike
    y: ArrayLike
    dots: bool = False
    fixed: Mapping[str, tuple[ArrayLike, ArrayLike]] = field(default_factory=dict)

    def across(self, x: ArrayLike) -> Array:
        """Horizontal positions in the picture, in tenths of a unit."""
        low, high = self.x_ticks[0][0], self.x_ticks[-1][0]
        return np.round(LEFT + (np.asarray(x, dtype=float) - low) / (high - low) * (RIGHT - LEFT), 1)

    def up(self, y: ArrayLike) -> Array:
        """Vertical positions in the picture, in tenths of a unit; what leaves the axes is drawn at their edge."""
        low, high = self.y_ticks[0][0], self.y_ticks[-1][0]
        inside = np.clip((np.asarray(y, dtype=float) - low) / (high - low), 0, 1)
        return np.round(BOTTOM - inside * (BOTTOM - TOP), 1)


def sliders(
    name: str,
    controls: Sequence[Slider],
    positions: ArrayLike,
    panels: Sequence[Panel],
    *,
    sum_label: str,
    said: Mapping[str, Sequence[str]],
) -> str:
    """The HTML of panels that follow sliders; without scripts it shows the frame at the start.

    name: the element's id, unique on its page.
    controls: the sliders.
    positions: the sum at which each frame stands, increasing decimal logarithms.
    panels: what is drawn, each with one moving set of points a frame.
    sum_label: the name of 10^sum, which is shown.
    said: further values shown in words, by name one text a frame.

    Returns HTML.
    Raises ValueError for frames that do not fit their positions.
    """
    places = array("positions", positions, 1)
    if np.any(np.diff(places) <= 0):
        raise ValueError("positions do not increase; they must")
    for what, count in [(p.title, len(np.asarray(p.y))) for p in panels] + [(k, len(v)) for k, v in said.items()]:
        if count != places.size:
            raise ValueError(f"{what!r} has {count} frames; it must have one a position, {places.size}")
    total = sum(control.terms[control.start] for control in controls)
    first = int(np.argmin(np.abs(places - total)))
    data = {
        "name": name,
        "positions": [round(float(p), 6) for p in places],
        "terms": [[round(float(term), 6) for term in control.terms] for control in controls],
        "texts": [list(control.texts) for control in controls],
        "said": [list(texts) for texts in said.values()],
        "panels": [
            {
                "x": np.atleast_2d(panel.across(panel.x)).tolist(),
                "y": panel.up(panel.y).tolist(),
                "dots": panel.dots,
            }
            for panel in panels
        ],
    }
    rows = "".join(
        f"<label><span>{html.escape(control.label)}</span>"
        f'<input type="range" aria-label="{html.escape(control.label)}" '
        f'min="0" max="{len(control.terms) - 1}" value="{control.start}" '
        f'aria-valuetext="{html.escape(control.texts[control.start])}">'
        f"<output>{html.escape(control.texts[control.start])}</output></label>"
        for control in controls
    )
    words = {sum_label: f"{10**total:.1e}", **{label: texts[first] for label, texts in said.items()}}
    told = "".join(f"<span>{html.escape(key)} = <b>{html.escape(value)}</b></span>" for key, value in words.items())
    drawn = "".join(_svg(panel, first) for panel in panels)
    script = SCRIPT.replace("DATA", json.dumps(data, separators=(",", ":")).replace("</", r"<\/"))
    return (
        f'<div class="sliders" id="{html.escape(name)}"><style>{STYLE}</style><div class="controls">{rows}'
        f'<div class="said" aria-live="polite">{told}</div></div><div class="panels">{drawn}</div>'
        f"<script>{script}</script></div>"
    )


def _svg(panel: Panel, frame: int) -> str:
    """One panel at one frame."""
    parts = [f'<path class="axes" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>']
    for position, text in panel.x_ticks:
        at = panel.across(position)
        parts.append(f'<path class="axes" d="M{at} {BOTTOM}v4"/>')
        parts.append(f'<text x="{at}" y="{BOTTOM + 17}" text-anchor="middle">{html.escape(text)}</text>')
    for position, text in panel.y_ticks:
        at = panel.up(position)
        parts.append(f'<path class="axes" d="M{LEFT - 4} {at}h4"/>')
        parts.append(f'<text x="{LEFT - 7}" y="{at + 4}" text-anchor="end">{html.escape(text)}</text>')
    for name, (x, y) in panel.fixed.items():
        kind = "fixed dashed" if name.endswith(" (dashed)") else "fixed"
        points = zip(panel.across(x).tolist(), panel.up(y).tolist(), strict=True)
        path = "L".join(f"{a} {b}" for a, b in points)
        parts.append(f'<path class="{kind}" d="M{path}"><title>{html.escape(name)}</title></path>')
    across = panel.across(panel.x)[frame] if np.ndim(panel.x) > 1 else panel.across(panel.x)
    pairs = zip(across.tolist(), panel.up(panel.y)[frame].tolist(), strict=True)
    path = "".join(f"M{a} {b}h0" for a, b in pairs) if panel.dots else "M" + "L".join(f"{a} {b}" for a, b in pairs)
    kind = "moving" + " dots" * panel.dots + " one" * (panel.dots and across.size == 1)
    parts.append(f'<path class="{kind}" d="{path}"/>')
    middle = (LEFT + RIGHT) / 2
    parts.append(f'<text x="{middle}" y="15" text-anchor="middle">{html.escape(panel.title)}</text>')
    parts.append(f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{html.escape(panel.x_label)}</text>')
    label = html.escape(f"{panel.title}: {panel.y_label} against {panel.x_label}")
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
