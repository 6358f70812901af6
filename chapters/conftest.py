"""When the tests execute a stored notebook anew, the numbers of its claims and its pictures are compared too."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from reproduce.running.kernel import variables
from reproduce.running.last_run import stored_here
from reproduce.running.recheck import differences_of_cell

os.environ.update(variables())  # nbval's kernels start as the book's own do


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """nbval compares the text of the outputs; this compares what it leaves out, unless ``tests/notebooks.py`` does."""
    yield
    if item.test_outputs is not None and not item.config.pluginmanager.has_plugin("notebooks"):
        where = f"{item.parent.name}, cell {item.cell_num}"
        found = differences_of_cell(where, item.cell.outputs, item.test_outputs, stored_here(item.parent.nb))
        beyond = [one.sentence for one in found if not one.allowed]
        if beyond:
            pytest.fail("\n".join(beyond), pytrace=False)
