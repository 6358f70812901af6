"""What the pages say of measuring runs as it stands, and names what there is."""

import contextlib
import io
import re
from pathlib import Path

from implicit_bias import measure

ROOT = Path(__file__).parents[3]


def test_the_readme_s_network_is_reported():
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    for heading in ("Balance along the training", "Margins", "Sharpness of this loss", "Not measured"):
        assert heading in printed.getvalue()


def test_the_page_of_regimes_names_functions_that_there_are():
    text = (ROOT / "regime.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)\(", text))
    assert named >= {"distance", "balance", "margin", "stationarity", "sharpness"}
    assert named <= set(measure.__all__)
