"""Data and initialization cannot share a stream: read from the twins, without running a chapter.

A chapter makes its generators by statements of its own at the top level, from its parameters alone. These statements
are executed, so that two generators can be compared by the seed sequences they come from; every other line is read.
"""

import ast
import builtins
import itertools
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

CHAPTERS = Path(__file__).parents[1] / "chapters"
TWINS = {f"{twin.parent.name}/{twin.stem}": twin.read_text() for twin in sorted(CHAPTERS.glob("*/*.py"))}
MADE = re.compile(r"default_rng|SeedSequence|\.spawn\(")

# On a line that draws data by itself, not by a function of implicit_bias.data.
BY_ITSELF = re.compile(r"# stream: \S")


@dataclass(frozen=True)
class Stream:
    """A stream by its name: what it is made of, and the names that were read to make it."""

    name: str
    entropy: int
    key: tuple
    made_from: frozenset

    def coincides(self, other):
        """Whether both draw the same; a generator may be made of a seed sequence that has a name too."""
        return (self.entropy, self.key) == (other.entropy, other.key) and not (
            other.name.partition("[")[0] in self.made_from or self.name.partition("[")[0] in other.made_from
        )


@dataclass(frozen=True)
class Use:
    """Where a stream is used: in which line, and whether for data."""

    stream: str
    line: int
    for_data: bool


def parameters(text):
    """The code of the parameters cell."""
    return re.split(r"^# %%.*$", text.split('tags=["parameters"]', 1)[1], maxsplit=1, flags=re.M)[0].split("\n", 1)[1]


def streams(text):
    """The generators and seed sequences that a chapter binds to names; those of a list as name[0], name[1], …"""
    scope = {"np": np}
    exec(parameters(text), scope)
    found = []
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Assign) or not MADE.search(ast.unparse(statement.value)):
            continue
        read = {node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)}
        targets = [node.target for node in ast.walk(statement.value) if isinstance(node, ast.comprehension)]
        bound = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        if not read - bound <= scope.keys() | set(dir(builtins)):
            continue  # it makes something else of a stream
        exec(compile(ast.Module([statement], []), "twin", "exec"), scope)
        for name in (node.id for node in ast.walk(statement.targets[0]) if isinstance(node, ast.Name)):
            several = isinstance(scope[name], list)
            for k, stream in enumerate(scope[name] if several else [scope[name]]):
                if isinstance(stream, np.random.Generator | np.random.SeedSequence):
                    sequence = getattr(getattr(stream, "bit_generator", None), "seed_seq", stream)
                    label = f"{name}[{k}]" if several else name
                    found.append(Stream(label, sequence.entropy, sequence.spawn_key, frozenset(read)))
    return found


def uses(text):
    """Every use of a stream outside the statements that make streams from the seed."""
    tree, lines = ast.parse(text), text.splitlines()
    data = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("implicit_bias.data")
        for alias in node.names
    }
    known = {stream.name.partition("[")[0] for stream in streams(text)}
    known |= {  # the variables of loops over spawned streams
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.For | ast.comprehension)
        and isinstance(node.target, ast.Name)
        and ast.unparse(node.iter).split(".spawn(")[0] in known
    }
    parent = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in known):
            continue
        if ast.unparse(parent[node]) == f"{node.id}.spawn" or MADE.search(ast.unparse(parent[parent[node]])):
            continue  # makes streams of its own
        for_data, above = BY_ITSELF.search(lines[node.lineno - 1]) is not None, node
        while not isinstance(above, ast.stmt):
            above = parent[above]
            for_data |= isinstance(above, ast.Call) and ast.unparse(above.func) in data
        found.append(Use(node.id, node.lineno, for_data))
    return found


def objections(text):
    """What lets two streams of a chapter coincide, in sentences."""
    found = []
    made_streams = streams(text)
    for stream in made_streams:
        if not stream.key and stream.entropy == 0:  # the default seed
            found.append(f"{stream.name} draws from the seed itself, not from a stream spawned from it")
    for one, other in itertools.combinations(made_streams, 2):
        if one.coincides(other):
            found.append(f"{one.name} and {other.name} are one stream")
    made = sum(
        isinstance(node, ast.Call)
        and ast.unparse(node) in ("np.random.default_rng(seed)", "np.random.SeedSequence(seed)")
        for node in ast.walk(ast.parse(text))
    )
    if made != 1:
        found.append(f"the seed is made into a generator {made} times; it must be once, so that nothing is drawn twice")
    of_stream = defaultdict(list)
    for use in uses(text):
        of_stream[use.stream].append(use)
    for name, each in of_stream.items():
        others = [str(use.line) for use in each if not use.for_data]
        if 0 < len(others) < len(each):
            found.append(f"{name} feeds data and something else, in line {', '.join(others)}")
    drawing = {use.line for use in uses(text)}
    said = [number for number, line in enumerate(text.splitlines(), start=1) if BY_ITSELF.search(line)]
    found += [f"nothing is drawn in line {number}, which says so" for number in said if number not in drawing]
    return found


@pytest.mark.parametrize("chapter", TWINS)
def test_no_two_streams_of_a_chapter_coincide(chapter):
    assert objections(TWINS[chapter]) == []
    assert streams(TWINS[chapter])


DOCTORED = [
    ("np.random.default_rng(seed).spawn(3)", "3 * [np.random.default_rng(seed)]", "are one stream"),
    (" = np.random.default_rng(seed).spawn(3)", " = (np.random.default_rng(seed) for _ in range(3))", "are one stream"),
    ("w0 = initialization_stream", "w0 = data_stream", "data_stream feeds data and something else, in line"),
    ("separable(data_stream", "separable(initialization_stream", "initialization_stream feeds data and something else"),
    (
        "aside = data_stream.standard_normal(d)  # stream: data",
        "aside = data_stream.standard_normal(d)",
        "data_stream feeds data and something else, in line",
    ),
    ("w0 = init", "w1 = 0  # stream: data\nw0 = init", "nothing is drawn in line"),
    ("w0 = init", "w1 = np.random.default_rng(seed).normal(d)\nw0 = init", "the seed is made into a generator 2 times"),
    ("w0 = init", "same = initialization_stream.spawn(0)\nstart = np.random.default_rng(0)\nw0 = init", "seed itself"),
]


@pytest.mark.parametrize(("old", "new", "said"), DOCTORED, ids=[new for _, new, _ in DOCTORED])
def test_a_doctored_chapter_is_found_out(old, new, said):
    text = TWINS["linear/max_margin"]
    assert text.count(old) == 1
    assert said in "\n".join(objections(text.replace(old, new)))
