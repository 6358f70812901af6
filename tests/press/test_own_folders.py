"""Outputs go below ``_build`` or outside of every book, never among a book's own files."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproduce.chapters.book import OF_THE_BUILD, refuse_own_folders
from reproduce.ground.errors import PressError

if TYPE_CHECKING:
    from conftest import TinyBook

OWN = (".", "chapters", "chapters/new", "lib/out", "tests", "_static", "api", ".git", ".venv/x", "mine",
       "_build", "_build/..", "_build/x/../../lib", "chapters/_build/x", *(f"_build/{name}/x" for name in OF_THE_BUILD),
       "linked", "linked/new", "../a book {with} spaces/lib", "inner/lib")  # fmt: skip


@pytest.fixture
def linked(tiny: "TinyBook") -> "TinyBook":
    """A book with a link into its chapters, and another book inside it."""
    (tiny.root / "linked").symlink_to("chapters")
    (tiny.root / "inner/chapters").mkdir(parents=True)
    (tiny.root / "inner/_toc.yml").touch()
    return tiny


@pytest.mark.parametrize("folder", OWN)
def test_a_folder_of_the_book_is_refused(linked: "TinyBook", folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(linked.root)
    for given in (Path(folder), linked.root / folder):
        with pytest.raises(PressError, match="is not allowed: ") as refusal:
            refuse_own_folders(linked.book, given)
        assert "\n" not in str(refusal.value)


def test_another_book_is_refused_and_its_build_is_not(linked: "TinyBook", tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "chapters").mkdir(parents=True)
    (other / "_toc.yml").touch()
    for folder in (other, other / "lib", other / "_build/html", other / "_build"):
        with pytest.raises(PressError, match="is not allowed: "):
            refuse_own_folders(linked.book, folder)
    assert refuse_own_folders(linked.book, other / "_build/mine") == other / "_build/mine"


@pytest.mark.parametrize("folder", ["_build/mine", "_build/runs/sums/x", "../outside", "_build/../../outside"])
def test_a_folder_below_build_or_outside_is_allowed(
    tiny: "TinyBook", folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny.root)
    assert refuse_own_folders(tiny.book, Path(folder)) == Path(os.path.realpath(folder))


def test_a_build_that_is_a_link_to_another_disk_is_allowed(tiny: "TinyBook", tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    (tiny.root / "_build").symlink_to(disk)
    assert refuse_own_folders(tiny.book, tiny.root / "_build/mine") == disk / "mine"
    with pytest.raises(PressError):
        refuse_own_folders(tiny.book, disk / "executed")


def test_a_run_into_the_chapters_is_one_line_and_changes_nothing(tiny: "TinyBook") -> None:
    chapter = tiny.chapter("sums/geometric")
    before = chapter.notebook.read_bytes()
    for folder in ("chapters/sums", ".", str(tiny.root / "chapters/sums")):
        done = tiny.ask("run", "geometric", "-o", folder)
        said = folder.removeprefix(f"{tiny.root}/")
        assert (done.returncode, done.stderr) == (
            2,
            f"error: {said} is not allowed: it belongs to the book at {tiny.root}; "
            "use a folder below _build or outside\n",
        )
    assert chapter.notebook.read_bytes() == before
    assert not (tiny.root / "_build").exists()
