"""The spline that is solved in the page: what stands there without scripts, what the script gets, what is refused."""

import json
import re

import pytest

from implicit_bias.figures.sliders import Panel, Slider
from implicit_bias.figures.spline_sliders import spline_sliders

SAID = {"jump": "1", "penalty": "2", "misfit": "3", "gap": "4"}


def panel(frames=1, dots=False):
    return Panel(
        "a < b", "across", "up", [(0, "0"), (1, "1")], [(0, "0"), (2, "2")], [0.0, 1.0], [[0, 2]] * frames, dots
    )


def page(**changes):
    arguments = {
        "x": [0.0, 0.5],
        "y": [0.5, 1.0],
        "reach": 2.0,
        "controls": [Slider("c", ["-1", "+1"], [-1.0, 1.0], start=1), Slider("v", ["0", "1"], [0.0, 1.0])],
        "panels": (panel(), panel(dots=True)),
        "said": SAID,
    }
    arguments.update(changes)
    return spline_sliders("name", **arguments)


def test_the_start_is_drawn_without_scripts():
    text = page()
    assert text == page()
    assert re.search(r'class="moving curve" d="M40.0 180.0L240.0 26.0"', text)
    assert re.search(r'class="moving curve dots one" d="M40.0 180.0h0M240.0 26.0h0"', text)
    assert 'class="data fixed dots" d="M40.0 64.5h0M140.0 26.0h0"' in text  # the labels, shifted by 1
    assert "jump = <b>1</b>" in text
    assert "a &lt; b" in text


def test_the_data_are_in_the_page_and_nothing_is_fetched():
    text = page()
    data = json.loads(re.search(r"\}\)\((\{.*\})\);\s*</script>", text).group(1))
    assert (data["x"], data["y"], data["reach"]) == ([0.0, 0.5], [0.5, 1.0], 2.0)
    assert data["values"] == [[-1.0, 1.0], [0.0, 1.0]]
    assert data["axes"] == [[[0.0, 1.0], [0.0, 2.0]]] * 2
    assert not re.search(r"https?:|src=|@import|fetch\(", text)


def test_refuses():
    with pytest.raises(ValueError, match="controls has 1 entries; it must have two"):
        page(controls=[Slider("c", ["0"], [0.0])])
    with pytest.raises(ValueError, match="said has 1 entries; it must have four"):
        page(said={"jump": "1"})
    with pytest.raises(ValueError, match=r"'a < b' has y of shape \(2, 2\); it must be one frame"):
        page(panels=(panel(2), panel()))
    with pytest.raises(ValueError, match="y has shape"):
        page(y=[1.0])
    with pytest.raises(ValueError, match="reach is 0; it must"):
        page(reach=0)
