"""Change one constant, sign or operator of the library or of a chapter, run the chapter, and see whether claims notice.

A mutant is a syntax tree with one node changed: a numeric constant, a minus sign, + and − or × and ÷ exchanged, a power
or a factor dropped, a comparison turned round, the first two arguments of a call exchanged, a mean for a sum and the
largest for the least (``mutation_kinds``). The chapter's twin is run in a forked process, without its figures and at a
small scale, with the mutated module in place of the real one.

A sample is tried of each kind: those whose names have the least checksums, so that an edit elsewhere leaves the sample
as it is. A few of each chapter by default; a campaign tries more, MUTANTS=drawn, or every one, MUTANTS=all, and keeps
what it finds (``mutation_store``).
"""

import ast
import contextlib
import hashlib
import importlib.abc
import importlib.util
import io
import multiprocessing
import os
import re
import sys
import textwrap
import time
import warnings
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cvxpy  # noqa: F401 (what the library imports is loaded once here, not anew in each forked process)
import pytest
import scipy.optimize  # noqa: F401
import sympy  # noqa: F401
import yaml
from matplotlib import pyplot  # noqa: F401
from mutation_effect import ALONG, NONE, WITHIN, claimed, effect
from mutation_kinds import COUNTED, KIND, OTHERS, PLAIN, changes
from mutation_slice import not_feeding, owners
from mutation_store import keep, kept, key_of

ROOT = Path(__file__).parents[1]
LIB = ROOT / "lib"
CHOICES = yaml.safe_load((ROOT / "tests" / "mutations" / "choices.yml").read_text(encoding="utf-8"))
LIBRARY = ("implicit_bias", "reproduce")
KNOB = re.compile(r"\b[A-Z][A-Z_]+\b")
LEFT_OUT = re.compile(r"plt\.show|animate_\w+\(|sliders\(|\bs(?:ym)?p(?:y)?\.symbols")  # figures; algebra of no number
FORK = multiprocessing.get_context("fork")
PATIENCE = 60  # seconds; a chapter at the small scale takes two to five, on a busy machine several times that
AT_MOST = 240  # seconds for the chapter itself, which has to answer, however busy the machine
LEAST_PATIENCE, TIMES = 10, 6  # and as many times what the unchanged chapter took


@dataclass(frozen=True)
class Sizes:
    """How many changes are tried for a chapter; None for every one.

    constants: constants and minus signs of the library.
    operators: other changes of the library.
    own: changes of the chapter's own code.
    altered: changes of a chapter that are written out.
    """

    constants: int | None
    operators: int | None
    own: int | None
    altered: int | None


CAMPAIGN = os.environ.get("MUTANTS", "")
SIZES = {"all": Sizes(None, None, None, None), "drawn": Sizes(30, 5, 5, None)}.get(CAMPAIGN, Sizes(3, 2, 2, 3))
# Of a claim only theory and measured are mathematics; whether its control is a good one, its own failure says, and what
# notices a tolerance ten times as wide, however it came about, ``spoiled_claims`` counts.
NOT_MUTATED = ("control", "rival", "error", "proved", "level", "because", "factor", "rtol", "atol", "record")


@dataclass(frozen=True)
class Mutant:
    """One change: in which file, at which place of its syntax tree, in which function and line, from what to what.

    module: of the library; empty for the chapter's own code.
    index: the place among all changes of the file.
    """

    module: str
    path: Path | None
    index: int
    function: str
    line: int
    text: str
    before: str
    after: str
    key: str  # the text of its line and the change within its expression: an excuse names it so
    kind: str  # what is changed, as the counts name it
    binds: frozenset[str] = frozenset()  # of a chapter's code: what its statement binds

    @property
    def change(self):
        """The change without its line, which moves."""
        return f"{self.function.rpartition('.')[2]}: {self.before} → {self.after}"

    @property
    def name(self):
        """The change for a test report."""
        return (
            f"{self.module.rpartition('.')[2] or 'twin'}:{self.line} {textwrap.shorten(self.key.split(' | ')[1], 100)}"
        )

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


def sample(found, count):
    """The drawn sample of some mutants, of the kinds that must be noticed; all of them if count is None."""
    if count is None:
        return found
    return sorted((mutant for mutant in found if mutant.kind not in COUNTED), key=lambda mutant: mutant.rank)[:count]


