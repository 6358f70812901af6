"""What a notebook uses of the book's library: the files that its cells import, and those that these import in turn."""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from reproduce.reading import read_text

WORDS = ("headline", "source", "because")

Place = tuple[int, int]  # line and column


def files_used(library: Path, notebook: NotebookNode) -> list[Path]:
    """The files below ``library`` from which a notebook takes what it executes, in order of their paths.

    Read off the import statements, those inside functions included: every module that is named, the packages it lies
    in, and what else than Python lies beside it (templates, scripts). Of a package that only gathers names, a name
    leads to the module that makes it, and to no other. A cell that is no plain Python names nothing.
    """
    found: set[Path] = set()
    waiting = [name for cell in notebook.cells if cell.cell_type == "code" for name in _imported(library, cell.source)]
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


@cache  # the same files of the library are asked for by most chapters
def without_words(source: str) -> str:
    """A Python source without comments, docstrings and empty lines, which change nothing that it computes.

    Nor does a statement that only refuses something (an ``if`` at top level whose body is a ``raise``), what an
    exception says, or what a claim says in words: its statement, headline, source and reason. What is no plain Python
    comes back as it is.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return source
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            first = node.body[0]
            for row in range(first.lineno - 1, first.end_lineno or first.lineno):
                lines[row] = ""
    for statement in tree.body:
        if isinstance(statement, ast.If) and not statement.orelse and _all_raise(statement.body):
            for row in range(statement.lineno - 1, statement.end_lineno or statement.lineno):
                lines[row] = ""
    words = [said for node in ast.walk(tree) for said in (*_words_of_a_claim(node), *_words_of_an_exception(node))]
    for begin, end in sorted(words, reverse=True):
        _blank(lines, begin, end)
    return "\n".join(line.rstrip() for line in lines if line.strip() not in ("", ","))


def _words_of_a_claim(node: ast.AST) -> Iterator[tuple[Place, Place]]:
    """Where ``claims.limit("name", "statement", headline=…, source=…, because=…)`` says something in words."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "claims":
        said: list[ast.expr | ast.keyword] = [
            *node.args[1:2],
            *(keyword for keyword in node.keywords if keyword.arg in WORDS),
        ]
        yield from ((_begin(one), _end(one)) for one in said)


def _words_of_an_exception(node: ast.AST) -> Iterator[tuple[Place, Place]]:
    """Where ``raise ValueError(…)`` says something: its brackets."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield _end(node.exc.func), _end(node.exc)


def _begin(node: ast.expr | ast.keyword) -> Place:
    return node.lineno, node.col_offset


def _end(node: ast.expr | ast.keyword) -> Place:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _blank(lines: list[str], begin: Place, end: Place) -> None:
    """Take what lies between two places out of the lines; syntax trees count columns in bytes."""
    first, last = begin[0] - 1, end[0] - 1
    before, after = lines[first].encode()[: begin[1]].decode(), lines[last].encode()[end[1] :].decode()
    lines[first : last + 1] = [before + after, *[""] * (last - first)]


def _all_raise(body: Sequence[ast.stmt]) -> bool:
    return all(isinstance(statement, ast.Raise) for statement in body)


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
    """The module of each name that a package's ``__init__`` imports from below it; None where it does anything else."""
    path = library.joinpath(*package.split("."), "__init__.py")
    return _gathering(package, read_text(path)) if path.is_file() else None


@cache
def _gathering(package: str, source: str) -> dict[str, str] | None:
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError):
        return None
    gathered: dict[str, str] = {}
    for statement in statements:
        match statement:
            case ast.ImportFrom(module=str(module), level=0, names=names) if module.startswith(f"{package}.") and all(
                one.asname is None for one in names
            ):
                gathered.update((one.name, module) for one in names)
            case ast.Expr(value=ast.Constant()) | ast.Assign(targets=[ast.Name(id="__all__")]):
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
