"""The workflows: that they are well formed, leak nothing, and call nothing that is not there."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_workflows_pass_their_linter() -> None:
    linter = Path(sys.executable).with_name("zizmor")
    done = subprocess.run([linter, "--offline", "--quiet", ROOT / ".github"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_workflows_call_is_there() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    targets = set(re.findall(r"make ([a-z]+)", text))
    assert targets == {"html", "pdf", "nightly"}
    assert not targets - set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    commands = set(re.findall(r"-m reproduce ([a-z]+)", text))
    known = subprocess.run([sys.executable, "-m", "reproduce", "--help"], capture_output=True, text=True, check=True)
    assert commands == {"export"}
    assert not commands - set(known.stdout.split())
    assert ".ci/run" in text
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
