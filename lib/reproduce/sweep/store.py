"""Where the runs of a sweep lie: a folder for each, named by its parameters, that appears whole or not at all.

DIR/sweep.json                   which chapter
DIR/runs/<parameters>/run.json   parameters, status, claims, environment of one run
DIR/runs/<parameters>/*.ipynb    its executed notebook
DIR/claims.csv, claims.parquet   the table of every claim of every run
DIR/index.html                   the summary
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.book import Chapter, shown
from reproduce.errors import PressError, writing
from reproduce.lock import locked
from reproduce.run import slug

RECORD = "run.json"
SCRATCH = ".running-"
REPLACED = ".replaced-"


@dataclass(frozen=True)
class Store:
    """The folder of a sweep."""

    root: Path

    @property
    def runs(self) -> Path:
        """The folder of the runs."""
        return self.root / "runs"

    def folder(self, values: Mapping[str, Any]) -> Path:
        """Where the run with these parameters lies."""
        return self.runs / slug(values)

    def read(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """The record of the run with these parameters; None if there is none that can be read."""
        return read_record(self.folder(values))

    def done(self, values: Mapping[str, Any], fingerprint: str) -> bool:
        """Whether the run with these parameters finished, with the code that has this fingerprint."""
        return is_done(self.read(values), fingerprint)

    @contextmanager
    def opened(self, chapter: Chapter) -> Iterator[None]:
        """Work in the folder alone, without what an earlier sweep left unfinished.

        Raises PressError if another sweep is at work in it, or if it holds the sweep of another chapter or a page or a
        table that is not a sweep's.
        """
        with writing(self.root):
            self.runs.mkdir(parents=True, exist_ok=True)
        with locked(self.root / ".lock", f"another sweep is at work in {shown(self.root)}; wait for it or use -o"):
            self._claim(chapter)
            for left in [*self.runs.glob(f"{SCRATCH}*"), *self.runs.glob(f"{REPLACED}*")]:
                shutil.rmtree(left, ignore_errors=True)
            yield

    def _claim(self, chapter: Chapter) -> None:
        mark = self.root / "sweep.json"
        try:
            owner = json.loads(mark.read_text())["chapter"]
        except (OSError, ValueError, KeyError, TypeError):
            if (self.root / "index.html").exists() or (self.root / "claims.csv").exists():
                raise PressError(f"{shown(self.root)} holds files that no sweep wrote; use another folder") from None
            owner = chapter.name
            with writing(mark):
                mark.write_text(json.dumps({"chapter": owner}) + "\n")
        if owner != chapter.name:
            raise PressError(f"{shown(self.root)} holds a sweep of {owner}; use another folder for {chapter.name}")


def read_record(folder: Path) -> dict[str, Any] | None:
    """The record of a run; None if there is none that can be read."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and "status" in record else None


def is_done(record: Mapping[str, Any] | None, fingerprint: str) -> bool:
    """Whether a record is of a run that finished, with the code that has this fingerprint."""
    return record is not None and record["status"] == "finished" and record.get("fingerprint") == fingerprint


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A scratch folder beside ``target`` that takes its place at the end; after an error it is removed.

    Whoever reads ``target`` sees the old content, nothing, or the whole new one.
    """
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=target.parent))
    try:
        yield scratch
        with writing(target):
            scratch.chmod(0o777 & ~_umask())
            if target.exists():
                replaced = Path(tempfile.mkdtemp(prefix=REPLACED, dir=target.parent))
                target.rename(replaced / "old")
                scratch.rename(target)
                shutil.rmtree(replaced, ignore_errors=True)
            else:
                scratch.rename(target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def write_record(folder: Path, record: Mapping[str, Any]) -> None:
    """Write the record of a run."""
    text = json.dumps(record, indent=1, ensure_ascii=False)
    (folder / RECORD).write_text(text + "\n", encoding="utf-8")


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current
