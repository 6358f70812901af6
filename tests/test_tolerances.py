"""No chapter types the error from which a tolerance is derived: it is computed."""

import ast
from pathlib import Path

import pytest

from reproduce.chapters.book import Book

BOOK = Book(Path(__file__).parents[1])
OWN_UNITS = "1.0"  # of a comparison that is measured in units of its derived error


def typed_errors(code):
    """The claims of a script whose derived error is a number that somebody typed, not one that was computed."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    named = [(call, keyword.value) for call in calls for keyword in call.keywords if keyword.arg == "error"]
    return [
        ast.literal_eval(call.args[0])
        for call, value in named
        if not any(isinstance(part, ast.Name | ast.Attribute) for part in ast.walk(value))
        and ast.unparse(value) != OWN_UNITS
    ]


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda chapter: chapter.name)
def test_every_error_is_computed(chapter):
    assert typed_errors(chapter.twin.read_text()) == []


def test_a_typed_error_is_found():
    said = "claims.limit('a', 1, 1, error={})"
    assert typed_errors(said.format("1e-9")) == typed_errors(said.format("4 * 1e-9")) == ["a"]
    assert typed_errors(said.format("1.0")) == typed_errors(said.format("2 * gap")) == []