def _mutants_of(file, functions, kinds):
    path = LIB / "implicit_bias" / file
    module = "implicit_bias." + file.removesuffix(".py").replace("/", ".")
    return _mutants(module, path, path.read_text(), functions, kinds)


def _mutants(module, path, source, functions, kinds):
    """The mutants of a source.

    A line that names a solver's knob (an upper-case constant) or refuses a size is left alone: it sets effort, not the
    answer. So are certificates: tests/library/test_certificates.py holds each of their parts by itself.
    """
    lines = source.splitlines()
    found, seen = [], Counter()
    tree = ast.parse(source)
    idle, binds = (frozenset(), {}) if module else (not_feeding(tree, NOT_MUTATED), owners(tree))
    for index, (where, parent, node, change) in enumerate(_places(tree, not module, idle)):
        text = lines[node.lineno - 1].strip()
        name = where.rpartition(".")[2]
        wanted = not name.startswith("certify") if functions is None else bool({name, where} & functions)
        if change not in kinds or not wanted or KNOB.search(text) or text.startswith("memory("):
            continue
        before, after = _unparsed(node, node, change)
        within = parent if isinstance(node, ast.Constant) and isinstance(parent, ast.expr) else node
        key = " → ".join((before, after) if within is node else _unparsed(within, node, change))
        seen[text, key] += 1
        again = f" ({seen[text, key]})" if seen[text, key] > 1 else ""
        found.append(
            Mutant(
                *(module, path, index, where, node.lineno, text, before, after, f"{text} | {key}{again}", KIND[change]),
                binds=binds.get(node, frozenset()),
            )
        )
    return found


def _unparsed(shown, node, change):
    """An expression before and after a change of a node in it, which is taken back."""
    before = ast.unparse(shown)
    kept = {name: list(value) if isinstance(value, list) else value for name, value in ast.iter_fields(node)}
    change(node)
    after = ast.unparse(shown)
    vars(node).update(kept)
    return before, after


def _places(tree, top_level=False, idle=frozenset(), where=""):
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
        if where or top_level:
            yield from ((where, tree, child, change) for change in changes(child))
        yield from _places(child, top_level, idle, inside)


def _refuses(node):
    """Whether a statement only refuses parameters that do not fit."""
    return isinstance(node, ast.If) and all(isinstance(statement, ast.Raise) for statement in node.body)


def _changed(source, mutant):
    """The syntax tree of a source with a mutant's change."""
    tree = ast.parse(source)
    idle = frozenset() if mutant.module else not_feeding(tree, NOT_MUTATED)
    _, _, node, change = list(_places(tree, not mutant.module, idle))[mutant.index]
    change(node)
    return ast.fix_missing_locations(tree)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a changed syntax tree."""

    def __init__(self, mutant):
        self.mutant = mutant

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == self.mutant.module else None

    def exec_module(self, module):
        tree = _changed(self.mutant.path.read_text(), self.mutant)
        exec(compile(tree, str(self.mutant.path), "exec"), module.__dict__)


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


def verdict(code, mutant=None, patience=PATIENCE):
    """Run a script with a mutant in place, for so many seconds at most.

    Returns 'all claims hold', 'red: ' and the id of the first claim that fails, or 'stopped: ' and the error.
    """
    return _answer(_run, (code, mutant, False), patience)


def verdict_of_tests(mutant):
    """Run the library's own tests of a mutated module: 'tests: red', or 'all claims hold' where they do not notice."""
    file = tests_of(mutant)
    return _answer(_run_tests, (file, mutant), AT_MOST) if file and green(file) else WITHIN


@cache
def green(file):
    """Whether a file of tests passes as the library is: where it does not, that it fails says nothing of a mutant."""
    return _answer(_run_tests, (file, None), AT_MOST) == WITHIN


def tests_of(mutant):
    """The file of the library's tests that mirrors the mutated module, or None."""
    *folders, name = mutant.module.split(".")[1:] or [""]
    file = ROOT.joinpath("tests", "library", *folders, f"test_{name}.py")
    return file if mutant.module and file.exists() else None


