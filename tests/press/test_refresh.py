"""Stored notebooks executed in place: stable outputs, and the twin's word is the last."""

import os
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from reproduce.execute import normalised
from reproduce.refresh import differences, keep_seconds

if TYPE_CHECKING:
    from conftest import TinyBook


def test_a_second_refresh_changes_nothing_and_the_twin_wins(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    first = tiny.call("refresh")
    assert first.returncode == 0, first.stderr
    assert "✓ holds  geometric.limit" in first.stdout
    assert differences(chapter) == ""
    notebook, twin = chapter.notebook.read_bytes(), chapter.twin.read_bytes()
    for gone in (b'"papermill"', b'"execution"', b'"widgets"', b'"version": "3.', str(tiny.root).encode()):
        assert gone not in notebook

    assert tiny.call("refresh", "geometric").returncode == 0
    assert (chapter.notebook.read_bytes(), chapter.twin.read_bytes()) == (notebook, twin)

    chapter.twin.write_text(chapter.twin.read_text().replace("int = 60", "int = 70") + "\n# %%\nprint(terms)\n")
    os.utime(chapter.twin, (1, 1))
    assert "int = 60" in differences(chapter)
    third = tiny.call("refresh")
    assert third.returncode == 0, third.stderr
    assert "text taken from geometric.py, which differs from the notebook" in third.stdout
    assert "it is kept as _build/replaced/sums/geometric.ipynb" in third.stdout
    assert (tiny.root / "_build/replaced/sums/geometric.ipynb").read_bytes() == notebook
    assert chapter.read().cells[-1].outputs[0].text == "70\n"
    assert "int = 70" in chapter.read().cells[1].source
    assert differences(chapter) == ""


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
    chapter = tiny.chapter("sums/geometric")
    chapter.notebook.unlink()
    chapter.twin.write_text("# %% [markdown]\n# # One\n\n# %%\nprint(1)\n")
    assert "'python -m reproduce refresh sums/geometric' makes it" in tiny.call("run", "geometric").stderr
    done = tiny.call("refresh", "geometric")
    assert "sums/geometric: notebook made from geometric.py" in done.stdout
    assert chapter.read().cells[1].outputs[0].text == "1\n"
    assert "formats: ipynb,py:percent" in chapter.twin.read_text()


def test_a_failing_cell_leaves_the_stored_files_as_they_were(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric", "1 / 0")
    before = chapter.notebook.read_bytes()
    done = tiny.call("refresh")
    assert done.returncode == 1
    assert "stopped at cell [2]: ZeroDivisionError" in done.stderr
    assert chapter.notebook.read_bytes() == before
    assert not chapter.twin.exists()
    assert (tiny.root / "_build/failed/sums/geometric.failed.ipynb").exists()
