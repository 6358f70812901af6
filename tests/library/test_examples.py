"""What a docstring shows as an example runs, and says what it says."""

import doctest
import importlib
from pathlib import Path

import numpy as np
import pytest

LIB = Path(__file__).parents[2] / "lib"
SHOWN = sorted(path for path in (LIB / "implicit_bias").rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(LIB)))
def test_examples_run(path):
    module = importlib.import_module(".".join(path.relative_to(LIB).with_suffix("").parts))
    names = {"np": np, **{name: getattr(module, name) for name in vars(module)}}
    failed, tried = doctest.testmod(module, extraglobs=names)
    assert tried > 0
    assert failed == 0
