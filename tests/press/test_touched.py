"""Which tests ``make quick`` runs of what was touched, in a small book under Git."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from touched import OF_CHAPTERS, belonging, git, touched

FILES = {
    "lib/implicit_bias/flows/driver.py": "",
    "lib/implicit_bias/flows/steps.py": "",
    "lib/reproduce/claims/__init__.py": "from reproduce.claims.author import Claims",
    "lib/reproduce/claims/author.py": "from reproduce.claims.parts import Parts",
    "lib/reproduce/claims/judge.py": "",
    "lib/reproduce/claims/ledger.py": "",
    "lib/reproduce/claims/parts.py": "",
    "lib/reproduce/claims/unread.py": "",
    "lib/reproduce/extension.py": "",
    "chapters/linear/sums.py": "# %% [markdown]\n# On sums\n\n# %%\na = 1\n",
    "tests/library/flows/test_driver.py": "",
    "tests/library/flows/test_mirror.py": "",
    "tests/press/conftest.py": "",
    "tests/press/test_claims.py": "from reproduce.claims.judge import holds",
    "tests/press/test_ledger.py": "from reproduce.claims.ledger import judge",
    "tests/press/test_new.py": "from reproduce.chapters.book import Book",
    "tests/book/test_pages.py": "from reproduce.claims.judge import holds\n\ndef test(html: Path): ...",
}
PRESS, FLOWS = "tests/press/test_{}.py", "tests/library/flows/test_{}.py"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The book, with all its files in one commit."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)  # of a hook that runs the tests
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(root: Path) -> None:
    git(root, "add", "--all")
    who = ("-c", "user.name=a", "-c", "user.email=a@b.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, "commit", "--quiet", "--no-verify", "-m", "x"], cwd=root, check=True)


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("lib/implicit_bias/flows/driver.py", [FLOWS.format("driver")]),
        ("lib/implicit_bias/flows/steps.py", [FLOWS.format("driver"), FLOWS.format("mirror")]),
        ("lib/reproduce/claims/judge.py", [PRESS.format("claims")]),
        ("lib/reproduce/claims/ledger.py", [PRESS.format("ledger")]),
        ("lib/reproduce/claims/parts.py", [PRESS.format("claims")]),
        ("lib/reproduce/claims/unread.py", [PRESS.format("claims"), PRESS.format("ledger")]),
        ("lib/reproduce/extension.py", []),
        ("tests/press/test_claims.py", [PRESS.format("claims")]),
        ("tests/book/test_pages.py", ["tests/book/test_pages.py"]),
        ("tests/press/conftest.py", [PRESS.format(name) for name in ("claims", "ledger", "new")]),
        ("_atlas.yml", [str(OF_CHAPTERS)]),
        ("README.md", []),
    ],
)
def test_a_file_has_the_tests_of_its_name_or_of_its_room(root: Path, file: str, tests: list[str]) -> None:
    found = {str(path) for path in belonging(root, "HEAD", file) if path.parent != Path("tests")}
    assert found == set(tests)


def test_a_notebook_is_executed_where_the_code_of_its_chapter_changed(root: Path) -> None:
    twin, notebook = root / "chapters/linear/sums.py", Path("chapters/linear/sums.ipynb")
    twin.write_text(FILES["chapters/linear/sums.py"].replace("On sums", "On all sums"))
    assert notebook not in set(belonging(root, "HEAD", "chapters/linear/sums.py"))
    twin.write_text(FILES["chapters/linear/sums.py"].replace("a = 1", "a = 2"))
    assert set(belonging(root, "HEAD", "chapters/linear/sums.py")) == {OF_CHAPTERS, notebook}


def test_what_differs_is_touched_or_else_what_the_last_commit_changed(root: Path) -> None:
    (root / "README.md").write_text("new")
    assert touched(root) == ("HEAD", ["README.md"])
    (root / "tests/press/conftest.py").write_text("changed")
    assert touched(root) == ("HEAD", ["tests/press/conftest.py", "README.md"])
    commit(root)
    assert touched(root) == ("HEAD~1", ["README.md", "tests/press/conftest.py"])


def test_what_is_not_reached_in_time_is_left_to_make_test() -> None:
    pytest_it = (sys.executable, "-m", "pytest", "-q", "-p", "no:benchmark")
    done = subprocess.run(
        (*pytest_it, "--seconds", "0", "tests/press/test_numbers.py"),
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert "skipped" in done.stdout
    assert "passed" not in done.stdout
