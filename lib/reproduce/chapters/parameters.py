"""A chapter's parameters, declared once in its tagged cell: name, type, default, meaning and allowed range.

The cell holds one line for each parameter,

    n: int = 30  # number of samples N, in [4, 10000]
    scale: float = 1e-3  # scale α of the initialization, in (0, 10]
    loss: str = "exponential"  # loss ℓ, one of {exponential, logistic}
    steps: list[float] = [1e-3, 3e-3]  # learning rates, each in (0, 1]
    folder: str = ""  # folder of the data, a path or empty
    # where n < width and scale * n <= 100
    # because wider scales overflow

and everything else about a parameter (its help, the checks on the command line, the checks of the paper's own scale)
is read from there. Every type but bool needs a range. A line that begins with ``# where`` is a relation that the
numbers must satisfy (``relations``); one that begins with ``# because`` says why the range or the relation above it
ends there.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any

import click
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from reproduce.chapters.book import Chapter, nearest
from reproduce.chapters.parameter import A_PATH, PYTHON_TYPES, FullPath, Parameter
from reproduce.chapters.relations import Relation, declared, reasons_of
from reproduce.ground.errors import PressError, quoted
from reproduce.ground.reading import read_yaml

LIST = re.compile(r"list\[(int|float)\]")
INTERVAL = re.compile(r"(?P<meaning>.+?), (?:each )?in (?P<open>[\[(])(?P<low>[^,]+),(?P<high>[^\])]+)(?P<close>[\])])")
PATH = re.compile(rf"(?P<meaning>.+?), {A_PATH}")
CHOICES = re.compile(r"(?P<meaning>.+?), one of \{(?P<choices>[^}]+)\}")


class Signature(dict[str, Parameter]):
    """The parameters of a chapter by name, in the order of its cell, and the relations between them."""

    relations: tuple[Relation, ...] = ()


def signature(notebook: NotebookNode, name: str) -> Signature:
    """The parameters of a notebook, in the order of its tagged cell; empty if it has no such cell.

    notebook: with or without outputs.
    name: what the notebook is called in messages.
    Raises PressError for a line without type, meaning or range, for a default outside its range, and for a relation
    that cannot be read or does not hold for the defaults.
    """
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    if not cells:
        return Signature()
    from papermill import inspect_notebook  # a third of a second, which most commands do without

    alone = new_notebook(
        cells=cells[:1], metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    )  # type: ignore[no-untyped-call]
    found = inspect_notebook(alone)
    assigned = _assigned(cells[0].source, name)
    for missed in [target for target in assigned if target not in found]:
        # papermill passes over a line it cannot read, for example one with an = in its comment
        raise PressError(f"{name}: parameter {missed} is not 'name: type = default  # meaning, in RANGE' on one line")
    reasons = reasons_of(cells[0].source)
    parameters = Signature({one: _parameter(found[one], name, reasons.get(end, "")) for one, end in assigned.items()})
    numbers = [one.name for one in parameters.values() if one.type not in ("bool", "str")]
    parameters.relations = declared(cells[0].source, numbers, name)
    given = {one.reason for one in parameters.values()} | {one.reason for one in parameters.relations}
    for reason in reasons.values():
        if reason not in given:
            raise PressError(f"{name}: '# because {quoted(reason)}' stands below no parameter and no relation")
    try:
        check_relations(parameters, {})
    except PressError as error:
        raise PressError(f"{name}: by default {error}") from None
    return parameters


def parse(parameters: Signature, assignments: Iterable[str], chapter: str) -> dict[str, Any]:
    """The values that ``name=value`` texts stand for.

    Raises PressError for a missing =, an unknown name, a name given twice, a wrong type, a value out of range.
    """
    values: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        name = name.strip()
        if not equals or not name:
            raise PressError(f"'{quoted(assignment)}' is not a parameter: it must be name=value")
        if name in values:
            raise PressError(f"parameter {name} is given twice")
        values[name] = known(parameters, name, chapter).parse(text)
    return values


def check(parameters: Signature, values: Mapping[str, Any], chapter: str) -> dict[str, Any]:
    """Typed values, checked; raises PressError as ``parse`` does."""
    return {name: known(parameters, str(name), chapter).check(value) for name, value in values.items()}


def check_relations(parameters: Signature, values: Mapping[str, Any]) -> None:
    """Raise PressError if these values, with the defaults of the other parameters, break a declared relation."""
    for relation in parameters.relations:
        check_relation(parameters, relation, values)


def check_relation(parameters: Signature, relation: Relation, values: Mapping[str, Any]) -> None:
    """``check_relations`` for a single one."""
    kept = [name for name in relation.names if name not in values]
    relation.demand({name: values.get(name, parameters[name].default) for name in relation.names}, kept)


def paper_values(parameters: Signature, chapter: Chapter) -> dict[str, Any]:
    """The values of a chapter's ``.paper.yaml``, checked; a PressError that names the file if one is not allowed."""
    if not chapter.paper.exists():
        raise PressError(f"{chapter.name} has no parameters at the paper's scale: {chapter.paper.name} does not exist")
    values = read_yaml(chapter.paper)
    if not isinstance(values, dict):
        raise PressError(f"{chapter.paper.name} must hold one 'name: value' for each parameter")
    try:
        checked = check(parameters, values, chapter.name)
        check_relations(parameters, checked)
        return checked
    except PressError as error:
        raise PressError(f"{chapter.paper.name}: {error}") from None


