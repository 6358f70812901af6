"""Stored notebooks under nbval: everything that they store is compared, and what was executed already is left out.

nbval compares what cells show as text. Here the numbers of claims and the pictures are compared too, as ``make book``
does. A notebook that came out as it is stored, here or under ``make book``, is left out the next time, for as long as
neither it nor a file that it uses changes; not with ``--every-notebook``, and not where CI is set.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import nbval.kernel
import pytest
from forks import Forks
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import local_provisioner

from reproduce.chapters.book import Book, Chapter
from reproduce.ground.errors import PressError
from reproduce.running.kernel import by_files, variables
from reproduce.running.last_run import stored_here
from reproduce.running.recheck import differences_of_cell
from reproduce.running.staleness import agrees, say_that_it_agrees

OPTION = "--every-notebook"


class Notebooks:
    """Compares, remembers and leaves out.

    book: whose chapters are executed.
    every: whether to execute all.
    """

    def __init__(self, book: Book, every: bool) -> None:
        self.chapters = {chapter.notebook: chapter for chapter in book.chapters()}
        self.book = book
        self.every = every or bool(os.environ.get("CI"))
        self.left_out: set[Path] = set()
        self.passed: Counter[Path] = Counter()
        self.folders: dict[Any, tempfile.TemporaryDirectory[str]] = {}
        self.forks = Forks(variables())

    @cached_property
    def same(self) -> set[Path]:
        """The notebooks that came out as stored before; hashed once, for all workers."""
        return set() if self.every else {path for path, chapter in self.chapters.items() if self.came_out(chapter)}

    def came_out(self, chapter: Chapter) -> bool:
        with suppress(PressError):  # no notebook any more, which a test says better
            return agrees(self.book, chapter)
        return False

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["same"] = [str(path) for path in self.same]

    def pytest_configure(self, config: pytest.Config) -> None:
        if hasattr(config, "workerinput"):
            self.same = {Path(path) for path in config.workerinput["same"]}

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        if collection_path in self.chapters and collection_path in self.same:
            self.left_out.add(collection_path)
            return True
        return None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """A chapter's kernel, which its first cell starts, is reached and computes as the press has it."""
        with pytest.MonkeyPatch.context() as patch:
            if item.path in self.chapters and item.parent not in self.folders:
                self.folders[item.parent] = tempfile.TemporaryDirectory()
                ours = partial(KernelManager, **by_files(self.folders[item.parent].name))
                patch.setattr(nbval.kernel, "KernelManager", ours)
                for name, value in variables().items():
                    patch.setenv(name, value)
                if sys.platform == "linux":  # elsewhere a copy may not use what its original has loaded
                    patch.setattr(local_provisioner, "launch_kernel", self.forks.launch)
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield
        if item.path in self.chapters and (fresh := getattr(item, "test_outputs", None)) is not None:
            cell = item.cell  # type: ignore[attr-defined]
            here = stored_here(item.parent.nb)  # type: ignore[union-attr]
            found = differences_of_cell(f"cell [{cell.execution_count}]", cell.outputs, fresh, here)
            wrong = [one.sentence for one in found if not one.allowed]
            if wrong:
                pytest.fail("\n".join(wrong), pytrace=False)
            self.passed[item.path] += 1

    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        last = nextitem is None or nextitem.path != item.path
        if last and item.path in self.chapters and hasattr(item, "test_outputs"):
            code = [cell for cell in item.parent.nb.cells if cell.cell_type == "code"]  # type: ignore[union-attr]
            if self.passed[item.path] == len(code):
                say_that_it_agrees(self.book, self.chapters[item.path])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.forks.end()
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = [str(path) for path in self.left_out]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.left_out |= {Path(path) for path in getattr(node, "workeroutput", {}).get("left_out", ())}

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.write_line(f"{len(self.left_out)} notebooks came out as stored before: not executed again")
