"""Where an attack takes place: a small book beside files that are none of its business, and ways to call the press.

``call`` runs the command line in a forked process, with everything imported already: some twenty milliseconds instead
of two seconds. Unless the process itself is the point, its kernel is a stand-in that gives back the stored outputs.
"""

import contextlib
import hashlib
import importlib
import io
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from press.conftest import PARAMETERS, furnish

from attacks.case import Bad, demand

ALLOWED = frozenset((0, 1, 2, 3, 130))
SAID_ON_THE_WAY = ("running ", "executing ", "sweeping ", "building ", "✗ ", "sums/")
LONGEST_LINE = 1000
MOST_LINES = 1
SCRATCH = re.compile(r"\.(running|replaced)-|\..*\.unfinished|\..*\.(ipynb|py|yml|json|html|csv|parquet)\..")
SEEDED = "terms: int = 60  # number of terms n, in [1, 1000]\nseed: int = 0  # seed of the ratio, in [0, 4294967295]"
PICTURE = """\
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(4, 3))
for q, colour in ((ratio, "#0072B2"), (rates[0], "#009E73"), (rates[1], "#CC3311")):
    ax.plot([q**k for k in range(9)], color=colour, linewidth=2)
plt.show()"""
# What a command imports when it first needs it; imported before the fork, so that no case pays for it, and none that
# gave up its rights finds Python itself locked.
WARM = (
    "reproduce.cli",
    "reproduce.running.refresh",
    "reproduce.running.run",
    "reproduce.build",
    "reproduce.sweep.sweep",
    "reproduce.campaigns.seeds",
    "reproduce.sweep.report",
    "reproduce.sphinx_ext",
    "matplotlib.pyplot",
    "scipy.stats",
    "jupytext.combine",
    "papermill",
)


@dataclass(frozen=True)
class Done:
    """A command that has ended: its exit code (minus the signal that ended it) and what it said."""

    code: int
    out: str
    err: str


class Stage:
    """A copy of the small book, files that nobody may touch, and a temporary folder that must end empty."""

    def __init__(self, folder: Path, model: Path) -> None:
        self.folder = folder
        self.root = folder / model.name
        self.foreign = folder / "foreign"
        self.temporary = folder / "temporary"
        shutil.copytree(model, self.root, symlinks=True)
        self.foreign.mkdir()
        self.temporary.mkdir()
        for number in range(3):
            (self.foreign / f"file {number}.txt").write_text(f"nobody but its owner changes this {number}\n")
        self.expected = self.snapshot()

    @property
    def notebook(self) -> Path:
        """The notebook of the chapter that most attacks go for."""
        return self.root / "chapters/sums/geometric.ipynb"

    @property
    def twin(self) -> Path:
        """Its twin."""
        return self.notebook.with_suffix(".py")

    def snapshot(self) -> dict[str, str]:
        """A hash of every file of the book, but for what is generated, and of every foreign one."""
        found = {}
        for top in (self.root, self.foreign):
            for folder, folders, files in os.walk(top):
                folders[:] = [name for name in folders if name not in ("_build", "__pycache__")]
                for name in (*files, *(one for one in folders if Path(folder, one).is_symlink())):
                    path = os.path.join(folder, name)
                    found[os.path.relpath(path, self.folder)] = _content(path)
        return found

    def accept(self, *paths: Path) -> None:
        """Take the present state as the one that must stay; or, if paths are given, that of these alone."""
        now = self.snapshot()
        names = {os.path.relpath(path, self.folder) for path in paths}
        if not paths:
            self.expected = now
            return
        kept = {name: content for name, content in self.expected.items() if name not in names}
        self.expected = kept | {name: now[name] for name in names if name in now}

    def environment(self) -> dict[str, str]:
        """The variables of a command."""
        kept = {name: value for name, value in os.environ.items() if name not in ("MPLBACKEND", "COLUMNS")}
        return kept | {"TMPDIR": str(self.temporary)}

    def start(self, *args: str, **options: Any) -> "subprocess.Popen[bytes]":
        """Start the command line as a process of its own, in a session of its own."""
        settings: dict[str, Any] = {
            "cwd": self.root,
            "env": self.environment(),
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "start_new_session": True,
            **options,
        }
        return subprocess.Popen([sys.executable, "-m", "reproduce", *args], **settings)

    def spawn(self, *args: str, limit: float = 60.0, **options: Any) -> Done:
        """Run the command line as a process of its own to its end."""
        process = self.start(*args, **options)
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Bad(f"no end after {limit:g} s: {' '.join(args)[:80]}") from None
        return Done(process.returncode, _text(out), _text(err))

    def call(
        self,
        *args: str,
        prepare: Callable[[], object] = lambda: None,
        kernel: str = "stand-in",
        limit: float = 20.0,
        main: "Callable[[list[str]], object] | None" = None,
    ) -> Done:
        """Run the command line in a forked process to its end.

        prepare: called in that process before, in the book's folder, with the streams in place.
        kernel: ``stand-in`` or ``real``.
        main: another program, for the tests of this one.
        """
        out, err = self.folder / "out", self.folder / "err"
        child = os.fork()
        if child == 0:
            _command(list(args), self, (out, err), prepare, kernel, main)
        end = time.monotonic() + limit
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > end:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise Bad(f"no end after {limit:g} s")
            time.sleep(0.003)
        return Done(os.waitstatus_to_exitcode(status), _text(out.read_bytes()), _text(err.read_bytes()))

    def judge(self, done: Done, allowed: Collection[int] = ALLOWED, *, changed: Collection[Path] = ()) -> None:
        """Raise Bad unless a command ended as one may.

        allowed: exit codes.
        changed: files, and folders with all that is in them, that it may have changed or made.
        """
        demand("Traceback (most recent call last)" not in done.err + done.out, f"a traceback: {last_line(done.err)}")
        demand(done.code in allowed, f"exit code {done.code}: {last_line(done.err)}")
        said = [line for line in done.err.splitlines() if line.strip() and not line.startswith(SAID_ON_THE_WAY)]
        demand(len(said) <= MOST_LINES, f"{len(said)} lines instead of one: {' | '.join(said)}")
        demand(
            all(len(line) <= LONGEST_LINE for line in said), f"a line of {max(map(len, said), default=0)} characters"
        )
        if done.code in (2, 3):
            demand(said and said[0].startswith("error: "), f"exit code {done.code} without a line that says why")
        self.untouched(changed)
        self.tidy()

    def untouched(self, changed: Collection[Path] = ()) -> None:
        """Raise Bad if a file was changed, made or removed that is not allowed to be."""
        free = [os.path.relpath(path, self.folder) for path in changed]
        now = self.snapshot()
        for name in sorted(self.expected.keys() | now.keys()):
            same = self.expected.get(name) == now.get(name)
            if not same and not any(name == one or name.startswith(f"{one}/") for one in free):
                what = "was removed" if name not in now else "was made" if name not in self.expected else "was changed"
                raise Bad(f"{name} {what}")

    def tidy(self) -> None:
        """Raise Bad if scratch was left in the book or in the temporary folder."""
        left = [path.name for path in self.temporary.iterdir()]
        demand(not left, f"left in the temporary folder: {', '.join(sorted(left)[:3])}")
        scratch = list(self.scratch())
        demand(not scratch, f"left behind: {', '.join(scratch[:3])}")

    def scratch(self) -> Iterator[str]:
        """Files and folders of the book whose names say that they are only for the time of a command."""
        for folder, folders, files in os.walk(self.root):
            for name in (*folders, *files):
                path = os.path.relpath(os.path.join(folder, name), self.folder)
                if SCRATCH.match(name) and path not in self.expected:
                    yield path


