"""One execution of a notebook by papermill, with outputs that are the same each time on one machine."""

import hashlib
import logging
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import papermill
import psutil
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode, ValidationError
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from reproduce.book import shown
from reproduce.errors import one_line, writing
from reproduce.files import demand_open_files, write_text
from reproduce.kernel_watch import KernelWatch
from reproduce.reading import read_notebook

# One thread for each chapter: at these sizes faster than two, with sums that do not change, and cores left for others.
ONE_THREAD = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "RAYON_NUM_THREADS",
    )
}
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
ENVIRONMENT = {**ONE_THREAD, "JUPYTER_PREFER_ENV_PATH": "1"}  # the kernel of this environment, not of the user's home
ENDS_WITHOUT_PARENT = (  # no name is left behind in the notebook
    '__import__("os").getppid() == int(__import__("os").environ["JPY_PARENT_PID"]) or __import__("os")._exit(1)\n'
)
SECONDS_TO_END = 10.0  # of a kernel that was killed
NOT_STARTED = "Kernel died before replying"  # two kernels that start at once may choose the same port
MOST_STARTS = 3
CONNECTION = "kernel.json"
SECONDS_TO_BEGIN, TICK = 2.0, 0.01
TALKATIVE = ("papermill", "traitlets", "asyncio")  # they log what a failure here says in a line of its own

ANIMATION = re.compile(r"_anim_img([0-9a-f]{32})")
OVERWRITTEN = re.compile(r"^.*\r(?=[^\n])", re.MULTILINE)  # what a carriage return has written over


@dataclass(eq=False)
class CellFailed(Exception):
    """A cell raised, or its kernel died.

    where: the cell as a reader counts it, for example ``cell [5]``.
    why: the exception in one line.
    notebook: everything up to there, with the traceback.
    """

    where: str
    why: str
    notebook: NotebookNode


def execute(
    notebook: NotebookNode,
    folder: Path,
    scratch: Path,
    values: Mapping[str, Any] | None = None,
    *,
    cell_limit: int | None = None,
    watch: KernelWatch | None = None,
    progress: bool = False,
) -> NotebookNode:
    """Run a notebook in a fresh kernel and return it with its outputs, normalised.

    notebook: what to run; it is not changed.
    folder: the kernel's current folder.
    scratch: where papermill may write while it runs.
    values: parameters to inject; none are injected if this is empty.
    cell_limit: seconds that one cell may take; None for any time.
    watch: measures the kernel's memory, and stops it after its limit.
    progress: show a bar of the cells on standard error, and what cells write there, a bar of their own for example.

    Raises CellFailed with the notebook up to the failing cell; WriteError if ``scratch`` cannot be written; PressError
    if too few open files are allowed.
    """

    def too_long(otherwise: str) -> str:
        return watch.too_long if watch is not None and watch.too_long else otherwise

    demand_open_files()
    scratch = scratch.absolute()  # papermill takes a path that begins with - or with a scheme for something else
    source, target = scratch / "source.ipynb", scratch / "running.ipynb"
    _silence()
    watched = watch.watching(lambda: _kernels(scratch)) if watch is not None else nullcontext()
    with (
        writing(scratch),
        _folder(scratch) as ipython,
        _environment(ENVIRONMENT | ipython),
        _no_kernel_left(scratch),
        watched,
    ):
        write_notebook(notebook, source)
        for starts in range(1, MOST_STARTS + 1):
            try:
                done = papermill.execute_notebook(
                    _escaped(source),
                    _escaped(target),
                    parameters=dict(values or {}),
                    cwd=folder,
                    progress_bar=progress,
                    log_output=False,
                    stderr_file=sys.stderr if progress else None,  # a cell's own bar, while it runs
                    kernel_name=KERNEL["name"],
                    language=KERNEL["language"],
                    record_timing=False,
                    execution_timeout=cell_limit,
                    shutdown_kernel="immediate",  # asked to stop in the middle of a cell, a kernel fills the terminal
                    config=_kernel_config(scratch),
                    extra_arguments=["--log-level=ERROR"],  # a kernel whose worker was killed tells the terminal of it
                )
                break
            except (PapermillExecutionError, DeadKernelError, CellTimeoutError, ValidationError) as error:
                partial = read_notebook(target)
                where, why = _failure(partial, error)
                raise CellFailed(where, too_long(why), normalised(partial, values)) from None
            except RuntimeError as error:
                if NOT_STARTED not in str(error):
                    raise
                if starts == MOST_STARTS or too_long(""):
                    why = too_long("its kernel did not start")
                    raise CellFailed("cell [0]", why, normalised(notebook, values)) from None
    return normalised(done, values)


def _kernel_config(scratch: Path) -> Config:
    """Encrypted, or the kernel warns on the terminal; its address and key lie where a killed run leaves nothing."""
    settings = {"transport_encryption": "auto", "connection_file": str(scratch / CONNECTION)}
    return Config({"KernelManager": settings})


