"""The reference of a library: its docstrings as reStructuredText, and its signatures as they are written in the source.

The docstrings are plain text: a line, paragraphs, formulas on lines of their own, and paragraphs of ``name: meaning``
lines for arguments. All else but ``literals`` is escaped, so that max |w| or W* in a sentence mean what they say, and
a literal that names one function or class of the library leads to it. A paragraph without a full stop or a colon at
its end is no prose: its lines stand on the page as they are written.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ARGUMENT = re.compile(r"(\*{0,2}[A-Za-z_]\w*(?:, \*{0,2}[A-Za-z_]\w*)*): (.*)")
SECTION = re.compile(r"(Returns|Raises|Reference:|References:|Yields)\s+(.*)")
LITERAL = re.compile(r"(``[^`]+``)")
LIBRARY = "implicit_bias"
LONG_NAME = re.compile(r"\w+_\w+|[A-Z]\w*[a-z]\w*")  # which is no argument: with an underscore, or a capital letter
SPECIAL = re.compile(r"([\\*|`_])")
ITEM = re.compile(r"\(?(?:\w|[ivxlcdmIVXLCDM]+|\d+|#)[.)](?:\s|$)|[-+]\s")  # what would begin a list: r. or (a) or -


class ApiDirective(SphinxDirective):
    """The reference of a module, or of every public module of a package and the packages in it, from the docstrings."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "only": directives.unchanged,
        "folded": directives.flag,  # each module below what its docstring says first
    }

    def run(self) -> list[nodes.Node]:
        """A section for each module, first those with names that the library's or the package's front page has."""
        name = self.arguments[0]
        path = getattr(importlib.import_module(name), "__path__", None)
        found = {name: False}  # whether it is a package, whose names are those of its modules
        if path is not None:
            found = {module.name: module.ispkg for module in pkgutil.walk_packages(path, f"{name}.")}
        only = self.options.get("only", "").split()
        lines: list[str] = []
        for module, package in sorted(found.items(), key=lambda one: _rank(name, one[0])):
            last = module.rsplit(".", 1)[-1]
            if not last.startswith("_") and (not only or last in only):
                members = ["   :no-members:"] if package else []
                shown = ["```{eval-rst}", f".. automodule:: {module}", *members, "```", ""]
                if "folded" in self.options and not package:
                    first = (inspect.getdoc(importlib.import_module(module)) or module).splitlines()[0]
                    shown = [f"````{{fold}} {first}", *shown, "````", ""]
                lines += [f"## {'.'.join(module.split('.')[-2:])}", "", *shown]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def _rank(package: str, module: str) -> int:
    """0 of a module that defines a name of the whole library, 1 of one with a name of its package, 2 of others."""
    own = {
        name for name, one in vars(importlib.import_module(module)).items() if getattr(one, "__module__", "") == module
    }
    public = [getattr(importlib.import_module(one), "__all__", ()) for one in (package.partition(".")[0], package)]
    return next((rank for rank, names in enumerate(public) if own & set(names)), len(public))


