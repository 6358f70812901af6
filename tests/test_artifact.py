"""What reviewers of artifacts ask for: licences, versions, and environments that end in the readme's two commands."""

import re
import shlex
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from reproduce.chapters.book import documents

ROOT = Path(__file__).parents[1]
TAG = "SPDX-License-Identifier"


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_licence_is_the_same_wherever_it_is_named() -> None:
    code, text = yaml.safe_load(read("CITATION.cff"))["license"]
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert (project["license"], project["license-files"]) == (code, ["LICENSE"])
    for name, licence in (("LICENSE", code), ("LICENSE-TEXT", text)):
        assert read(name).splitlines()[0] == f"{TAG}: {licence}"
    named = {part for one in tomllib.loads(read("REUSE.toml"))["annotations"]
             for part in one[TAG].split(" AND ")}  # fmt: skip
    assert named == {code, text}


@pytest.mark.parametrize(("path", "licence"), [
    ("lib/reproduce/cli.py", "MIT"), ("README.md", "CC-BY-4.0"), ("answers/index.md", "CC-BY-4.0"),
    ("answers/gamma_1.json", "MIT"), ("chapters/linear/max_margin.ipynb", "MIT AND CC-BY-4.0"),
])  # fmt: skip
def test_the_last_annotation_that_fits_a_file_says_its_licence(path: str, licence: str) -> None:
    found = ""
    for one in tomllib.loads(read("REUSE.toml"))["annotations"]:
        patterns = [one["path"]] if isinstance(one["path"], str) else one["path"]
        for pattern in patterns:
            deep = "**" in pattern or pattern.count("/") == path.count("/")  # a star does not cross a slash
            found = one[TAG] if deep and fnmatch(path, pattern) else found
    assert found == licence


def test_the_first_entry_of_the_changes_is_the_version_and_they_are_a_page() -> None:
    assert "CHANGELOG" in documents(yaml.safe_load(read("_toc.yml")))
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    entries = re.findall(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)
    assert entries[0] == version
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", entry) for entry in entries)


def locked(name: str) -> dict[str, str]:
    """What a lock file says of each package: the version, and what stands behind it."""
    entries = re.split(r"\n(?=[\w#])", read(name))
    return {one.partition("==")[0]: one.partition("==")[2].strip() for one in entries if "==" in one.splitlines()[0]}


def test_the_lock_with_hashes_has_the_versions_of_the_lock_and_a_hash_of_every_package() -> None:
    plain, hashed = locked("requirements.txt"), locked("requirements-hashed.txt")
    assert len(plain) > 100
    assert {name: re.split(r"[ \n]", hashed.get(name, ""))[0] for name in plain} == plain, "run 'make lock'"
    assert [name for name, text in hashed.items() if not re.search("--hash=sha256:[0-9a-f]{64}", text)] == []
    assert [name for name in ("appnope", "triton") if "sys_platform" not in hashed[name]] == []  # of one platform


def commands() -> list[str]:
    """The two commands of the readme."""
    block = read("README.md").partition("## Two commands")[2].partition("|")[0]
    return [line.partition("#")[0].strip() for line in block.splitlines() if line.startswith("    ")]


def test_container_and_conda_end_in_the_two_commands() -> None:
    assert commands() == ["make book", "make test"]
    for name in ("Containerfile", "environment.yml"):
        said = [line for line in read(name).splitlines() if line.startswith("#") and "make" in line and " run " in line]
        assert [" ".join(line.split()[-2:]) for line in said] == commands()


def test_the_container_has_a_python_that_fits_and_all_that_its_steps_call() -> None:
    text = read("Containerfile")
    steps = [line.split(maxsplit=1) for line in text.replace("\\\n", " ").splitlines() if line and line[0] != "#"]
    assert [word for word, _ in steps] == ["FROM", "RUN", "WORKDIR", "COPY", "RUN", "CMD"]
    assert steps[0][1].rpartition("/")[2].startswith("python:3.11-")
    install = shlex.split(steps[1][1])
    assert {"make", "git", "chromium"} <= set(install)
    target = steps[4][1].removeprefix("make ")
    assert f"INSTALLED := {target}" in read("Makefile")
    assert read(".containerignore").split()[:2] == [".venv", "_build"]


def test_conda_brings_a_python_that_fits() -> None:
    environment = yaml.safe_load(read("environment.yml"))
    assert {one.partition("=")[0] for one in environment["dependencies"]} == {"git", "make", "pip", "python"}
    least = tomllib.loads(read("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    (python,) = [one.partition("=")[2] for one in environment["dependencies"] if one.startswith("python=")]
    assert tuple(map(int, python.split("."))) >= tuple(map(int, least.split(".")))
