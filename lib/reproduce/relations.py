"""Relations between a chapter's parameters, declared in its tagged cell and checked before anything runs.

A relation is a comment of its own, ``# where n < d``: it compares sums, products, quotients, remainders and powers of
parameters and numbers; several are joined by ``and``. Of a list its entries (``widths[0]``), ``len``, ``min``, ``max``,
``set`` and ``sorted`` may stand in it: ``widths == sorted(set(widths))`` says that it increases. Nothing else is
evaluated.
"""

import ast
import io
import math
import operator
import re
import tokenize
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from reproduce.errors import PressError, quoted

WHERE = re.compile(r"#\s*where\s+(.*?)\s*")
LARGEST_POWER = 4096.0  # bits: enough for any float, and soon computed

Numbers = Mapping[str, Any]
Term = Callable[[Numbers], Any]
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


@dataclass(frozen=True)
class Relation:
    """One comparison.

    text: as it is written.
    names: the parameters in it, in the order in which they appear.
    holds: whether numbers satisfy it; an ArithmeticError if it cannot be computed for them.
    """

    text: str
    names: tuple[str, ...]
    holds: Callable[[Numbers], bool]

    def demand(self, values: Numbers, defaults: Collection[str] = ()) -> None:
        """Raise PressError, which names the relation and the values in it, if it does not hold for them.

        values: of the parameters in it.
        defaults: those among them that nobody gave, which the message asks to change where others were given.
        """
        try:
            if self.holds(values):
                return
            why = "must hold"
        except ArithmeticError as error:
            why = f"cannot be computed ({error})"
        given = ", ".join(f"{name}={quoted(values[name])}" for name in self.names)
        kept = [name for name in self.names if name in defaults]
        remedy = ""
        if 0 < len(kept) < len(self.names):
            which = f"{' and '.join(kept)} {'is its default' if len(kept) == 1 else 'are defaults'}"
            remedy = f"; {which}, change {'it' if len(kept) == 1 else 'them'} too"
        raise PressError(f"{given} is not allowed: {self.text} {why}{remedy}")


def declared(source: str, numbers: Collection[str], chapter: str) -> tuple[Relation, ...]:
    """The relations of a cell of parameters.

    source: the text of the cell.
    numbers: the parameters that may stand in one.
    chapter: what the chapter is called in messages.

    Raises PressError for a line that is no relation.
    """
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        alone = token.type == tokenize.COMMENT and token.line.strip() == token.string
        match = WHERE.fullmatch(token.string) if alone else None
        if match is not None:
            try:
                found += _relations(match[1], numbers)
            except (SyntaxError, ValueError, RecursionError) as error:
                why = error.msg if isinstance(error, SyntaxError) else str(error)
                raise PressError(f"{chapter}: '# where {match[1]}' is not a relation: {why}") from None
    return tuple(found)


def _relations(text: str, numbers: Collection[str]) -> list[Relation]:
    tree = ast.parse(text, mode="eval").body
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    return [_relation(part, ast.get_source_segment(text, part) or text, numbers) for part in parts]


def _relation(tree: ast.expr, text: str, numbers: Collection[str]) -> Relation:
    names = _names(tree)
    for name in names:
        if name not in numbers:
            raise ValueError(f"{name} is not a parameter that is a number")
    if not names:
        raise ValueError("it has no parameter in it")
    return Relation(text, tuple(names), _truth(tree))


def _names(tree: ast.expr) -> list[str]:
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in called]
    return list(dict.fromkeys(node.id for node in sorted(found, key=lambda node: node.col_offset)))


def _truth(tree: ast.expr) -> Callable[[Numbers], bool]:
    """A comparison, which may have several steps."""
    if isinstance(tree, ast.Compare) and all(type(op) in COMPARISONS for op in tree.ops):
        terms = [_term(term) for term in (tree.left, *tree.comparators)]
        compare = [COMPARISONS[type(op)] for op in tree.ops]

        def holds(values: Numbers) -> bool:
            try:
                found = [term(values) for term in terms]
                return all(one(a, b) for one, a, b in zip(compare, found[:-1], found[1:], strict=True))
            except (IndexError, ValueError, TypeError) as error:  # an entry that is not there, a list for a number
                raise ArithmeticError(str(error)) from None

        return holds
    raise ValueError(f"{ast.unparse(tree)} is not a comparison")


def _term(tree: ast.expr) -> Term:
    """A number, a parameter, or what is computed from them."""
    if isinstance(tree, ast.Name):
        name = tree.id
        return lambda values: values[name]
    if isinstance(tree, ast.Constant) and type(tree.value) in (int, float):
        number = tree.value
        return lambda values: number
    if isinstance(tree, ast.Subscript):
        entries, place = _term(tree.value), _place(tree.slice)
        return lambda values: entries(values)[place]
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in OF_LISTS:
        if len(tree.args) != 1 or tree.keywords:
            raise ValueError(f"{tree.func.id} takes one list")
        function, argument = OF_LISTS[tree.func.id], _term(tree.args[0])
        return lambda values: function(argument(values))
    if isinstance(tree, ast.UnaryOp) and type(tree.op) in SIGNS:
        sign, inner = SIGNS[type(tree.op)], _term(tree.operand)
        return lambda values: sign(_number(inner(values)))
    if isinstance(tree, ast.BinOp) and type(tree.op) in OPERATIONS:
        operation, left, right = OPERATIONS[type(tree.op)], _term(tree.left), _term(tree.right)
        return lambda values: operation(_number(left(values)), _number(right(values)))
    raise ValueError(f"{ast.unparse(tree)} may not stand in it")


def _number(value: Any) -> Any:
    if not isinstance(value, int | float):
        raise TypeError("a list stands where a number must")
    return value


def _place(tree: ast.expr) -> int:
    """Which entry of a list."""
    place = ast.literal_eval(tree) if isinstance(tree, ast.Constant | ast.UnaryOp) else None
    if type(place) is not int:
        raise ValueError(f"[{ast.unparse(tree)}] may not stand in it")
    return place


def _power(base: Any, exponent: Any) -> Any:
    """A power of real numbers, if it is one and takes no more than a moment."""
    if base and abs(exponent) * abs(math.log2(abs(base))) > LARGEST_POWER:
        raise OverflowError("too large a power")
    result = base**exponent
    if isinstance(result, complex):
        raise ArithmeticError("not a real number")
    return result


SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
OF_LISTS: dict[str, Callable[[Any], Any]] = {"len": len, "min": min, "max": max, "set": set, "sorted": sorted}
OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
