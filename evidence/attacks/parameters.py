"""Class 1: parameters on the command line, parameter cells, YAML and notebook files."""

import json
import math
import re
from random import Random
from typing import Any

from attacks import values
from attacks.case import Class, demand
from attacks.stage import Done, Stage

PARAMETERS = Class("parameters", "Hostile parameters, YAML and notebook files")
RANGES: dict[str, Any] = {
    "terms": lambda value: type(value) is int and 1 <= value <= 1000,
    "ratio": lambda value: type(value) in (int, float) and 0 < value < 1,
    "rule": lambda value: value in ("exact", "plain"),
    "rates": lambda value: isinstance(value, list) and value and all(0 < one <= 1 for one in value),
    "loud": lambda value: type(value) is bool,
}
ONE_LINE = "refused in one line with exit code 2, or run with a value of the declared type inside the declared range"
ONE_LINE_FILE = "one line that names the file, or the right answer; nothing else is changed"
NOTEBOOK_COMMANDS = (("list",), ("ledger",), ("list", "geometric"), ("run", "geometric"), ("ledger", "--json"))


def argument(text: str) -> str:
    """A text as a command line can hold it."""
    return text.replace("\0", "")


def injected(stage: Stage) -> dict[str, Any]:
    """The parameters of the one run that there is."""
    (notebook,) = (stage.root / "_build/runs").rglob("geometric.ipynb")
    return dict(json.loads(notebook.read_text())["metadata"].get("papermill", {}).get("parameters", {}))


@PARAMETERS.attack(ONE_LINE, weight=6)
def assignment(stage: Stage, rng: Random) -> None:
    given = [(rng.choice(values.NAMES), values.text(rng)) for _ in range(rng.choice((1, 1, 2)))]
    words = [argument(f"{name}={text}") for name, text in given]
    done = stage.call("run", "geometric", *(word for one in words for word in ("-p", one)))
    stage.judge(done, (0, 2))
    if done.code == 0:
        for name, value in injected(stage).items():
            demand(name in RANGES and RANGES[name](value), f"{name}={value!r} was run")
        demand(("loud", "") not in [(name.strip(), text.strip()) for name, text in given], "nothing was read as a bool")
        (name, text) = given[-1]
        if name.strip() in ("terms", "ratio"):  # the press may read no other number than Python does
            got = injected(stage).get(name.strip(), {"terms": 60, "ratio": 0.5}[name.strip()])
            demand(math.isclose(float(text), got, rel_tol=1e-15), f"{text!r} was read as {got!r}")


@PARAMETERS.attack(ONE_LINE)
def grid(stage: Stage, rng: Random) -> None:
    given = [f"{rng.choice(values.NAMES)}={values.text(rng)}" for _ in range(rng.choice((1, 2, 3)))]
    words = [word for one in given for word in ("-p", argument(one))]
    # No worker can be had at this address, so that a grid that is allowed ends with one line too.
    done = stage.call("sweep", "geometric", *words, "--scheduler", "tcp://127.0.0.1:1")
    stage.judge(done, (2, 3))


@PARAMETERS.attack("a grid too large to run is refused in one line before it is made")
def bomb(stage: Stage, rng: Random) -> None:
    axes = {
        "terms": ["1:1001", "1,2,3,4,5"],
        "ratio": ["lin:0.1:0.9:100000", "log:1e-9:0.9:1000000000", "lin:0.1:0.9:9" + "9" * rng.randrange(30)],
        "rates": [";".join(["0.1"] * 5000), ";".join(f"0.{n}" for n in range(1, 3000))],
        "loud": ["true,false"],
    }
    chosen = rng.sample(sorted(axes), rng.randrange(2, 5))
    words = [word for name in chosen for word in ("-p", f"{name}={rng.choice(axes[name])}")]
    done = stage.call("sweep", "geometric", *words, "--scheduler", "tcp://127.0.0.1:1", limit=10)
    stage.judge(done, (2,))


@PARAMETERS.attack("an option that makes no sense is refused in one line")
def options(stage: Stage, rng: Random) -> None:
    command = rng.choice(("run", "sweep", "seeds", "refresh", "list", "ledger", "build", "html", values.text(rng)))
    words = [
        argument(rng.choice((values.text(rng), "--jobs", "--workers", "--count", "--help", "geometric")))
        for _ in range(3)
    ]
    if command in ("refresh", "build", "html", "seeds", "sweep") and not any(map(str.strip, words)):
        words = ["nobody"]
    done = stage.call(argument(command), *words, "--no-such-option")
    stage.judge(done, (0, 2))


