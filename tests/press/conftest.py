"""A tiny book in a temporary folder, with real notebooks, for the tests of the press."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import psutil
import pytest
from nbformat import NotebookNode

from reproduce import claims
from reproduce.book import Book, Chapter
from reproduce.execute import normalised, write_notebook

PARAMETERS = """\
terms: int = 60  # number of terms n, in [1, 1000]
ratio: float = 0.5  # ratio q, in (0, 1)
rule: str = "exact"  # how to add, one of {exact, plain}
rates: list[float] = [0.1, 0.2]  # other ratios, each in (0, 1]
loud: bool = False  # whether to say more"""

CLAIM = """\
from reproduce.claims import Control, claim

total = sum(ratio**k for k in range(terms))
claim("{chapter}.limit", "The series converges to 1/(1 − q).", source="Euclid IX.35", kind="limit",
          theory=1 / (1 - ratio), measured=total, tolerance=1e-9, why="rounding of n terms",
          control=Control("without the first term", total - 1))"""

PYPROJECT = """\
[tool.jupytext]
formats = "ipynb,py:percent"
notebook_metadata_filter = "kernelspec,jupytext,-jupytext.text_representation.jupytext_version"
cell_metadata_filter = "tags,mystnb,-all"
"""

CONFIG = """\
title: Sums
execute:
  execute_notebooks: "off"
"""


@dataclass
class TinyBook:
    """A book that a test fills with chapters."""

    root: Path
    parameters: str = PARAMETERS

    @property
    def book(self) -> Book:
        return Book(self.root)

    def chapter(self, name: str, *cells: str, parameters: str = PARAMETERS, registered: bool = True) -> Chapter:
        """Add a chapter that was not executed yet; by default with one claim that holds."""
        short = name.split("/")[-1]
        v4: Any = nbformat.v4
        sources = cells or (self.claim(short),)
        tagged = v4.new_code_cell(parameters, metadata={"tags": ["parameters"]})
        notebook = v4.new_notebook(
            cells=[v4.new_markdown_cell(f"# On {short}"), tagged, *map(v4.new_code_cell, sources)]
        )
        chapter = Chapter(name, self.root / "chapters" / f"{name}.ipynb")
        chapter.notebook.parent.mkdir(parents=True, exist_ok=True)
        write_notebook(normalised(notebook), chapter.notebook)
        with (self.root / "_toc.yml").open("a") as contents:
            contents.write(f"  - file: chapters/{name}\n")
        if registered:
            self.register(name, f"{short}.limit")
        return chapter

    def claim(self, short: str) -> str:
        """A cell with a claim that holds."""
        return CLAIM.format(chapter=short)

    def register(self, chapter: str, *ids: str) -> None:
        with (self.root / "_atlas.yml").open("a") as register:
            register.write(f"- chapter: {chapter}\n  claims: [{', '.join(ids)}]\n")

    def start(self, *args: str) -> "subprocess.Popen[str]":
        """Start ``python -m reproduce`` in the book, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "reproduce", *args],
            cwd=self.root,
            env={name: value for name, value in os.environ.items() if name != "MPLBACKEND"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def call(self, *args: str) -> "subprocess.CompletedProcess[str]":
        """Run ``python -m reproduce`` in the book to its end."""
        process = self.start(*args)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(args, process.returncode, out, err)

    def kernels(self) -> list[int]:
        """The kernels that run in a folder of the book."""
        processes = psutil.process_iter(["cwd", "cmdline"])
        return [
            process.pid
            for process in processes
            if Path(process.info["cwd"] or "/").is_relative_to(self.root)
            and "ipykernel_launcher" in " ".join(process.info["cmdline"] or [])
        ]

    def wait_for(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "it did not happen in time"
            time.sleep(0.05)

    def files(self) -> set[str]:
        """Every file of the book."""
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}


@pytest.fixture
def tiny(tmp_path: Path) -> TinyBook:
    """A book without chapters, in a folder whose name has what paths trip over."""
    root = tmp_path / "a book {with} spaces"
    (root / "chapters").mkdir(parents=True)
    (root / "lib").mkdir()
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "requirements.txt").write_text("numpy==2.4.0\n")
    (root / "_config.yml").write_text(CONFIG)
    (root / "_toc.yml").write_text("format: jb-book\nroot: intro\nchapters:\n")
    (root / "_atlas.yml").write_text("")
    (root / "intro.md").write_text("# Sums\n")
    return TinyBook(root)


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Callable[..., NotebookNode]:
    """Makes a notebook as it is stored after a run, with one cell for each claim given by its keyword arguments."""

    def make(*asked: dict[str, Any]) -> NotebookNode:
        v4: Any = nbformat.v4
        shown: list[tuple[dict[str, Any], dict[str, Any]]] = []
        monkeypatch.setattr(claims, "display", lambda data, raw, metadata: shown.append((data, metadata)))
        cells = []
        for number, arguments in enumerate(asked, start=1):
            shell = SimpleNamespace(execution_count=next(CELLS))
            monkeypatch.setattr(claims, "get_ipython", lambda shell=shell: shell)
            claims.claim(**{**HOLDS, **arguments})
            data, metadata = shown[-1]
            output = v4.new_output("display_data", data=data, metadata=metadata)
            cells.append(v4.new_code_cell("claim(…)", execution_count=number, outputs=[output]))
        return v4.new_notebook(cells=cells)

    return make


CELLS = count()  # a new cell each time, in all tests together
HOLDS: dict[str, Any] = {
    "id": "geometric.limit",
    "statement": "The series converges.",
    "source": "Euclid IX.35",
    "kind": "limit",
    "theory": 2.0,
    "measured": 2.0 + 1e-12,
    "tolerance": 1e-9,
    "why": "rounding of n terms",
    "control": claims.Control("without the first term", 1.0),
}
