"""The table of the enclosures that a book stores as data."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from reproduce.pages.claim_rows import Titles
from reproduce.pages.enclosures import enclosed, ends
from reproduce.pages.tables import printed, show

ROOT = Path(__file__).parents[2]
NAMED = {"a/one": Titles("One: a chapter", "A")}


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        ("1/3", "33335/100000", ("0.333333", "0.33335")),
        ("-2/3", "-1/3", ("−0.67", "−0.33")),
        ("1/3", "1/3", ("0.33333333333333333", "0.33333333333333334")),
        ("1", "1000000000000000000000001/1000000000000000000000000", ("1", "1.0000000000000001")),
    ],
)
def test_ends_are_rounded_outwards_to_where_they_part(low: str, high: str, said: tuple[str, str]) -> None:
    assert ends(Fraction(low), Fraction(high)) == said


def test_a_chapter_is_named_once_and_files_without_answers_are_left_out() -> None:
    narrow = {"name": "l2", "enclosure": {"margin": ["1", "1000001/1000000"], "jump": ["0", "0"]}}
    wide = {"name": "shift_1", "enclosure": {"value": ["1", "101/100"]}}
    table = enclosed([{"$schema": "x"}, {"chapter": "a/one", "answers": [narrow, wide]}], NAMED)
    shown = [[cell.text + cell.rest for cell in row.cells] for row in table.rows]
    assert [cells[:1] + cells[3:] for cells in shown] == [
        ["One: a chapter"],
        ["margin, ℓ₂", "10⁻⁶"],
        ["change of slope, ℓ₂", "0"],
        ["value, labels shifted by 1", "0.0099"],
    ]
    low, high = table.rows[1].cells[1:3]
    assert (low.text, low.style, high.text, high.style) == ("1", "strong", "1", "strong")
    assert printed(table).astext().count("One: a chapter") == 1
    assert 'scope="rowgroup">One: a chapter</th>' in show([table], "")[0].astext()


def test_the_books_own_enclosures_are_all_listed_and_narrow() -> None:
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "answers").glob("*.json"))]
    chapters = {one["chapter"]: Titles(one["chapter"], "A") for one in files if "answers" in one}
    table = enclosed(files, chapters)
    assert {row.cells[0].text for row in table.rows if len(row.cells) == 1} == set(chapters)
    for row in table.rows:
        if len(row.cells) == 1:
            continue
        low, high = (float((cell.text + cell.rest).replace("−", "-")) for cell in row.cells[1:3])
        assert abs(high - low) <= 2e-9 * abs(high)
