"""Stored notebooks executed in place: stable outputs, and the twin's word is the last."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from nbformat import NotebookNode
from patience import PATIENCE
from tiers import thinned

from reproduce.chapters.book import Book
from reproduce.claims.ledger import claims_of
from reproduce.claims.record import sealed
from reproduce.running import refresh as refreshing
from reproduce.running.notebooks import normalised
from reproduce.running.refresh import keep_seconds, out_of_step
from reproduce.running.staleness import fingerprint

if TYPE_CHECKING:
    from conftest import TinyBook


def test_a_second_refresh_changes_nothing_and_the_twin_wins(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    first = tiny.call("refresh")
    assert first.returncode == 0, first.stderr
    assert "✓ holds  geometric.limit" in first.stdout
    assert out_of_step(chapter) == ""
    notebook, twin = chapter.notebook.read_bytes(), chapter.twin.read_bytes()
    for gone in (b'"papermill"', b'"execution"', b'"widgets"', b'"version": "3.', str(tiny.root).encode()):
        assert gone not in notebook

    assert tiny.ask("refresh", "geometric").returncode == 0
    assert (chapter.notebook.read_bytes(), chapter.twin.read_bytes()) == (notebook, twin)

    chapter.twin.write_text(chapter.twin.read_text().replace("int = 60", "int = 70") + "\n# %%\nprint(terms)\n")
    os.utime(chapter.twin, (1, 1))
    assert "int = 60" in out_of_step(chapter)
    third = tiny.ask("refresh")
    assert third.returncode == 0, third.stderr
    assert "text taken from geometric.py, which differs from the notebook" in third.stdout
    (kept,) = (tiny.root / "_build/replaced/sums").iterdir()
    assert f"the notebook loses text by it; as it was it is kept as {kept.relative_to(tiny.root)}" in third.stdout
    assert kept.read_bytes() == notebook
    assert chapter.read().cells[-1].outputs[0].text == "70\n"
    assert "int = 70" in chapter.read().cells[1].source
    assert out_of_step(chapter) == ""


def test_an_animation_keeps_its_name_and_a_claim_its_seconds(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    notebook = chapter.read()
    notebook.cells[1].outputs = [
        {
            "output_type": "display_data",
            "metadata": {},
            "data": {"text/html": f"<p id='_anim_img{'0a' * 16}'>{'0a' * 16}"},
        }
    ]
    named = normalised(notebook).cells[1].outputs[0].data["text/html"]
    assert "0a0a" not in named
    notebook.cells[1].outputs[0]["data"]["text/html"] = f"<p id='_anim_img{'1b' * 16}'>{'1b' * 16}"
    assert normalised(notebook).cells[1].outputs[0].data["text/html"] == named

    def with_seconds(seconds: int) -> NotebookNode:
        notebook.cells[1].outputs = [
            {"output_type": "display_data", "metadata": {"claim": {"id": "a.b", "seconds": seconds}}, "data": {}}
        ]
        return normalised(notebook)

    for stored, fresh, kept in ((3, 10, 3), (10, 3, 10), (3, 30, 30), (3, 3, 3)):
        done = with_seconds(fresh)
        keep_seconds(with_seconds(stored), done)
        assert done.cells[1].outputs[0].metadata["claim"]["seconds"] == kept


def test_a_chapter_that_is_only_a_twin_becomes_a_notebook(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", registered=False)
    chapter.notebook.unlink()
    chapter.twin.write_text("# %% [markdown]\n# # One\n\n# %%\nprint(1)\n")
    assert "'python -m reproduce refresh sums/geometric' makes it" in tiny.ask("run", "geometric").stderr
    done = tiny.ask("refresh", "geometric")
    assert "sums/geometric: notebook made from geometric.py" in done.stdout
    assert chapter.read().cells[1].outputs[0].text == "1\n"
    assert "formats: ipynb,py:percent" in chapter.twin.read_text()


def test_a_failing_cell_leaves_the_stored_files_as_they_were(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", "1 / 0", registered=False)
    before = chapter.notebook.read_bytes()
    done = tiny.ask("refresh")
    assert done.returncode == 1
    assert "stopped at cell [2]: ZeroDivisionError" in done.stderr
    assert chapter.notebook.read_bytes() == before
    assert not chapter.twin.exists()
    assert (tiny.root / "_build/failed/sums/geometric.failed.ipynb").exists()


TWO = """
claims.limit("rate", 2.0, total, proved=1e-9, control=total - 1)"""


@pytest.fixture(scope="module")
def refreshed(furnished: "Callable[[Path], TinyBook]", tmp_path_factory: pytest.TempPathFactory) -> "TinyBook":
    """A book with one refreshed chapter of two registered claims."""
    tiny = furnished(tmp_path_factory.mktemp("book"))
    tiny.chapter("sums/geometric", tiny.claim("geometric"), TWO, registered=False)
    tiny.register("sums/geometric", "geometric.limit", "geometric.rate")
    assert tiny.ask("refresh").returncode == 0
    return tiny


@pytest.fixture
def kept(refreshed: "TinyBook", tmp_path: Path) -> "TinyBook":
    """A copy of that book."""
    return refreshed.copy(tmp_path)


def up_to(text: str, mark: str) -> str:
    return text[: text.index(mark)]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            lambda text: "",
            "it lacks the cell tagged parameters and the registered claims geometric.limit, geometric.rate",
        ),
        (lambda text: up_to(text, "proved=1e-9"), "code cell 2 is not Python ('(' was never closed, line 5)"),
        (lambda text: up_to(text, "# %%\n\nclaims.limit("), "it lacks the registered claim geometric.rate"),
        (lambda text: text.replace(' tags=["parameters"]', ""), "it lacks the cell tagged parameters"),
        (lambda text: up_to(text, "# %% tags"), "it lacks the cell tagged parameters and the registered claims"),
        (
            lambda text: text.replace("ratio: float", "ratio float"),
            "code cell 1 is not Python (invalid syntax, line 2)",
        ),
    ],
    ids=["empty", "cut in a cell", "cut after a cell", "tag lost", "cut before the parameters", "unparsable"],
)
def test_a_damaged_twin_replaces_nothing(kept: "TinyBook", damage, said: str) -> None:  # type: ignore[no-untyped-def]
    chapter = kept.book.chapter("geometric")
    notebook, twin = chapter.notebook.read_bytes(), damage(chapter.twin.read_text())
    chapter.twin.write_text(twin)
    done = kept.ask("refresh", "geometric")
    line = done.stderr.splitlines()[-1]
    assert done.returncode == 2
    assert line.startswith("error: chapters/sums/geometric.py is not whole: ")
    assert said in line
    assert "delete geometric.py to have it made from the notebook, or add --force" in line
    assert len(done.stderr.splitlines()) == 2
    assert (chapter.notebook.read_bytes(), chapter.twin.read_text()) == (notebook, twin)

    chapter.twin.unlink()
    assert kept.ask("refresh", "geometric").returncode == 0
    assert chapter.notebook.read_bytes() == notebook


OTHERS = (
    "# :evidence: observed\n# so\n# ```\n#\n# ```{claim} rate"  # the words of a claim, and where the next ones begin
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{claim} rate", "{claim} rote", "it lacks the words of the registered claim geometric.rate"),
        ("{claim} rate", "{claim} limit", "the words of claim 'limit' stand twice"),
        ("# ```{claim} rate", "# ```{claim} other\n" + OTHERS, "claim 'other' have no call"),
        ("# ```{claim} rate", "# ```{claim} limit\n" + OTHERS, "claim 'limit' stand twice"),
        (
            "# :evidence: float with residual\n",
            "",
            "must be one of proved here, exact arithmetic, float with residual,",
        ),
        (":control:", ":versus:", "the words of claim 'limit': ':versus:' is none of evidence, because, control,"),
    ],
)
def test_words_without_a_call_or_twice_replace_nothing(kept: "TinyBook", old: str, new: str, said: str) -> None:
    chapter = kept.book.chapter("geometric")
    notebook, text = chapter.notebook.read_bytes(), chapter.twin.read_text()
    assert old in text
    chapter.twin.write_text(text.replace(old, new, 1))
    for options in ([], ["--words"]):
        done = kept.ask("refresh", "geometric", *options)
        assert done.returncode == 2
        assert said in done.stderr.splitlines()[-1]
        assert chapter.notebook.read_bytes() == notebook


def test_words_are_joined_without_an_execution(kept: "TinyBook") -> None:
    chapter = kept.book.chapter("geometric")
    before, text = chapter.read(), chapter.twin.read_text()
    chapter.twin.write_text(text.replace("The series converges.", "The series tends to 2.", 1))
    assert kept.ask("refresh", "geometric", "--words").returncode == 0
    after = chapter.read()
    records = [[claim.record for claim in claims_of(chapter.name, notebook)] for notebook in (before, after)]
    assert [record["statement"] for record in records[1]] == ["The series tends to 2.", "The series converges."]
    assert [sealed({**record, "statement": ""}) for record in records[0]] == [
        sealed({**record, "statement": ""}) for record in records[1]
    ]
    shown = [[[output.data for output in cell.get("outputs", [])] for cell in one.cells] for one in (before, after)]
    assert shown[0] == shown[1]
    assert after.metadata.executed == before.metadata.executed
    assert fingerprint(kept.book, after) == fingerprint(kept.book, before)
    assert kept.ask("ledger").returncode == 0
    assert not out_of_step(chapter)


def test_code_that_was_not_executed_is_not_stored_for_its_words(kept: "TinyBook") -> None:
    chapter = kept.book.chapter("geometric")
    notebook, text = chapter.notebook.read_bytes(), chapter.twin.read_text()
    chapter.twin.write_text(text.replace("terms: int = 60", "terms: int = 61"))
    done = kept.ask("refresh", "geometric", "--words")
    assert done.returncode == 2
    assert "the code of sums/geometric is not what was executed; 'refresh' without --words" in done.stderr
    assert chapter.notebook.read_bytes() == notebook


@pytest.mark.parametrize("content", [b"\xff\xfe", b"# ---\n# jupyter: [\n# ---\n\n# %%\n1\n"])
def test_a_twin_that_cannot_be_read_is_one_line(kept: "TinyBook", content: bytes) -> None:
    chapter = kept.book.chapter("geometric")
    notebook = chapter.notebook.read_bytes()
    chapter.twin.write_bytes(content)
    done = kept.ask("refresh", "geometric")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2
    assert "geometric.py is not" in done.stderr
    assert chapter.notebook.read_bytes() == notebook


def test_force_stores_it_and_keeps_the_old_notebook(kept: "TinyBook") -> None:
    chapter = kept.book.chapter("geometric")
    notebook = chapter.notebook.read_bytes()
    chapter.twin.write_text("")
    os.utime(chapter.notebook, (1, 1))  # the notebook is not the newer one
    done = kept.ask("refresh", "geometric", "--force")
    assert done.returncode == 0, done.stderr
    assert chapter.read().cells == []
    (old,) = (kept.root / "_build/replaced/sums").iterdir()
    assert f"as it was it is kept as {old.relative_to(kept.root)}" in done.stdout
    assert old.read_bytes() == notebook


def test_a_claim_that_the_run_does_not_store_replaces_nothing(kept: "TinyBook") -> None:
    chapter = kept.book.chapter("geometric")
    notebook = chapter.notebook.read_bytes()
    text = chapter.twin.read_text()
    chapter.twin.write_text(text.replace('claims.limit("rate"', 'terms > 60 and claims.limit("rate"'))
    done = kept.ask("refresh", "geometric")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "error: sums/geometric stays as it was: its run did not store the registered claim geometric.rate, see "
        "_build/failed/sums/geometric.failed.ipynb; mend it, take them out of _atlas.yml, or add --force"
    )
    assert chapter.notebook.read_bytes() == notebook


def test_a_registered_chapter_without_notebook_is_not_told_to_delete_its_twin(kept: "TinyBook") -> None:
    chapter = kept.book.chapter("geometric")
    chapter.notebook.unlink()
    chapter.twin.write_text("# %%\n1\n")
    assert kept.ask("refresh").stderr.splitlines()[-1].endswith("nothing was changed; mend it or add --force")
    assert not chapter.notebook.exists()


def test_an_earlier_notebook_is_kept_beside_a_later_one(kept: "TinyBook") -> None:
    chapter = kept.book.chapter("geometric")
    for number, time in ((61, 1_000_000), (62, 2_000_000)):
        os.utime(chapter.notebook, (time, time))
        chapter.twin.write_text(chapter.twin.read_text().replace(f"int = {number - 1}", f"int = {number}"))
        assert kept.ask("refresh", "geometric").returncode == 0
    assert len(list((kept.root / "_build/replaced/sums").iterdir())) == 2


def _stopped(root: Path, at: str) -> None:
    """Refresh in a process that is killed when it writes one of the two files."""
    real = getattr(refreshing, at)

    def killed(*given: object) -> None:
        if str(given[0 if at == "write_text" else 1]).endswith((".py", ".ipynb")):
            os.kill(os.getpid(), signal.SIGKILL)
        real(*given)

    setattr(refreshing, at, killed)
    book = Book(root)
    refreshing.refresh(book, book.chapter("geometric"))


@pytest.mark.parametrize("at", thinned(["write_notebook", "write_text"], every=2))
def test_a_kill_while_storing_is_mended_by_the_next_refresh(kept: "TinyBook", at: str) -> None:
    chapter = kept.book.chapter("geometric")
    twin = chapter.twin.read_text().replace("int = 60", "int = 70").replace("# %% [markdown]", "# %%   [markdown]")
    chapter.twin.write_text(twin)
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_stopped, args=(kept.root, at))
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == -signal.SIGKILL
    assert chapter.twin.read_text() == twin
    assert len(chapter.read().cells) == 4
    done = kept.ask("refresh", "geometric")
    assert done.returncode == 0, done.stderr
    assert out_of_step(chapter) == ""
    assert "int = 70" in chapter.read().cells[1].source
    assert "# %%   [" not in chapter.twin.read_text()
    assert not [name for name in kept.files() if "/." in name and not name.startswith("_build/cache")]
