"""A docstring that lists what a function takes or a class holds lists all of it, and nothing else; the library's do."""

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, is_typeddict

import pytest

from reproduce.pages.docstrings import signature

LIB = Path(__file__).parents[1] / "lib"
MODULES = sorted(
    ".".join(path.relative_to(LIB).with_suffix("").parts).removesuffix(".__init__")
    for wing in ("implicit_bias", "reproduce")
    for path in (LIB / wing).rglob("*.py")
    if path.stem != "__main__"
)
NAMES = r"\*{0,2}[A-Za-z_]\w*(?:, \*{0,2}[A-Za-z_]\w*)*"
ENTRY = re.compile(rf"({NAMES}): \S")
SECTION = re.compile(r"(Returns|Raises|Yields|References?|Reference)\b")


def listed(docstring: str) -> list[str]:
    """The names in the paragraphs of ``name: meaning`` lines; the first paragraph says what it is and lists nothing."""
    found = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(docstring))[1:]:
        lines = paragraph.splitlines()
        if ENTRY.match(lines[0]) and not SECTION.match(lines[0]):
            entries = [ENTRY.match(line) for line in lines if not SECTION.match(line)]
            found += [name.lstrip("*") for entry in entries if entry for name in entry[1].split(", ")]
    return found


def taken(thing: Any) -> tuple[list[str], list[str]]:
    """What a dataclass or a mapping is given, or the parameters of a function or of ``__init__``, without self.

    All of them, and those that must be listed: not the fields of a class it builds on, where they are listed.
    """
    if is_typeddict(thing):
        return 2 * (list(thing.__annotations__),)
    if dataclasses.is_dataclass(thing):
        names = [field.name for field in dataclasses.fields(thing) if field.init]
        return names, [name for name in names if name in inspect.get_annotations(thing)]
    return 2 * ([name for name in inspect.signature(thing).parameters if name not in ("self", "cls")],)


def disagreement(docstring: str, names: list[str], demanded: list[str]) -> str:
    """What a docstring lists that is not there, or twice, and what it leaves out; empty if it lists nothing."""
    told = listed(docstring)
    faults = [f"{name} is not one of {', '.join(names)}" for name in told if name not in names]
    faults += [f"{name} is listed twice" for name in sorted(set(told)) if told.count(name) > 1]
    return "; ".join(faults + [f"{name} is not listed" for name in demanded if told and name not in told])


def public(module: Any) -> Iterator[tuple[str, Any]]:
    """The public functions and classes of a module, and the public methods and ``__init__`` of its classes."""
    for name, thing in list(vars(module).items()):
        own = (inspect.isfunction(thing) or inspect.isclass(thing)) and thing.__module__ == module.__name__
        if not own or name.startswith("_"):
            continue
        yield name, thing
        for inside, method in vars(thing).items() if inspect.isclass(thing) else ():
            method = getattr(method, "__func__", method)  # of a class method
            if inspect.isfunction(method) and (inside == "__init__" or not inside.startswith("_")):
                yield f"{name}.{inside}", method


@pytest.mark.parametrize("module", MODULES)
def test_what_a_docstring_lists_is_what_there_is(module: str) -> None:
    wrong = []
    for name, thing in public(importlib.import_module(module)):
        docstring = thing.__doc__ or ""
        if listed(docstring):
            fault = disagreement(docstring, *taken(thing))
            wrong += [f"{name}: {fault}"] if fault else []
    assert wrong == []


WING = [module for module in MODULES if module.partition(".")[0] == "implicit_bias"]


def constructed(module: Any) -> Iterator[tuple[str, Any, list[str]]]:
    """The public functions and classes of a module that somebody calls, with the names of what they take."""
    for name, thing in public(module):
        if "." in name or getattr(thing, "_is_protocol", False):
            continue
        try:
            yield name, thing, list(inspect.signature(thing).parameters)
        except ValueError:  # an error that takes what Python's own does
            assert issubclass(thing, Exception)


def told_of(thing: Any) -> set[str]:
    """The names that are listed by a function, or by a class, its ``__init__`` and the public classes it builds on."""
    classes = [one for one in getattr(thing, "__mro__", [thing]) if not one.__name__.startswith("_")]
    own = [thing.__init__] if inspect.isclass(thing) else []
    return {name for one in [*classes, *own] for name in listed(one.__doc__ or "")}


def named(line: str) -> list[str]:
    """The names in a line of arguments, in their order."""
    [function] = ast.parse(f"def f{line}: ...").body
    assert isinstance(function, ast.FunctionDef)
    several = function.args
    last = [[one] if one else [] for one in (several.vararg, several.kwarg)]
    return [one.arg for one in [*several.posonlyargs, *several.args, *last[0], *several.kwonlyargs, *last[1]]]


@pytest.mark.parametrize("module", WING)
def test_every_argument_of_the_library_is_listed(module: str) -> None:
    untold = {name: {*names} - told_of(thing) for name, thing, names in constructed(importlib.import_module(module))}
    assert {name: names for name, names in untold.items() if names} == {}


@pytest.mark.parametrize("module", WING)
def test_the_signature_on_the_page_names_every_argument(module: str) -> None:
    things = list(constructed(importlib.import_module(module)))
    lines = {name: (signature(thing) or ("()", ""))[0] for name, thing, _ in things}
    assert {name: line for name, thing, names in things if named(line := lines[name]) != names} == {}


@pytest.mark.nightly  # a test of this test
def test_a_disagreement_is_seen() -> None:
    docstring = textwrap.dedent(
        """\
        A step.

        θ ← θ − η ∇L(θ): the baseline.

        x, y: the data,
            z: not an entry, as it is indented.
        *rest: the others.
        Returns the step.
        """
    )
    assert listed(docstring) == ["x", "y", "rest"]
    assert disagreement(docstring, ["x", "y", "rest"], ["x", "y", "rest"]) == ""
    assert (
        disagreement(docstring, ["x", "rest", "rate"], ["x", "rest", "rate"])
        == "y is not one of x, rest, rate; rate is not listed"
    )
    assert disagreement("A step.\n\nx: one.\nx: two.\n", ["x"], ["x"]) == "x is listed twice"
    assert disagreement("A step, of two lines.\n\nMore.", ["x"], ["x"]) == ""
