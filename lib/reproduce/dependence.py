"""Which claims a chapter's seed cannot change: closed forms, exact identities, problems that are not drawn.

Read off the cells, name by name: what is computed from ``seed``, or decided by it, depends on it, and so does what is
computed from that, wherever it stands. A claim of which nothing depends on it is the same in a run with any seed. What
cannot be told counts as dependent. That a function of the library leaves what it is given as it was, and draws from no
generator but one it is given, is a rule of the library.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

SEED = "seed"
AUTHOR = "Claims"  # whose methods make the claims

Function = ast.FunctionDef | ast.ClassDef


def fixed_claims(chapter: str, notebook: NotebookNode) -> frozenset[str]:
    """The ids of the claims that are the same with every seed; none of a notebook that is no plain Python.

    chapter: its name, with whose last part the ids begin.
    notebook: the chapter.
    """
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return frozenset(f"{Path(chapter).name}.{name}" for name in _fixed("\n".join(cells)))


@cache  # several pages ask for the same chapters
def _fixed(code: str) -> frozenset[str]:
    """The names of the claims of a chapter's code that are the same with every seed."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return frozenset()
    authors, keep = _authors(tree), _imported(tree)
    changed = {one.name: _changed_within(one) for one in ast.walk(tree) if isinstance(one, Function)}
    drawn = {SEED}
    while True:
        before = len(drawn)
        claims = dict(_read(tree.body, drawn, keep | authors, changed, authors))
        if len(drawn) == before:
            break
    return frozenset(name for name, depends in claims.items() if not depends)


def _read(
    statements: Sequence[ast.stmt],
    drawn: set[str],
    keep: set[str],
    changed: Mapping[str, set[str]],
    authors: set[str],
    decided: bool = False,
) -> list[tuple[str, bool]]:
    """Add to ``drawn`` the names of what depends on it; the claims that are made, and whether they depend on it.

    keep: names that stand for what no statement changes.
    changed: what functions change besides their own names.
    authors: the names of what makes claims.
    decided: whether the seed decides if the statements are executed.
    """
    claims = []
    for one in statements:
        body, head = _parts(one)
        depends = decided or any(_names(part) & drawn for part in head)
        name = _claimed(one, authors)
        if name is not None:
            claims.append((name, depends))
        elif depends:
            called = _all(changed.get(used, set()) for part in head for used in _names(part))
            drawn |= (_all(map(_given, [one, *head])) | called) - keep
        claims += _read(body, drawn, keep, changed, authors, depends and not isinstance(one, ast.With))
    return [(name, any(other for same, other in claims if same == name)) for name, _ in claims]


def _parts(one: ast.stmt) -> tuple[list[ast.stmt], list[ast.AST]]:
    """The statements inside one, and what else it holds, by which it is decided or computed."""
    if isinstance(one, Function):
        own = _own(one)
        return [], [node for node in ast.walk(one) if isinstance(node, ast.Name) and node.id not in own]
    body = [inner for inner in ast.iter_child_nodes(one) if isinstance(inner, ast.stmt)]
    handlers = [
        inner for node in ast.iter_child_nodes(one) if isinstance(node, ast.ExceptHandler) for inner in node.body
    ]
    return body + handlers, [
        node for node in ast.iter_child_nodes(one) if not isinstance(node, ast.stmt | ast.excepthandler)
    ]


def _given(node: ast.AST) -> set[str]:
    """The names to which a statement gives a value, or whose value it changes."""
    if isinstance(node, Function):
        return {node.name}
    found: set[str] = set()
    if isinstance(node, ast.For):
        found |= _bases(node.target)
    if isinstance(node, ast.With):
        found |= _all(_bases(item.optional_vars) for item in node.items if item.optional_vars is not None)
    if isinstance(node, ast.Assign):
        found |= _all(map(_bases, node.targets))
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        found |= _bases(node.target)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        found |= _bases(node.value.func)  # a method that is called for its effect
    if not isinstance(node, ast.stmt):
        found |= {inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)}
    return found


def _changed_within(function: Function) -> set[str]:
    """The names from outside that a function may change."""
    inside = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function]
    return _all(map(_given, inside)) - _own(function)


def _own(function: Function) -> set[str]:
    """The names that a function gives its arguments and its results."""
    stored = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return {node.id for node in stored} | {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}


def _claimed(one: ast.stmt, authors: set[str]) -> str | None:
    """The name of the claim that a statement makes; None if it makes none."""
    call = one.value if isinstance(one, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args):
        return None
    first = call.args[0]
    return str(first.value) if _bases(call.func) & authors and isinstance(first, ast.Constant) else None


def _authors(tree: ast.Module) -> set[str]:
    """The names of what makes claims."""
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    made = [one for one in assigned if isinstance(one.value, ast.Call) and _names(one.value.func) == {AUTHOR}]
    return _all(_bases(target) for one in made for target in one.targets)


def _imported(tree: ast.Module) -> set[str]:
    """The names of modules, and of what comes from them."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {(alias.asname or alias.name).partition(".")[0] for one in found for alias in one.names}


def _bases(node: ast.AST) -> set[str]:
    """The names of what is assigned to, or changed: of ``a[i].b, c`` it is a and c."""
    if isinstance(node, ast.Tuple | ast.List):
        return _all(map(_bases, node.elts))
    if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        return _bases(node.value)
    if isinstance(node, ast.Call):
        return _bases(node.func)
    return {node.id} if isinstance(node, ast.Name) else set()


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _all(sets: Iterable[set[str]]) -> set[str]:
    return set().union(*sets)
