"""A film is the same each time, and small."""

import re
from base64 import b64decode
from io import BytesIO

import numpy as np
from PIL import Image, ImageColor

from implicit_bias.figures.films import animate_particles, film
from implicit_bias.figures.style import COLORS


def frames_of(html):
    return [b64decode(frame) for frame in re.findall(r"base64,([A-Za-z0-9+/=]+)", html)]


def test_what_is_drawn_in_a_colour_of_the_book_is_shown_in_it():
    stream = np.random.default_rng(0)
    places, masses = stream.uniform(0, 2 * np.pi, (4, 30, 2)), stream.uniform(0.2, 1, (4, 30))
    made = animate_particles(
        places,
        masses,
        range(4),
        np.geomspace(1, 1e-3, 4),
        spikes=places[0, :3],
        spike_masses=np.ones(3),
        background=stream.uniform(0, 10, (60, 60)),  # many blues beside the few colours that matter
        name="torus",
        alt="…",
    )
    for frame in frames_of(made):
        pixels = np.asarray(Image.open(BytesIO(frame)).convert("RGB"))
        for colour, least in (("white", 1e4), (COLORS["red"], 1e3), (COLORS["blue"], 100)):
            assert np.sum(np.all(pixels == ImageColor.getrgb(colour), axis=-1)) > least


def test_a_film_is_the_same_each_time_and_small():
    import matplotlib.pyplot as plt

    def make():
        figure, ax = plt.subplots(figsize=(2, 2), dpi=50)
        (dot,) = ax.plot([0], [0], "o")
        said = ["t = 0", "t = 1", "t = 2"]
        return film(figure, lambda k: dot.set_data([k], [k]), 3, name="one", alt="a <dot> moves", said=said, still=1)

    first = make()
    assert first == make()
    assert first.count("data:image/png;base64,") == 4
    assert "a &lt;dot&gt; moves" in first
    assert ">t = 1</output>" in first
    assert len({bytes(Image.open(BytesIO(frame)).getpalette()) for frame in frames_of(first)}) == 1
    assert len(first) < 20_000
