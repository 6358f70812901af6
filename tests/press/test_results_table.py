"""The table of results that opens a chapter: the words in it that need a key have one."""

from collections.abc import Callable
from typing import Any

import pytest
from nbformat import NotebookNode

from reproduce.claims import Control
from reproduce.claims.ledger import judge
from reproduce.pages.results import results_table

Stored = Callable[..., NotebookNode]
BOUND = {"kind": "bound", "theory": 2.0, "control": Control(3.0), "said": {"headline": "the sum"}}


@pytest.mark.parametrize(
    ("parts", "explained"),
    [
        ({"said": {"headline": "the sum"}}, []),
        ({**BOUND, "measured": 1.9}, ["kept"]),
        ({**BOUND, "measured": [1.9, 1.8]}, ["kept", "at the worst place"]),
        ({**BOUND, "measured": 2.1}, []),
    ],
)
def test_the_words_of_the_table_are_explained_below_it(
    stored: Stored, parts: dict[str, Any], explained: list[str]
) -> None:
    table = results_table(judge({"sums/geometric": stored(parts)}).claims)
    for word in ("kept", "at the worst place"):
        assert (f"<b>{word}</b>: " in table) == (word in explained)
