"""One parameter of a chapter: its type and range, the value that a text stands for, and what is not allowed."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from reproduce.chapters.relations import because
from reproduce.ground.errors import PressError, quoted

PYTHON_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}
A_PATH = "a path or empty"


class FullPath(click.ParamType[str]):
    """A path, made absolute: the chapter runs in its own folder, not where the command was given. Empty stays empty."""

    name = "path"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path from the root on, ~ included."""
        try:
            value.encode()
            path = str(Path(value).expanduser().absolute()) if value else ""
        except (RuntimeError, ValueError):  # a ~ of nobody; a character that is not text
            self.fail("")
        return path if "\0" not in path else self.fail("")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a chapter.

    name: as it stands in the cell.
    type: ``int``, ``float``, ``bool``, ``str``, ``list[int]`` or ``list[float]``.
    default: the value in the cell.
    meaning: what it is, in words.
    range: the interval or set as it is written in the cell; ``true or false`` for a bool.
    item: parses and bounds one value.
    reason: why its range ends where it does; empty if that is not said.
    """

    name: str
    type: str
    default: Any
    meaning: str
    range: str
    item: "click.ParamType[Any]"
    reason: str = ""

    @property
    def many(self) -> bool:
        """Whether the parameter is a list."""
        return self.type.startswith("list")

    @property
    def allowed(self) -> str:
        """Type and range in words."""
        if self.type == "bool":
            return self.range
        if self.range == A_PATH:
            return A_PATH
        if self.many:
            return f"one or more {self.type[5:-1]}s, separated by commas, each in {self.range}"
        return f"one of {self.range}" if self.type == "str" else f"{_article(self.type)} in {self.range}"

    def parse(self, text: str) -> Any:
        """The value that a text stands for; a PressError if it is not allowed."""
        inside = text.strip()
        if inside.startswith("[") and inside.endswith("]"):
            inside = inside[1:-1]
        texts = inside.split(",") if self.many else [text]
        values = [self._converted(item.strip(), text) for item in texts]
        return values if self.many else values[0]

    def check(self, value: Any) -> Any:
        """A value that is already typed, as YAML and Python give it; a PressError if it is not allowed."""
        if self.many and (not isinstance(value, list) or not value):
            raise self._refusal(value)
        items = value if self.many else [value]
        expected = PYTHON_TYPES[self.type[5:-1] if self.many else self.type]
        for item in items:
            whole_for_float = expected is float and type(item) is int
            if type(item) is not expected and not whole_for_float:
                raise self._refusal(value, _yaml_hint(item, expected))
        checked = [self._converted(item, value) for item in items]
        return checked if self.many else checked[0]

    def _converted(self, item: Any, given: Any) -> Any:
        if self.type == "bool" and item == "":  # click takes it for false
            raise self._refusal(given)
        try:
            value = self.item.convert(item, None, None)
        except (click.BadParameter, OverflowError):
            raise self._refusal(given) from None
        if isinstance(value, float) and not math.isfinite(value):
            raise self._refusal(given)
        return value

    def _refusal(self, given: Any, hint: str = "") -> PressError:
        why = because(self.reason)
        return PressError(f"{self.name}={quoted(given)} is not allowed: it must be {self.allowed}{hint}{why}")


def _article(type_name: str) -> str:
    return f"an {type_name}" if type_name == "int" else f"a {type_name}"


def _yaml_hint(item: Any, expected: type) -> str:
    """YAML reads 1e-3 as a text; only 1.0e-3 is a number."""
    if isinstance(item, str) and expected is float and re.fullmatch(r"[+-]?\d+[eE][+-]?\d+", item):
        mantissa, exponent = item.lower().split("e")
        return f" (YAML reads {item} as text; write {mantissa}.0e{exponent if exponent[0] in '+-' else '+' + exponent})"
    return ""
