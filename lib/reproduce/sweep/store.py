"""Where the runs of a sweep lie: a folder for each, named by its parameters, that appears whole or not at all.

DIR/sweep.json                   which chapter; a folder with other files and without this one is no sweep's
DIR/runs/<parameters>/run.json   parameters, status, claims, environment of one run
DIR/runs/<parameters>/*.ipynb    its executed notebook
DIR/claims.csv, claims.parquet   the table of every claim of every run
DIR/index.html                   the summary
DIR/.running-*                   scratch of the sweep at work, marked as its own; the next removes what is left of it
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.chapters.book import Chapter, shown
from reproduce.ground.errors import PressError, writing
from reproduce.ground.files import clear_abandoned, is_scratch, locked, scratch, write_text
from reproduce.ground.reading import read_json
from reproduce.running.run import slug
from reproduce.sweep.record import RECORD, Found, read_record

LOCK, MARK, RUNS = ".lock", "sweep.json", "runs"
MOST_BYTES = 10_000  # of the mark


@dataclass(frozen=True)
class Store:
    """The folder of a sweep."""

    root: Path

    @property
    def runs(self) -> Path:
        """The folder of the runs."""
        return self.root / RUNS

    def folder(self, values: Mapping[str, Any]) -> Path:
        """Where the run with these parameters lies."""
        return self.runs / slug(values)

    def find(self, values: Mapping[str, Any]) -> Found:
        """What lies there of the run with these parameters."""
        return read_record(self.folder(values), values)

    def ended(self, values: Mapping[str, Any]) -> bool:
        """Whether the run with these parameters has left a record; what it says is not looked at."""
        return (self.folder(values) / RECORD).is_file()

    @contextmanager
    def opened(self, chapter: Chapter, *, together: bool = False) -> Iterator[None]:
        """Work in the folder alone, or together with others that do; what a killed sweep left of its own is removed.

        Raises PressError if another sweep is at work in it, or if it holds the sweep of another chapter or
        anything that no sweep wrote.
        """
        with writing(self.root):
            self.root.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(self.root / LOCK):
                self._refuse_foreign()
        busy = f"another sweep is at work in {shown(self.root)}; wait for it or use -o"
        with locked(self.root / LOCK, busy, together=together):
            self._claim(chapter)
            with writing(self.root):
                self.runs.mkdir(exist_ok=True)
                clear_abandoned(self.root)
            yield

    @contextmanager
    def new_folder(self, values: Mapping[str, Any], chapter: Chapter) -> Iterator[Path]:
        """A scratch folder that takes the place of a run's at the end; after an error it is removed.

        Whoever reads that sees the old content, nothing, or the whole new one.
        """
        target = self.folder(values)
        with scratch(self.root) as mine, writing(target):
            new = mine / "new"
            new.mkdir()
            yield new
            if os.path.lexists(target):
                self.refuse_foreign(values, chapter)
                target.rename(mine / "old")
            new.rename(target)

    def refuse_foreign(self, values: Mapping[str, Any], chapter: Chapter) -> None:
        """Raise PressError if the folder of a run, which is to be replaced, holds anything that no run wrote."""
        folder = self.folder(values)
        if not os.path.lexists(folder):
            return
        if folder.is_symlink() or not folder.is_dir():
            raise PressError(f"{shown(folder)} is not a folder that a sweep made; move it away")
        own = {RECORD, f"{chapter.short}.ipynb", f"{chapter.short}.failed.ipynb"}
        with writing(folder):
            for path in folder.iterdir():
                if path.name not in own or path.is_symlink() or path.is_dir():
                    raise PressError(f"{shown(path)} was not written by a sweep, which would remove it; move it away")

    def _claim(self, chapter: Chapter) -> None:
        owner = self._owner()
        if owner is None:
            self._refuse_foreign()
            write_text(self.root / MARK, json.dumps({"chapter": chapter.name}) + "\n")
        elif owner != chapter.name:
            raise PressError(f"{shown(self.root)} holds a sweep of {owner}; use another folder for {chapter.name}")
        if self.runs.is_symlink():
            raise PressError(f"{shown(self.runs)} is a link, which no sweep made; use another folder")

    def _refuse_foreign(self) -> None:
        """Raise PressError if there is anything but a lock in a folder that no sweep has marked.

        Scratch is that of another part of the sweep, which marks the folder just now.
        """
        with writing(self.root):
            names = [path.name for path in self.root.iterdir() if not is_scratch(path)]
            foreign = sorted(name for name in names if name != LOCK)
        if foreign and self._owner() is None:
            raise PressError(
                f"{shown(self.root)} holds files that no sweep wrote, such as {foreign[0]}; use another folder"
            )

    def _owner(self) -> str | None:
        """The chapter whose sweep the folder holds; None if its mark is missing or not what a sweep writes."""
        mark = self.root / MARK
        try:
            if mark.is_symlink() or not mark.is_file() or mark.stat().st_size > MOST_BYTES:
                return None
            owner = read_json(mark)["chapter"]
        except (PressError, OSError, KeyError, TypeError):
            return None
        return owner if isinstance(owner, str) else None
