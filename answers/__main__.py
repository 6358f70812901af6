"""``make answers``: the certified answers at the chapters' default parameters, written as JSON beside this file."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from answers.check import check, prove, read, shown
from answers.problems import SOLVERS
from answers.statements import STATEMENTS, Statement

from reproduce.chapters.book import Book
from reproduce.chapters.parameters import signature
from reproduce.ground.files import write_text

ROOT = Path(__file__).parents[1]
VERSION = "2.0.0"  # of the data: the first number changes where a name does, the second where a problem is added
NUMBERS = re.compile(r"\[\s+([^\[\]{}\"]+?)\s+\]")


def made(name: str) -> dict[str, Any]:
    """The content of one file."""
    stated = STATEMENTS[name]
    known = signature(Book(ROOT).chapter(stated.chapter).read(), stated.chapter)
    parameters = {one.name: one.default for one in known.values()}
    data, found = SOLVERS[name](parameters)
    return {
        "schema": "answer.schema.json",
        "name": name,
        "version": VERSION,
        "chapter": stated.chapter,
        "source": stated.source,
        "parameters": parameters,
        "entries": dict(stated.entries),
        "data": plain(data),
        "answers": [answered(stated, plain(data), *map(plain, one)) for one in found],
    }


def answered(stated: Statement, data: Any, name: str, answer: Any, certificate: Any) -> dict[str, Any]:
    """One answer with what its numbers prove."""
    asked = stated.asked[name]
    proof = prove(stated, asked, *(read(json.dumps(one)) for one in (data, answer, certificate)))
    kept = {"name": name, "problem": asked.problem, "answer": answer, "certificate": certificate, **shown(proof)}
    return {key: value for key, value in kept.items() if value}


def plain(value: Any) -> Any:
    """Arrays as lists and NumPy's numbers as Python's."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.ndarray | np.generic):
        return (np.asarray(value) + (0.0 if value.dtype.kind == "f" else 0)).tolist()  # without a negative zero
    return value


def text(content: dict[str, Any]) -> str:
    """As JSON, with each list of numbers in a line of its own."""
    loose = json.dumps(content, indent=1, ensure_ascii=False)
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", loose) + "\n"


if __name__ == "__main__":
    for name in STATEMENTS:
        content = text(made(name))
        check(read(content))
        write_text(ROOT / "answers" / f"{name}.json", content)
        print(f"answers/{name}.json")