def known(parameters: Signature, name: str, chapter: str) -> Parameter:
    """The parameter of that name; a PressError with the nearest match if there is none."""
    if name not in parameters:
        names = ", ".join(parameters) or "no parameters"
        raise PressError(f"unknown parameter '{quoted(name)}'; {nearest(name, parameters, f'{chapter} has {names}')}")
    return parameters[name]


def _assigned(source: str, name: str) -> dict[str, int]:
    """The names of a cell of parameters, in its order, each with the last line of its value."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise PressError(f"{name}: the cell of parameters is not Python: {error.msg}, line {error.lineno}") from None
    except ValueError:  # half of a pair of surrogates, or a null
        raise PressError(f"{name}: the cell of parameters holds a character that no text may hold") from None
    names = {}
    for statement in tree.body:
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            text = ast.unparse(statement)
            raise PressError(f"{name}: the cell of parameters must hold nothing but 'name: type = default': {text}")
        names[statement.target.id] = statement.end_lineno or statement.lineno
    return names


def _parameter(found: Mapping[str, str], chapter: str, reason: str) -> Parameter:
    """One parameter from papermill's reading of its line."""
    name, type_name, comment = found["name"], found["inferred_type_name"].replace(" ", ""), found["help"]
    where = f"{chapter}: parameter {name}"
    kind = LIST.fullmatch(type_name)
    if kind is None and type_name not in PYTHON_TYPES:
        raise PressError(f"{where}: type {type_name} is not one of {', '.join(PYTHON_TYPES)}, list[int], list[float]")
    meaning, allowed, item = _range(kind[1] if kind else type_name, comment, where)
    try:
        default = ast.literal_eval(found["default"])
    except (ValueError, SyntaxError):
        raise PressError(f"{where}: the default {found['default']} must be a plain value") from None
    parameter = Parameter(name, type_name, default, meaning, allowed, item, reason)
    try:
        parameter.check(default)
    except PressError as error:
        raise PressError(f"{where}: the default {error}") from None
    return parameter


def _range(item_type: str, comment: str, where: str) -> tuple[str, str, "click.ParamType[Any]"]:
    """Meaning, range as written, and the click type that bounds one value."""
    if item_type == "bool":
        if not comment:
            raise PressError(f"{where} has no meaning: write it as a comment on its line")
        return comment, "true or false", click.BOOL
    if item_type == "str":
        path = PATH.fullmatch(comment)
        if path is not None:
            return path["meaning"], A_PATH, FullPath()
        match = CHOICES.fullmatch(comment)
        if match is None:
            raise PressError(
                f"{where}: its comment must end in 'one of {{a, b}}' or '{A_PATH}', with a meaning before it"
            )
        choices = [choice.strip() for choice in match["choices"].split(",")]
        return match["meaning"], f"{{{', '.join(choices)}}}", click.Choice(choices)
    match = INTERVAL.fullmatch(comment)
    if match is None:
        raise PressError(f"{where}: its comment must end in a range such as 'in [1, 10)', with a meaning before it")
    number: type = int if item_type == "int" else float
    try:
        low, high = (None if "inf" in match[end] else number(match[end]) for end in ("low", "high"))
    except ValueError:
        raise PressError(f"{where}: the ends of its range must be {item_type}s or inf") from None
    kind: type[click.IntRange | click.FloatRange] = click.IntRange if item_type == "int" else click.FloatRange
    item = kind(low, high, min_open=match["open"] == "(", max_open=match["close"] == ")")
    written = f"{match['open']}{match['low'].strip()}, {match['high'].strip()}{match['close']}"
    return match["meaning"], written, item
