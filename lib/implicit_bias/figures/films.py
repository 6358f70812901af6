"""Moving pictures that play offline: a button, a slider for the keyboard, and a still picture where no script runs."""

import base64
import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from implicit_bias.checks import Array
from implicit_bias.figures.style import COLORS, theory
from implicit_bias.figures.templates import rendered, text_of
from implicit_bias.late import extra

with extra():
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure
    from PIL import Image

PALETTE = 96
EXACT = [int(colour[1:], 16) for colour in ("#FFFFFF", *COLORS.values())]  # white, and the colours of the style
SAMPLED = 8  # frames from which the palette is made


def film(  # attack: none, it draws
    figure: Figure,
    draw: Callable[[int], None],
    frames: int,
    *,
    name: str,
    alt: str,
    said: Sequence[str] = (),
    still: int = -1,
    interval_ms: int = 150,
) -> str:
    """A player of a figure that is drawn anew for every frame; it shows one telling frame until it is started.

    figure: closed at the end.
    draw: frame number ↦ nothing; it changes the figure.
    frames: number of frames.
    name: an id that is unique on the page; the same each time, so that the page is.
    alt: what is to be seen, in words.
    said: what each frame shows, in words, such as its time; shown beside the slider and told to a screen reader.
    still: the frame shown at first, and where no script runs; by default the last one.
    interval_ms: milliseconds a frame.

    Returns HTML with the frames in it, all in one palette. Button and slider answer to the keyboard.
    Raises ValueError if there are not as many words as frames.
    """
    if said and len(said) != frames:
        raise ValueError(f"said has {len(said)} entries; it must have one a frame, {frames}")
    drawn = []
    for frame in range(frames):
        draw(frame)
        drawn.append(_picture(figure))
        figure.set_layout_engine("none")  # what the first frame has arranged stays, and is not paid for again
    width = round(figure.get_size_inches()[0] * figure.dpi)
    plt.close(figure)
    palette, exact = _palette(drawn)
    data = {
        "name": name,
        "frames": [_encoded(_reduced(picture, palette, exact)) for picture in drawn],
        "said": list(said),
        "interval": interval_ms,
    }
    first = still % frames
    return rendered("films.html.j2", alt=alt, width=width, first=first, data=data, script=text_of("films.js"), **data)


def _picture(figure: Figure) -> Image.Image:
    """A figure as it is saved, drawn once: ``savefig`` draws it a second time, for a layout that is there already."""
    figure.canvas.draw()
    canvas: Any = figure.canvas  # of Agg, as every one that draws pixels
    return Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba()).convert("RGB")


def _palette(pictures: Sequence[Image.Image]) -> tuple[Image.Image, list[int]]:
    """The colours of some of the frames, evenly spread: one palette for all, so that none flickers.

    White and those of the book's style that occur stand first in it as they are, no brick for a red; these are given
    apart, as 2¹⁶ red + 2⁸ green + blue.
    """
    some = [pictures[k] for k in sorted({round(k) for k in np.linspace(0, len(pictures) - 1, SAMPLED)})]
    sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for row, picture in enumerate(some):
        sheet.paste(picture, (0, row * picture.height))
    seen = _packed(sheet)
    exact = [colour for colour in EXACT if np.any(seen == colour)]
    mixed = sheet.quantize(PALETTE - len(exact), dither=Image.Dither.NONE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for colour in exact for part in colour.to_bytes(3)), *mixed])
    return palette, exact


def _packed(picture: Image.Image) -> NDArray[np.int64]:
    """The colour of each pixel as one number."""
    red, green, blue = np.moveaxis(np.asarray(picture, dtype=np.int64), 2, 0)
    return np.asarray(2**16 * red + 2**8 * green + blue)


def _reduced(picture: Image.Image, palette: Image.Image, exact: Sequence[int]) -> Image.Image:
    """A frame in the palette; Pillow finds the nearest colour of a block of shades, so what is exact is put back."""
    found = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    index, colours = np.array(found), _packed(picture)
    for place, colour in enumerate(exact):
        index[colours == colour] = place
    found.frombytes(index.tobytes())
    return found


