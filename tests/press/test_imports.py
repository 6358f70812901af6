"""What a chapter uses of the library, read off its import statements."""

from pathlib import Path
from typing import Any

import nbformat
import pytest

from reproduce.chapters.book import Book
from reproduce.running.imports import files_used
from reproduce.running.staleness import fingerprint

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


def test_a_name_that_is_imported_when_it_is_asked_for_leads_to_its_own_module(library: Path) -> None:
    lazily = (
        "from typing import TYPE_CHECKING\n\nfrom mathematics.late import names_of\n\n"
        "if TYPE_CHECKING:\n    from mathematics.limits import cone as cone, margin as margin\n"
        '_HOME = {"cone": "limits", "margin": "limits"}\n__getattr__, __dir__ = names_of(__name__, _HOME)\n'
    )
    (library / "mathematics/late.py").write_text("")
    (library / "mathematics/__init__.py").write_text(lazily)
    assert used(library, "from mathematics import cone") == {"limits/cone.py"}
    assert used(library, "from mathematics.checks import finite") == {"checks.py"}
    (library / "mathematics/__init__.py").write_text(f"{lazily}LIMIT = 3\n")
    assert "__init__.py" in used(library, "from mathematics.checks import finite")


def test_what_a_module_imports_within_a_function_is_used(library: Path) -> None:
    assert used(library, "import mathematics.limits.margin") == {"limits/margin.py", "checks.py", "slow.py"}


def test_a_cell_that_is_no_plain_python_names_nothing(library: Path) -> None:
    assert used(library, "%matplotlib inline\nimport mathematics.checks", "import mathematics.models") == {"models.py"}


def test_a_file_that_is_used_changes_the_hash_and_another_does_not(library: Path) -> None:
    book = Book(library.parent)
    library.rename(library.with_name("lib"))
    notebook = v4.new_notebook(cells=[v4.new_code_cell("import mathematics.checks")])
    before = fingerprint(book, notebook)
    (book.root / "lib/mathematics/models.py").write_text("ONE = 1\n")
    assert fingerprint(book, notebook) == before
    (book.root / "lib/mathematics/checks.py").write_text("import numpy  # as np\n")
    assert fingerprint(book, notebook) != before


def test_a_package_that_does_not_parse_or_gathers_from_itself_is_used_whole(library: Path) -> None:
    init = library / "mathematics/limits/__init__.py"
    for text in ("from mathematics.limits import", "from mathematics.limits import cone\n"):
        init.write_text(text)
        assert "limits/__init__.py" in used(library, "from mathematics.limits import missing")