@PARAMETERS.attack(ONE_LINE_FILE, weight=2, damages=True)
def paper(stage: Stage, rng: Random) -> None:
    path = stage.root / "chapters/sums/geometric.paper.yaml"
    kind = rng.randrange(4)
    if kind == 0:
        path.write_bytes(values.damaged(path.read_bytes(), rng))
    elif kind == 1:
        lines = [f"{rng.choice(values.NAMES)}: {values.text(rng)}" for _ in range(rng.randrange(1, 4))]
        path.write_text("\n".join(lines), errors="replace")
    elif kind == 2:
        path.write_text(json.dumps(values.value(rng)))
    else:
        path.unlink()
        path.mkdir()
    stage.accept()
    done = stage.call("run", "geometric", "--paper")
    stage.judge(done, (0, 2))
    if done.code == 0:
        for name, value in injected(stage).items():
            demand(RANGES[name](value), f"{name}={value!r} was run")


@PARAMETERS.attack(ONE_LINE_FILE, weight=5, damages=True)
def notebook(stage: Stage, rng: Random) -> None:
    path = stage.notebook
    if rng.random() < 0.4:
        path.write_bytes(values.damaged(path.read_bytes(), rng))
    else:
        path.write_text(values.restructured(path.read_text(), rng))
    stage.accept()
    done = stage.call(*rng.choice(NOTEBOOK_COMMANDS))
    said_more(stage, done)


@PARAMETERS.attack(ONE_LINE_FILE, damages=True)
def whole_notebook(stage: Stage, rng: Random) -> None:
    contents = (
        "[]",
        "null",
        "{}",
        "5",
        '"x"',
        "[" * 100_000,
        '{"nbformat": 4}',
        '{"nbformat": 9, "cells": []}',
        "\ufeff{}",
    )
    stage.notebook.write_text(rng.choice(contents))
    stage.accept()
    said_more(stage, stage.call(*rng.choice(NOTEBOOK_COMMANDS)))


@PARAMETERS.attack(ONE_LINE_FILE, weight=2, damages=True)
def book_file(stage: Stage, rng: Random) -> None:
    path = stage.root / rng.choice(("_toc.yml", "_atlas.yml", "_config.yml", "pyproject.toml", "requirements.txt"))
    if rng.random() < 0.6:
        path.write_bytes(values.damaged(path.read_bytes(), rng))
    else:
        path.write_text(json.dumps(values.value(rng)))
    stage.accept()
    done = stage.call(
        *rng.choice((("list",), ("ledger",), ("run", "geometric"), ("sweep", "geometric", "-p", "terms=0")))
    )
    said_more(stage, done)


@PARAMETERS.attack("a register with entries of any type turns the ledger red or is one line", damages=True)
def register(stage: Stage, rng: Random) -> None:
    entries = [
        {"chapter": "sums/geometric", "claims": ["geometric.limit"]},
        {"chapter": "sums/zeta", "claims": ["zeta.limit"]},
    ]
    entry = rng.choice(entries)
    entry[rng.choice(("chapter", "claims"))] = values.value(rng)
    (stage.root / "_atlas.yml").write_text(json.dumps(entries))
    stage.accept()
    done = stage.call("ledger")
    said_more(stage, done)
    same = entries == [
        {"chapter": "sums/geometric", "claims": ["geometric.limit"]},
        {"chapter": "sums/zeta", "claims": ["zeta.limit"]},
    ]
    demand(done.code != 0 or same, "the ledger is green")


@PARAMETERS.attack("a cell of parameters that is not one is refused in one line; nothing in it is run", damages=True)
def declaration(stage: Stage, rng: Random) -> None:
    tree = json.loads(stage.notebook.read_text())
    (cell,) = (cell for cell in tree["cells"] if "parameters" in cell["metadata"].get("tags", []))
    lines = "".join(cell["source"]).splitlines()
    place = rng.randrange(len(lines))
    hostile = (
        "terms: int = __import__('pathlib').Path('owned').touch()  # meaning, in [1, 5]",
        f"terms: {argument(values.text(rng))} = 5  # meaning, in [1, 5]",
        f"terms: int = {values.text(rng)}  # meaning, in [1, 5]",
        f"terms: int = 5  # {values.text(rng)}",
        f"terms: int = 5  # meaning, in [{values.text(rng)}, 5]",
        "import os; os.system('touch owned')",
        "terms = 5",
        values.text(rng),
    )
    lines[place] = rng.choice(hostile)
    cell["source"] = "\n".join(lines)
    stage.notebook.write_text(json.dumps(tree))
    stage.accept()
    said_more(stage, stage.call(*rng.choice((("list", "geometric"), ("run", "geometric", "-p", "ratio=0.25")))))


def said_more(stage: Stage, done: Done) -> None:
    """Judge a command that may list several objections, each a line of its own with a ✗, or all of them as JSON."""
    stage.judge(done, (0, 1, 2), changed=())
    said = re.search(r"error: |✗ ", done.err) or re.search(r'"objections": \[\s*"', done.out)
    demand(done.code == 0 or said, f"exit code {done.code} without a word")
    demand(not list(stage.folder.rglob("owned")), "code in a file was run")