def _answer(run, given, patience):
    """What a forked process answers, for so many seconds at most."""
    receive, send = FORK.Pipe(duplex=False)
    process = FORK.Process(target=run, args=(*given, send))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks beside threads; none run here
        process.start()
    send.close()
    try:
        return receive.recv() if receive.poll(patience) else f"stopped: no answer in {patience:.0f} s"
    except EOFError:
        return "stopped: the process died"
    finally:
        process.kill()
        process.join()


@cache
def unchanged(code):
    """The verdict on a script as it is, and how long to wait for it with a change."""
    begun = time.monotonic()
    answer = verdict(code, patience=AT_MOST)
    return answer, min(PATIENCE, max(LEAST_PATIENCE, TIMES * (time.monotonic() - begun)))


def of_campaign(code, mutant):
    """The verdict on a mutant, that of an earlier run of the campaign if there is one.

    What no claim of the chapter notices in the library, the library's own tests are asked; if they do not either, what
    it does to what is claimed.
    """
    key = key_of(code, mutant)
    answer = _kept_or(key, lambda: verdict(code, mutant, unchanged(code)[1]))
    if answer == WITHIN and (file := tests_of(mutant)):
        asked = hashlib.sha256(f"{key} {file.read_text()}".encode()).hexdigest()[:32]
        answer = _kept_or(asked, lambda: verdict_of_tests(mutant))
    return _kept_or(f"effect {key}", lambda: effect_of(code, mutant)) if answer == WITHIN else answer


def effect_of(code, mutant):
    """What a mutant that no claim notices does to what is claimed (``mutation_effect.effect``)."""
    before, after = values(code), _answer(_run, (code, mutant, True), AT_MOST)
    return effect(before, after) if isinstance(after, list) else WITHIN


@cache
def values(code):
    """The values of all claims of a script as it is."""
    return _answer(_run, (code, None, True), AT_MOST)


def _kept_or(key, found):
    """The verdict that was kept under a key, or the one that is found now, which is kept."""
    answer = kept(key)
    if answer is None:
        answer = found()
        keep(key, answer)
    return answer


def altered(chapter, code, changes):
    """The test that a change of a chapter's own code is noticed: what stands there once, and what in its place."""
    drawn = sorted(changes, key=lambda change: hashlib.sha256(" → ".join(change).encode()).hexdigest())
    drawn = drawn[: SIZES.altered]

    @pytest.mark.parametrize(("before", "after"), drawn, ids=[f"{before} → {after}" for before, after in drawn])
    def change_of_the_chapter_is_noticed(before, after):
        counts = {text: code.count(text) for text, _ in changes}
        assert {text: count for text, count in counts.items() if count != 1} == {}, f"must stand once in {chapter}"
        answer = verdict(code.replace(before, after), patience=unchanged(code)[1])
        assert answer.startswith((f"red: {chapter}.", "stopped: ")), answer

    return change_of_the_chapter_is_noticed


def checks(chapter, code, found, equivalent):
    """The two tests of a chapter: it is green as it is, and each mutant is noticed or listed as equivalent.

    chapter: with what the ids of its claims begin.
    equivalent: the reason by ``Mutant.change``.
    """

    def chapter_itself_is_green(record_property):
        record_property("possible", (chapter, dict(Counter(mutant.kind for mutant in found))))
        assert unchanged(code)[0] == WITHIN
        dead = equivalent.keys() - {mutant.change for mutant in found}
        assert not dead, f"excuses that match no mutant: {sorted(dead)}"

    @pytest.mark.parametrize("mutant", sample(found, SIZES.constants), ids=lambda mutant: mutant.name)
    def changed_constant_is_noticed(mutant, record_property):
        _notice(chapter, code, mutant, equivalent.get(mutant.change), record_property)

    return chapter_itself_is_green, changed_constant_is_noticed