def keep_failed(failure: CellFailed, path: Path) -> str:
    """Keep the notebook of a failure at ``path`` and say in one line what failed and where that lies."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_notebook(failure.notebook, path)
    return f"stopped at {failure.where}: {failure.why}; the notebook up to there: {shown(path)}"


def normalised(notebook: NotebookNode, values: Mapping[str, Any] | None = None) -> NotebookNode:
    """A copy without what differs from run to run: times, paths, random names, the Python version.

    notebook: what to copy.
    values: kept as ``metadata.papermill.parameters``, where papermill's own readers look for them.
    """
    clean = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
    for gone in ("papermill", "widgets"):
        clean.metadata.pop(gone, None)
    clean.metadata.get("language_info", {}).pop("version", None)
    clean.metadata["kernelspec"] = dict(KERNEL)
    for cell in clean.cells:
        for gone in ("papermill", "execution"):
            cell.metadata.pop(gone, None)
        _join_streams(cell)
        _name_animations(cell)
        if not cell.metadata.get("tags", True):  # papermill gives every cell a list of tags
            del cell.metadata["tags"]
    if values:
        clean.metadata["papermill"] = {"parameters": dict(values)}
    return clean  # type: ignore[no-any-return]


def _join_streams(cell: NotebookNode) -> None:
    """What a cell prints arrives in pieces that differ from run to run: one output for each stream, stdout first.

    nbclient can do this too, in a time that grows with the square of the longest line: hours for five megabytes.
    """
    kept: list[NotebookNode] = []
    pieces: dict[str, list[str]] = {}
    for output in cell.get("outputs", []):
        if output.output_type != "stream" or output["name"] not in pieces:
            kept.append(output)
        if output.output_type == "stream":
            pieces.setdefault(output["name"], []).append("".join(output["text"]))
    for output in kept:
        if output.output_type == "stream":
            output["text"] = OVERWRITTEN.sub("", "".join(pieces[output["name"]]))
    for k in range(len(kept) - 1):
        if [output.get("name") for output in kept[k : k + 2]] == ["stderr", "stdout"]:
            kept[k], kept[k + 1] = kept[k + 1], kept[k]
    if pieces:
        cell.outputs = kept


def _name_animations(cell: NotebookNode) -> None:
    """matplotlib names every animation anew; here it is named after its cell."""
    for output in cell.get("outputs", []):
        page = "".join(output.get("data", {}).get("text/html", ""))
        for number, name in enumerate(dict.fromkeys(ANIMATION.findall(page))):
            page = page.replace(name, hashlib.md5(f"{cell.id} {number}".encode(), usedforsecurity=False).hexdigest())
            output.data["text/html"] = page


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook in the place of ``path``, whole or not at all."""
    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    write_text(path, text if text.endswith("\n") else f"{text}\n")


def _failure(notebook: NotebookNode, error: Exception) -> tuple[str, str]:
    """Which cell stopped, and why; a kernel that dies leaves no error output, so the last cell begun is it."""
    if isinstance(error, PapermillExecutionError):
        return f"cell [{error.exec_count}]", one_line(f"{error.ename}: {error.evalue}")
    begun = [cell for cell in notebook.cells if cell.metadata.get("papermill", {}).get("start_time")]
    code = [cell for cell in begun if cell.cell_type == "code"]
    if isinstance(error, ValidationError):
        why = one_line(f"an output that no notebook can hold: {error.message}")
    else:
        why = (
            "the kernel died, perhaps for lack of memory" if isinstance(error, DeadKernelError) else "it took too long"
        )
    return f"cell [{len(code)}]", why


def _escaped(path: Path) -> str:
    """papermill formats paths with str.format."""
    return str(path).replace("{", "{{").replace("}", "}}")


def _silence() -> None:
    """Keep the libraries that run a notebook from writing to the terminal, at any time: some do so at the very end."""
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextmanager
def _folder(scratch: Path) -> Iterator[dict[str, str]]:
    """The variable that gives IPython a folder of its own, or it warns of a home that is not there.

    In it lies what a kernel does first: it ends if this process is gone by then. ipykernel looks for that too, but
    where another process than the first adopts orphans, as in a desktop session, it does not see it.
    """
    with tempfile.TemporaryDirectory(dir=scratch, ignore_cleanup_errors=True) as folder:
        startup = Path(folder, "profile_default", "startup")
        startup.mkdir(parents=True)
        (startup / "parent.py").write_text(ENDS_WITHOUT_PARENT)
        yield {"IPYTHONDIR": folder}


@contextmanager
def _no_kernel_left(scratch: Path) -> Iterator[None]:
    """Kill the kernel of this run, with its process group, if it is still there at the end.

    A signal may come after its process was made and before nbclient knows of it.
    """
    try:
        yield
    finally:
        for process in _kernels(scratch):
            with suppress(psutil.Error, OSError):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(SECONDS_TO_END)


def _kernels(scratch: Path) -> list[psutil.Process]:
    """The kernel of this run, as far as its process is there."""
    mine, found = str(scratch / CONNECTION), []
    for process in psutil.Process().children():
        with suppress(psutil.Error, OSError):
            if any(word.endswith(mine) for word in _command(process)):
                found.append(process)
    return found


def _command(process: psutil.Process) -> list[str]:
    """The command that a child runs; for a moment after its making it is still that of this process."""
    own, end = psutil.Process().cmdline(), time.monotonic() + SECONDS_TO_BEGIN
    while process.cmdline() == own and time.monotonic() < end:
        time.sleep(TICK)
    return list(process.cmdline())


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for as long as a kernel is started in it."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
