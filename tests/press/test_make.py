"""The Makefile and the script of continuous integration, without installing anything."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGETS = (
    "book",
    "html",
    "pdf",
    "serve",
    "fast",
    "quick",
    "test",
    "nightly",
    "newest-sphinx",
    "release",
    "bench",
    "bench-peers",
    "answers",
    "check",
    "lock",
    "refresh",
    "seeds",
    "offdefault",
    "paper",
    "attack",
    "mutants",
    "read",
    "clean",
    "help",
)


def make(folder: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["make", "--no-print-directory", *args], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout without an environment, in a folder with a space in its name."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    (folder / "Makefile").write_text((ROOT / "Makefile").read_text())
    for name in ("requirements.txt", "pyproject.toml"):
        (folder / name).write_text("")
    return folder


@pytest.mark.nightly  # a list beside the list
def test_help_names_every_target() -> None:
    lines = make(ROOT).stdout.splitlines()
    assert [line.split()[1] for line in lines] == list(TARGETS)


def test_an_old_python_is_one_line(bare: Path) -> None:
    old = bare / "old-python"
    old.write_text('#!/bin/sh\ncase "$1" in --version) echo "Python 3.9.2" ;; *) exit 1 ;; esac\n')
    old.chmod(0o755)
    done = make(bare, "book", "PYTHON=./old-python")
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert said == ["error: ./old-python is Python 3.9.2; Python 3.11 or newer is needed, set PYTHON="]
    assert not (bare / ".venv").exists()


def test_clean_leaves_the_environment(bare: Path) -> None:
    (bare / "_build" / "html").mkdir(parents=True)
    (bare / ".venv").mkdir()
    assert make(bare, "clean").returncode == 0
    assert not (bare / "_build").exists()
    assert (bare / ".venv").exists()


def test_one_thread_for_each_process(bare: Path) -> None:
    with (bare / "Makefile").open("a") as makefile:
        makefile.write("\nthreads:\n\t@echo $$OMP_NUM_THREADS $$OPENBLAS_NUM_THREADS $$MKL_NUM_THREADS\n")
    assert make(bare, "threads").stdout == "1 1 1\n"


def test_the_script_of_continuous_integration_is_sound() -> None:
    script = ROOT / ".ci" / "run"
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    assert script.stat().st_mode & 0o111
