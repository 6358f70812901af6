"""Relations between a chapter's parameters, declared in its tagged cell and checked before anything runs.

A relation is a comment of its own, ``# where n < d``: it compares sums, products, quotients, remainders and powers of
parameters and numbers; several are joined by ``and``. Of a list its entries (``widths[0]``), ``len``, ``min``, ``max``,
``set`` and ``sorted`` may stand in it: ``widths == sorted(set(widths))`` says that it increases. Nothing else is
compiled. A comment of its own below a relation, or below a parameter, says why it ends there, ``# because …``.
"""

import ast
import io
import math
import re
import tokenize
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reproduce.ground.errors import PressError, quoted

WHERE = re.compile(r"#\s*where\s+(.*?)\s*")
BECAUSE = re.compile(r"#\s*because\s+(.*?)\s*")
LARGEST_POWER = 4096.0  # bits: enough for any float, and soon computed

COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
OPERATIONS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
OF_LISTS: dict[str, Callable[[Any], Any]] = {"len": len, "min": min, "max": max, "set": set, "sorted": sorted}

Numbers = Mapping[str, Any]


@dataclass(frozen=True)
class Relation:
    """One comparison.

    text: as it is written.
    names: the parameters in it, in the order in which they appear.
    holds: whether numbers satisfy it; an ArithmeticError if it cannot be computed for them.
    reason: why it must hold; empty if that is not said.
    """

    text: str
    names: tuple[str, ...]
    holds: Callable[[Numbers], bool]
    reason: str = ""

    def demand(self, values: Numbers, defaults: Collection[str] = ()) -> None:
        """Raise PressError, which names the relation and the values in it, if it does not hold for them.

        values: of the parameters in it.
        defaults: those among them that nobody gave, which the message asks to change where others were given.
        """
        try:
            if self.holds(values):
                return
            why = f"must hold{because(self.reason)}"
        except ArithmeticError as error:
            why = f"cannot be computed ({error})"
        given = ", ".join(f"{name}={quoted(values[name])}" for name in self.names)
        kept = [name for name in self.names if name in defaults]
        remedy = ""
        if 0 < len(kept) < len(self.names):
            which = f"{' and '.join(kept)} {'is its default' if len(kept) == 1 else 'are defaults'}"
            remedy = f"; {which}, change {'it' if len(kept) == 1 else 'them'} too"
        raise PressError(f"{given} is not allowed: {self.text} {why}{remedy}")


def because(reason: str) -> str:
    """The end of a sentence that gives a reason, if there is one."""
    return f", because {reason}" if reason else ""


def declared(source: str, numbers: Collection[str], chapter: str) -> tuple[Relation, ...]:
    """The relations of a cell of parameters.

    source: the text of the cell.
    numbers: the parameters that may stand in one.
    chapter: what the chapter is called in messages.

    Raises PressError for a line that is no relation.
    """
    found, reasons = [], reasons_of(source)
    for line, text in _alone(source, WHERE):
        try:
            found += _relations(text, numbers, reasons.get(line, ""))
        except (SyntaxError, ValueError, RecursionError) as error:
            why = error.msg if isinstance(error, SyntaxError) else str(error)
            raise PressError(f"{chapter}: '# where {text}' is not a relation: {why}") from None
    return tuple(found)


def reasons_of(source: str) -> dict[int, str]:
    """The reasons in a cell of parameters, by the number of the line that each stands below."""
    return {line - 1: reason for line, reason in _alone(source, BECAUSE)}


def _alone(source: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The comments that have a line for themselves and fit a pattern: the line's number, and what the pattern finds."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        alone = token.type == tokenize.COMMENT and token.line.strip() == token.string
        match = pattern.fullmatch(token.string) if alone else None
        if match is not None:
            yield token.start[0], match[1]


def _relations(text: str, numbers: Collection[str], reason: str) -> list[Relation]:
    tree = ast.parse(text, mode="eval").body
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    return [_relation(part, ast.get_source_segment(text, part) or text, numbers, reason) for part in parts]


def _relation(tree: ast.expr, text: str, numbers: Collection[str], reason: str) -> Relation:
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in called]
    names = tuple(dict.fromkeys(node.id for node in sorted(found, key=lambda node: node.col_offset)))
    for name in names:
        if name not in numbers:
            raise ValueError(f"{name} is not a parameter that is a number")
    if not names:
        raise ValueError("it has no parameter in it")
    if not (isinstance(tree, ast.Compare) and all(isinstance(op, COMPARISONS) for op in tree.ops)):
        raise ValueError(f"{ast.unparse(tree)} is not a comparison")
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and node is not tree and not _may_stand(node):
            raise ValueError(f"{ast.unparse(node)} may not stand in it")
    code = compile(ast.fix_missing_locations(ast.Expression(_Numbers().visit(tree))), text, "eval")

    def holds(values: Numbers) -> bool:
        try:
            return bool(eval(code, {"__builtins__": {}, "**": _power, "+": _number, **OF_LISTS}, dict(values)))
        except (IndexError, ValueError, TypeError) as error:  # an entry that is not there, a list for a number
            raise ArithmeticError(str(error)) from None

    return Relation(text, names, holds, reason)


def _may_stand(node: ast.expr) -> bool:
    """Whether a part of a comparison is a number, a parameter, or computed from them."""
    match node:
        case ast.Name():
            return True
        case ast.Constant(value=value):
            return type(value) in (int, float)
        case ast.BinOp(op=op):
            return isinstance(op, OPERATIONS)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return True
        case ast.Subscript(slice=ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int()))):
            return True
        case ast.Call(func=ast.Name(id=name), args=[_], keywords=[]):
            return name in OF_LISTS
    return False


class _Numbers(ast.NodeTransformer):
    """Has what is computed demand numbers, of which a list is none, and powers that take no more than a moment."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Both sides as numbers; a power as a call."""
        self.generic_visit(node)
        left, right = _call("+", node.left), _call("+", node.right)
        return _call("**", left, right) if isinstance(node.op, ast.Pow) else ast.BinOp(left, node.op, right)


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _number(value: Any) -> Any:
    if not isinstance(value, int | float):
        raise TypeError("a list stands where a number must")
    return value


def _power(base: Any, exponent: Any) -> Any:
    """A power of real numbers, if it is one and takes no more than a moment."""
    if base and abs(exponent) * abs(math.log2(abs(base))) > LARGEST_POWER:
        raise OverflowError("too large a power")
    result = base**exponent
    if isinstance(result, complex):
        raise ArithmeticError("not a real number")
    return result
