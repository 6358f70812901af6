"""What a sweep finds in its folder is counted only if it is what a run wrote there."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reproduce.sweep.record import MOST_BYTES, RECORD, read_record

if TYPE_CHECKING:
    from conftest import TinyBook

VALUES = {"terms": 60}
SHAPE = "run.json is not what a run writes"
VERDICT = "a verdict in run.json does not follow from its numbers"


@pytest.fixture
def folder(swept: "TinyBook", tmp_path: Path) -> Path:
    """A copy of the folder of a run that a sweep finished."""
    return shutil.copytree(swept.root / "_build/sweeps/sums/geometric/runs/terms=60", tmp_path, dirs_exist_ok=True)


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the record."""
    record = json.loads((folder / RECORD).read_text())
    change(record)
    (folder / RECORD).write_text(json.dumps(record))


def test_what_a_run_wrote_is_believed(folder: Path) -> None:
    found = read_record(folder, VALUES)
    assert found.objection == ""
    assert found.record is not None
    assert found.finished(found.record["fingerprint"])
    assert not found.finished("other code")


def test_nothing_is_no_objection(tmp_path: Path) -> None:
    found = read_record(tmp_path / "no", VALUES)
    assert (found.record, found.objection) == (None, "")


EDITS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "measured": (lambda r: r["claims"][0].update(measured=99.0), VERDICT),
    "holds": (lambda r: r["claims"][0].update(holds=False), VERDICT),
    "tolerance": (lambda r: r["claims"][0].update(tolerance="wide"), VERDICT),
    "control": (lambda r: r["claims"][0].update(control=[]), VERDICT),
    "a claim that is a text": (lambda r: r.update(claims=["x"]), VERDICT),
    "objections": (lambda r: r["claims"][0].update(objections="none"), VERDICT),
    "parameters": (lambda r: r["parameters"].update(terms=61), "run.json is of a run with other parameters"),
    "a true for a number": (lambda r: r["parameters"].update(terms=True), "run.json is of a run with other parameters"),
    "seconds": (lambda r: r.update(seconds="long"), SHAPE),
    "megabytes": (lambda r: r.update(megabytes="long"), SHAPE),
    "status": (lambda r: r.update(status="splendid"), SHAPE),
    "claims": (lambda r: r.update(claims={}), SHAPE),
    "versions": (lambda r: r["environment"].update(versions=None), SHAPE),
    **{f"without {key}": (lambda r, key=key: r.pop(key), SHAPE) for key in ("claims", "environment", "fingerprint")},
    "notebook elsewhere": (lambda r: r.update(notebook="../../secret.ipynb"), SHAPE),
    "no notebook": (lambda r: r.update(notebook=""), "it has no notebook"),
    "another notebook": (lambda r: r.update(notebook="x.ipynb"), "x.ipynb does not exist"),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_record_must_make_sense(folder: Path, name: str) -> None:
    change, said = EDITS[name]
    edit(folder, change)
    found = read_record(folder, VALUES)
    assert (found.record, found.objection) == (None, said)


def fill(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


WRECKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (fill(b""), "run.json is not JSON: "),
    "brackets": (fill(b"[" * 100_000), "run.json is not JSON: it is nested too deeply"),
    "closed brackets": (fill(b"[" * 100_000 + b"]" * 100_000), "run.json is not JSON: it is nested too deeply"),
    "digits": (fill(b'{"digest": ' + b"9" * 10_000 + b"}"), "run.json is not JSON: "),
    "latin": (fill("é".encode("latin-1")), "run.json is not text in UTF-8"),
    "zeros": (fill(bytes(1000)), "run.json is not JSON: "),
    "null": (fill(b"null"), SHAPE),
    "list": (fill(b"[]"), SHAPE),
    "text": (fill(b'"status"'), SHAPE),
    "odd status": (fill(b'{"status": [1, {}]}'), SHAPE),
    "surrogate": (fill(b'{"status": "\\ud800", "\\udfff": NaN}'), SHAPE),
    "huge": (huge, "run.json is larger than 16 MiB"),
    "gone": (Path.unlink, "run.json does not exist"),
    "link": (link, "run.json is not a file"),
    "pipe": (pipe, "run.json is not a file"),
    "folder": (folder_instead, "run.json is not a file"),
}


@pytest.mark.parametrize("name", WRECKS)
def test_whatever_lies_there_is_one_reason(folder: Path, name: str) -> None:
    wreck, said = WRECKS[name]
    wreck(folder / RECORD)
    found = read_record(folder, VALUES)
    assert found.record is None
    assert found.objection.startswith(said)
    assert "\n" not in found.objection


@pytest.mark.parametrize("wreck", [Path.unlink, pipe, link])
def test_the_notebook_must_be_there(folder: Path, wreck: Callable[[Path], object]) -> None:
    wreck(folder / "geometric.ipynb")
    assert read_record(folder, VALUES).objection == "geometric.ipynb does not exist"


@pytest.mark.nightly  # what is not believed is found without a run above
def test_what_makes_no_sense_is_run_again_and_said_in_one_line(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric")
    command = ("sweep", "geometric", "-p", "terms=60,70,80,90", "--workers", "1")
    assert tiny.call(*command).returncode == 0
    runs = tiny.root / "_build/sweeps/sums/geometric/runs"
    written = (runs / "terms=90" / RECORD).stat().st_mtime_ns
    for terms in (60, 70):
        edit(runs / f"terms={terms}", lambda record: record["claims"][0].update(measured=99.0))
    (runs / "terms=80/geometric.ipynb").unlink()
    done = tiny.call(*command)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[1:] == [
        "terms=60 and 1 more: run again, because a verdict in run.json does not follow from its numbers",
        "terms=80: run again, because geometric.ipynb does not exist",
    ]
    assert "4 of 4 runs finished, 0 failed" in done.stdout
    assert (runs / "terms=90" / RECORD).stat().st_mtime_ns == written
    assert ",99," not in (runs.parent / "claims.csv").read_text()
    assert tiny.call(*command).stderr.count("\n") == 1
