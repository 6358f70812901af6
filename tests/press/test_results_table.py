"""The table of results that opens a chapter: what its allowed errors are said in."""

from typing import Any

import pytest

from reproduce.pages.quantities import allowed_in_short

ABSOLUTE = {"kind": "limit", "relative": False, "tolerance": 0.02, "measured": 0.994}
ORDER = {"kind": "ordering", "relative": False, "tolerance": 0.15, "measured": [0.672, 0.994]}


@pytest.mark.parametrize(
    ("record", "beside", "said"),
    [
        (ABSOLUTE, "99.4 % after 10,000 steps", "allowed: ±\u00a02 percentage points"),
        (ABSOLUTE, "96.5 % first, 99 % at the end", "allowed: ±\u00a02 percentage points"),
        (ABSOLUTE, "0.994", "allowed: ±\u00a00.02"),
        (ABSOLUTE, "98 % of another quantity", "allowed: ±\u00a00.02"),
        (ABSOLUTE | {"measured": {"norm": 1.0, "shape": [9]}}, "99.4 %", "allowed: ±\u00a00.02"),
        (ABSOLUTE | {"relative": True}, "99.4 %", "allowed: ±\u00a02 %"),
        (ABSOLUTE | {"relative": True, "tolerance": 1e-9}, "0.994", "allowed: ±\u00a010⁻⁹, relative"),
        (ABSOLUTE | {"kind": "bound"}, "99.4 %", "allowed: 2 percentage points beyond"),
        (ABSOLUTE | {"tolerance": 0.0}, "99.4 %", ""),
        (ORDER, "99.4 %", "more by at least 15 percentage points"),
        (ORDER | {"measured": [1, 2, 3]}, "3", "each more than the one before, by at least 0.15"),
        (ORDER | {"tolerance": 0.0}, "99.4 %", "in this order"),
        (ORDER, "67.2 %", "less by at least 15 percentage points"),
        (ORDER, "0.67", "less by at least 0.15"),
        (ORDER | {"measured": [0.0, 2.89], "tolerance": 0.7}, "18", "at least 2.0"),
        (ORDER | {"measured": [0.0, 2.89], "tolerance": 0.7}, "2.89", "more by at least 0.7"),
    ],
)
def test_the_allowed_error_stands_in_the_unit_of_the_number_above_it(
    record: dict[str, Any], beside: str, said: str
) -> None:
    assert allowed_in_short(record, beside) == said
