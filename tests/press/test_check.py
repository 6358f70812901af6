"""A claim checked by executing its chapter anew."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import TinyBook


@pytest.fixture
def stored(tiny: "TinyBook") -> "TinyBook":
    tiny.chapter("sums/geometric")
    assert tiny.call("refresh").returncode == 0
    return tiny


def test_a_number_that_does_not_come_out_again_is_said(stored: "TinyBook") -> None:
    notebook = stored.root / "chapters/sums/geometric.ipynb"
    notebook.write_text(notebook.read_text().replace("ratio: float = 0.5", "ratio: float = 0.25"))
    done = stored.call("check", "geometric.limit")
    assert done.returncode == 1
    assert "claim geometric.limit: theory is stored as 2, executed anew it is 1.33333333333" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 of 1 came out again as stored"


def test_a_claim_that_does_not_come_out_again_is_said(stored: "TinyBook") -> None:
    notebook = stored.root / "chapters/sums/geometric.ipynb"
    notebook.write_text(notebook.read_text().replace('claims.limit(\\"limit\\"', 'claims.limit(\\"other\\"'))
    done = stored.call("check")
    assert done.returncode == 1
    assert "claim geometric.limit is stored, executed anew it does not come out" in done.stdout


def test_an_unknown_claim_is_one_line(stored: "TinyBook") -> None:
    before = stored.files()
    for id, hint in (
        ("geometric.limt", "did you mean geometric.limit?"),
        ("x", "'python -m reproduce ledger' shows them all"),
    ):
        done = stored.ask("check", id)
        assert (done.stderr.strip(), done.returncode) == (f"error: unknown claim '{id}'; {hint}", 2)
    assert stored.files() == before
