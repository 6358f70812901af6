"""ruff and mypy over the checkout, so that one command checks everything."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(1800)  # mypy without its cache takes a minute of its own, and ten on a machine that is busy
@pytest.mark.parametrize("command", [
    ["ruff", "check", "--quiet", "--output-format=concise", "."],
    ["mypy", "--no-error-summary", "lib", "chapters"],
], ids=" ".join)  # fmt: skip
def test_nothing_to_object_to(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)
