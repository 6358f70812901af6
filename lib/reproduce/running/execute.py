"""One execution of a notebook by nbclient, cell by cell, in a kernel of its own."""

import logging
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode, ValidationError
from tqdm import tqdm

from reproduce.chapters.book import shown
from reproduce.claims.words import with_words
from reproduce.ground.errors import one_line, writing
from reproduce.ground.files import demand_open_files
from reproduce.running.kernel import KERNEL, MEGABYTE, peak_memory, started
from reproduce.running.notebooks import normalised, write_notebook

NOT_STARTED = "Kernel died before replying"  # two kernels that start at once may choose the same port
DIED = "the kernel died, perhaps for lack of memory"
MOST_STARTS = 3
SECONDS_TO_START = 60
LEAST_SECONDS = 0.001  # 0 would be any time
TALKATIVE = ("papermill", "traitlets", "asyncio")  # they log what a failure here says in a line of its own


@dataclass(frozen=True)
class Outcome:
    """What came of an execution.

    notebook: with its outputs, up to the cell that failed if one did.
    where: that cell as a reader counts it, for example ``cell [5]``; empty if none failed.
    why: the exception in one line, or that the kernel died.
    megabytes: largest memory of the kernel, as it was after the last cell that ended.
    """

    notebook: NotebookNode
    where: str = ""
    why: str = ""
    megabytes: int = 0


def execute(
    notebook: NotebookNode,
    folder: Path,
    scratch: Path,
    values: Mapping[str, Any] | None = None,
    *,
    cell_limit: float | None = None,
    limit: float | None = None,
    formats: Sequence[str] = (),
    progress: bool = False,
) -> Outcome:
    """Run a notebook in a fresh kernel; what comes of it is normalised, and its claims have their words.

    notebook: what to run; it is not changed.
    folder: the kernel's current folder.
    scratch: where files may lie while it runs.
    values: parameters to inject; none are injected if this is empty.
    cell_limit: seconds that one cell may take; None for any time.
    limit: seconds that the whole may take; None for any time.
    formats: in which figures are stored besides PNG: svg, pdf.
    progress: show a bar of the cells on standard error, and what cells write there, a bar of their own for example.

    Raises WriteError if ``scratch`` cannot be written; PressError if too few open files are allowed.
    """
    demand_open_files()
    for name in TALKATIVE:  # at any time: some write to the terminal at the very end
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    for _ in range(MOST_STARTS):
        one = _Execution(_prepared(notebook, values), folder, progress=progress)
        try:
            with writing(scratch), started(one, scratch, formats) as process:
                one.run(psutil.Process(process), cell_limit, limit)
        except RuntimeError as error:
            if NOT_STARTED not in str(error):
                raise
        else:
            break
    else:
        one.where, one.why = "cell [0]", "its kernel did not start"
    done = normalised(one.nb, values)
    return Outcome(done if one.where else with_words(done), one.where, one.why, one.megabytes)


def keep_failed(outcome: Outcome, path: Path) -> str:
    """Keep the notebook of a failure at ``path`` and say in one line what failed and where that lies."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_notebook(outcome.notebook, path)
    return f"stopped at {outcome.where}: {outcome.why}; the notebook up to there: {shown(path)}"


def _prepared(notebook: NotebookNode, values: Mapping[str, Any] | None) -> NotebookNode:
    """A copy without outputs, with a cell of parameters if there are any to inject."""
    copy = deepcopy(notebook)
    copy.metadata["papermill"] = {}
    for cell in copy.cells:
        cell.metadata.setdefault("tags", [])  # papermill asks each for them
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    if not values:
        return copy
    from papermill.parameterize import parameterize_notebook  # see ``parameters``

    names = {"kernel_name": KERNEL["name"], "language": KERNEL["language"]}
    injected: NotebookNode = parameterize_notebook(copy, dict(values), **names)
    return injected


class _Execution(NotebookClient):
    """A notebook at work, and what stopped it if anything did."""

    def __init__(self, notebook: NotebookNode, folder: Path, *, progress: bool) -> None:
        super().__init__(
            notebook,
            kernel_name=KERNEL["name"],
            resources={"metadata": {"path": str(folder)}},
            startup_timeout=SECONDS_TO_START,
            record_timing=False,
            raise_on_iopub_timeout=True,
            shutdown_kernel="immediate",  # asked to stop in the middle of a cell, a kernel fills the terminal
        )
        self.progress = progress
        self.where = self.why = ""
        self.megabytes = 0

    def run(self, kernel: psutil.Process, cell_limit: float | None, limit: float | None) -> None:
        """Execute cell after cell, up to the first that fails."""
        end = None if limit is None else time.monotonic() + limit
        client: Any = self.kc
        try:
            about: Any = self.wait_for_reply(client.kernel_info())
        except DeadKernelError:
            self.where, self.why = "cell [0]", DIED
            return
        self.nb.metadata["language_info"] = about["content"]["language_info"]
        count = 0
        for index, cell in enumerate(tqdm(self.nb.cells, "Executing", unit="cell", disable=not self.progress)):
            count += cell.cell_type == "code"
            left = [seconds for seconds in (cell_limit, end and end - time.monotonic()) if seconds is not None]
            self.timeout_func = lambda cell, left=left: max(LEAST_SECONDS, min(left)) if left else None
            self.why = self._why_failed(cell, index)
            with suppress(psutil.Error, OSError):
                self.megabytes = max(self.megabytes, round(peak_memory(kernel) / MEGABYTE))  # of a dead one 0
            if self.why:
                self.where = f"cell [{cell.execution_count or count}]"
                if end is not None and time.monotonic() > end:
                    self.why = f"it took longer than {limit:g} s"
                return

    def _why_failed(self, cell: NotebookNode, index: int) -> str:
        """Execute a cell; the exception in one line, or nothing."""
        try:
            self.execute_cell(cell, index)
        except CellExecutionError as error:
            return one_line(f"{error.ename}: {error.evalue}")
        except CellTimeoutError:
            return "it took too long"
        except ValidationError as error:
            return one_line(f"an output that no notebook can hold: {error.message}")
        except DeadKernelError:
            return DIED
        for output in cell.get("outputs", []):
            if output.output_type == "error":  # of a cell that may raise; none of a book's may
                return one_line(f"{output.ename}: {output.evalue}")
        return ""

    def process_message(self, *given: Any, **named: Any) -> NotebookNode | None:
        """What a message of the kernel adds to the outputs; the bar of a cell is shown while the cell runs."""
        output = super().process_message(*given, **named)
        if self.progress and output is not None and output.get("name") == "stderr":
            sys.stderr.write("".join(output.text))
            sys.stderr.flush()
        return output
