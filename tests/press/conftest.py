"""A tiny book in a temporary folder, with real notebooks, for the tests of the press."""

import contextlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import psutil
import pytest
from nbformat import NotebookNode
from patience import PATIENCE

from reproduce.chapters.book import Book, Chapter
from reproduce.claims import author
from reproduce.claims.words import with_words
from reproduce.cli import main
from reproduce.running.notebooks import normalised, write_notebook

PARAMETERS = """\
terms: int = 60  # number of terms n, in [1, 1000]
ratio: float = 0.5  # ratio q, in (0, 1)
rule: str = "exact"  # how to add, one of {exact, plain}
rates: list[float] = [0.1, 0.2]  # other ratios, each in (0, 1]
loud: bool = False  # whether to say more"""

CLAIM = """\
from reproduce.claims import Claims

claims = Claims("{chapter}")
total = sum(ratio**k for k in range(terms))
claims.limit("limit", 1 / (1 - ratio), total, proved=1e-9, control=total - 1)"""

CALL = re.compile(r'claims\.\w+\(\s*"(\w+)"')

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
sphinx:
  extra_extensions: [reproduce.pages.claim_box]
"""


@dataclass
class TinyBook:
    """A book that a test fills with chapters."""

    root: Path
    parameters: str = PARAMETERS
    processes: "list[subprocess.Popen[str]]" = field(default_factory=list)

    @property
    def book(self) -> Book:
        return Book(self.root)

    def chapter(self, name: str, *cells: str, parameters: str = PARAMETERS, registered: bool = True) -> Chapter:
        """Add a chapter that was not executed yet; by default with one claim that holds."""
        short = name.split("/")[-1]
        v4: Any = nbformat.v4
        sources = cells or (self.claim(short),)
        tagged = v4.new_code_cell(parameters, metadata={"tags": ["parameters"]})
        text = [f"# On {short}", *(words_of(name) for name in dict.fromkeys(CALL.findall("\n".join(sources))))]
        notebook = v4.new_notebook(
            cells=[v4.new_markdown_cell("\n\n".join(text)), tagged, *map(v4.new_code_cell, sources)]
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
        process = subprocess.Popen(
            [sys.executable, "-m", "reproduce", *args],
            cwd=self.root,
            env={name: value for name, value in os.environ.items() if name != "MPLBACKEND"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def stop(self) -> None:
        """Kill what was started and still runs: a test that failed in the middle shall not spoil another."""
        for process in self.processes:
            kill(process)

    def call(self, *args: str) -> "subprocess.CompletedProcess[str]":
        """Run ``python -m reproduce`` in the book to its end."""
        process = self.start(*args)
        try:
            out, err = self.end(process)
        finally:
            kill(process)
        return subprocess.CompletedProcess(args, process.returncode, out, err)

    def ask(self, *args: str) -> "subprocess.CompletedProcess[str]":
        """The answer of the command line in this process, a second sooner: where process and signals do not matter."""
        out, err, code = io.StringIO(), io.StringIO(), None
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
        try:
            with contextlib.chdir(self.root), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                    main(list(args))
        except SystemExit as end:
            code = end.code
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        assert isinstance(code, int)
        return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())

    def kernels(self) -> list[int]:
        """The kernels that run in a folder of the book."""
        processes = psutil.process_iter(["cwd", "cmdline"])
        return [
            process.pid
            for process in processes
            if Path(process.info["cwd"] or "/").is_relative_to(self.root)
            and "ipykernel_launcher" in " ".join(process.info["cmdline"] or [])
        ]

    def wait_for_end(self, processes: Iterable[psutil.Process]) -> None:
        """Wait until processes have ended: a zombie has, though in a container nobody may collect it for minutes."""

        def ended(process: psutil.Process) -> bool:
            try:
                return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
            except psutil.NoSuchProcess:
                return True

        self.wait_for(lambda: all(ended(process) for process in processes))

    def end(self, process: "subprocess.Popen[str]") -> tuple[str, str]:
        """What a process says until it ends by itself."""
        return process.communicate(timeout=PATIENCE)

    def wait_for(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"it did not happen in time; {self.told()}"
            time.sleep(0.05)

    def told(self) -> str:
        """What the processes that still run have said so far; they are killed for it."""
        running = [process for process in self.processes if process.poll() is None]
        for process in running:
            os.killpg(process.pid, signal.SIGKILL)
        return repr([(process.args, *process.communicate(timeout=PATIENCE)) for process in running])

    def copy(self, folder: Path) -> "TinyBook":
        """The same book in another folder."""
        root = folder / self.root.name
        shutil.copytree(self.root, root, symlinks=True)
        return TinyBook(root)

    def files(self) -> set[str]:
        """Every file of the book."""
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill a process with its group if it still runs."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[TinyBook]:
    """A book without chapters."""
    book = furnish(tmp_path)
    yield book
    book.stop()


@pytest.fixture(scope="session")
def furnished() -> Callable[[Path], TinyBook]:
    """Makes a book without chapters, for tests that share one."""
    return furnish


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> TinyBook:
    """A book of which a sweep has run one point; a test that changes it takes a copy."""
    tiny = furnish(tmp_path_factory.mktemp("swept"))
    tiny.chapter("sums/geometric")
    assert tiny.call("sweep", "geometric", "-p", "terms=60", "--workers", "1").returncode == 0
    return tiny


def furnish(folder: Path) -> TinyBook:
    """A book without chapters, in a folder whose name has what paths trip over."""
    root = folder / "a book {with} spaces"
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
        monkeypatch.setattr(author, "display", lambda data, raw, metadata: shown.append((data, metadata)))
        cells, text = [], {}
        for number, arguments in enumerate(asked, start=1):
            shell = SimpleNamespace(execution_count=next(CELLS))
            monkeypatch.setattr(author, "get_ipython", lambda shell=shell: shell)
            parts = {**HOLDS, **arguments}
            name, said = str(parts["id"]).partition(".")[2], parts.pop("said")
            asked_for = {
                "rival": "the other theory" if parts.get("rival") else "",
                "order": "half of it, all of it" if parts["kind"] == "ordering" else "",
                "near": "the bound is sharp up to 5 %" if getattr(parts["control"], "near", False) else "",
            }
            text[name] = words_of(name, parts.pop("statement"), **{**asked_for, **said})
            state(**parts)
            data, metadata = shown[-1]
            output = v4.new_output("display_data", data=data, metadata=metadata)
            source = f'claims.{parts["kind"]}("{name}")'
            cells.append(v4.new_code_cell(source, execution_count=number, outputs=[output]))
        return with_words(v4.new_notebook(cells=[*cells, v4.new_markdown_cell("\n\n".join(text.values()))]))

    return make


def state(*, id: str, kind: str, side: str = "upper", theory: Any, measured: Any, **parts: Any) -> None:
    """State a claim by the method of its kind, of the parts that are not None."""
    chapter, _, name = id.partition(".")
    method = {"bound": {"upper": "below", "lower": "above"}.get(side, side), "ordering": "increasing"}.get(kind, kind)
    values = [measured] if kind == "ordering" else [theory, measured]
    given = {part: value for part, value in parts.items() if value is not None}
    getattr(author.Claims(chapter), method)(name, *values, **given)


def words_of(name: str, statement: str = "The series converges.", **said: str) -> str:
    """The words of a claim as they stand in a text; an option that is empty is left out."""
    options = {"source": "Euclid IX.35", "evidence": "float with residual", "because": "rounding of n terms"}
    options |= {"control": "without the first term", **said}
    lines = [f":{option}: {text}" for option, text in options.items() if text]
    return "\n".join([f"```{{claim}} {name}", *lines, "", statement, "```"])


CELLS = count()  # a new cell each time, in all tests together
HOLDS: dict[str, Any] = {
    "id": "geometric.limit",
    "statement": "The series converges.",
    "said": {},
    "kind": "limit",
    "theory": 2.0,
    "measured": 2.0 + 1e-12,
    "proved": 1e-9,
    "control": 1.0,
}
