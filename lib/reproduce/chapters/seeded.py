"""Which claims of a chapter a seed can change, read off its code: those whose call hears of the parameter ``seed``.

A name hears of the seed when a statement makes it, or changes what it stands for, from one that does. That is said of
too many names rather than of too few: a whole statement counts as one, and a function as everything that it names.
"""

import ast
import symtable
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from nbformat import NotebookNode

SEED = "seed"
METHODS = ("identity", "limit", "rate", "below", "above", "increasing")  # by which claims are stated


def without_seed(notebook: NotebookNode) -> set[str]:
    """The names of the claims whose numbers no seed can change; none of a chapter whose code is no plain Python.

    notebook: the chapter; one that has no parameter ``seed`` draws nothing.
    """
    return set(_without_seed(tuple(cell.source for cell in notebook.cells if cell.cell_type == "code")))


@cache  # the pages ask of each chapter three times
def _without_seed(sources: tuple[str, ...]) -> set[str]:
    try:
        statements = [one for source in sources for one in ast.parse(source).body]
    except SyntaxError:
        return set()
    kept = {name for one in statements for name in _kept(one)}
    heard, needs, free, not_free = {SEED}, dict[str, set[str]](), set[str](), set[str]()
    for one in statements:
        names, changed = _names(one) - kept, set(_changed(one)) - kept
        if isinstance(one, ast.FunctionDef | ast.ClassDef):
            needs[one.name] = names - {one.name}  # what they are when it is called
            continue
        hears = bool(_reached(names, needs) & heard)
        heard = heard | changed if hears else heard - set(_made(one)) | {SEED}
        (not_free if hears else free).update(_claims(one))
    return free - not_free


def _reached(names: set[str], needs: Mapping[str, set[str]]) -> set[str]:
    """Names, and those that the functions among them mention in turn."""
    found, waiting = set[str](), list(names)
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += needs.get(name, ())
    return found


def _kept(statement: ast.stmt) -> Iterator[str]:
    """The names that keep what they stand for: what is imported, and the claims, which nobody reads again."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.Assign) and ast.unparse(statement.value).startswith("Claims("):
        yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def _names(statement: ast.stmt) -> set[str]:
    """The names of the chapter that a statement reads, in its functions too; not what is local to them."""
    table = symtable.symtable(ast.unparse(statement), "", "exec")
    read = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
    added = {name for node in ast.walk(statement) if isinstance(node, ast.AugAssign) for name in _root(node.target)}
    return read | added | set(_global(table.get_children()))


def _global(tables: Iterable[symtable.SymbolTable]) -> Iterator[str]:
    for table in tables:
        yield from (one.get_name() for one in table.get_symbols() if one.is_global())
        yield from _global(table.get_children())


def _made(statement: ast.stmt) -> Iterator[str]:
    """The names to which a statement gives something new."""
    table = symtable.symtable(ast.unparse(statement), "", "exec")
    yield from (one.get_name() for one in table.get_symbols() if one.is_assigned())


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement makes, and those of objects that it may change: by an entry, a method, or a call."""
    yield from _made(statement)
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            yield from _root(node)
        elif isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call):  # for what it does, not its value
            for part in [call.func] if isinstance(call.func, ast.Attribute) else call.args:
                yield from _root(part)


def _root(node: ast.expr) -> Iterator[str]:
    """The name at which a chain of attributes and entries begins."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _claims(statement: ast.stmt) -> Iterator[str]:
    """The names of the claims that a statement states."""
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(attr=method), args=[ast.Constant(value=name), *_]) if method in METHODS:
                yield str(name)
