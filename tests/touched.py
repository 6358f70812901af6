"""The tests of what was touched, as ``make quick`` gives them to pytest: printed on one line.

Touched is what differs from the last commit; if nothing does, what the last commit changed. Tests that read the built
pages are left to ``make test``, unless they were touched themselves.
"""

import re
import subprocess
from pathlib import Path

ON_PAGES = re.compile(r"\b(html: Path|site: str|visits: Visits)")  # the fixtures for which the book is built
ACROSS_ROOMS = (Path("tests/test_layering.py"), Path("tests/test_docstrings.py"))
OF_CHAPTERS = Path("tests/press/test_stored_chapters.py")


def git(root: Path, *words: str) -> str:
    """What Git says; of what it does not know, nothing."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True).stdout


def touched(root: Path) -> tuple[str, list[str]]:
    """The commit that the checkout is compared with, and the files that differ from it."""
    new = git(root, "ls-files", "--others", "--exclude-standard")
    if changed := git(root, "diff", "--name-only", "HEAD") + new:
        return "HEAD", changed.splitlines()
    return "HEAD~1", git(root, "diff", "--name-only", "HEAD~1", "HEAD").splitlines()


def belonging(root: Path, base: str, file: str) -> list[Path]:
    """The tests that belong to a file, and of a chapter whose code is another than at ``base`` the notebook itself."""
    path = Path(file)
    match path.parts:
        case ("tests", *_, name):
            return [path] if name.startswith("test_") else beside(root, path.parent)
        case ("lib", "implicit_bias", *rooms, name):
            mirrored = Path("tests/library", *rooms, f"test_{name}")
            return [*ACROSS_ROOMS, *([mirrored] if (root / mirrored).exists() else beside(root, mirrored.parent))]
        case ("lib", "reproduce", *_):
            return [*ACROSS_ROOMS, *of_the_press(root, ".".join(path.with_suffix("").parts[1:]))]
        case ("chapters", *_) | ("_atlas.yml" | "_toc.yml",):
            scripts = [(root / path).read_text(), git(root, "show", f"{base}:{file}")] if path.suffix == ".py" else []
            codes = {re.sub(r"^(#.*)?\n", "", script, flags=re.MULTILINE) for script in scripts}
            return [OF_CHAPTERS, path.with_suffix(".ipynb")] if len(codes) > 1 else [OF_CHAPTERS]
    return []


def beside(root: Path, folder: Path) -> list[Path]:
    """The files of tests of a folder, without those below it."""
    return [path.relative_to(root) for path in (root / folder).glob("test_*.py")]


def of_the_press(root: Path, module: str) -> list[Path]:
    """The tests that name a module of the press; if none does, those that name the package it is in."""
    tests = [*beside(root, Path("tests/press")), *beside(root, Path("tests/book"))]
    texts = {path: (root / path).read_text(encoding="utf-8") for path in tests}
    found = [path for path, text in texts.items() if re.search(rf"\b{module}\b", text) and not ON_PAGES.search(text)]
    return found or (of_the_press(root, module.rpartition(".")[0]) if module.count(".") > 1 else [])


if __name__ == "__main__":
    ROOT = Path(__file__).parents[1]
    BASE, FILES = touched(ROOT)
    FOUND = {test for file in FILES if (ROOT / file).exists() for test in belonging(ROOT, BASE, file)}
    print(*sorted(str(test) for test in FOUND if (ROOT / test).exists()))
