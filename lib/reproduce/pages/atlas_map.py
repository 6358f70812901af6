"""The atlas: the register of results as a map, models down and algorithms across."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from docutils import nodes

from reproduce.claims.ledger import read_register
from reproduce.ground.errors import PressError, quoted
from reproduce.pages.pieces import table
from reproduce.pages.templates import render

FIELDS = ("part", "chapter", "result", "model", "algorithm", "loss", "bias", "short", "source")
OF_A_CHAPTER = ("question", "answer", "panel")
FORMULA = re.compile(r"(\$[^$]*\$)")
TAIL, SQUARED, ANY = "tail", "squared", "any"
KINDS = {"exponential": TAIL, "logistic": TAIL, "cross-entropy": TAIL, "squared": SQUARED, "any smooth": ANY}


@dataclass(frozen=True)
class Result:
    """One result of the register, published or planned.

    part, chapter: the part's key, and ``part/chapter``.
    result: its title.
    model, algorithm, loss: its setting; the model's family ends at the first comma.
    bias: what the algorithm selects, with formulas in dollars.
    short: the bias in a few words without formulas.
    source: the key of its paper.
    question, answer: of its chapter, one sentence each; empty where there is none yet.
    panel: which panel of the chapter's first figure tells most when small, ``2 of 3`` or ``2 of 3x2``; empty for all.
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
    question: str = ""
    answer: str = ""
    panel: str = ""

    @property
    def family(self) -> str:
        """The model without its details."""
        return self.model.split(",")[0]

    @property
    def kind(self) -> str:
        """What its loss does: one with an exponential tail, the squared loss, or any."""
        (kind,) = {KINDS[name] for name in self.loss.split(", ")}
        return kind

    @property
    def document(self) -> str:
        """The page of the chapter."""
        return f"chapters/{self.chapter}"

    @property
    def anchor(self) -> str:
        """The place of the result in the atlas."""
        return "atlas-" + self.chapter.replace("/", "-").replace("_", "-")


def read_results(register: Path) -> list[Result]:
    """All results of the register; a PressError names the entry and the field that is missing or not allowed."""
    results = []
    for number, entry in enumerate(read_register(register), start=1):
        where = f"{register.name}, entry {number} ({entry['chapter']})"
        missing = [field for field in FIELDS if not str(entry.get(field) or "").strip()]
        if missing:
            raise PressError(f"{where}: no {', '.join(missing)}")
        losses = str(entry["loss"]).split(", ")
        if not set(losses) <= set(KINDS) or len({KINDS[loss] for loss in losses}) > 1:
            allowed = ", ".join(KINDS)
            raise PressError(f"{where}: loss is '{quoted(entry['loss'])}'; it must be of one kind out of {allowed}")
        texts = {field: str(entry.get(field) or "") for field in (*FIELDS, *OF_A_CHAPTER)}
        results.append(Result(**texts))
    return results


def marked_up(words: str) -> str:
    """The words of a result as Markdown that holds no HTML; formulas stay as they are."""
    parts = FORMULA.split(words)
    return "".join(part if FORMULA.fullmatch(part) else escape(part, quote=False) for part in parts)


def map_table(results: list[Result], address: Callable[[Result], str], published: Callable[[Result], bool]) -> str:
    """The results as an HTML table of links: a row for each family of models, a column for each algorithm.

    results: in the order of the book, which is the order of rows and columns.
    address: where the link of a result leads.
    published: whether its chapter exists; the others are drawn hollow, once the reader asks for them.
    """
    there = {result for result in results if published(result)}
    families, algorithms, cells = _cells(results)
    return render(
        "atlas",
        families=families,
        algorithms=algorithms,
        cells=cells,
        there=there,
        begun={name for one in there for name in (one.family, one.algorithm)},
        planned=len(results) - len(there),
        kinds={result.kind for result in results},
        address=address,
    )


def printed_map(results: list[Result]) -> nodes.table:
    """The same for paper."""
    families, algorithms, cells = _cells(results)
    rows = [
        [family, *("; ".join(one.short for one in cells[(family, name)]) for name in algorithms)] for family in families
    ]
    return table(("", *algorithms), rows)


def _cells(results: list[Result]) -> tuple[list[str], list[str], dict[tuple[str, str], list[Result]]]:
    """The rows and columns of the map, and what stands where they meet."""
    algorithms = list(dict.fromkeys(result.algorithm for result in results))
    families = list(dict.fromkeys(result.family for result in results))
    meet = {(family, algorithm): list[Result]() for family in families for algorithm in algorithms}
    for one in results:
        meet[(one.family, one.algorithm)].append(one)
    return families, algorithms, meet
