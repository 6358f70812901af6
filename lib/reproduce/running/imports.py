"""What a notebook uses of the book's library: the files that its cells import, and those that these import in turn."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from reproduce.ground.reading import read_text
from reproduce.running.notebooks import code_cells


def files_used(library: Path, notebook: NotebookNode) -> list[Path]:
    """The files below ``library`` from which a notebook takes what it executes, in order of their paths.

    Read off the import statements, those inside functions included: every module that is named, the packages it lies
    in, and what else than Python lies beside it (templates, scripts). Of a package that only gathers names, a name
    leads to the module that makes it, and to no other. A cell that is no plain Python names nothing.
    """
    found: set[Path] = set()
    waiting = [name for source in code_cells(notebook) for name in _imported(library, source)]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        path = _file(library, name)
        if path is not None:
            found.add(path)
            found.update(_beside(path))
            waiting += _imported(library, read_text(path))
        if "." in name and _gathered(library, parent := name.rpartition(".")[0]) is None:
            waiting.append(parent)
    return sorted(found)


def packages(source: str) -> set[str]:
    """The packages that a source imports, those inside functions included."""
    return {module.partition(".")[0] for module, _ in _imports(source)}


def _imported(library: Path, source: str) -> Iterator[str]:
    """Every module that a source takes something from, with its full name."""
    for module, name in _imports(source):
        yield _origin(library, module, name) if name else module


@cache
def _imports(source: str) -> list[tuple[str, str]]:
    """The module and the name of each import of a source, the name empty for a module as a whole."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    found: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found += ((node.module, alias.name) for alias in node.names)
    return found


def _origin(library: Path, module: str, name: str) -> str:
    """The module that a name comes from; the name may be a module itself."""
    if _file(library, f"{module}.{name}") is not None:
        return f"{module}.{name}"
    gathered = _gathered(library, module) or {}
    return _origin(library, gathered[name], name) if name in gathered else module


def _gathered(library: Path, package: str) -> dict[str, str] | None:
    """The module of each name that a package's ``__init__`` imports from below it; None where it does anything else.

    It may import them for a type checker only, and by a ``__getattr__`` of its own when they are asked for.
    """
    path = library.joinpath(*package.split("."), "__init__.py")
    return _gathering(package, read_text(path)) if path.is_file() else None


@cache
def _gathering(package: str, source: str) -> dict[str, str] | None:
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError):
        return None
    gathered: dict[str, str] = {}
    while statements:
        match statements.pop():
            case ast.ImportFrom(module=str(module), level=0, names=names) if module.startswith(f"{package}.") and all(
                one.asname in (None, one.name) for one in names
            ):
                gathered.update((one.name, module) for one in names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body, orelse=[]):
                statements += body
            case ast.ImportFrom(module="typing") | ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("_"):
                continue
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id="__getattr__"), ast.Name(id="__dir__")])]):
                continue
            case _:
                return None
    return gathered


def _file(library: Path, name: str) -> Path | None:
    path = library.joinpath(*name.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _beside(module: Path) -> Iterable[Path]:
    return (path for path in module.parent.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc"))