def _encoded(picture: Image.Image) -> str:
    """A picture as the address of its own data."""
    buffer = io.BytesIO()
    picture.save(buffer, format="png", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def animate_particles(  # attack: none, it draws
    positions: Array,
    masses: Array,
    steps: Sequence[float] | Array,
    gap: Array,
    *,
    spikes: Array,
    spike_masses: Array,
    background: Array,
    name: str,
    alt: str,
) -> str:
    """Particles on the two-dimensional torus moving to the spikes of the minimizer, beside the gap they leave.

    positions: frames × m × 2, in [0, 2π) up to whole turns.
    masses: frames × m; a dot's area is the mass.
    steps: the frames' iteration numbers.
    gap: J(ν) − J* at the frames.
    spikes, spike_masses: the minimizer, s × 2 and s.
    background: J′_{ν*} on a square grid of the torus, first coordinate along the first axis; dark where it is 0.
    name, alt: as for ``film``.
    """
    figure, (torus, curve) = plt.subplots(1, 2, figsize=(8.4, 4.2), layout="constrained", dpi=80)
    circle = 2 * np.pi
    torus.imshow(
        np.sqrt(np.maximum(background, 0)).T, origin="lower", extent=(0, circle, 0, circle), cmap="Blues_r", alpha=0.9
    )
    torus.scatter(*spikes.T, s=260 * spike_masses, facecolors="none", edgecolors="white", linewidths=2.2, zorder=4)
    dots = torus.scatter(*(positions[0] % circle).T, s=10, color=COLORS["red"], zorder=5, linewidths=0)
    torus.set(xlim=(0, circle), ylim=(0, circle), xlabel=r"$\theta_1$", ylabel=r"$\theta_2$", aspect="equal")
    title = torus.set_title("step 0")
    shown = np.maximum(gap, 1e-15)
    curve.semilogy(steps, shown, color=COLORS["blue"])
    (here,) = curve.semilogy(steps[:1], shown[:1], "o", color=COLORS["red"], markersize=9)
    curve.set(xlabel="iteration", ylabel=r"$J(\nu)-J^*$")

    def draw(frame: int) -> None:
        dots.set_offsets(positions[frame] % circle)
        dots.set_sizes(4 + 260 * masses[frame])
        title.set_text(f"step {round(float(steps[frame]))}")
        here.set_data([steps[frame]], [shown[frame]])

    said = [f"step {round(float(step))}" for step in steps]
    return film(figure, draw, len(positions), name=name, alt=alt, said=said)


def animate_boundary(  # attack: none, it draws
    z: Array,
    weights: Array,
    log_t: Sequence[float] | Array,
    limit: Array,
    *,
    reach: float,
    name: str,
    alt: str,
    still: int = -1,
) -> str:
    """How the boundary of a linear classifier in the plane turns to its limit, one frame a recorded time.

    z: N × 2, the signed points y_i x_i; the classifier is right where w·z > 0.
    weights: frames × 2, w at the recorded times.
    log_t: the times' logarithms ln t.
    limit: the predicted direction, 2 entries.
    reach: half the side of the drawn square.
    name, alt, still: as for ``film``.
    """
    fig, ax = plt.subplots(figsize=(4.6, 4.6), layout="constrained", dpi=80)
    ax.plot(z[:, 0], z[:, 1], "o", color=COLORS["blue"], markersize=6, alpha=0.8)
    ends = np.array([-2 * reach, 2 * reach])
    theory(ax, ends * limit[1], -ends * limit[0])
    (boundary,) = ax.plot([], [], color=COLORS["red"], linewidth=2.5)
    arrow = ax.quiver([0.0], [0.0], [0.0], [0.0], color=COLORS["red"], angles="xy", scale_units="xy", scale=1)
    ax.quiver(
        [0.0],
        [0.0],
        [limit[0]],
        [limit[1]],
        color=COLORS["black"],
        angles="xy",
        scale_units="xy",
        scale=1,
        width=0.005,
        zorder=6,
    )
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), xlabel=r"$y\,x_1$", ylabel=r"$y\,x_2$", aspect="equal")
    title = ax.set_title("")

    def draw(frame: int) -> None:
        direction = weights[frame] / np.linalg.norm(weights[frame])
        boundary.set_data(ends * direction[1], -ends * direction[0])
        arrow.set_UVC([direction[0]], [direction[1]])
        exponent = log_t[frame] / np.log(10)
        away = np.degrees(np.arccos(min(1.0, float(direction @ limit))))
        title.set_text(rf"$t=10^{{{round(exponent, 1):g}}}$: {away:.2f}° from the maximum margin")

    said = [f"t = 1e{exponent:.1f}" for exponent in np.asarray(log_t) / np.log(10)]
    return film(fig, draw, len(weights), name=name, alt=alt, said=said, still=still, interval_ms=250)
