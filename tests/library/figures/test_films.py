"""A film is the same each time, and small."""

import re
from base64 import b64decode
from io import BytesIO

from PIL import Image

from implicit_bias.figures.films import film


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
    frames = [b64decode(frame) for frame in re.findall(r"base64,([A-Za-z0-9+/=]+)", first)]
    assert len({bytes(Image.open(BytesIO(frame)).getpalette()) for frame in frames}) == 1
    assert len(first) < 20_000
