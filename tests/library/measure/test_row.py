"""A row says what it covers, and what it does not."""

import json

import pytest

from implicit_bias.measure import Balance, Distance, LastLayer, Layers, Margin, Premise, Row, Sharpness

FAILS = Premise("homogeneous", 0.15, 1e-8, False)


def test_a_failed_premise_takes_the_theorem_away():
    row = Row("margin", 0.2, 0.1, 0.3, "bracket", (Premise("separated", 0.5, 0.0, True), FAILS), "it grows", "Lyu & Li")
    assert row.covers is None
    assert row.failed == (FAILS,)
    assert repr(row) == "margin 0.2 in [0.1, 0.3] (bracket): not covered by Lyu & Li: homogeneous, 0.15"
    whole = Row("margin", 0.2, 0.1, 0.3, "bracket", row.premises[:1], "it grows", "Lyu & Li")
    assert repr(whole) == "margin 0.2 in [0.1, 0.3] (bracket): it grows, Lyu & Li"
    assert repr(Row("drift", 0.2)) == "drift 0.2 (number): no theorem"


def test_an_answer_of_several_rows_is_one_line():
    rows = [Row("d", 0.25, 0.2, 1 / 3, "sampled"), Row("angle", 60.0), Row("ratio", 1.0, premises=(FAILS,))]
    said = "Distance(distance=0.25 in [0.2, 0.333333], angle=60, ratio=1 not covered, other=None)"
    assert repr(Distance(*rows)) == said
    for made in (Balance(*rows, ()), Layers(tuple(rows), ()), LastLayer(*rows[:2]), Sharpness(*rows),
                 Margin(rows[0], None, rows[1], None, None)):  # fmt: skip
        assert repr(made).startswith(f"{type(made).__name__}(")
        assert "quantity" not in repr(made)
        assert "\n" not in repr(made)


def test_a_row_as_json():
    kept = json.loads(json.dumps(Row("drift", float("nan"), premises=(FAILS,)).json(), allow_nan=False))
    assert kept["value"] is None
    assert kept["premises"] == [{"name": "homogeneous", "value": 0.15, "threshold": 1e-8, "holds": False, "fails": ""}]


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match="kind is 'sure'; it must be one of exact, bracket, probable, sampled, number"):
        Row("drift", 0.2, kind="sure")
