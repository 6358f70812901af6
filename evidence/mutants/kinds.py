"""The changes that make mutants: each takes a node of a syntax tree and changes it in place."""

import ast
import copy
import re

TURNED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
EXCHANGED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
SYMMETRIC = re.compile(r"\b(max|min|maximum|minimum|hypot|logaddexp)$")
# What gathers many numbers in one, and what it is changed to.
GATHERED = {"sum": "mean", "mean": "sum", "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


def changes(node):
    """The changes that a node allows."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield another_constant
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield plus
    elif isinstance(node, ast.BinOp) and type(node.op) in EXCHANGED:
        yield exchanged
        if isinstance(node.op, ast.Mult):
            yield from (without_left, without_right)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield without_right
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
        yield turned
    elif isinstance(node, ast.Call):
        if (isinstance(node.func, ast.Attribute) and node.func.attr in GATHERED) or _of_python(node.func):
            yield regathered
        if len(node.args) >= 2 and not SYMMETRIC.search(ast.unparse(node.func)):
            first, second = node.args[:2]
            if not isinstance(first, ast.Starred) and ast.unparse(first) != ast.unparse(second):
                yield swapped


def _of_python(function):
    """Whether a function is Python's own min or max; of its sum there is no mean."""
    return isinstance(function, ast.Name) and function.id in ("min", "max")


def another_constant(node):
    """A constant changed by one or by half of it."""
    node.value = node.value + 1 if isinstance(node.value, int) else node.value * 1.5 + (node.value == 0)


def plus(node):
    """A plus for a minus sign."""
    node.op = ast.UAdd()


def exchanged(node):
    """− for +, ÷ for ×, and the other way round."""
    node.op = EXCHANGED[type(node.op)]()


def without_left(node):
    """A product without its first factor."""
    node.left = ast.Constant(1)


def without_right(node):
    """A product without its second factor, or a power of one."""
    node.right = ast.Constant(1)


def turned(node):
    """A comparison turned round."""
    node.ops = [TURNED[type(node.ops[0])]()]


def swapped(node):
    """The first two arguments exchanged."""
    node.args[:2] = node.args[1::-1]


def regathered(node):
    """The mean for a sum, the largest for the smallest, and the other way round."""
    name = "attr" if isinstance(node.func, ast.Attribute) else "id"
    node.func = copy.copy(node.func)  # the old one may be put back
    setattr(node.func, name, GATHERED[getattr(node.func, name)])


PLAIN = (another_constant, plus)
OTHERS = (exchanged, without_left, without_right, turned, swapped, regathered)
KIND = {
    another_constant: "constant",
    plus: "minus sign",
    exchanged: "operator",
    without_left: "dropped factor",
    without_right: "dropped factor or power",
    turned: "comparison",
    swapped: "order of arguments",
    regathered: "sum or mean, least or largest",
}
# A mean for a sum is often another unit, the least of many errors a weaker measure of the same: a survivor need be no
# hole. They are counted apart, without a reason for each.
COUNTED = frozenset({KIND[regathered]})
