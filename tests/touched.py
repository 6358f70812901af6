"""The tests of what was touched, as ``make quick`` gives them to pytest: printed on one line.

Touched is what differs from the last commit; if nothing does, what the last commit changed. Tests that read the built
pages are left to ``make test``, unless they were touched themselves.
"""

import re
import subprocess
from pathlib import Path
from typing import Any

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
            return [*ACROSS_ROOMS, *of_the_press(root, named(path.relative_to("lib")))]
        case ("chapters", *_) | ("_atlas.yml" | "_toc.yml",):
            scripts = [(root / path).read_text(), git(root, "show", f"{base}:{file}")] if path.suffix == ".py" else []
            codes = {re.sub(r"^(#.*)?\n", "", script, flags=re.MULTILINE) for script in scripts}
            return [OF_CHAPTERS, path.with_suffix(".ipynb")] if len(codes) > 1 else [OF_CHAPTERS]
    return []


def beside(root: Path, folder: Path) -> list[Path]:
    """The files of tests of a folder, without those below it."""
    return [path.relative_to(root) for path in (root / folder).glob("test_*.py")]


def of_the_press(root: Path, module: str) -> list[Path]:
    """The tests of a module of the press: those of its name, else those that name it, else those of what imports it.

    Where only the pages' own tests are left, those that name its package.
    """
    tests = [*beside(root, Path("tests/press")), *beside(root, Path("tests/book"))]
    texts = {path: said for path in tests if not ON_PAGES.search(said := text(root / path))}
    sources = {named(path.relative_to(root / "lib")): text(path) for path in (root / "lib/reproduce").rglob("*.py")}
    modules, seen = {module}, set[str]()
    while modules:
        names = {f"test_{one.rpartition('.')[2]}.py" for one in modules}
        if found := [path for path in texts if path.name in names] or naming(modules, texts):
            return found
        seen |= modules
        modules = {*naming(modules, sources)} - seen
    package = module.rpartition(".")[0]
    return [path for path in texts if "." in package and f"{package}." in texts[path]]


def text(path: Path) -> str:
    """What a file holds."""
    return path.read_text(encoding="utf-8")


def named(path: Path) -> str:
    """The module that a file below the folder of packages is."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def naming(modules: set[str], texts: dict[Any, str]) -> list[Any]:
    """Those of the texts that import one of the modules."""
    ways = (
        rf"\b{re.escape(module)}\b(?!\.)|\bfrom {re.escape(package)} import [^\n]*\b{name}\b"
        for module, package, name in ((module, *module.rpartition(".")[::2]) for module in modules)
    )
    pattern = re.compile("|".join(ways))
    return [one for one, said in texts.items() if pattern.search(said)]


if __name__ == "__main__":
    ROOT = Path(__file__).parents[1]
    BASE, FILES = touched(ROOT)
    FOUND = {test for file in FILES if (ROOT / file).exists() for test in belonging(ROOT, BASE, file)}
    print(*sorted(str(test) for test in FOUND if (ROOT / test).exists()))
