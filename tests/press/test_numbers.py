"""A table of numbers shows each row, and what may differ between machines is marked as in a claim's box."""

import pytest

from reproduce.claims.numbers import numbers
from reproduce.claims.record import ClaimError


def test_a_table_marks_its_numbers_and_escapes_its_words() -> None:
    shown = numbers(["a < b", "value"], [["λ & μ", 2.766578807]]).data
    assert '<td><code class="n">2.767</code></td>' in shown
    assert "<th>a &lt; b</th>" in shown
    assert "<td>λ &amp; μ</td>" in shown


def test_an_empty_corner_heads_nothing() -> None:
    shown = numbers(["", "value"], [["error", 1.0]]).data
    assert "<thead><tr><td></td><th>value</th></tr></thead>" in shown


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ClaimError, match=r"rows holds \[1\.0\]; each row must have 2 cells"):
        numbers(["a", "b"], [[1.0]])
