"""Run a chapter's code, or the library's own tests, with one change in place, each time in a forked process."""

import ast
import contextlib
import importlib.abc
import importlib.util
import io
import math
import multiprocessing
import os
import re
import resource
import signal
import sys
import traceback
import warnings
from collections import defaultdict
from functools import cache
from pathlib import Path

import cvxpy  # noqa: F401 (what the library imports is loaded once here, not anew in each forked process)
import pytest
import scipy.optimize  # noqa: F401
import sympy  # noqa: F401
from matplotlib import pyplot  # noqa: F401
from nbformat.v4 import new_code_cell, new_notebook

from mutants.effects import WITHIN, claimed
from mutants.excuses import HELD
from mutants.places import LIBRARY, changed
from reproduce.chapters.parameters import signature

ROOT = Path(__file__).parents[2]
PACKAGES = ("implicit_bias", "reproduce")
NOTICED = ("red: ", "refused: ", "stopped: ")  # how the verdict on a mutant begins that a chapter noticed
LEFT_OUT = re.compile(r"plt\.show|animate_\w+\(|sliders\(|\bs(?:ym)?p(?:y)?\.symbols")  # figures; algebra of no number
FORK = multiprocessing.get_context("fork")
# Patience is the processor's time, or a busy machine would stop mutants that nothing else notices.
PATIENCE = 60  # seconds; a chapter at the small scale takes two to five
AT_MOST = 240  # seconds for the chapter itself, which has to answer
LEAST_PATIENCE, TIMES = 10, 6  # and as many times what the unchanged chapter took
SLOWEST = 30  # times as long is waited for a process that waits itself, or that a busy machine lets wait
# What says nothing of the mathematics, whoever raises it.
MISUSE = (TypeError, LookupError, AttributeError, NameError, ZeroDivisionError)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a changed syntax tree."""

    def __init__(self, mutant):
        self.mutant = mutant

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == self.mutant.module else None

    def exec_module(self, module):
        tree = changed(self.mutant.path.read_text(), self.mutant)
        exec(compile(tree, str(self.mutant.path), "exec"), module.__dict__)


class Red(Exception):
    """A claim that does not hold."""


def script(chapter, parameters):
    """A chapter's code without its figures and its computer algebra, at other parameters.

    Raises PressError for parameters that the chapter itself would refuse.
    """
    text = (ROOT / "chapters" / f"{chapter}.py").read_text()
    for name, value in parameters.items():
        text, count = re.subn(rf"^({name}: [\w\[\]]+) = [^#]*", rf"\1 = {value}  ", text, count=1, flags=re.M)
        assert count == 1, name
    cells = re.split(r"^# %%", text, flags=re.M)[1:]
    declared = [cell for cell in cells if 'tags=["parameters"]' in cell.partition("\n")[0]]
    tagged = [new_code_cell(cell.partition("\n")[2], metadata={"tags": ["parameters"]}) for cell in declared]
    signature(new_notebook(cells=tagged), chapter)
    return "\n".join("#" + cell for cell in cells if not LEFT_OUT.search(cell))


def verdict(code, mutant=None, patience=PATIENCE):
    """Run a script with a mutant in place, for so many seconds of the processor's time at most.

    Returns 'all claims hold', 'red: ' and the id of the first claim that fails, or 'refused: ' or 'stopped: ' and the
    error: of a certificate or another demand of the book's own code, or of types, shapes, ranges of arguments and time.
    """
    return _answer(_run, (code, mutant, False), patience)


def values(code, mutant=None, patience=AT_MOST):
    """The values of all claims of a script with a mutant in place; its verdict where one is red or the script stops."""
    return _answer(_run, (code, mutant, True), patience)


def executed(code):
    """The lines of the library that a script executes: their numbers, by module."""
    return _answer(_traced, (code,), AT_MOST)


def verdict_of_tests(mutant, file=None):
    """Run the library's own tests of a mutated module: 'tests: red', or 'all claims hold' where they do not notice.

    file: of the tests; without it ``file_of_tests``.
    """
    file = file or file_of_tests(mutant)
    return _answer(_run_tests, (file, mutant), AT_MOST) if file and green(file) else WITHIN


@cache
def green(file):
    """Whether a file of tests passes as the library is: where it does not, that it fails says nothing of a mutant."""
    return _answer(_run_tests, (file, None), AT_MOST) == WITHIN


def file_of_tests(mutant):
    """The file of the library's tests that mirrors the mutated module, or else its folder; or None."""
    *folders, name = mutant.module.split(".")[1:] or [""]
    folder = ROOT.joinpath("tests", "library", *folders)
    files = [folder / f"test_{one}.py" for one in (name, *folders[-1:])]
    return next((file for file in files if mutant.module and file.exists()), None)


