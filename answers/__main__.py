"""``make answers``: the certified answers at the chapters' default parameters, written as JSON beside this file."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from answers.problems import PROBLEMS, Problem

from implicit_bias.limits.certificate import Certificate
from reproduce.book import Book
from reproduce.files import write_text
from reproduce.parameters import signature

ROOT = Path(__file__).parents[1]
VERSION = "1.0.0"  # of the data: the first number changes where a name does, the second where a problem is added
NUMBERS = re.compile(r"\[\s+([^\[\]{}\"]+?)\s+\]")


def made(name: str, problem: Problem) -> dict[str, Any]:
    """The content of one file."""
    known = signature(Book(ROOT).chapter(problem.chapter).read(), problem.chapter)
    parameters = {one.name: one.default for one in known.values()}
    data, answers = problem.solve(parameters)
    return plain(
        {
            "schema": "answer.schema.json",
            "name": name,
            "version": VERSION,
            "chapter": problem.chapter,
            "source": problem.source,
            "parameters": parameters,
            "entries": problem.entries,
            "data": data,
            "answers": [{**vars(answer), "residuals": rounded(answer.residuals)} for answer in answers],
        }
    )


def rounded(residuals: Certificate) -> dict[str, float]:
    """The residuals to two digits: the others are rounding, and change with the machine."""
    return {name: float(f"{value:.1e}") + 0.0 for name, value in asdict(residuals).items()}


def plain(value: Any) -> Any:
    """Arrays as lists and NumPy's numbers as Python's."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def text(content: dict[str, Any]) -> str:
    """As JSON, with each list of numbers in a line of its own."""
    loose = json.dumps(content, indent=1, ensure_ascii=False)
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", loose) + "\n"


if __name__ == "__main__":
    for name, problem in PROBLEMS.items():
        write_text(ROOT / "answers" / f"{name}.json", text(made(name, problem)))
        print(f"answers/{name}.json")
