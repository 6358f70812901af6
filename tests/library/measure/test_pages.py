"""What the pages say of measuring runs as it stands, and names what there is."""

import contextlib
import io
import math
import re
from pathlib import Path

from implicit_bias import measure

ROOT = Path(__file__).parents[3]


def test_the_readme_s_network_is_reported():
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    for said in ("distance from another run", "Balance along the training", "Margins", "Sharpness of this loss"):
        assert said in printed.getvalue()
    assert "Not measured" not in printed.getvalue()


def test_the_page_of_regimes_names_functions_that_there_are():
    text = (ROOT / "regime.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)\(", text))
    assert named >= {"distance", "balance", "margin", "stationarity", "sharpness"}
    assert named <= set(measure.__all__)


def test_the_example_of_a_distance_is_what_the_chapter_printed():
    text = (ROOT / "regime.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| ([\d.]+) \| (\[.+?\]) \|$", text, re.MULTILINE)
    chapter = (ROOT / "chapters/beyond/measure_your_network.ipynb").read_text(encoding="utf-8")
    *kept, (_, apart, interval) = rows
    assert len(kept) == 3
    assert all(f"{value}  {name}  {interval}" in chapter for name, value, interval in kept)
    ((code, said),) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.DOTALL)
    printed, names = io.StringIO(), {}
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    other = names["found"].other
    assert printed.getvalue() == said == f"{kept[0][1]} {apart}\n"
    assert interval == f"[{other.low:.4f}, {other.high:.4f}]"
    d, angle, ratio = (float(value) for _, value, _ in kept)
    apart = math.sqrt(ratio**2 + 1 - 2 * ratio * math.cos(math.radians(angle)))
    assert abs(apart / (ratio + 1) - d) < 0.002
    assert f"alone\ngives {(ratio - 1) / (ratio + 1):.2f}" in text
