import base64
import copy
import platform
from collections.abc import Callable
from typing import Any

import nbformat
import numpy as np
import pytest
from nbformat import NotebookNode

from reproduce.claims import Control, Rival
from reproduce.running import pictures
from reproduce.running.environment import processor
from reproduce.running.recheck import differences

Stored = Callable[..., NotebookNode]
v4: Any = nbformat.v4


def record_of(notebook: NotebookNode) -> dict[str, Any]:
    record: dict[str, Any] = notebook.cells[0].outputs[0].metadata["claim"]
    return record


def said(stored: NotebookNode, fresh: NotebookNode, here: bool = False) -> list[tuple[str, bool]]:
    """Where the two differ, and whether it is allowed; as stored on a machine of this type, or on another."""
    stamp = {"date": "2026-11-26", "seconds": 1, "versions": f"Python {platform.python_version()}"}
    stored.metadata["executed"] = {**stamp, "host": f"2 cores, {processor() if here else 'another'}"}
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
    ("part", "inner", "factor", "elsewhere"),
    [
        ("measured", "", 1 + 1e-15, True),
        ("measured", "", 1 + 1.4e-5, True),
        ("measured", "", 1 + 1.6e-5, False),
        ("theory", "", 1 + 1.6e-5, False),
        ("error", "", 0.0, False),
        ("error", "", 1.01, True),
        ("derived", "", 0.95, False),
        ("control", "error", 1.08, False),
        ("control", "error", 1.01, True),
        ("control", "measured", 1.08, False),
        ("control", "measured", 1.01, True),
        ("rival", "value", 1.01, False),
        ("rival", "error", 1.01, False),
        ("rival", "factor", 0.9, False),
    ],
)
def test_a_number_that_was_edited_is_refused_where_it_was_stored_and_elsewhere_if_it_moved_by_more_than_rounding(
    stored: Stored, part: str, inner: str, factor: float, elsewhere: bool
) -> None:
    ask = {"theory": 2.0, "measured": 2.001, "proved": None, "error": 1e-3, "control": 3.0, "rival": Rival(3.0, 10)}
    fresh = stored(ask)
    before = record_of(fresh)[part][inner] if inner else record_of(fresh)[part]
    forged = edited(fresh, part, before * factor, inner)
    where = f"claim {record_of(fresh)['id']}: {part}{': ' if inner == 'factor' else ', '}{inner}".removesuffix(", ")
    assert said(forged, fresh, here=True) == [(where, False)]
    assert said(forged, fresh) == [(where, elsewhere)]


@pytest.mark.parametrize(
    ("part", "inner", "value"),
    [("basis", "", "proved"), ("control", "kind", "formula"), ("control", "failed", False), ("kind", "", "rate")],
)
def test_a_word_that_was_edited_is_refused(stored: Stored, part: str, inner: str, value: object) -> None:
    fresh = stored({"proved": None, "error": 1e-3})
    where = f"claim geometric.limit: {f'{part}: {inner}' if inner else part}"
    assert said(edited(fresh, part, value, inner), fresh) == [(where, False)]


def test_a_tolerance_may_be_the_next_where_its_derived_error_is_at_the_border(stored: Stored) -> None:
    ask = {"theory": 2.0, "measured": 2.0, "proved": None}
    stored_there, fresh = (stored({**ask, "error": 2.5e-3 * share}) for share in (1 + 1e-6, 1 - 1e-6))
    assert [record_of(one)["tolerance"] for one in (stored_there, fresh)] == [0.015, 0.01]
    found = ["claim geometric.limit: derived", "claim geometric.limit: tolerance"]
    assert said(stored_there, fresh) == [(where, True) for where in found]
    assert said(stored_there, fresh, here=True) == [(where, False) for where in found]
    assert said(edited(fresh, "tolerance", 0.015), fresh) == [(found[1], False)]


def test_an_error_that_is_rounding_seen_twice_may_be_another_elsewhere(stored: Stored) -> None:
    ask = {"theory": 2.0, "measured": 2.0, "proved": None}
    forged = stored({**ask, "error": 1e-10})
    for error, allowed in ((2.5e-10, True), (1e-9, False)):
        assert said(forged, stored({**ask, "error": error}))[0] == ("claim geometric.limit: derived", allowed)


def test_a_residual_has_the_size_of_what_its_control_gives(stored: Stored) -> None:
    fresh = stored({"theory": 0.0, "measured": 1e-12, "proved": 1e-9, "control": 1.0})
    assert said(edited(fresh, "measured", 2e-12), fresh) == [("claim geometric.limit: measured", True)]
    assert said(edited(fresh, "measured", 2e-5), fresh) == [("claim geometric.limit: measured", False)]


def test_a_measurement_put_equal_to_theory_is_refused_though_it_is_within_the_tolerance(stored: Stored) -> None:
    fresh = stored({"theory": 2.0, "measured": 2.001, "proved": 0.01, "control": Control(3.0)})
    forged = edited(edited(fresh, "measured", 2.0), "error", 0.0)
    refused = [("claim geometric.limit: measured", False), ("claim geometric.limit: error", False)]
    assert said(forged, fresh) == said(forged, fresh, here=True) == refused


def test_long_arrays_are_compared_by_their_norm(stored: Stored) -> None:
    ask = {"theory": np.ones(100), "proved": 1e-3, "control": Control(np.zeros(100))}
    fresh = stored({**ask, "measured": np.ones(100)})
    for moved, allowed in ((1e-5, True), (5e-4, False)):
        found = said(stored({**ask, "measured": np.full(100, 1 + moved)}), fresh)
        assert found[0] == ("claim geometric.limit: measured, its norm", allowed)


def test_words_are_no_outcome_of_an_execution_and_a_rival_is(stored: Stored) -> None:
    assert said(edited(stored({}), "why", "so"), stored({})) == []
    assert said(edited(stored({}), "control", "nothing", "what"), stored({})) == []
    assert said(edited(stored({}), "control", "contrast", "kind"), stored({})) == []
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
    for here in (False, True):
        assert said(printing("J* = 2.7665 in 3 steps"), printing("J* = 2.7666 in 3 steps"), here) == [
            ("cell [1]: a number it shows", not here)
        ]
    assert said(printing("J* = 2.7665"), printing("J* = 3.7665")) == [("cell [1]: a number it shows", False)]
    assert said(printing("J* = 2.7665"), printing("K* = 2.7665")) == [("cell [1]: what it shows", False)]
