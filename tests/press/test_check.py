"""A claim checked by executing its chapter anew."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproduce.claims.ledger import StoredClaim
from reproduce.claims.record import sealed
from reproduce.claims.show import box, line
from reproduce.ground.errors import PressError
from reproduce.running.check import Checked, find_claims, in_words
from reproduce.running.notebooks import write_notebook
from reproduce.running.recheck import Difference

if TYPE_CHECKING:
    from conftest import TinyBook


@pytest.fixture(scope="module")
def refreshed(furnished: "Callable[[Path], TinyBook]", tmp_path_factory: pytest.TempPathFactory) -> "TinyBook":
    """A book with one refreshed chapter."""
    tiny = furnished(tmp_path_factory.mktemp("book"))
    tiny.chapter("sums/geometric")
    assert tiny.ask("refresh").returncode == 0
    return tiny


@pytest.fixture
def stored(refreshed: "TinyBook", tmp_path: Path) -> "TinyBook":
    """A copy of that book."""
    return refreshed.copy(tmp_path)


def test_a_number_that_does_not_come_out_again_is_said(stored: "TinyBook") -> None:
    notebook = stored.root / "chapters/sums/geometric.ipynb"
    notebook.write_text(notebook.read_text().replace("ratio: float = 0.5", "ratio: float = 0.25"))
    done = stored.ask("check", "geometric.limit")
    assert done.returncode == 1
    assert "claim geometric.limit: theory is stored as 2, executed anew it is 1.33333333333" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 of 1 as stored, to the last digit, 1 not"


def test_what_another_processor_may_have_otherwise_is_counted_apart() -> None:
    claim = StoredClaim("sums/geometric", {}, "", "", ())
    moved, wrong = (Difference("measured", "1", "1.00001", allowed) for allowed in (True, False))
    done = [Checked(claim, claim, found) for found in ([], [], [moved], [moved, wrong])]
    said = "2 of 4 as stored, to the last digit, 1 within what another processor changes, 1 not"
    assert in_words(done) == said


def test_a_number_forged_within_its_tolerance_does_not_pass(stored: "TinyBook") -> None:
    chapter = stored.book.chapter("geometric")
    notebook = chapter.read()
    [output] = [output for cell in notebook.cells for output in cell.get("outputs", []) if "claim" in output.metadata]
    record = output.metadata.claim
    record.tolerance = record.derived = 3 * record.derived
    output.metadata.claim = sealed(record)
    output.data["text/plain"], output.data["text/html"] = line(output.metadata.claim), box(output.metadata.claim)
    write_notebook(notebook, chapter.notebook)
    assert stored.ask("ledger").returncode == 0, "the ledger alone cannot see it"
    done = stored.ask("check")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "0 of 1 as stored, to the last digit, 1 not"


def test_a_claim_that_does_not_come_out_again_is_said(stored: "TinyBook") -> None:
    notebook = stored.root / "chapters/sums/geometric.ipynb"
    notebook.write_text(notebook.read_text().replace('claims.limit(\\"limit\\"', 'claims.limit(\\"other\\"'))
    done = stored.ask("check")
    assert done.returncode == 1
    assert "claim geometric.limit is stored, executed anew it does not come out" in done.stdout


def test_an_unknown_claim_is_one_line(stored: "TinyBook") -> None:
    before = stored.files()
    for id, hint in (
        ("claim 'geometric.limt'", "did you mean geometric.limit?"),
        ("claim 'x.y'", "'python -m reproduce ledger' shows them all"),
        ("chapter 'geometrc'", "did you mean geometric?"),
        ("chapter 'x'", "'python -m reproduce list' shows them all"),
    ):
        done = stored.ask("check", "geometric.limit", id.split("'")[1])
        assert (done.stderr.strip(), done.returncode) == (f"error: unknown {id}; {hint}", 2)
    assert stored.files() == before


def test_a_chapter_stands_for_all_its_claims(tiny: "TinyBook") -> None:
    tiny.chapter("sums/geometric", tiny.claim("geometric"), tiny.claim("geometric").replace('"limit"', '"again"'))
    tiny.chapter("sums/zeta", "1", registered=False)
    tiny.chapter("sums/wallis")
    (tiny.root / "chapters/sums/new.py").write_text("# %% [markdown]\n# # New\n")
    assert tiny.ask("refresh", "geometric", "wallis").returncode == 0
    for names in (["geometric"], ["sums/geometric"], ["geometric", "geometric.again"], ["chapters/sums/geometric.py"]):
        assert [claim.id for claim in find_claims(tiny.book, names)] == ["geometric.limit", "geometric.again"]
    both = find_claims(tiny.book, ["wallis", "geometric.again"])
    assert [claim.id for claim in both] == ["geometric.again", "wallis.limit"]
    for name, said in (("zeta", "sums/zeta stores no claim"), ("new", "sums/new has no notebook yet")):
        with pytest.raises(PressError, match=said):
            find_claims(tiny.book, [name])