def plain_docstring(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Let autodoc read the docstrings as the plain text that they are."""
    lines[:] = to_rst(lines)


def skip_alias(app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Let autodoc leave out the fields of a named tuple, which its docstring lists."""
    return True if (getattr(thing, "__doc__", "") or "").startswith("Alias for field number") else None


def source_signature(app: Sphinx, what: str, name: str, thing: Any, *rest: Any) -> tuple[str, str] | None:
    """Let autodoc show annotations as they are written."""
    return signature(thing) if what in ("function", "method", "class") else None


def to_rst(lines: list[str]) -> list[str]:
    """A plain-text docstring as reStructuredText; arguments, returns, errors, references become definition lists."""
    out: list[str] = []
    for paragraph in _paragraphs(lines):
        entries = list(_entries(paragraph))
        if entries:
            for term, meaning in entries:
                out += [term, f"    {escape(meaning)}"]
            out.append("")
        elif paragraph[0].startswith(">>> "):  # an example, as it is typed
            out += [*paragraph, ""]
        elif paragraph[0].startswith("- "):
            out += [*(("- " + escape(line[2:])) if line.startswith("- ") else escape(line) for line in paragraph), ""]
        elif paragraph[-1].endswith((".", ":")):
            out += [escape(" ".join(line.strip() for line in paragraph)), ""]
        else:
            out += [".. container:: formula", "", *(f"    | {escape(line.strip())}" for line in paragraph), ""]
    return out


def escape(text: str) -> str:
    """The text with the characters that reStructuredText reads as markup escaped, outside of ``literals``.

    >>> escape("r.")  # else the eighteenth item of a list
    '\\\\r.'
    """
    pieces = LITERAL.split(text)
    escaped = [_linked(piece) if LITERAL.fullmatch(piece) else SPECIAL.sub(r"\\\1", piece) for piece in pieces]
    return "\\" * bool(ITEM.match(text)) + "".join(escaped)


def _linked(literal: str) -> str:
    """A literal as a link, if it names one function or class of the library."""
    name = literal.strip("`")
    place = _places().get(name, "") if LONG_NAME.fullmatch(name) else ""
    return f":py:obj:`{name} <{place}>`" if place else literal


@cache
def _places() -> dict[str, str]:
    """Where each public function and class of the library is, by its name; empty for a name that two of them have."""
    places: dict[str, str] = {}
    for module in pkgutil.walk_packages(importlib.import_module(LIBRARY).__path__, f"{LIBRARY}."):
        for name, one in vars(importlib.import_module(module.name)).items():
            if getattr(one, "__module__", "") == module.name and (inspect.isclass(one) or inspect.isfunction(one)):
                places[name] = "" if name in places else f"{module.name}.{name}"
    return places


def signature(thing: Any) -> tuple[str, str] | None:
    """The arguments and the returned type of a function or class as its source has them; None if it has none.

    A class takes what its ``__init__`` does, or its fields, with those of the classes it builds on; a protocol, which
    nobody makes, has two empty strings.
    """
    if not inspect.isclass(thing):
        return _arguments(thing)
    return ("", "") if getattr(thing, "_is_protocol", False) else _arguments(thing.__init__) or _fields(thing)


def _arguments(function: Any) -> tuple[str, str] | None:
    node = _parsed(function)
    if not isinstance(node, ast.FunctionDef):
        return None
    arguments = node.args
    first = [*arguments.posonlyargs, *arguments.args][:1]
    if first and first[0].arg in ("self", "cls"):
        (arguments.posonlyargs or arguments.args).pop(0)
    scope = getattr(inspect.unwrap(function), "__globals__", {})
    arguments.defaults = [_in_numbers(one, scope) for one in arguments.defaults]
    arguments.kw_defaults = [one and _in_numbers(one, scope) for one in arguments.kw_defaults]
    made = node.name == "__init__"
    return f"({ast.unparse(arguments)})", ast.unparse(node.returns) if node.returns and not made else ""


def _in_numbers(default: ast.expr, scope: Mapping[str, Any]) -> ast.expr:
    """A default; a constant of the module, or a long number, as one reads it: 1e-12, 1e9."""
    named = scope.get(default.id) if isinstance(default, ast.Name) else getattr(default, "value", None)
    if isinstance(named, bool) or not isinstance(named, int | float):
        return ast.Name(repr(named)) if isinstance(default, ast.Name) and isinstance(named, tuple) else default
    short = re.sub(r"e([+-])0*", r"e\1", f"{named:g}").replace("e+", "e")
    shorter = "e" in short or len(short) < len(repr(named)) - 2
    return ast.Name(short if shorter and float(short) == named else repr(named))


def _fields(made: type) -> tuple[str, str] | None:
    written: dict[str, ast.AnnAssign] = {}
    for base in reversed(made.__mro__):
        items = getattr(_parsed(base), "body", ())
        written |= {ast.unparse(item.target): item for item in items if isinstance(item, ast.AnnAssign)}
    try:
        taken = inspect.signature(made).parameters
    except ValueError:  # of what is written in C
        return None
    if not set(taken) <= set(written):
        return None
    scope = vars(sys.modules[made.__module__])
    shown = [_field(written[name], scope) for name in taken]
    by_name = [name for name, one in taken.items() if one.kind is one.KEYWORD_ONLY]
    if by_name:
        shown.insert(list(taken).index(by_name[0]), "*")
    return f"({', '.join(shown)})", ""


def _parsed(thing: Any) -> ast.stmt | None:
    """The statement that defines it; None where there is no source, as of a dataclass's ``__init__``."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None


def _field(item: ast.AnnAssign, scope: Mapping[str, Any]) -> str:
    """A field with its type and its default; of a default that is made anew for each, the call that makes it."""
    default = item.value
    if isinstance(default, ast.Call) and ast.unparse(default.func) == "field":
        told = {one.arg: one.value for one in default.keywords}
        factory = told.get("default_factory")
        default = ast.Call(factory, [], []) if factory is not None else told.get("default")
    shown = default and _in_numbers(default, scope)
    return ast.unparse(ast.AnnAssign(item.target, item.annotation, shown, item.simple))


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line.rstrip())
        elif paragraph:
            yield paragraph
            paragraph = []


def _entries(paragraph: list[str]) -> Iterator[tuple[str, str]]:
    """The terms and meanings of a paragraph of arguments or of a section; nothing for a paragraph of prose."""
    if not (ARGUMENT.match(paragraph[0]) or SECTION.match(paragraph[0])):
        return
    term, words = "", []
    for line in paragraph:
        section, argument = SECTION.match(line), ARGUMENT.match(line)
        found = section or argument
        if found is None:
            words.append(line.strip())
            continue
        if term:
            yield term, " ".join(words)
        name = found[1].rstrip(":")
        term = name if section else ", ".join(f"``{part}``" for part in name.split(", "))
        words = [found[2]]
    yield term, " ".join(words)