def promised(mutant):
    """The files of the library's tests of which the excuses of a mutant say that they notice it."""
    named = [held[1] for one in mutant.excuses if (held := HELD.search(one.reason))]
    tests = [path for name in named if name != "tests" for path in (ROOT / "tests" / "library").rglob(f"{name}.py")]
    return [*tests, *([file_of_tests(mutant)] if "tests" in named else [])]


def _answer(run, given, patience):
    """What a forked process answers, for so many seconds of its processor's time at most."""
    receive, send = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_limited, args=(run, patience, *given, send))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks beside threads; none run here
        process.start()
    send.close()
    try:
        if receive.poll(SLOWEST * patience):
            return receive.recv()
    except EOFError:
        process.join()
        if process.exitcode != -signal.SIGXCPU:
            return "stopped: the process died"
    finally:
        process.kill()
        process.join()
    return f"stopped: no answer in {patience:.0f} s"


def _limited(run, patience, *given):
    """Run something that is stopped after so many seconds of the processor's time."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(patience), math.ceil(patience) + 5))
    run(*given)


@cache
def unchanged(code):
    """The verdict on a script as it is, and how long to wait for it with a change."""
    begun = _of_children()
    answer = verdict(code, patience=AT_MOST)
    return answer, min(PATIENCE, max(LEAST_PATIENCE, TIMES * (_of_children() - begun)))


def _of_children():
    """The processor's time of all processes that have ended, in seconds."""
    return os.times().children_user + os.times().children_system


def _run(code, mutant, listen, send):
    """Send the verdict; or, if ``listen`` and all claims hold, their values."""
    _forget(*PACKAGES)
    if mutant is not None and mutant.module:
        sys.meta_path.insert(0, _Finder(mutant))
    of_chapter = code if mutant is None or mutant.module else changed(code, mutant)
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            from reproduce.claims import author

            heard = _listened(author)
            exec(compile(of_chapter, "chapter", "exec"), {"__name__": "__main__"})
            answer = heard if listen else WITHIN
        except Red as red:
            answer = f"red: {red}"
        except BaseException as error:
            answer = f"{'refused' if _is_refusal(error, code) else 'stopped'}: {type(error).__name__}: {error}"
    send.send(answer[:300] if isinstance(answer, str) else answer)


def _is_refusal(error, code):
    """Whether an error was raised by a ``raise`` of the book's own code, and is not of an argument's type or shape."""
    if isinstance(error, MISUSE):
        return False
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    name = Path(frame.f_code.co_filename)
    if name.name != "chapter" and (not name.is_relative_to(LIBRARY.parent) or name.name == "checks.py"):
        return False
    tree = ast.parse(code if name.name == "chapter" else name.read_text(encoding="utf-8"))
    demands = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return any(node.lineno <= line <= (node.end_lineno or 0) for node in demands)


def _traced(code, send):
    """Send the lines of the library that a script executes."""
    _forget(*PACKAGES)
    warnings.simplefilter("ignore")
    lines = defaultdict(set)

    def call(frame, event, argument):
        if not frame.f_code.co_filename.startswith(f"{LIBRARY}{os.sep}"):
            return None
        here = lines[frame.f_code.co_filename]
        here.add(frame.f_lineno)

        def line(frame, event, argument):
            here.add(frame.f_lineno)
            return line

        return line

    with contextlib.redirect_stdout(io.StringIO()):
        sys.settrace(call)
        try:
            exec(compile(code, "chapter", "exec"), {"__name__": "__main__"})
        finally:
            sys.settrace(None)
    modules = {
        name: ".".join(("implicit_bias", *Path(name).relative_to(LIBRARY).with_suffix("").parts)) for name in lines
    }
    send.send({modules[name]: sorted(of) for name, of in lines.items()})


def _listened(author):
    """A list that fills with the values of each claim; the first that does not hold stops the chapter."""
    heard, tolerances, judge = [], [], author.Claims._judge

    def judged(claims, kind, name, theory, measured, **parts):
        judge(claims, kind, name, theory, measured, **parts)
        unit = 1.0 if kind == "ordering" else author.unit_of(theory, parts.get("relative", False))
        heard.append(claimed(kind, theory, measured, tolerances[-1], unit))

    def shown(record, fill):
        if not record["passed"]:
            raise Red(record["id"])
        tolerances.append(record["tolerance"])

    author.Claims._judge, author.show = judged, shown
    return heard


def _run_tests(file, mutant, send):
    _forget(*PACKAGES, "tests", "library")  # a test file that ran before in this process holds the module as it was
    if mutant is not None:
        sys.meta_path.insert(0, _Finder(mutant))
    options = ("-x", "-q", "-p", "no:xdist", "-p", "no:benchmark")
    with open(os.devnull, "w") as silent, contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
        code = pytest.main([str(file), *options])
    send.send(WITHIN if code == pytest.ExitCode.OK else "tests: red")


def _forget(*packages):
    """Take the modules of some packages out of those that are loaded."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]
