"""One execution of a notebook by papermill, with outputs that are the same each time on one machine."""

import hashlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import papermill
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from reproduce.book import read_notebook, shown
from reproduce.errors import one_line, writing

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
ENCRYPTED = Config({"KernelManager": {"transport_encryption": "auto"}})  # or the kernel warns on the terminal
NOT_STARTED = "Kernel died before replying"  # two kernels that start at once may choose the same port
MOST_STARTS = 3

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
    progress: bool = False,
) -> NotebookNode:
    """Run a notebook in a fresh kernel and return it with its outputs, normalised.

    notebook: what to run; it is not changed.
    folder: the kernel's current folder.
    scratch: where papermill may write while it runs.
    values: parameters to inject; none are injected if this is empty.
    cell_limit: seconds that one cell may take; None for any time.
    progress: show a bar of the cells on standard error, and what cells write there, a bar of their own for example.

    Raises CellFailed with the notebook up to the failing cell; WriteError if ``scratch`` cannot be written.
    """
    source, target = scratch / "source.ipynb", scratch / "running.ipynb"
    with writing(scratch), _environment(ENVIRONMENT):
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
                    config=ENCRYPTED,
                    extra_arguments=["--log-level=ERROR"],  # a kernel whose worker was killed tells the terminal of it
                )
                break
            except (PapermillExecutionError, DeadKernelError, CellTimeoutError) as error:
                partial = read_notebook(target)
                where, why = _failure(partial, error)
                raise CellFailed(where, why, normalised(partial, values)) from None
            except RuntimeError as error:
                if NOT_STARTED not in str(error):
                    raise
                if starts == MOST_STARTS:
                    raise CellFailed("cell [0]", "its kernel did not start", normalised(notebook, values)) from None
    return normalised(done, values)


def keep_failed(failure: CellFailed, path: Path) -> str:
    """Keep the notebook of a failure at ``path`` and say in one line what failed and where that lies."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_notebook(failure.notebook, path)
    return f"stopped at {failure.where}: {failure.why}; the notebook up to there: {shown(path)}"


def normalised(notebook: NotebookNode, values: Mapping[str, Any] | None = None) -> NotebookNode:
    """A copy without what differs from run to run: times, paths, random names, the Python version.

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
    """Write a notebook to a new name beside ``path`` and move it there, so that no half-written file is ever seen."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        nbformat.write(notebook, unfinished)  # type: ignore[no-untyped-call]
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _failure(notebook: NotebookNode, error: Exception) -> tuple[str, str]:
    """Which cell stopped, and why; a kernel that dies leaves no error output, so the last cell begun is it."""
    if isinstance(error, PapermillExecutionError):
        return f"cell [{error.exec_count}]", one_line(f"{error.ename}: {error.evalue}")
    begun = [cell for cell in notebook.cells if cell.metadata.get("papermill", {}).get("start_time")]
    code = [cell for cell in begun if cell.cell_type == "code"]
    why = "the kernel died, perhaps for lack of memory" if isinstance(error, DeadKernelError) else "it took too long"
    return f"cell [{len(code)}]", why


def _escaped(path: Path) -> str:
    """papermill formats paths with str.format."""
    return str(path).replace("{", "{{").replace("}", "}}")


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