def operator_checks(chapter, code, found, excused, must=()):
    """Two tests: the drawn changes of operators and of the chapter's code are noticed; each excuse names one of them.

    found: the operators of the library that the chapter executes; those of the chapter's own code are added.
    excused: the reason by ``Mutant.key``.
    must: changes of the chapter's own code, by ``Mutant.key``, that belong to every sample.

    What the chapter chooses is excused by name in choices.yml, or by ``Mutant.key`` as in ``excused``.
    """
    twin, choices = of_twin(code), CHOICES.get(chapter, {})
    every = [*found, *twin]
    always = [mutant for mutant in twin if mutant.key in must]
    others = [mutant for mutant in twin if mutant not in always]
    own = [*always, *sample(others, None if SIZES.own is None else max(0, SIZES.own - len(always)))]

    def each_excuse_names_one_mutant(record_property):
        record_property("possible", (chapter, dict(Counter(mutant.kind for mutant in every))))
        counts = {key: sum(mutant.key == key for mutant in every) for key in (*excused, *must)}
        assert {key: count for key, count in counts.items() if count != 1} == {}
        assert choices.keys() <= {mutant.key for mutant in every}.union(*(mutant.binds for mutant in twin))

    @pytest.mark.parametrize("mutant", [*sample(found, SIZES.operators), *own], ids=lambda mutant: mutant.name)
    def changed_operator_is_noticed(mutant, record_property):
        chosen = [choices[name] for name in sorted(mutant.binds) if name in choices]
        excuse = "; ".join(chosen) if 0 < len(mutant.binds) == len(chosen) else None
        excuse = excused.get(mutant.key) or choices.get(mutant.key) or excuse
        _notice(chapter, code, mutant, excuse, record_property)

    return each_excuse_names_one_mutant, changed_operator_is_noticed


def _notice(chapter, code, mutant, excuse, record_property):
    """Fail unless some claim of the chapter, or an error, notices a mutant; skip one that none does if that may be."""
    answer = of_campaign(code, mutant) if CAMPAIGN else verdict(code, mutant, unchanged(code)[1])
    record_property("mutant", (chapter, mutant.kind, ended(answer, excuse)))
    if answer.startswith((WITHIN, "effect: ")) and excuse is not None:
        pytest.skip(excuse)
    if answer == WITHIN and mutant.kind in COUNTED:
        pytest.skip("not noticed, and counted")
    assert answer.startswith((f"red: {chapter}.", "stopped: ", "tests: ", "effect: ")), f"{mutant.key}: {answer}"


def ended(answer, reason):
    """How a mutant ended, for the counts: red, stopped, held_by_tests, along, equivalent or surviving.

    answer: of ``of_campaign``.
    reason: why it may stay green; None if it may not.
    """
    for begin, end in (("tests: ", "held_by_tests"), (ALONG, "along"), (NONE, "equivalent")):
        if answer.startswith(begin):
            return end
    if answer != WITHIN:
        return answer.partition(":")[0]
    if reason is None:
        return "surviving"
    return "held_by_tests" if "tests/library" in reason else "equivalent"


def _run(code, mutant, listen, send):
    """Send the verdict; or, if ``listen`` and all claims hold, their values."""
    _forget(*LIBRARY)
    if mutant is not None and mutant.module:
        sys.meta_path.insert(0, _Finder(mutant))
    elif mutant is not None:
        code = _changed(code, mutant)
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            from reproduce.claims import author

            heard = _listened(author)
            exec(compile(code, "chapter", "exec"), {"__name__": "__main__"})
            answer = heard if listen else WITHIN
        except Red as red:
            answer = f"red: {red}"
        except BaseException as error:
            answer = f"stopped: {type(error).__name__}: {error}"
    send.send(answer[:300] if isinstance(answer, str) else answer)


def _listened(author):
    """A list that fills with the values of each claim; the first that does not hold stops the chapter."""
    heard, tolerances, judge = [], [], author.Claims._judge

    def judged(claims, kind, name, statement, parts, **side):
        judge(claims, kind, name, statement, parts, **side)
        unit = 1.0 if kind == "ordering" else author.unit_of(parts["theory"], parts.get("relative", False))
        heard.append(claimed(kind, parts["theory"], parts["measured"], tolerances[-1], unit))

    def shown(record):
        if not record["passed"]:
            raise Red(record["id"])
        tolerances.append(record["tolerance"])

    author.Claims._judge, author.show = judged, shown
    return heard


def _run_tests(file, mutant, send):
    _forget(*LIBRARY, "tests", "library")  # a test file that ran before in this process holds the module as it was
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
