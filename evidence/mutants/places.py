"""The places where code can be changed: a mutant is a syntax tree with one node changed."""

import ast
import hashlib
import re
import textwrap
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from mutants.comments import without_comments
from mutants.excuses import Excuse, again, excuses, is_named, names
from mutants.kinds import COUNTED, KIND, OTHERS, PLAIN, changes
from mutants.slices import NOT_MUTATED, not_feeding

LIBRARY = Path(__file__).parents[2] / "lib" / "implicit_bias"
CHECK = re.compile(r"(?:[\w., ]+ = )?(?:array|number|whole|choice|memory)\(")  # of an argument (implicit_bias.checks)
KNOB = re.compile(r"[A-Z][A-Z_]+")


@dataclass(frozen=True)
class Mutant:
    """One change: in which file, at which place of its syntax tree, in which function and line, from what to what.

    module: of the library; empty for the chapter's own code.
    index: the place among all changes of the file.
    text: its line, without comments.
    names: how an excuse may name it.
    excuses: the comments on its line that do, or that name nothing.
    """

    module: str
    path: Path | None
    index: int
    function: str
    line: int
    text: str
    before: str
    after: str
    key: str  # the text of its line and the change within its expression
    kind: str  # what is changed, as the counts name it
    names: frozenset[str]
    excuses: tuple[Excuse, ...]

    @property
    def name(self):
        """The change for a test report."""
        return (
            f"{self.module.rpartition('.')[2] or 'twin'}:{self.line} {textwrap.shorten(self.key.split(' | ')[1], 100)}"
        )

    @property
    def place(self):
        """The file and the change."""
        return f"{self.module.removeprefix('implicit_bias.').replace('.', '/') or 'twin'}.py: {self.key}"

    def excuse(self, chapter):
        """Why a chapter need not notice it, or, for '', the library with its tests; None if it must."""
        return next((one.reason for one in self.excuses if one.holds_for(chapter)), None)

    @property
    def rank(self):
        """Where it stands when a sample is drawn."""
        return hashlib.sha256(f"{self.module} {self.function} {self.key}".encode()).hexdigest()


def mutants(file, functions=None):
    """Every changed constant and minus sign of a file of the library, or of some functions, with or without class."""
    return _mutants_of(file, functions, PLAIN)


def operators(file, functions=None):
    """Every other change of a file of the library, or of some of its functions."""
    return _mutants_of(file, functions, OTHERS)


def of_twin(code):
    """Every change of a chapter's own code, as ``script`` gives it: no figures, and of claims theory and measured."""
    return _mutants("", None, code, None, (*PLAIN, *OTHERS))


def everywhere():
    """Every change of every file of the library, but for figures and for checks of arguments.

    What is refused, tests/library/test_refusals.py and test_hostile_arguments.py hold.
    """
    files = sorted(LIBRARY.rglob("*.py"))
    names = [
        name for name in (file.relative_to(LIBRARY).as_posix() for file in files) if not name.startswith("figures/")
    ]
    found = [one for name in names for one in _mutants_of(name, None, (*PLAIN, *OTHERS))]
    return [one for one in found if not CHECK.match(one.text)]


def _mutants_of(file, functions, kinds):
    path = LIBRARY / file
    module = "implicit_bias." + file.removesuffix(".py").replace("/", ".")
    return _mutants(module, path, path.read_text(encoding="utf-8"), functions, kinds)


def _mutants(module, path, source, functions, kinds):
    """The mutants of a source.

    What a solver's knob (an upper-case constant) is set to, combined or compared with is left alone: it sets effort,
    not the answer. So are certificates: tests/library/test_certificates.py holds each of their parts by itself.
    """
    lines, stated = without_comments(source), excuses(source)
    found, seen = [], Counter()
    tree = ast.parse(source)
    idle = frozenset() if module else not_feeding(tree)
    for index, (where, parent, node, change) in enumerate(places(tree, not module, idle)):
        text = lines[node.lineno - 1].strip()
        name = where.rpartition(".")[2]
        wanted = not name.startswith("certify") if functions is None else bool({name, where} & functions)
        within = parent if isinstance(node, ast.Constant) and isinstance(parent, ast.expr) else node
        if change not in kinds or not wanted or any(_is_knob(part) for part in ast.iter_child_nodes(within)):
            continue
        before, after = unparsed(node, node, change)
        pair = (before, after) if within is node else unparsed(within, node, change)
        key = " → ".join(pair)
        seen[text, key] += 1
        pair = [f"{parent.arg}={one}" for one in pair] if isinstance(parent, ast.keyword) else pair
        seen[node.lineno, *pair] += 1
        known, kind = names(*pair, seen[node.lineno, *pair]), KIND[change]
        mine = tuple(one for one in stated if one.line == node.lineno and _excuses(one, known, kind))
        shown = f"{text} | {again(key, seen[text, key])}"
        found.append(
            Mutant(module, path, index, where, node.lineno, text, before, after, shown, kind, frozenset(known), mine)
        )
    return found


def _excuses(excuse, known, kind):
    """Whether an excuse names a change of a line; one that names nothing excuses all that must be noticed."""
    return any(is_named(what, known) for what in excuse.what) if excuse.what else kind not in COUNTED


def unparsed(shown, node, change):
    """An expression before and after a change of a node in it, which is taken back."""
    before = ast.unparse(shown)
    kept = {name: list(value) if isinstance(value, list) else value for name, value in ast.iter_fields(node)}
    change(node)
    after = ast.unparse(shown)
    vars(node).update(kept)
    return before, after


def places(tree, top_level=False, idle=frozenset(), where=""):
    """Every change of every node, in a fixed order: the function, the node's parent, the node, the change.

    idle: statements that are left out.
    """
    for child in ast.iter_child_nodes(tree):
        if child in idle:
            continue
        inside = where
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inside = f"{where}.{child.name}".lstrip(".")
        if isinstance(child, ast.Raise | ast.Assert | ast.JoinedStr | ast.arguments | ast.AnnAssign):
            continue  # messages, demands, defaults and parameters carry no mathematics
        if isinstance(child, ast.keyword) and child.arg in NOT_MUTATED:
            continue
        if top_level and isinstance(child, ast.Assign) and ast.unparse(child.targets[0]).startswith("derived"):
            continue  # what a tolerance is derived from
        if top_level and (_refuses(child) or ast.unparse(child).startswith(("print(", "numbers("))):
            continue  # what is only shown
        if isinstance(child, ast.Assign) and _is_setting(child):
            continue
        if isinstance(child, ast.Expr) and ast.unparse(child).startswith("memory("):
            continue  # what is too large is refused
        if where or top_level:
            yield from ((where, tree, child, change) for change in changes(child))
        yield from places(child, top_level, idle, inside)


def _is_knob(node):
    return isinstance(node, ast.Name) and KNOB.fullmatch(node.id) is not None


def _is_setting(statement):
    """Whether a statement sets knobs; a table of potentials, laws or cases is none."""
    table = any(isinstance(node, ast.Dict | ast.Lambda) for node in ast.walk(statement.value))
    return not table and any(_is_knob(name) for name in ast.walk(statement.targets[0]))


def _refuses(node):
    """Whether a statement only refuses parameters that do not fit."""
    return isinstance(node, ast.If) and all(isinstance(statement, ast.Raise) for statement in node.body)


def changed(source, mutant):
    """The syntax tree of a source with a mutant's change."""
    tree = ast.parse(source)
    idle = frozenset() if mutant.module else not_feeding(tree)
    _, _, node, change = list(places(tree, not mutant.module, idle))[mutant.index]
    change(node)
    return ast.fix_missing_locations(tree)
