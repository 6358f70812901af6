"""Which claims no seed can change, read off the code of a chapter."""

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.seeds import SEEDS, same_with_every_seed
from reproduce.chapters.book import Book
from reproduce.chapters.seeded import without_seed

ROOT = Path(__file__).parents[2]
BEGIN = """import numpy as np
seed: int = 0
claims = Claims("a")
stream = np.random.default_rng(seed)
x = np.ones(3)
"""


@pytest.mark.parametrize(
    ("code", "free"),
    [
        ('claims.limit("one", 1.0, x.sum(), proved=0, control=2.0)', True),
        ('claims.limit("one", 1.0, x.sum(), proved=0, control=stream.normal())', False),
        ('y = x + stream.normal()\nclaims.limit("one", 1.0, y.sum(), proved=0, control=2.0)', False),
        ('x = stream.normal()\nx = 3.0\nclaims.limit("one", 1.0, x, proved=0, control=2.0)', True),
        ('def f():\n    return y\ny = 1.0\ny = seed\nclaims.limit("one", 1.0, f(), proved=0, control=2.0)', False),
        ('x += seed\nclaims.limit("one", 1.0, x, proved=0, control=2.0)', False),
        ('y = stream.normal()\ny += 1\nclaims.limit("one", 1.0, y, proved=0, control=2.0)', False),
        ('x[0] = seed\nclaims.limit("one", 1.0, x, proved=0, control=2.0)', False),
        ('for _ in range(seed):\n    x.fill(3)\nclaims.limit("one", 1.0, x, proved=0, control=2.0)', False),
        ('def f(y):\n    y[0] = seed\nf(x)\nclaims.limit("one", 1.0, x, proved=0, control=2.0)', False),
        ('y = [x for x in stream.normal(size=3)]\nclaims.limit("one", 1.0, x, proved=0, control=2.0)', True),
        ('%matplotlib inline\nclaims.limit("one", 1.0, x, proved=0, control=2.0)', False),
    ],
)
def test_a_claim_hears_of_the_seed_through_every_name(code: str, free: bool) -> None:
    cells = [new_code_cell(BEGIN), new_code_cell(code)]
    assert without_seed(new_notebook(cells=cells)) == ({"one"} if free else set())


def test_no_claim_that_came_out_otherwise_on_another_seed_is_called_deterministic() -> None:
    book = Book(ROOT)
    seen = same_with_every_seed(read_findings(book, SEEDS))
    read = {f"{one.short}.{name}" for one in book.chapters() for name in without_seed(one.read())}
    assert [id for id in read if seen.get(id) is False] == []
    assert len(read) > 30
