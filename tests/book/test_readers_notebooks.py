"""The notebook that each chapter offers: that it reads outside of the book, and that it runs there."""

import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import nbformat
import pytest
from docutils import nodes

from reproduce.chapters.book import Book
from reproduce.pages.markdown import Markdown

ROOT = Path(__file__).parents[2]
RAW = re.compile(r"\{[a-z][\w:-]*\}`|^[> ]*(?:`{3,}|:{3,}) *\{|\{\{|^\(.*\)=$", re.MULTILINE)
EXCUSED = re.compile(r"[ ]*# (?:mutant|spoiled)\b.*")


def readers_notebook(html: Path, chapter: str) -> Path:
    return html / "_sources" / "chapters" / f"{chapter}.ipynb"


def test_no_markup_of_the_book_is_left_in_them(html: Path) -> None:
    left = {}
    for chapter in Book(ROOT).chapters():
        notebook = nbformat.read(readers_notebook(html, chapter.name), as_version=4)
        nbformat.validate(notebook)
        words = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert words.startswith("# ")
        assert "attachment:hero.png" in words
        assert "| predicted |" in words
        left[chapter.name] = [found[0] for found in RAW.finditer(words)]
    assert not {name: found for name, found in left.items() if found}


def test_their_code_is_that_of_the_chapter_below_a_cell_that_installs(html: Path) -> None:
    for chapter in Book(ROOT).chapters():
        notebook = nbformat.read(readers_notebook(html, chapter.name), as_version=4)
        first, *code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        assert re.search(r"pip install .*\[.*press.*\]", first)
        stored = [cell.source for cell in chapter.read().cells if cell.cell_type == "code"]
        assert [one.split() for one in code] == [EXCUSED.sub("", one).split() for one in stored]


def test_above_the_parameters_they_say_what_can_be_changed(html: Path) -> None:
    for chapter in Book(ROOT).chapters():
        cells = nbformat.read(readers_notebook(html, chapter.name), as_version=4).cells
        (at,) = (at for at, cell in enumerate(cells) if "parameters" in cell.metadata.get("tags", ()))
        said = [cell.source for cell in cells if "What can I change here?" in cell.source]
        assert said == [cells[at - 1].source]
        assert f"`python -m reproduce run {chapter.name} -p NAME=VALUE`" in said[0]


@pytest.mark.nightly
def test_one_of_them_runs_where_only_the_wheel_is_installed(html: Path, tmp_path: Path) -> None:
    paths = [readers_notebook(html, chapter.name) for chapter in Book(ROOT).chapters()]
    drawn = paths[int(hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest(), 16) % len(paths)]
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=ROOT, check=True)
    venv.create(tmp_path / "env")
    (room,) = (tmp_path / "env" / "lib").glob("*/site-packages")
    zipfile.ZipFile(next(tmp_path.glob("*.whl"))).extractall(room)
    (room / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")  # what the wheel needs
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"MPLBACKEND": "agg"}
    command = [tmp_path / "env" / "bin" / "python", "-m", "IPython", "--colors=NoColor", drawn]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    claims = sum("claim" in output.get("metadata", {}) for cell in Book(ROOT).chapter(drawn.stem).read().cells
                 for output in cell.get("outputs", ()))  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (done.stdout.count("✓ holds"), done.stdout.count("✗")) == (claims, 0), drawn


@pytest.mark.parametrize(("node", "words"), [
    (nodes.math("", r"|a|<\|b\|"), r"$\vert a\vert \lt \Vert b\Vert $"),
    (nodes.Text("a_b*c $1 <d>"), r"a\_b\*c \$1 \<d\>"),
    (nodes.strong("", " so "), " **so** "),
    (nodes.reference("", "here", refuri="there"), "[here](there)"),
])  # fmt: skip
def test_a_piece_of_a_line_as_markdown(node: nodes.Node, words: str) -> None:
    assert Markdown(lambda node: "", lambda link: str(link["refuri"])).words(node) == words


def test_a_numbered_formula_and_a_list_as_markdown() -> None:
    written = Markdown(lambda node: "2.1", lambda link: "")
    items = nodes.bullet_list("", nodes.list_item("", nodes.paragraph("", "a"), nodes.math_block("", r"x\\y")))
    expected = "- a\n  \n  $$\n  \\begin{aligned}x\\\\y\\end{aligned}\n  \\tag{2.1}\n  $$"
    assert list(written.blocks([nodes.paragraph("", "1. first"), items])) == [r"1\. first", expected]
