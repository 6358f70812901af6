"""What a chapter uses of the library, read off its import statements."""

from pathlib import Path
from typing import Any

import nbformat
import pytest

from reproduce.book import Book
from reproduce.running.imports import files_used, without_words
from reproduce.running.staleness import code_hash

v4: Any = nbformat.v4
FILES = {
    "mathematics/__init__.py": "",
    "mathematics/limits/__init__.py": "from mathematics.limits.margin import margin\n"
    "from mathematics.limits.cone import cone\n",
    "mathematics/limits/cone.py": "",
    "mathematics/limits/margin.py": "import mathematics.checks\n\ndef margin():\n    from mathematics import slow\n",
    "mathematics/checks.py": "import numpy\n",
    "mathematics/slow.py": "",
    "mathematics/models.py": "",
    "mathematics/figures/__init__.py": "import numpy\n",
    "mathematics/figures/films.py": "",
    "mathematics/figures/film.js": "",
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def used(library: Path, *cells: str) -> set[str]:
    notebook = v4.new_notebook(cells=[*map(v4.new_code_cell, cells), v4.new_markdown_cell("import mathematics.models")])
    return {path.relative_to(library / "mathematics").as_posix() for path in files_used(library, notebook)}


def test_a_name_that_a_package_gathers_leads_to_its_own_module_alone(library: Path) -> None:
    (library / "mathematics/__init__.py").write_text('"""All of it."""\n\nfrom mathematics.limits import cone\n')
    assert used(library, "from mathematics.limits import cone") == {"limits/cone.py"}
    assert used(library, "from mathematics import cone") == {"limits/cone.py"}
    every = {"limits/__init__.py", "limits/cone.py", "limits/margin.py", "checks.py", "slow.py"}
    assert used(library, "import mathematics.limits") == every
    assert used(library, "from mathematics.limits import *") == every
    assert used(library, "import numpy", "x = 1") == set()


def test_a_package_that_does_more_than_gather_is_used(library: Path) -> None:
    assert used(library, "from mathematics.figures.films import film") == {
        "figures/__init__.py",
        "figures/films.py",
        "figures/film.js",
    }


def test_what_a_module_imports_within_a_function_is_used(library: Path) -> None:
    assert used(library, "import mathematics.limits.margin") == {"limits/margin.py", "checks.py", "slow.py"}


def test_a_cell_that_is_no_plain_python_names_nothing(library: Path) -> None:
    assert used(library, "%matplotlib inline\nimport mathematics.checks", "import mathematics.models") == {"models.py"}


def test_words_do_not_count() -> None:
    source = '"""Words."""\n\nX = "#"  # more\n\n\ndef f(x):\n    """Says."""\n    return x  # of it\n'
    assert without_words(source) == 'X = "#"\ndef f(x):\n    return x'
    claim = 'claims.limit(\n    "sum",\n    "it converges",\n    {}theory=2.0,\n    because="rounding",\n)\n'
    assert without_words(claim.format("")) == 'claims.limit(\n    "sum",\n    theory=2.0,\n)'
    assert without_words(claim.format('headline="the sum",\n    ')) == without_words(claim.format(""))
    assert without_words(claim.format("").replace("2.0", "3.0")) != without_words(claim.format(""))
    assert (
        without_words('claims.rate("x", "é", source="ü", theory=1.0, because="ö")')
        == 'claims.rate("x", , , theory=1.0, )'
    )
    assert without_words('if n > d:\n    raise ValueError("n")\nx = 1') == "x = 1"
    refusal = "def f(n):\n    if n < {}:\n        raise ValueError({})\n    return n"
    assert without_words(refusal.format(1, 'f"n is {n}"')) == without_words(refusal.format(1, '\n"n",\n"is"\n'))
    assert without_words(refusal.format(1, '"n"')) != without_words(refusal.format(2, '"n"'))
    assert without_words("%matplotlib inline  # magic") == "%matplotlib inline  # magic"


def test_fresh_seeds_grow_old_with_a_formula_and_not_with_a_word(tmp_path: Path) -> None:
    book = Book(tmp_path)
    (tmp_path / "lib").mkdir()
    module = tmp_path / "lib" / "series.py"
    notebook = v4.new_notebook(cells=[v4.new_code_cell("import series")])
    hashes = []
    for text in ("ONE = 1\n", "# one\nONE = 1\n", "ONE = 2\n"):
        module.write_text(text)
        hashes.append(code_hash(book, notebook))
    assert hashes[0] == hashes[1] != hashes[2]


def test_fresh_seeds_do_not_grow_old_with_a_colour(library: Path) -> None:
    book = Book(library.parent)
    library.rename(library.with_name("lib"))
    notebook = v4.new_notebook(cells=[v4.new_code_cell("import mathematics.figures.films, mathematics.checks")])
    before = code_hash(book, notebook)
    (book.root / "lib/mathematics/figures/films.py").write_text("COLOR = 'red'\n")
    (book.root / "lib/mathematics/figures/film.js").write_text("play()")
    assert code_hash(book, notebook) == before
    (book.root / "lib/mathematics/checks.py").write_text("LIMIT = 2\n")
    assert code_hash(book, notebook) != before


def test_a_package_that_does_not_parse_or_gathers_from_itself_is_used_whole(library: Path) -> None:
    init = library / "mathematics/limits/__init__.py"
    for text in ("from mathematics.limits import", "from mathematics.limits import cone\n"):
        init.write_text(text)
        assert "limits/__init__.py" in used(library, "from mathematics.limits import missing")
