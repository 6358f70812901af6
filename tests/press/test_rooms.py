"""The way to a room, as CONTRIBUTING tells it: the files it names are there, and it names all families."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly  # of words that seldom change

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROOMS = TEXT.partition("## Which room")[2].partition("## Layers")[0]
LIBRARY = ROOT / "lib" / "implicit_bias"


def test_every_file_and_folder_that_is_named_is_there() -> None:
    named = [name for name in re.findall(r"`([\w/.]+)`", ROOMS) if "/" in name or name.endswith((".py", ".md"))]
    assert len(named) > 15
    places = (ROOT, LIBRARY, ROOT / "lib" / "reproduce")
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_every_name_of_the_library_is_in_the_file_that_is_named_with_it() -> None:
    for name, file in (
        ("Loss", "losses.py"),
        ("MarginLoss", "losses.py"),
        ("LOSSES", "losses.py"),
        ("TwoLayer", "models/two_layer/network.py"),
        ("drive", "flows/driver.py"),
        ("blasso", "limits/measures/blasso.py"),
        ("Certificate", "limits/certificate.py"),
    ):
        assert f"`{name}`" in ROOMS
        assert f"`{file}`" in ROOMS
        text = (LIBRARY / file).read_text(encoding="utf-8")
        assert re.search(rf"^(?:class |def )?{name}\b", text, re.MULTILINE), name


def test_every_family_of_predictions_is_listed() -> None:
    families = {path.parent.name for path in LIBRARY.glob("limits/*/__init__.py")}
    assert families == set(re.findall(r"^\| `(\w+)` \|", ROOMS, re.MULTILINE))