def make_model(folder: Path) -> Path:
    """The small book that every stage copies: two chapters, executed by ``refresh``, the second with a seed."""
    book = furnish(folder)
    book.chapter("sums/geometric", book.claim("geometric"), PICTURE, parameters=PARAMETERS)
    book.chapter("sums/zeta", book.claim("zeta").replace("ratio", "0.5"), parameters=SEEDED)
    (book.root / "chapters/sums/geometric.paper.yaml").write_text("terms: 100\nratio: 0.25\n")
    done = book.call("refresh")
    if done.returncode != 0:
        raise RuntimeError(f"the small book cannot be made: {done.stdout}{done.stderr}")
    shutil.rmtree(book.root / "_build", ignore_errors=True)
    return book.root


def warm() -> None:
    """Import what commands import, and make what the first use of it makes."""
    for name in WARM:
        with contextlib.suppress(ModuleNotFoundError):  # a module that was renamed is imported when it is needed
            importlib.import_module(name)


def last_line(text: str) -> str:
    """The last line of a text that is not empty, cut to a length that reads."""
    return ([line.strip() for line in text.splitlines() if line.strip()] or ["(nothing said)"])[-1][:200]


def without_kernel() -> None:
    """Have executions give back the stored outputs, with the parameters where papermill keeps them."""
    execute: Any = importlib.import_module("reproduce.running.execute")

    def stored(notebook: Any, values: Mapping[str, Any] | None) -> Any:
        copy = deepcopy(notebook)
        code = [cell for cell in copy.cells if cell.cell_type == "code"]
        for number, cell in enumerate(code, start=1):
            cell.execution_count = number
        copy.metadata["papermill"] = {"parameters": dict(values or {})}
        return copy

    execute._prepared = stored
    execute.started = lambda client, scratch: contextlib.nullcontext(os.getpid())
    execute._Execution.run = lambda execution, *limits: None


def _command(
    args: list[str],
    stage: Stage,
    streams: tuple[Path, Path],
    prepare: Callable[[], object],
    kernel: str,
    main: "Callable[[list[str]], object] | None",
) -> None:
    """In the forked process: streams, environment and folder as of one of its own, then the command. No return."""
    code = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.environ.clear()
        os.environ.update(stage.environment())
        tempfile.tempdir = None
        for number, path in enumerate((Path(os.devnull), *streams)):
            opened = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False))
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(
                io.FileIO(number, "w", closefd=False), encoding="utf-8", errors=errors, line_buffering=True
            )
            for number, errors in ((1, "strict"), (2, "backslashreplace"))
        )
        os.chdir(stage.root)
        if kernel == "stand-in":
            without_kernel()
        prepare()
        if main is None:
            from reproduce.cli import main
        code = _code(main, args)
    except BaseException:
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        os._exit(code)


def _code(main: Callable[[list[str]], object], args: list[str]) -> int:
    """The exit code of a program, as the interpreter would give it."""
    try:
        main(args)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except KeyboardInterrupt:
        traceback.print_exc()
        return -signal.SIGINT % 256
    return 0


def _content(path: str) -> str:
    """A file's hash; of a link where it leads, of anything else that it is there."""
    if os.path.islink(path):
        return f"link to {os.readlink(path)}"
    if not os.path.isfile(path):
        return "no file"
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _text(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")
