"""What is left of the work on a chapter: nothing of the book's own, nearly all of one that was just made."""

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tiers import thinned

from reproduce.chapters.book import Book, Chapter
from reproduce.ready import Item, items

if TYPE_CHECKING:
    from press.conftest import TinyBook

ROOT = Path(__file__).parents[2]
BOOK = Book(ROOT)
CAMPAIGNS = "fresh seeds, other parameters, the paper's scale"
BOOKS_OWN = ("references.bib", "CITATION.cff", "pyproject.toml", "_config.yml", "CHANGELOG.md")
ENTRY = """\
- source: soudry2018
  place: Theorem 3
  statement: It converges.
  verdict: not shown
  note: Planned.
"""


def left(items: list[Item]) -> dict[str, list[str]]:
    return {item.what: item.left for item in items if item.left}


@pytest.mark.parametrize("chapter", thinned(BOOK.chapters(), every=20), ids=lambda chapter: chapter.name)
def test_of_the_books_own_chapters_at_most_campaigns_and_a_line_are_left(chapter: Chapter) -> None:
    assert set(left(list(items(BOOK, chapter)))) <= {CAMPAIGNS, "a line in CHANGELOG.md"}


def test_what_is_left_of_a_new_chapter_is_listed(tiny: "TinyBook") -> None:
    for name in BOOKS_OWN:
        shutil.copy(ROOT / name, tiny.root)
    (tiny.root / "_statements.yml").write_text(ENTRY)
    tiny.chapter("sums/geometric")
    (tiny.root / "_atlas.yml").write_text("- {part: sums, chapter: sums/other, source: soudry2018}\n")
    assert tiny.ask("new", "sums/mine", "--source", "soudry2018").returncode == 0
    done = tiny.ask("ready", "mine")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("    sums/mine has no notebook yet; 'python -m reproduce refresh sums/mine' makes it") == 1
    assert tiny.ask("refresh", "mine").returncode == 0
    (tiny.root / "_atlas.yml").write_text((tiny.root / "_atlas.yml").read_text().partition("\n\n")[2])
    before = tiny.files()
    done = tiny.ask("ready", "sums/mine")
    assert tiny.files() == before
    lines = done.stdout.splitlines()
    assert lines[-1] == "sums/mine: 2 of 15 done"
    marked = {line[2:]: line[0] for line in lines[:-1] if not line.startswith(" ")}
    assert [what for what, mark in marked.items() if mark == "✓"] == [
        "script and notebook in step, executed from top to bottom",
        "citations in references.bib, its source among them",
    ]
    for said in (
        "still the template's: the paper's scale",
        "still the template's: the words of claims",
        "still the template's: the headlines",
        "still the template's: caption and alt text",
        "still the template's: question and answer",
        "still the template's: its points",
        "# The scale of the paper's own experiment, with its section; now the template's.",
        "- **Changed.** Data, scale, algorithm or constants that are not the paper's.",
        "_atlas.yml: question",
        "none names the chapter",
        "evidence/mutants/chapters/test_mine.py does not exist",
        "codecheck.yml is not what 'python -m reproduce metadata' writes",
        "it is not named there",
        "not run: make seeds CHAPTERS=mine",
        "not run: make offdefault CHAPTERS=mine",
        "not run: make paper CHAPTERS=mine",
    ):
        assert said in done.stdout

    script = tiny.root / "chapters/sums/mine.py"
    text = (
        script.read_text().replace("{cite:t}`soudry2018`", "{cite:t}`soudri2018`").replace("{cite:p}`soudry2018`", "")
    )
    text = text.replace("- **", "- **Perhaps ").replace('tags=["hero", ', "tags=[")
    script.write_text(re.sub(r":headline: weights.*\n# ", "", text))
    (tiny.root / "_atlas.yml").write_text((tiny.root / "_atlas.yml").read_text().replace("    - mine.limit\n", ""))
    assert tiny.ask("refresh", "mine", "--force").returncode == 0
    found = left(list(items(tiny.book, tiny.book.chapter("mine"))))
    assert found["citations in references.bib, its source among them"] == [
        "unknown: soudri2018", "not cited: soudry2018"]  # fmt: skip
    assert found["Differences from the paper"][0].startswith("no point of it begins with one of the words Corrected, ")
    assert found["two to four headlines"] == [
        "1 claims have :headline:", "still the template's: the headlines"]  # fmt: skip
    assert found["figures in numbers, one of them the hero"][0] == "no cell has the tag hero"
    assert "mine.limit" in found["claims that hold, each in _atlas.yml"][0]
    script.write_text(script.read_text() + "# more\n")
    [apart] = left(list(items(tiny.book, tiny.book.chapter("mine"))))[
        "script and notebook in step, executed from top to bottom"
    ]
    assert apart.startswith("they differ: ")
