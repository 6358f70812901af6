"""The atlas: the register of results as a map, models down and algorithms across, and as a list by part."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from reproduce.claims.ledger import read_register
from reproduce.errors import PressError

FIELDS = ("part", "chapter", "result", "model", "algorithm", "loss", "bias", "short", "source")
FORMULA = re.compile(r"(\$[^$]*\$)")


@dataclass(frozen=True)
class Result:
    """One result of the register, published or planned.

    part, chapter: the part's key, and ``part/chapter``.
    result: its title.
    model, algorithm, loss: its setting; the model's family ends at the first comma.
    bias: what the algorithm selects, with formulas in dollars.
    short: the bias in a few words without formulas.
    source: the key of its paper.
    """

    part: str
    chapter: str
    result: str
    model: str
    algorithm: str
    loss: str
    bias: str
    short: str
    source: str

    @property
    def family(self) -> str:
        """The model without its details."""
        return self.model.split(",")[0]

    @property
    def document(self) -> str:
        """The page of the chapter."""
        return f"chapters/{self.chapter}"

    @property
    def anchor(self) -> str:
        """The place of the result in the atlas."""
        return "atlas-" + self.chapter.replace("/", "-").replace("_", "-")


def read_results(register: Path) -> list[Result]:
    """All results of the register; a PressError names the entry and the field that is missing or holds HTML."""
    results = []
    for number, entry in enumerate(read_register(register), start=1):
        missing = [field for field in FIELDS if not str(entry.get(field) or "").strip()]
        if missing:
            raise PressError(f"{register.name}, entry {number} ({entry['chapter']}): no {', '.join(missing)}")
        results.append(Result(**{field: str(entry[field]) for field in FIELDS}))
    return results


def marked_up(words: str) -> str:
    """The words of a result as Markdown that holds no HTML; formulas stay as they are."""
    parts = FORMULA.split(words)
    return "".join(part if FORMULA.fullmatch(part) else escape(part, quote=False) for part in parts)


def map_table(results: list[Result], address: Callable[[Result], str], published: Callable[[Result], bool]) -> str:
    """The results as an HTML table of links: a row for each family of models, a column for each algorithm.

    results: in the order of the book, which is the order of rows and columns.
    address: where the link of a result leads.
    published: whether its chapter exists; the others are drawn hollow.
    """
    algorithms = _distinct(result.algorithm for result in results)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in algorithms)
    rows = []
    for family in _distinct(result.family for result in results):
        cells = []
        for algorithm in algorithms:
            here = [result for result in results if (result.family, result.algorithm) == (family, algorithm)]
            chips = "".join(_chip(result, address(result), published(result)) for result in here)
            cells.append(f'<td data-label="{escape(algorithm)}">{chips}</td>')
        rows.append(f'<tr><th scope="row">{escape(family)}</th>{"".join(cells)}</tr>')
    return (
        '<div class="atlas-map"><table>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _chip(result: Result, address: str, published: bool) -> str:
    state = "published" if published else "planned"
    kind = result.loss.split(",")[0].replace(" ", "-")
    return (
        f'<a class="atlas-chip {state} {escape(kind)}" href="{escape(address)}" '
        f'title="{escape(result.loss)} loss; {state}">{escape(result.short)}</a>'
    )


def _distinct(values: Any) -> list[str]:
    return list(dict.fromkeys(values))
