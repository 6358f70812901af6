"""Sweeps on this machine, with real kernels: the table against a plain loop, failures, resuming, bad input."""

import contextlib
import csv
import functools
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import numpy as np
import psutil
import pyarrow.parquet
import pytest
from patience import PATIENCE
from tiers import thinned

from reproduce.chapters.parameters import signature
from reproduce.claims.ledger import claims_of
from reproduce.ground.errors import PressError
from reproduce.ground.reading import read_notebook
from reproduce.running.run import slug
from reproduce.sweep import sweep as sweeps
from reproduce.sweep.grid import parse_grid
from reproduce.sweep.report import write_page
from reproduce.sweep.rows import missing_record, write_table
from reproduce.sweep.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import TinyBook
    from nbformat import NotebookNode

HELD_AT_70 = "import os, time\nwhile terms == 70 and os.path.exists('hold'): time.sleep(0.05)"
FAILS_AT_70 = "1 / (terms - 70)"


def table(folder):
    """The rows of a sweep's table, from Parquet, after checking that CSV has the same."""
    rows = pyarrow.parquet.read_table(folder / "claims.parquet").to_pylist()
    with (folder / "claims.csv").open(newline="") as file:
        text = list(csv.DictReader(file))
    assert [row["claim"] for row in text] == [row["claim"] or "" for row in rows]
    assert [float(row["error"] or "nan") for row in text] == pytest.approx(
        [float("nan") if row["error"] is None else row["error"] for row in rows], rel=0, abs=0, nan_ok=True
    )
    return rows


