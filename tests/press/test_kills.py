"""Signals in the middle of a run: what is left, and that the next start removes it."""

import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from patience import PATIENCE
from tiers import thinned

if TYPE_CHECKING:
    from conftest import TinyBook

SLEEPS = ("import time", "open('started', 'w').close()", "time.sleep(600 if terms == 60 else 0)")
COMMANDS = [("run", "geometric"), ("run", "geometric", "-o", "../mine"), ("refresh",), ("build",)]
SIGNALS = (signal.SIGHUP, signal.SIGTERM)


def name_of(value: tuple[str, ...] | signal.Signals) -> str:
    return value.name.removeprefix("SIG") if isinstance(value, signal.Signals) else " ".join(value)


def begun(tiny: "TinyBook", command: tuple[str, ...], temporary: Path) -> "subprocess.Popen[str]":
    """A command in the middle of its chapter, with a temporary folder of its own."""
    temporary.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(temporary)
    try:
        process = tiny.start(*command)
    finally:
        del os.environ["TMPDIR"]
    started = tiny.root / "chapters/sums/started"
    tiny.wait_for(started.exists)
    started.unlink()
    return process


def hidden(tiny: "TinyBook") -> list[str]:
    """What a command keeps only while it runs."""
    found = [path for folder in (tiny.root, tiny.root.parent / "mine") for path in folder.rglob(".*")]
    return sorted(
        str(path.relative_to(tiny.root.parent)) for path in found if path.name != ".lock" and "html" not in path.parts
    )


@pytest.mark.parametrize(("command", "number"), thinned(product(COMMANDS, SIGNALS), every=3), ids=name_of)
def test_a_signal_to_stop_cleans_up(
    tiny: "TinyBook", command: tuple[str, ...], number: signal.Signals, tmp_path: Path
) -> None:
    chapter = tiny.chapter("sums/geometric", *SLEEPS, registered=False)
    before = tiny.files()
    process = begun(tiny, command, tmp_path / "temporary")
    os.killpg(process.pid, number)  # as a terminal that is closed does
    _, err = tiny.end(process)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "error: interrupted; nothing half-written was left"
    tiny.wait_for(lambda: not tiny.kernels())
    assert tiny.files() - before <= {"_build/.lock"}
    assert not hidden(tiny)
    assert not (tmp_path / "mine").exists()
    assert chapter.read().cells[1].execution_count is None
    assert list((tmp_path / "temporary").iterdir()) == []


def test_under_nohup_a_closed_terminal_stops_nothing(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "import os, signal", "os.kill(os.getppid(), signal.SIGHUP)", tiny.claim("geometric"))
    done = subprocess.run(
        ["bash", "-c", "trap '' HUP; exec \"$@\"", "bash", sys.executable, "-m", "reproduce", "run", "geometric"],
        cwd=tiny.root, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", thinned(map(pytest.param, COMMANDS), every=2), ids=name_of)
def test_what_a_killed_process_left_goes_at_the_next_start(
    tiny: "TinyBook", command: tuple[str, ...], tmp_path: Path
) -> None:
    chapter = tiny.chapter("sums/geometric", *SLEEPS, tiny.claim("geometric"))
    before = chapter.notebook.read_bytes()
    process = begun(tiny, command, tmp_path / "temporary")
    left = [*tiny.kernels()]
    os.killpg(process.pid, signal.SIGKILL)
    tiny.end(process)
    for kernel in left:
        os.kill(kernel, signal.SIGKILL)
    assert hidden(tiny)
    assert chapter.notebook.read_bytes() == before
    short = ["-p", "terms=59"] if command[0] == "run" else []
    if not short:
        text = chapter.notebook.read_text().replace("terms == 60", "terms == 61")
        chapter.notebook.write_text(text)
    assert tiny.call(*command, *short).returncode == 0
    assert not hidden(tiny)
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.nightly
def test_the_workers_of_a_build_that_is_killed_end_with_it_and_say_nothing(tiny: "TinyBook", tmp_path: Path) -> None:
    tiny.chapter("sums/geometric", "import time", "open('started', 'w').close()", "time.sleep(600)")
    process = begun(tiny, ("build",), tmp_path / "temporary")
    os.kill(process.pid, signal.SIGKILL)
    _, err = tiny.end(process)  # ends when the last process that could write there has ended
    assert err == ""
    tiny.wait_for(lambda: not tiny.kernels())


@pytest.mark.skipif(os.geteuid() != 0, reason="a small file system can be mounted by root only")
def test_a_full_disk_below_build_names_what_could_not_be_written(tiny: "TinyBook") -> None:
    (tiny.root / "_atlas.yml").write_text("# " + "x" * 100_000)
    small = tiny.root / "_build"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    try:
        done = tiny.call("html")
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1] == (
            f"error: cannot write {small / 'source/_atlas.yml'}: no space left on device"
        )
    finally:
        subprocess.run(["umount", str(small)], check=True)
