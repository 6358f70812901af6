"""What of a chapter's code its claims come from: the rest is only shown, or feeds controls, rivals and tolerances."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence

# Of a claim only theory and measured are mathematics; whether its control is a good one, its own failure says, and what
# notices a tolerance ten times as wide, however it came about, ``spoiled`` counts.
NOT_MUTATED = ("control", "rival", "error", "proved", "level", "fill", "factor", "rtol", "atol", "record")
COMPOUND = (ast.For, ast.While, ast.If, ast.With)
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def not_feeding(tree: ast.Module, left_out: Collection[str] = NOT_MUTATED, kind: str = r"\w+") -> set[ast.stmt]:
    """The statements that bind no name from which what is claimed is computed, by however many steps.

    tree: a chapter's code.
    left_out: the keywords of a claim that are not what is claimed.
    kind: of the claims that count.

    Which statement comes first is not asked: a name counts as one, however often it is bound. A method that is called
    for its effect binds the name of its object. Code that claims nothing is taken whole.
    """
    parts = [(one, _bound(one), {*_loaded(_asked(one), left_out)}) for one in _statements(tree.body)]
    aliases = [pair for one, _, _ in parts for pair in _aliases(one)]
    wanted = {name for one, _, loaded in parts if _claims(one, kind) for name in loaded}
    before = 0
    while len(wanted) > before:
        before = len(wanted)
        wanted |= {name for _, bound, loaded in parts if bound & wanted for name in loaded}
        wanted |= {alias for alias, names in aliases if names & wanted}
    if not any(_claims(one) for one, _, _ in parts):
        return set()
    return {one for one, bound, _ in parts if not bound & wanted and not _claims(one, kind)}


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements outside of functions, those in loops and conditions included."""
    for one in body:
        yield one
        if isinstance(one, COMPOUND):
            yield from _statements([*one.body, *getattr(one, "orelse", [])])


def _asked(statement: ast.stmt) -> list[ast.AST]:
    """Of a loop or a condition what it asks and not what it holds; else the statement."""
    if not isinstance(statement, COMPOUND):
        return [statement]
    return [part for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt)]


def _claims(statement: ast.stmt, kind: str = r"\w+") -> bool:
    """Whether something is claimed in a statement."""
    return any(_is_claim(node, kind) for node in ast.walk(statement))


def _is_claim(node: ast.AST, kind: str = r"\w+") -> bool:
    return isinstance(node, ast.Call) and re.fullmatch(rf"claims\.({kind})", ast.unparse(node.func)) is not None


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value or changes, with all that it holds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    bound = {node.id for node in _within(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {(one.asname or one.name).partition(".")[0] for one in ast.walk(statement) if isinstance(one, ast.alias)}
    return bound | _changed(statement)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all in it, but what belongs to comprehensions and inner functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, SCOPES):
            yield from _within(child)


def _changed(statement: ast.stmt) -> set[str]:
    """The names of the objects of which a statement sets a part, or calls a method for its effect."""
    changed = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            changed.add(_base(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            changed.add(_base(node.value.func))
    return changed


def _names(node: ast.AST | None) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if node else set()


def _aliases(statement: ast.stmt) -> Iterator[tuple[str, set[str]]]:
    """What is wanted where others are: a function that changes them, a loop's name for their parts that it changes."""
    changed = _changed(statement)
    if isinstance(statement, ast.FunctionDef):
        yield statement.name, changed - _own(statement)
    elif isinstance(statement, ast.For):
        yield from ((name, {*_loaded([statement.iter], ())}) for name in _names(statement.target) & changed)


def _base(node: ast.expr) -> str:
    """The name of the object of which something is an entry, an attribute or an answer."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _loaded(nodes: Sequence[ast.AST], left_out: Collection[str]) -> Iterator[str]:
    """The names from outside that some nodes use."""
    for node in nodes:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                yield node.id
            continue
        within = list(ast.iter_child_nodes(node))
        if _is_claim(node):
            within = [part for part in within if not (isinstance(part, ast.keyword) and part.arg in left_out)]
        own = _own(node) if isinstance(node, SCOPES) else set()
        yield from (name for name in _loaded(within, left_out) if name not in own)


def _own(scope: ast.AST) -> set[str]:
    """The names that belong to a function or a comprehension."""
    inner = list(ast.walk(scope))
    given = {node.arg for node in inner if isinstance(node, ast.arg)}
    return given | {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
