"""Change one constant or one minus sign of the library, run a chapter, and see whether its claims notice.

A mutant is a source file with one numeric constant or one minus sign of a function body changed. The chapter's twin is
run in a forked process, without its figures and at a small scale, with the mutated module in place of the real one.
"""

import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import io
import multiprocessing
import re
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import cvxpy  # noqa: F401 (what the library imports is loaded once here, not anew in each forked process)
import pytest
import scipy.optimize  # noqa: F401
import sympy  # noqa: F401
from matplotlib import pyplot  # noqa: F401

ROOT = Path(__file__).parents[1]
LIB = ROOT / "lib"
KNOB = re.compile(r"\b[A-Z][A-Z_]+\b")
LEFT_OUT = re.compile(r"plt\.show|animate_\w+\(|sliders\(|\bs(?:ym)?p(?:y)?\.symbols")  # figures; algebra of no number
FORK = multiprocessing.get_context("fork")
PATIENCE = 20  # seconds; a chapter at the small scale takes two


@dataclass(frozen=True)
class Mutant:
    """One change: in which file, at which node of its syntax tree, in which function and line, from what to what."""

    module: str
    path: Path
    index: int
    function: str
    line: int
    text: str
    before: str
    after: str

    @property
    def change(self):
        """The change without its line, which moves."""
        return f"{self.function.rpartition('.')[2]}: {self.before} → {self.after}"

    @property
    def name(self):
        """The change for a test report."""
        return f"{self.module.rpartition('.')[2]}:{self.line} {self.change}"


def mutants(file, functions=None):
    """Every mutant of a file of the library, or of some of its functions.

    A line that names a solver's knob (an upper-case constant) is left alone: it sets effort, not the answer.
    """
    path = LIB / "implicit_bias" / file
    module = "implicit_bias." + file.removesuffix(".py").replace("/", ".")
    lines = path.read_text().splitlines()
    tree = ast.parse(path.read_text())
    found = []
    for index, (where, node) in enumerate(_places(tree)):
        name = where.rpartition(".")[2]
        text = lines[node.lineno - 1].strip()
        if (functions is not None and name not in functions) or KNOB.search(text):
            continue
        changed = copy.deepcopy(node)
        _change(changed)
        found.append(Mutant(module, path, index, where, node.lineno, text, ast.unparse(node), ast.unparse(changed)))
    return found


def _places(tree, where=""):
    """The nodes of function bodies that can be changed, in a fixed order, with the function's name."""
    for child in ast.iter_child_nodes(tree):
        inside = where
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inside = f"{where}.{child.name}".lstrip(".")
        if isinstance(child, ast.Raise | ast.JoinedStr | ast.arguments):
            continue  # messages and defaults carry no mathematics
        constant = isinstance(child, ast.Constant) and type(child.value) in (int, float)
        minus = isinstance(child, ast.UnaryOp) and isinstance(child.op, ast.USub)
        if where and (constant or minus):
            yield where, child
        yield from _places(child, inside)


def _change(node):
    """Change a node in place: a constant by one or by half of it, a minus sign into a plus."""
    if isinstance(node, ast.Constant):
        node.value = node.value + 1 if isinstance(node.value, int) else node.value * 1.5 + (node.value == 0)
    else:
        node.op = ast.UAdd()


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a changed syntax tree."""

    def __init__(self, mutant):
        self.mutant = mutant

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == self.mutant.module else None

    def exec_module(self, module):
        tree = ast.parse(self.mutant.path.read_text())
        _change([node for _, node in _places(tree)][self.mutant.index])
        exec(compile(ast.fix_missing_locations(tree), str(self.mutant.path), "exec"), module.__dict__)


class Red(Exception):
    """A claim that does not hold."""


def script(chapter, parameters):
    """A chapter's code without its figures and its computer algebra, at other parameters."""
    text = (ROOT / "chapters" / f"{chapter}.py").read_text()
    for name, value in parameters.items():
        text, count = re.subn(rf"^({name}: [\w\[\]]+) = [^#]*", rf"\1 = {value}  ", text, count=1, flags=re.M)
        assert count == 1, name
    cells = re.split(r"^# %%", text, flags=re.M)[1:]
    return "\n".join("#" + cell for cell in cells if not LEFT_OUT.search(cell))


def verdict(code, mutant=None):
    """Run a script with a mutant in place.

    Returns 'all claims hold', 'red: ' and the id of the first claim that fails, or 'stopped: ' and the error.
    """
    receive, send = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_run, args=(code, mutant, send))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks beside threads; none run here
        process.start()
    send.close()
    try:
        return receive.recv() if receive.poll(PATIENCE) else f"stopped: no answer in {PATIENCE} s"
    except EOFError:
        return "stopped: the process died"
    finally:
        process.kill()
        process.join()


def checks(chapter, code, found, equivalent):
    """The two tests of a chapter: it is green as it is, and each mutant is noticed or listed as equivalent.

    chapter: with what the ids of its claims begin.
    equivalent: the reason by ``Mutant.change``.
    """

    def chapter_itself_is_green():
        assert verdict(code) == "all claims hold"

    @pytest.mark.parametrize("mutant", found, ids=lambda mutant: mutant.name)
    def changed_constant_is_noticed(mutant):
        answer = verdict(code, mutant)
        if answer == "all claims hold" and mutant.change in equivalent:
            pytest.skip(equivalent[mutant.change])
        assert answer.startswith((f"red: {chapter}.", "stopped: ")), f"{mutant.name}: {answer}"

    return chapter_itself_is_green, changed_constant_is_noticed


def _run(code, mutant, send):
    for name in [name for name in sys.modules if name.split(".")[0] in ("implicit_bias", "reproduce")]:
        del sys.modules[name]
    if mutant is not None:
        sys.meta_path.insert(0, _Finder(mutant))
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            from reproduce import claims

            claims.show = _stop_at_red
            exec(compile(code, "chapter", "exec"), {"__name__": "__main__"})
            answer = "all claims hold"
        except Red as red:
            answer = f"red: {red}"
        except BaseException as error:
            answer = f"stopped: {type(error).__name__}: {error}"
    send.send(answer[:300])


def _stop_at_red(record):
    if not record["passed"]:
        raise Red(record["id"])
