import base64
import copy
from collections.abc import Callable
from typing import Any

import nbformat
import numpy as np
import pytest
from nbformat import NotebookNode

from reproduce.claims import Control, Rival
from reproduce.running import pictures
from reproduce.running.recheck import differences

Stored = Callable[..., NotebookNode]
v4: Any = nbformat.v4


def record_of(notebook: NotebookNode) -> dict[str, Any]:
    record: dict[str, Any] = notebook.cells[0].outputs[0].metadata["claim"]
    return record


def said(stored: NotebookNode, fresh: NotebookNode) -> list[tuple[str, bool]]:
    return [(one.where, one.allowed) for one in differences(stored, fresh)]


def edited(notebook: NotebookNode, part: str, value: object, inner: str = "") -> NotebookNode:
    """A copy in which one number of the claim is another; digest, line and box may be forged too, they are not read."""
    forged = copy.deepcopy(notebook)
    record = record_of(forged)
    if inner:
        record[part][inner] = value
    else:
        record[part] = value
    return forged


def test_two_executions_that_agree_have_no_difference(stored: Stored) -> None:
    assert differences(stored({}), stored({})) == []


@pytest.mark.parametrize(
    ("part", "inner", "factor", "allowed"),
    [
        ("measured", "", 1 + 1e-13, None),
        ("measured", "", 1 + 4e-10, True),
        ("measured", "", 1.01, False),
        ("theory", "", 1.01, False),
        ("error", "", 1e9, False),
        ("error", "", 5, True),
        ("tolerance", "", 10, False),
        ("control", "error", 1000, False),
        ("control", "measured", 1.5, False),
        ("control", "measured", 1.01, True),
    ],
)
def test_a_number_that_was_edited_is_named(
    stored: Stored, part: str, inner: str, factor: float, allowed: bool | None
) -> None:
    fresh = stored({"theory": 2.0, "measured": 2.0 + 1e-10, "proved": 1e-9, "control": Control(3.0)})
    before = record_of(fresh)[part][inner] if inner else record_of(fresh)[part]
    found = said(edited(fresh, part, before * factor, inner), fresh)
    where = f"claim {record_of(fresh)['id']}: {part}" + (f", {inner}" if inner else "")
    assert found == ([] if allowed is None else [(where, allowed)])


def test_a_measurement_put_equal_to_theory_is_named_though_it_is_within_the_tolerance(stored: Stored) -> None:
    fresh = stored({"theory": 2.0, "measured": 2.001, "proved": 0.01, "control": Control(3.0)})
    forged = edited(edited(fresh, "measured", 2.0), "error", 0.0)
    assert said(forged, fresh) == [("claim geometric.limit: measured", True), ("claim geometric.limit: error", True)]


def test_long_arrays_are_compared_by_their_norm(stored: Stored) -> None:
    ask = {"theory": np.ones(100), "proved": 1e-3, "control": Control(np.zeros(100))}
    fresh = stored({**ask, "measured": np.ones(100)})
    assert said(stored({**ask, "measured": np.full(100, 1.0005)}), fresh)[0] == (
        "claim geometric.limit: measured, its norm",
        True,
    )
    forged = edited(fresh, "measured", {"shape": [100], "norm": 11.0})
    assert said(forged, fresh) == [("claim geometric.limit: measured, its norm", False)]


def test_words_are_no_outcome_of_an_execution_and_a_rival_is(stored: Stored) -> None:
    assert said(edited(stored({}), "why", "so"), stored({})) == []
    assert said(edited(stored({}), "control", "nothing", "what"), stored({})) == []
    rival = stored({"rival": Rival(3.0, factor=10)})
    assert said(rival, stored({})) == [("claim geometric.limit: rival", False)]
    assert said(edited(stored({}), "kind", "rate"), stored({})) == [("claim geometric.limit: kind", False)]


def test_a_claim_that_is_not_stated_any_more_is_named(stored: Stored) -> None:
    empty = stored({})
    empty.cells[0].outputs = []
    assert said(stored({}), empty) == [("cell [1]: claim geometric.limit", False)]


def notebook(output: NotebookNode) -> NotebookNode:
    made: NotebookNode = v4.new_notebook(cells=[v4.new_code_cell("draw()", outputs=[output])])
    return made


def figure(*marks: str, picture: bytes = b"no matter which") -> NotebookNode:
    data = {"image/png": base64.b64encode(picture).decode()}
    return notebook(v4.new_output("display_data", data, metadata={"image/png": {"drawn": list(marks)}}))


def test_a_figure_that_came_out_otherwise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    curve, moved, red = "line2d 1 of 0 @ 2: 1 2 3 4", "line2d 1 of 0 @ 2: 1 2 3 5", "line2d 1 of 1 @ 2: 1 2 3 4"
    assert said(figure(curve), figure(curve)) == []
    assert said(figure(moved), figure(curve)) == [("cell [1]: picture 1, mark 1 (line2d)", False)]
    assert said(figure(curve, picture=b"another"), figure(curve)) == [("cell [1]: picture 1", False)]
    monkeypatch.setattr(pictures, "variables", lambda: {})  # a processor without the instructions of the others
    assert said(figure(moved), figure(curve)) == []
    assert said(figure(red), figure(curve)) == [("cell [1]: picture 1, mark 1 (line2d)", False)]


def test_a_picture_that_is_no_base64_any_more_is_named() -> None:
    broken = figure("patch 1 of 0 @ 1: 0 0")
    broken.cells[0].outputs[0].data["image/png"] = "abc"
    assert said(broken, figure("patch 1 of 0 @ 1: 0 0")) == [("cell [1]: picture 1", False)]


def printing(text: str) -> NotebookNode:
    return notebook(v4.new_output("stream", name="stdout", text=text))


def test_numbers_in_a_text_are_compared_as_numbers() -> None:
    assert said(printing("J* = 2.7665 in 3 steps"), printing("J* = 2.7666 in 3 steps")) == [
        ("cell [1]: a number it shows", True)
    ]
    assert said(printing("J* = 2.7665"), printing("J* = 3.7665")) == [("cell [1]: a number it shows", False)]
    assert said(printing("J* = 2.7665"), printing("K* = 2.7665")) == [("cell [1]: what it shows", False)]
