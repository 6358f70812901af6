"""The picture with sliders: what its HTML holds, that it is the same each time, and what it refuses."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from implicit_bias.figures.sliders import Panel, Slider, sliders

POSITIONS = [-1.0, 0.0, 1.0]


def panel(frames=3):
    y = np.arange(frames)[:, None] * np.ones(2)
    return Panel("a < b", "across", "up", [(0, "0"), (1, "1")], [(0, "0"), (2, "2")], [0.0, 1.0], y)


def page(**changes):
    arguments = {
        "controls": [Slider("one", ["low", "high"], [0.0, 1.0]), Slider("other", ["x"], [-0.9])],
        "positions": POSITIONS,
        "panels": [panel()],
        "said": {"word": ["a", "b", "c"]},
    }
    arguments.update(changes)
    return sliders("name", **{"sum_label": "sum", **arguments})


def test_the_start_is_drawn_without_scripts():
    text = page()
    assert text == page()
    drawn = re.search(r'class="moving" d="([^"]+)"', text).group(1)
    assert drawn == "M40.0 180.0L240.0 180.0"  # the sum is -0.9, the first frame
    assert "word = <b>a</b>" in text
    assert "sum = <b>1.3e-01</b>" in text
    assert "a &lt; b" in text


def test_the_data_are_in_the_page_and_nothing_is_fetched():
    text = page()
    data = json.loads(re.search(r"\}\)\((\{.*\})\);\s*</script>", text).group(1))
    assert data["positions"] == POSITIONS
    assert data["terms"] == [[0.0, 1.0], [-0.9]]
    assert data["panels"][0]["y"] == [[180.0, 180.0], [103.0, 103.0], [26.0, 26.0]]
    assert not re.search(r"https?:|src=|@import|fetch\(", text)


def test_a_sum_without_a_name_is_not_shown():
    assert re.search(r'aria-live="polite"><span>word = <b>a</b></span></div>', page(sum_label=""))


def test_a_dot_moves_along_and_pale_dots_stay():
    marked = replace(panel(), mark=[[0, 0], [0.5, 1], [1, 2]], fixed={"the other (pale)": ([0.0, 1.0], [2.0, 0.0])})
    text = page(panels=[marked])
    assert '<path class="mark" d="M40.0 180.0h0"/>' in text
    assert 'class="fixed pale dots" d="M40.0 26.0h0M240.0 180.0h0"' in text
    data = json.loads(re.search(r"\}\)\((\{.*\})\);\s*</script>", text).group(1))
    assert data["panels"][0]["mark"] == [[40.0, 180.0], [140.0, 103.0], [240.0, 26.0]]
    assert "mark" not in page().split("<svg")[1].split("</svg>")[0]


def test_refuses():
    with pytest.raises(ValueError, match="'mark of a < b' has 1 frames"):
        page(panels=[replace(panel(), mark=[[0, 0]])])
    with pytest.raises(ValueError, match="'a < b' has 2 frames; it must have one a position, 3"):
        page(panels=[panel(2)])
    with pytest.raises(ValueError, match="'word' has 1 frames"):
        page(said={"word": ["a"]})
    with pytest.raises(ValueError, match="positions do not increase"):
        page(positions=[0.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="texts has 1 entries; it must have one a stop, 2"):
        Slider("one", ["low"], [0.0, 1.0])
    with pytest.raises(ValueError, match="start is 2; it must be the index of one of 1 stops"):
        Slider("one", ["low"], [0.0], start=2)