def test_the_table_is_that_of_a_plain_loop(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    done = tiny.call(
        "sweep", "geometric", "-p", "terms=5,60", "-p", "ratio=0.25,0.5", "-o", "_build/swept", "--workers", "2"
    )
    assert done.returncode == 0, done.stderr
    assert "4 of 4 runs finished, 0 failed" in done.stdout
    found = {(row["terms"], row["ratio"]): row for row in table(tiny.root / "_build/swept")}
    for terms, ratio in ((5, 0.25), (60, 0.5)):
        tiny.ask("run", "geometric", "-p", f"terms={terms}", "-p", f"ratio={ratio}", "-o", "_build/single")
        (claim,) = claims_of(chapter.name, read_notebook(tiny.root / "_build/single" / "geometric.ipynb"))
        row = found.pop((terms, ratio))
        for name in ("kind", "theory", "measured", "error", "tolerance"):
            assert row[name] == claim.record[name]
        assert row["holds"] is claim.holds
        assert row["control_error"] == claim.record["control"]["error"]
        assert row["used"] == pytest.approx(claim.record["error"] / 1e-9)
        assert (row["claim"], row["status"], row["rule"], row["rates"]) == (
            claim.id,
            "finished",
            "exact",
            "[0.1, 0.2]",
        )
        assert row["run"] == slug({"terms": terms, "ratio": ratio})
        assert (row["cores"], row["commit"]) == (os.cpu_count(), "unknown")
        notebook = nbformat.read(tiny.root / "_build/swept" / row["notebook"], as_version=4)  # type: ignore[no-untyped-call]
        assert notebook.metadata["papermill"] == {"parameters": {"terms": terms, "ratio": ratio}}
    assert set(found) == {(5, 0.5), (60, 0.25)}
    assert re.search(r"limit +2/4 +0\.068 … 0\.932 +4/4", done.stdout)
    page = (tiny.root / "_build/swept" / "index.html").read_text()
    assert "2 / 4" in page
    assert page.count("<svg") == 2
    assert not re.search(r"""(src|href)=["'](https?:)?//|@import|url\(["']?http""", page)  # nothing from elsewhere
    assert not list((tiny.root / "_build/swept").rglob(".running-*"))


def test_a_failed_run_is_a_row_and_is_tried_again(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", tiny.claim("geometric"), FAILS_AT_70)
    done = tiny.call("sweep", "geometric", "-p", "terms=60,70", "--workers", "1")
    assert done.returncode == 11
    assert "1 of 2 runs finished, 1 failed" in done.stdout
    assert "✗ terms=70: cell [4]: ZeroDivisionError: division by zero" in done.stdout
    folder = tiny.root / "_build/sweeps/sums/geometric"
    bad = next(row for row in table(folder) if row["terms"] == 70)
    assert bad["reason"] == "cell [4]: ZeroDivisionError: division by zero"
    assert "ZeroDivisionError" in (folder / bad["notebook"]).read_text()
    assert "ZeroDivisionError" in (folder / "index.html").read_text()
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("run.json")}
    again = tiny.call("sweep", "geometric", "-p", "terms=60,70,80", "--workers", "1")
    assert again.returncode == 11
    assert "2 of 3 runs finished, 1 failed" in again.stdout
    after = {path.parent.name: path.stat().st_mtime_ns == before.get(path) for path in folder.rglob("run.json")}
    assert after == {"terms=60": True, "terms=70": False, "terms=80": False}


def test_changed_code_is_run_again_and_another_chapter_is_refused(tiny: "TinyBook") -> None:
    (tiny.root / "lib" / "used.py").write_text("x = 1\n")
    tiny.chapter("sums/geometric", "import sys\nsys.path.insert(0, '../../lib')\nimport used", tiny.claim("geometric"))
    tiny.chapter("sums/zeta")
    assert tiny.call("sweep", "geometric", "-p", "terms=60", "-o", "_build/swept").returncode == 0
    record = tiny.root / "_build/swept/runs/terms=60/run.json"
    first = json.loads(record.read_text())
    (tiny.root / "lib" / "used.py").write_text("x = 2\n")
    assert tiny.call("sweep", "geometric", "-p", "terms=60", "-o", "_build/swept").returncode == 0
    assert json.loads(record.read_text())["fingerprint"] != first["fingerprint"]
    (tiny.root / "_build/site").mkdir()
    (tiny.root / "_build/site" / "index.html").write_text("mine")
    foreign = tiny.ask("sweep", "zeta", "-p", "terms=60", "-o", "_build/site")
    assert foreign.returncode == 2
    assert (
        foreign.stderr.splitlines()[-1]
        == "error: _build/site holds files that no sweep wrote, such as index.html; use another folder"
    )
    assert (tiny.root / "_build/site" / "index.html").read_text() == "mine"
    other = tiny.ask("sweep", "zeta", "-p", "terms=60", "-o", "_build/swept")
    assert other.returncode == 2
    assert other.stderr.splitlines()[-1] == (
        "error: _build/swept holds a sweep of sums/geometric; use another folder for sums/zeta"
    )


@pytest.mark.nightly  # the paper's campaign ends one at each commit
def test_an_endless_cell_ends_at_its_limit(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "while terms == 70: pass", tiny.claim("geometric"))
    done = tiny.call("sweep", "geometric", "-p", "terms=60,70", "--workers", "2", "--cell-limit", "4")
    assert done.returncode == 11
    assert "✗ terms=70: cell [3]: it took too long" in done.stdout
    tiny.wait_for(lambda: not tiny.kernels())


@pytest.mark.nightly  # a build loses a kernel at each commit
def test_a_kernel_that_dies_is_a_failed_run(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "import os\nif terms == 70: os.kill(os.getpid(), 9)", tiny.claim("geometric"))
    done = tiny.call("sweep", "geometric", "-p", "terms=60,70,80", "--workers", "1")
    assert done.returncode == 11, done.stderr
    assert "✗ terms=70: cell [3]: the kernel died, perhaps for lack of memory" in done.stdout
    assert done.stderr.count("\n") == 1  # where it writes to, and nothing of Dask
    assert {(row["terms"], row["status"]) for row in table(tiny.root / "_build/sweeps/sums/geometric")} == {
        (60, "finished"), (70, "failed"), (80, "finished")}  # fmt: skip
    tiny.wait_for(lambda: not tiny.kernels())


def test_ctrl_c_stops_everything_and_the_same_command_goes_on(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", HELD_AT_70, tiny.claim("geometric"))
    hold = chapter.notebook.with_name("hold")
    hold.touch()
    command = ("sweep", "geometric", "-p", "terms=60,70", "--workers", "1", "-o", "_build/swept")
    process = tiny.start(*command)
    first = tiny.root / "_build/swept/runs/terms=60/run.json"
    tiny.wait_for(first.exists)
    tiny.wait_for(tiny.kernels)
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = tiny.end(process)
    assert process.returncode == 130
    assert err.splitlines()[1:] == [
        "error: interrupted: 1 of 2 runs are finished and kept; the same command goes on from there"
    ]
    tiny.wait_for(lambda: not tiny.kernels())
    tiny.wait_for_end(children)
    assert [row["terms"] for row in table(tiny.root / "_build/swept")] == [60]
    page = (tiny.root / "_build/swept/index.html").read_text()
    assert re.search(r"1 of 2 runs finished, <span class=.bad.>1 not run yet</span>", page)
    hold.unlink()
    written = first.stat().st_mtime_ns
    done = tiny.call(*command)
    assert (done.returncode, first.stat().st_mtime_ns) == (0, written)
    assert "2 of 2 runs finished" in done.stdout


@pytest.mark.nightly
def test_ctrl_c_while_the_kernels_start(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    process = tiny.start("sweep", "geometric", "-p", "terms=60,70", "--workers", "2")
    parent = psutil.Process(process.pid)
    tiny.wait_for(tiny.kernels)  # as soon as there is one
    children = parent.children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, err = tiny.end(process)
    assert process.returncode == 130, err
    assert err.splitlines()[-1].startswith("error: interrupted: 0 of 2 runs are finished and kept")
    tiny.wait_for_end(children)
    assert not tiny.kernels()


def test_shards_work_in_one_folder_and_the_last_call_reports_on_all(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", HELD_AT_70, tiny.claim("geometric"), FAILS_AT_70)
    hold = chapter.notebook.with_name("hold")
    hold.touch()
    command = ("sweep", "geometric", "-p", "terms=60,70,80", "--workers", "1", "-o", "_build/swept")
    folder = tiny.root / "_build/swept"
    held = tiny.start(*command, "--shard", "1/2")
    tiny.wait_for(tiny.kernels)
    whole = tiny.ask(*command)
    busy = "error: another sweep is at work in _build/swept; wait for it or use -o"
    assert (whole.returncode, whole.stderr.splitlines()[-1]) == (2, busy)
    first = tiny.call(*command, "--shard", "0/2")
    assert (first.returncode, first.stderr) == (0, "sweeping sums/geometric: 2 runs into _build/swept\n")
    assert "2 of 2 runs finished, 0 failed\ntable and page: written by the call after which" in first.stdout
    assert not (folder / "claims.csv").exists()
    hold.unlink()
    out, _ = tiny.end(held)
    assert held.returncode == 11
    assert "2 of 3 runs finished, 1 failed\ntable: _build/swept/claims.csv" in out
    assert {(row["terms"], row["status"]) for row in table(folder)} == {
        (60, "finished"), (70, "failed"), (80, "finished")}  # fmt: skip
    assert "2 of 3 runs finished" in (folder / "index.html").read_text()
    tiny.chapter("sums/zeta")
    other = tiny.ask("sweep", "zeta", "-p", "terms=60,70", "--shard", "0/2", "-o", "_build/swept")
    assert "holds a sweep of sums/geometric" in other.stderr


def test_a_run_that_leaves_nothing_is_a_failed_row(tiny: "TinyBook", monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = tiny.chapter("sums/geometric")
    grid = parse_grid(signature(chapter.read(), chapter.name), ["terms=5:8"], chapter.name, {})
    monkeypatch.setattr(sweeps, "_workers", lambda *given: contextlib.nullcontext((None, None)))
    monkeypatch.setattr(sweeps, "run_all", lambda *given: None)  # as if the disk had been full all the time
    summary = sweeps.sweep(tiny.book, chapter, grid, tiny.root / "_build/swept")
    assert (summary.finished, summary.failed) == (0, 3)
    rows = table(tiny.root / "_build/swept")
    assert [(row["terms"], row["status"]) for row in rows] == [(5, "failed"), (6, "failed"), (7, "failed")]
    assert rows[0]["reason"] == "its folder is not there: it could not be written, or was removed"
    assert "-p terms=5:8" in (tiny.root / "_build/swept/index.html").read_text()


@pytest.mark.nightly
def test_what_a_cell_raises_is_printed_as_it_is(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", "raise ValueError('slice 0:100:5 [red]')")
    done = tiny.call("sweep", "geometric", "--workers", "1")
    assert "✗ default: cell [2]: ValueError: slice 0:100:5 [red]" in done.stdout


@pytest.mark.parametrize(("arguments", "said"), [
    (["-p", "tems=3,4"], "unknown parameter 'tems'; did you mean terms?"),
    (["-p", "terms=5:5"], "terms=5:5 is empty: it runs from 5 up to, not including, 5"),
    (["-p", "terms=1:1001", "-p", "ratio=lin:0.1:0.9:11"],
     "the grid has 11000 points; add --yes to run more than 10000"),
    (["-p", "terms=3,4", "--shard", "2/2"],
     "--shard is 2/2; it must be K/N, whole numbers with K from 0 to N - 1"),
    (["--workers", "0"], "Invalid value for '--workers': 0 is not in the range x>=1."),
    (["--workers", "2", "--scheduler", "tcp://127.0.0.1:1"],
     "--workers and --scheduler exclude each other: a cluster has the workers it has"),
])  # fmt: skip
def test_bad_input_is_one_line_before_anything_starts(tiny: "TinyBook", arguments: list[str], said: str) -> None:
    tiny.chapter("sums/geometric")
    before = tiny.files()
    done = tiny.ask("sweep", "geometric", *arguments)
    assert (done.stderr.strip(), done.returncode) == (f"error: {said}", 2)
    assert tiny.files() == before


@pytest.mark.nightly
def test_a_book_that_is_changed_meanwhile_stops_the_sweep_once(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", HELD_AT_70, tiny.claim("geometric"))
    hold = chapter.notebook.with_name("hold")
    hold.touch()
    process = tiny.start("sweep", "geometric", "-p", "terms=60,70,80,90", "--workers", "1")
    folder = tiny.root / "_build/sweeps/sums/geometric"
    tiny.wait_for((folder / "runs/terms=60/run.json").exists)
    tiny.wait_for(tiny.kernels)
    (tiny.root / "requirements.txt").write_text("numpy==2.4.1\n")
    hold.unlink()
    out, err = tiny.end(process)
    assert process.returncode == 1
    assert "✗" not in out
    assert err.splitlines()[1:] == [
        "error: chapter, library or lock file were changed while the sweep ran: 2 of 4 runs are finished and kept; "
        "the same command runs all again"
    ]
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["terms=60", "terms=70"]
    (tiny.root / "requirements.txt").write_text("numpy==2.4.0\n")
    assert "4 of 4 runs finished" in tiny.call("sweep", "geometric", "-p", "terms=60,70,80,90").stdout


def test_of_arrays_the_table_has_the_norms(tiny: "TinyBook", stored: "Callable[..., NotebookNode]") -> None:
    chapter = tiny.chapter("sums/geometric")
    many = 2.0 + np.zeros(2500)
    asked = (
        {},
        {"id": "geometric.few", "theory": [3.0, 4.0], "measured": [3.0, math.inf], "control": [0.0, 0.0]},
        {"id": "geometric.many", "theory": many, "measured": many, "control": 0 * many},
        {"id": "geometric.order", "kind": "ordering", "theory": None, "measured": [6.0, 8.0], "control": [8.0, 6.0]},
    )
    claims = [{**one.record, "holds": one.holds} for one in claims_of(chapter.name, stored(*asked))]
    record = {**missing_record({}, ""), "claims": claims}
    write_table(tiny.root, [record], signature(chapter.read(), chapter.name))
    found = [[row[name] for name in ("theory", "theory_norm", "measured_norm")] for row in table(tiny.root)]
    assert found == [[2.0, None, None], [None, 5.0, math.inf], [None, 100.0, 100.0], [None, None, 10.0]]


DATA = 'data: str = ""  # where the data lie, a path or empty'
HOSTILE = [
    "/$\\frac{$",
    "/b",
    "/$x^$_{",
    "/<script>1</script>",
    "/\"'{}%s{{ 7*7 }}",
    "/שלום\u202eabc",
    "/🦀",
    "/--><b>",
]


def test_hostile_values_do_not_spoil_the_report(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", tiny.claim("geometric"), parameters=f"{tiny.parameters}\n{DATA}")
    grid = parse_grid(signature(chapter.read(), chapter.name), [f"data={','.join(HOSTILE)}"], chapter.name, {})
    summary = Summary(grid.axes, grid.size)
    claim = {"id": "geometric.$\\frac{$", "statement": "<b>", "error": 1e-12, "tolerance": 1e-9, "kind": "limit",
             "holds": True, "control": {"failed": True}}  # fmt: skip
    for point, place in grid.placed_points():
        summary.add({"parameters": point, "status": "finished", "notebook": "", "claims": [claim]}, place)
    page = tiny.root / "index.html"
    write_page(page, summary, chapter.name, "A title", {"Command": sweeps.command_line(chapter, grid)})
    text = page.read_text()
    assert text.count("<svg") == 1
    assert "<script>" not in text
    assert "<b>" not in text
    assert "{{ 7*7 }}" in text
    for broken in ("/a\nb", "/a\x1b[31m", "/a\u2028b", "/a\udcff"):
        with pytest.raises(
            PressError, match="is not allowed: (a text must be UTF-8 without line breaks|it must be a path)"
        ) as caught:
            parse_grid(signature(chapter.read(), chapter.name), [f"data={broken}"], chapter.name, {})
        assert str(caught.value).isprintable()


@pytest.mark.parametrize(("folder", "code", "said"), [
    ("_build/loop/x", 3, "too many levels of symbolic links"),
    ("_build/" + "a" * 300, 3, "file name too long"),
    ("lib/out", 2, "lib/out is not allowed: it belongs to the book at "),
    ("_build/html", 2, "_build/html is not allowed: "),
])  # fmt: skip
def test_a_folder_that_cannot_be_used_is_one_line(tiny: "TinyBook", folder: str, code: int, said: str) -> None:
    tiny.chapter("sums/geometric")
    (tiny.root / "_build").mkdir()
    (tiny.root / "_build/loop").symlink_to("loop")
    done = tiny.ask("sweep", "geometric", "-o", folder)
    assert done.returncode == code
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("content", "said"), thinned([
    (b"distributed: [", "Dask cannot read its configuration: "),
    (b"\xff\xfe", "Dask cannot read its configuration: "),
    (b"distributed: {comm: {tls: {min-version: 9}}}", "the certificates of Dask's configuration cannot be read: "),
], every=3))  # fmt: skip
def test_a_broken_configuration_of_dask_is_one_line(
    tiny: "TinyBook", content: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.chapter("sums/geometric")
    (tmp_path / "dask.yaml").write_bytes(content)
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path / "dask.yaml"))
    done = tiny.call("sweep", "geometric", "--scheduler", "tls://127.0.0.1:9")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"error: {said}")
    assert "Traceback" not in done.stderr


@pytest.mark.nightly  # a run meets this limit at each commit
@pytest.mark.parametrize("number", [30, 60])
def test_too_few_open_files_are_one_line_and_a_low_limit_is_raised(tiny: "TinyBook", number: int) -> None:
    tiny.chapter("sums/geometric")
    command = [sys.executable, "-m", "reproduce", "sweep", "geometric", "--workers", "2"]

    def limited(limits: tuple[int, int]) -> "subprocess.CompletedProcess[str]":
        lower = functools.partial(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        return subprocess.run(
            command, cwd=tiny.root, capture_output=True, text=True, preexec_fn=lower, timeout=PATIENCE
        )

    refused = limited((number, number))
    assert (refused.returncode, refused.stderr.splitlines()[1:]) == (
        2,
        [f"error: {number} open files are allowed here, a sweep with 2 workers needs 136; see 'ulimit -n'"],
    )
    if number == 30:
        assert limited((number, 1024)).returncode == 0
