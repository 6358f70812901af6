"""The grid of a sweep: which values each parameter takes, written as on the command line.

width=100,300,1000           three values
seed=0:20                    whole numbers from 0 up to, not including, 20; 0:20:5 takes every fifth
scale=log:1e-5:1:9           nine numbers from 1e-5 to 1, ends included, evenly spaced in the logarithm
scale=lin:0:1:5              five numbers from 0 to 1, ends included, evenly spaced
seed=0:20,100                parts are joined by commas
rates=0.1,0.2;0.3            a list parameter: its values are joined by commas, the lists by semicolons
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reproduce.chapters.parameter import Parameter
from reproduce.chapters.parameters import Signature, check_relation, known
from reproduce.ground.errors import PressError, quoted

LONGEST_AXIS = 1_000_000
LARGEST = 2**63 - 1
DIGITS = 12  # of computed values: 0.0001 rather than 0.00010000000000000002
RANGE = re.compile(r"([+-]?\d{1,99}):([+-]?\d{1,99})(?::([+-]?\d{1,99}))?")
SHARD = re.compile(r"(\d{1,18})/(\d{1,18})")
SPACED = re.compile(r"(lin|log):([^:]+):([^:]+):(\d{1,99})")


@dataclass(frozen=True)
class Grid:
    """The points of a sweep: every combination of the values of each parameter that was given.

    values: those of each parameter; one or more.
    shard: (K, N), which leaves of them those whose number, from 0 on, has the remainder K by N.
    """

    values: Mapping[str, Sequence[Any]]
    shard: tuple[int, int] = (0, 1)

    @property
    def axes(self) -> dict[str, Sequence[Any]]:
        """The values of each parameter that takes more than one."""
        return {name: values for name, values in self.values.items() if len(values) > 1}

    @property
    def size(self) -> int:
        """How many points there are."""
        return len(range(self.shard[0], math.prod(map(len, self.values.values())), self.shard[1]))

    def points(self) -> Iterator[dict[str, Any]]:
        """Each point as name: value, the last parameter fastest; made one at a time."""
        return (point for point, _ in self.placed_points())

    def placed_points(self) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
        """Each point with the place of its value on each axis."""
        axes = self.axes
        places = itertools.product(*(range(len(values)) for values in self.values.values()))
        for at in itertools.islice(places, self.shard[0], None, self.shard[1]):
            place = dict(zip(self.values, at, strict=True))
            point = {name: self.values[name][k] for name, k in place.items()}
            yield point, {name: place[name] for name in axes}


def parse_grid(parameters: Signature, assignments: Iterable[str], chapter: str, base: Mapping[str, Any]) -> Grid:
    """The grid that ``name=values`` texts stand for.

    parameters, chapter: those of the chapter, and what it is called in messages.
    assignments: the texts.
    base: values that hold where the texts do not set another (the paper's own scale).

    Raises PressError for a missing =, an unknown name, a name given twice, an empty range, a value given twice, a wrong
    type, a value out of range, and a point that breaks a relation between the parameters.
    """
    values: dict[str, Sequence[Any]] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        name = name.strip()
        if not equals or not name:
            raise PressError(f"'{quoted(assignment)}' is not a parameter: it must be name=values")
        if name in values:
            raise PressError(f"parameter {name} is given twice; join its values with commas")
        values[name] = _axis(known(parameters, name, chapter), text.strip())
    grid = Grid({name: [value] for name, value in base.items()} | values)
    _check_relations(parameters, grid)
    return grid


def parse_shard(grid: Grid, text: str) -> Grid:
    """The part K/N of a grid, such as 0/20, 1/20, …, 19/20; PressError for one that is none or has no point."""
    match = SHARD.fullmatch(text)
    shard = (int(match[1]), int(match[2])) if match else (1, 0)
    if shard[0] >= shard[1]:
        raise PressError(f"--shard is {quoted(text)}; it must be K/N, whole numbers with K from 0 to N - 1")
    part = Grid(grid.values, shard)
    if not part.size:
        raise PressError(f"--shard is {text}, and has no point: K must be below the {grid.size} points of the grid")
    return part


def _check_relations(parameters: Signature, grid: Grid) -> None:
    """Check every combination of the values that a relation joins; the other axes make no difference to it."""
    for relation in parameters.relations:
        part = Grid({name: grid.values[name] for name in relation.names if name in grid.values})
        if part.size > LONGEST_AXIS:
            raise PressError(f"{' and '.join(part.axes)} have too many combinations to check: {relation.text}")
        for point in part.points():
            check_relation(parameters, relation, point)


def _axis(parameter: Parameter, text: str) -> Sequence[Any]:
    """The values of one parameter, in the order given."""
    numeric = parameter.type in ("int", "float")
    texts = [part.strip() for part in text.split(";" if parameter.many else ",")]
    parts = [_part(parameter, part) if numeric else [parameter.parse(part)] for part in texts]
    _refuse_too_many(parameter, sum(len(part) for part in parts))
    values = [value for part in parts for value in part]
    name = parameter.name
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str) and not _on_one_line(item):
                raise PressError(
                    f"{name}={quoted(repr(item))} is not allowed: a text must be UTF-8 without line breaks"
                )
            if isinstance(item, int) and abs(item) > LARGEST:
                raise PressError(f"{name}={quoted(item)} is not allowed: the table holds whole numbers below 2^63")
    seen: set[str] = set()
    for value in values:
        if repr(value) in seen:
            raise PressError(f"{parameter.name}={quoted(text)} has {quoted(value)} twice; each value may be given once")
        seen.add(repr(value))
    return values


def _part(parameter: Parameter, text: str) -> Sequence[Any]:
    """The values of one part between commas: a number, a range of whole numbers, or spaced numbers."""
    given = f"{parameter.name}={quoted(text)}"
    if ":" not in text:
        return [parameter.parse(text)]
    if spaced := SPACED.fullmatch(text):
        return _spaced(parameter, text, spaced[1], spaced[2], spaced[3], int(spaced[4]))
    if parameter.type == "float":
        raise PressError(f"{given} is not a range of numbers: write lin:LOW:HIGH:COUNT or log:LOW:HIGH:COUNT")
    match = RANGE.fullmatch(text)
    if match is None:
        raise PressError(
            f"{given} is not a range: write START:STOP, START:STOP:STEP, lin:LOW:HIGH:COUNT or log:LOW:HIGH:COUNT"
        )
    start, stop, step = int(match[1]), int(match[2]), int(match[3] or 1)
    if step < 1:
        raise PressError(f"{given} has the step {step}; it must be at least 1")
    values = range(start, stop, step)
    if not values:
        raise PressError(f"{given} is empty: it runs from {start} up to, not including, {stop}")
    for end in (values[0], values[-1]):
        parameter.check(end)
    _refuse_too_many(parameter, (values[-1] - values[0]) // step + 1)
    return values


def _spaced(parameter: Parameter, text: str, spacing: str, low: str, high: str, count: int) -> list[Any]:
    """Evenly spaced numbers, ends included; of an int parameter rounded, each once."""
    given = f"{parameter.name}={quoted(text)}"
    try:
        ends = float(low), float(high)
    except ValueError:
        raise PressError(f"{given} is not a range: LOW and HIGH must be numbers") from None
    if count < 2 or ends[0] == ends[1]:
        raise PressError(f"{given} is empty: it must have at least two values between different ends")
    _refuse_too_many(parameter, count)
    if not all(map(math.isfinite, [*ends, ends[1] - ends[0]])):
        raise PressError(f"{given} is not a range: LOW and HIGH must be finite")
    if spacing == "log" and min(ends) <= 0:
        raise PressError(f"{given} cannot be spaced in the logarithm: LOW and HIGH must be positive")
    inner = (np.geomspace if spacing == "log" else np.linspace)(*ends, count)[1:-1]
    numbers: Iterable[float] = [ends[0], *(float(f"{value:.{DIGITS}g}") for value in inner), ends[1]]
    if parameter.type == "int":
        numbers = dict.fromkeys(map(round, numbers))
    return [parameter.check(value) for value in numbers]


def _on_one_line(text: str) -> bool:
    """Whether a text has neither line breaks nor control characters, nor bytes that are not UTF-8."""
    return not {unicodedata.category(letter) for letter in text} & {"Cc", "Cs", "Zl", "Zp"}


def _refuse_too_many(parameter: Parameter, length: int) -> None:
    if length > LONGEST_AXIS:
        raise PressError(f"{parameter.name} has {length} values; a parameter may take at most {LONGEST_AXIS}")
