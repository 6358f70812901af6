"""The workflows: that they are well formed, leak nothing, and call nothing that is not there."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from reproduce.pages.downloads import BRANCH

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


def test_the_branch_that_colab_and_binder_open_holds_the_notebooks_and_what_they_need(tmp_path: Path) -> None:
    jobs: Any = yaml.safe_load((ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8"))["jobs"]
    made, pushed = (next(step["run"] for step in jobs[name]["steps"] if "notebooks" in step.get("run", ""))
                    for name in ("build", "notebooks"))  # fmt: skip
    for name in ("requirements.txt", "binder/runtime.txt", "_build/html/_sources/chapters/linear/one.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    there = tmp_path / "there" / "owner" / "name"
    subprocess.run(["git", "init", "-q", "--bare", there], check=True)
    github = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{tmp_path}/there/.insteadOf",
              "GIT_CONFIG_VALUE_0": "https://x-access-token:secret@github.com/"}  # fmt: skip
    known = {"GITHUB_REPOSITORY": "owner/name", "GITHUB_SHA": "1234", "GH_TOKEN": "secret", **github}
    for script, folder in ((made, tmp_path), (pushed, tmp_path / "_build")):
        subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env={**os.environ, **known}, check=True)
    listed = ["git", "-C", there, "ls-tree", "-r", "--name-only", BRANCH]
    files = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    assert files == ["chapters/linear/one.ipynb", "lock.txt", "requirements.txt", "runtime.txt"]
    wanted = (tmp_path / "_build/notebooks/requirements.txt").read_text(encoding="utf-8").splitlines()
    package = "implicit-bias[torch,cone,fast,plot,data,press] @ git+https://github.com/owner/name@1234"
    assert wanted == ["-c lock.txt", package, "jupyterlab"]
