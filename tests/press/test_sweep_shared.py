"""A sweep on a machine that others use: nobody else's code runs in it, nothing foreign is touched, nothing stays."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import psutil
import pytest

from reproduce.ground.files import MARK

if TYPE_CHECKING:
    from conftest import TinyBook

HELD = "import os, time\nwhile os.path.exists('hold'): time.sleep(0.05)"


def listening(process: psutil.Process) -> list[tuple[str, int]]:
    """Where a process and its children accept connections."""
    family = [process, *process.children(recursive=True)]
    found = [one.net_connections() for one in family if one.is_running()]
    return [tuple(each.laddr) for some in found for each in some if each.status == psutil.CONN_LISTEN]


def test_nothing_is_open_but_the_kernels_which_listen_on_loopback_and_demand_a_key(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", HELD, tiny.claim("geometric"))
    hold = chapter.notebook.with_name("hold")
    hold.touch()
    process = tiny.start("sweep", "geometric", "--workers", "1")
    tiny.wait_for(tiny.kernels)
    (kernel,) = [psutil.Process(pid) for pid in tiny.kernels()]
    tiny.wait_for(lambda: len(listening(kernel)) >= 5)
    everything = listening(psutil.Process(process.pid))
    assert sorted(everything) == sorted(listening(kernel)), "neither the sweep nor its worker has a port"
    assert {host for host, _ in everything} == {"127.0.0.1"}
    connection = Path(kernel.cmdline()[kernel.cmdline().index("-f") + 1])
    assert connection.stat().st_mode & 0o077 == 0
    assert json.loads(connection.read_text())["curve_publickey"]
    assert connection.is_relative_to(tiny.root / "_build/sweeps/sums/geometric")
    hold.unlink()
    tiny.end(process)
    assert process.returncode == 0
    assert not connection.exists()


def family(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


@pytest.mark.nightly  # a sweep of stand-ins is killed six times at each commit
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_sweep_that_is_killed_leaves_nothing_that_the_next_start_does_not_clear(
    tiny: "TinyBook", number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    monkeypatch.setenv("TMPDIR", str(elsewhere))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(elsewhere))
    chapter = tiny.chapter("sums/geometric", HELD, tiny.claim("geometric"))
    hold = chapter.notebook.with_name("hold")
    hold.touch()
    folder = tiny.root / "_build/sweeps/sums/geometric"
    command = ("sweep", "geometric", "-p", "terms=60:63", "--workers", "2")
    moments = Random(int(number))
    for kill in range(3):
        process = tiny.start(*command)
        tiny.wait_for(tiny.kernels if kill == 2 else lambda: list(folder.glob(".running-*")))
        time.sleep(moments.uniform(0, 2.0))
        children = family(process)
        os.kill(process.pid, number)
        tiny.end(process)
        tiny.wait_for_end(children)
        tiny.wait_for(lambda: not tiny.kernels())
    hold.unlink()
    done = tiny.call(*command)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1), done.stderr
    assert sorted(path.name for path in folder.iterdir()) == [
        ".lock", "claims.csv", "claims.parquet", "index.html", "runs", "sweep.json"]  # fmt: skip
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["terms=60", "terms=61", "terms=62"]
    assert [path for path in elsewhere.rglob("*") if path.is_file()] == []


FOREIGN = ("claims.parquet", "claims.csv", "index.html", "notes.txt", "runs/terms=60/mine.txt", "runs/.running-mine/x",
           ".running-mine/x", "sweep.json")  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_a_folder_with_anything_that_no_sweep_wrote_is_refused_and_untouched(tiny: "TinyBook", name: str) -> None:
    tiny.chapter("sums/geometric")
    target = tiny.root / "_build/mine"
    (target / name).parent.mkdir(parents=True)
    (target / name).write_text("mine")
    done = tiny.ask("sweep", "geometric", "-p", "terms=60", "-o", "_build/mine")
    first = name.split("/")[0]
    assert (done.returncode, done.stderr.splitlines()[1:]) == (
        2,
        [f"error: _build/mine holds files that no sweep wrote, such as {first}; use another folder"],
    )
    assert [path for path in target.rglob("*") if path.is_file()] == [target / name]
    assert (target / name).read_text() == "mine"


@pytest.mark.nightly
def test_what_others_put_into_a_sweeps_folder_stays(swept: "TinyBook", tmp_path: Path) -> None:
    tiny = swept.copy(tmp_path)
    command = ("sweep", "geometric", "-p", "terms=60", "--workers", "1")
    folder = tiny.root / "_build/sweeps/sums/geometric"
    for name in ("notes.txt", "runs/notes.txt", "runs/.running-mine/x", ".running-mine/x", "runs/terms=60/mine.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
    abandoned = folder / ".running-12345678"
    abandoned.mkdir()
    (abandoned / MARK).touch()
    assert tiny.call(*command).returncode == 0  # nothing is to be replaced
    assert not abandoned.exists()
    (tiny.root / "requirements.txt").write_text("numpy==2.4.1\n")
    refused = tiny.ask(*command)
    assert (refused.returncode, refused.stderr.splitlines()[1:]) == (2, [
        "error: _build/sweeps/sums/geometric/runs/terms=60/mine.txt was not written by a sweep, which would remove it; "
        "move it away"])  # fmt: skip
    (folder / "runs/terms=60/mine.txt").rename(folder / "mine.txt")
    assert tiny.call(*command).returncode == 0
    for name in ("notes.txt", "runs/notes.txt", "runs/.running-mine/x", ".running-mine/x", "mine.txt"):
        assert (folder / name).read_text() == "mine"


@pytest.mark.parametrize("name", [".lock", "sweep.json", "runs"])
def test_a_link_where_a_sweep_keeps_its_own_is_refused(tiny: "TinyBook", name: str, tmp_path: Path) -> None:
    tiny.chapter("sums/geometric")
    target, outside = tiny.root / "_build/mine", tmp_path / "outside"
    target.mkdir(parents=True)
    if name == "runs":
        outside.mkdir()
        (target / "sweep.json").write_text('{"chapter": "sums/geometric"}')
    else:
        outside.write_text('{"chapter": "sums/geometric"}')
    (target / name).symlink_to(outside)
    done = tiny.ask("sweep", "geometric", "-p", "terms=60", "-o", "_build/mine")
    assert done.returncode in (2, 3)
    assert len(done.stderr.splitlines()) == 2
    assert (target / name).is_symlink()
    assert list(outside.iterdir()) == [] if name == "runs" else outside.read_text() == '{"chapter": "sums/geometric"}'


@pytest.mark.nightly
def test_links_in_the_place_of_table_and_page_are_replaced_and_not_followed(swept: "TinyBook", tmp_path: Path) -> None:
    tiny = swept.copy(tmp_path)
    command = ("sweep", "geometric", "-p", "terms=60", "--workers", "1")
    folder = tiny.root / "_build/sweeps/sums/geometric"
    outside = tmp_path / "outside"
    outside.write_text("mine")
    links = ("index.html", ".index.html.unfinished", "claims.csv", ".claims.csv.unfinished", "claims.parquet",
             "runs/terms=60/run.json")  # fmt: skip
    for name in links:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside)
    done = tiny.ask(*command)
    assert done.returncode == 2
    assert "was not written by a sweep" in done.stderr
    (folder / "runs/terms=60/run.json").unlink()
    assert tiny.call(*command).returncode == 0
    assert outside.read_text() == "mine"
    assert not any((folder / name).is_symlink() for name in ("index.html", "claims.csv", "claims.parquet"))
    assert (folder / ".index.html.unfinished").is_symlink()
