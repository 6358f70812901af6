"""One execution of a notebook by papermill."""

import logging
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import papermill
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode, ValidationError
from papermill.exceptions import PapermillExecutionError

from reproduce.chapters.book import shown
from reproduce.claims.words import with_words
from reproduce.ground.errors import one_line, writing
from reproduce.ground.files import demand_open_files
from reproduce.ground.reading import read_notebook
from reproduce.running.kernel import (
    KERNEL,
    QuietKernel,
    environment,
    kernel_config,
    kernels,
    no_kernel_left,
    own_folder,
    variables,
)
from reproduce.running.kernel_watch import KernelWatch
from reproduce.running.notebooks import normalised, write_notebook

NOT_STARTED = "Kernel died before replying"  # two kernels that start at once may choose the same port
MOST_STARTS = 3
TALKATIVE = ("papermill", "traitlets", "asyncio")  # they log what a failure here says in a line of its own


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
    """Run a notebook in a fresh kernel and return it with its outputs, normalised, and its claims with their words.

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
    watched = watch.watching(lambda: kernels(scratch)) if watch is not None else nullcontext()
    with (
        writing(scratch),
        own_folder(scratch) as ipython,
        environment(variables() | ipython),
        no_kernel_left(scratch),
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
                    config=kernel_config(scratch),
                    kernel_manager_class=QuietKernel,
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
    return with_words(normalised(done, values))


def keep_failed(failure: CellFailed, path: Path) -> str:
    """Keep the notebook of a failure at ``path`` and say in one line what failed and where that lies."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_notebook(failure.notebook, path)
    return f"stopped at {failure.where}: {failure.why}; the notebook up to there: {shown(path)}"


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
