"""The proved enclosures that a book stores as data: of each optimum its two ends, and how far these are apart."""

import re
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from itertools import takewhile
from typing import Any

from docutils import nodes

from reproduce.ground.reading import read_json
from reproduce.pages.claim_rows import Titles
from reproduce.pages.directive import BookDirective
from reproduce.pages.quantities import in_print
from reproduce.pages.tables import Cell, Row, Table, row, show

DIGITS = 17  # that are shown, at most
IN_WORDS = {"jump": "change of slope", "shift": "labels shifted by", "+0": "0", "gamma_1": "γ₁", "gamma_2": "γ₂",
            "l1": "ℓ₁", "l2": "ℓ₂", "_": " ", "-": "−"}  # fmt: skip


class EnclosuresDirective(BookDirective):
    """Every enclosure in the files of a folder."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A table; an error for a folder that has none."""
        folder = self.arguments[0]
        files = [f"{folder}/{path.name}" for path in sorted((self.book.root / folder).glob("*.json"))]
        root = self.watched(*files)
        found = enclosed([read_json(root / file) for file in files], self.titles())
        if not found.rows:
            raise self.error(f"no file of {folder} has an enclosure")
        return show([found], "Proved again by python -m answers.check.", on_paper=self.on_paper)


def enclosed(files: list[Mapping[str, Any]], named: Mapping[str, Titles]) -> Table:
    """A row for each quantity that some files enclose, below its chapter.

    files: as they are stored; those without answers are left out.
    named: the titles by chapter.
    """
    rows = [*_enclosures(files, named)]
    return Table(["quantity", "at least", "at most", "relative width"], rows)


def ends(low: Fraction, high: Fraction) -> tuple[str, str]:
    """Two numbers as decimals, rounded outwards: up to where they part, and 17 digits at most.

    >>> ends(Fraction(1, 3), Fraction(33335, 100000))
    ('0.333333', '0.33335')
    """
    size = max(abs(low), abs(high))
    alike = len(str(int(size / (high - low)))) if high > low else DIGITS
    digits = min(alike + 1, DIGITS)
    down, up = (
        Context(digits, rounding).divide(end.numerator, end.denominator)
        for rounding, end in ((ROUND_FLOOR, low), (ROUND_CEILING, high))
    )
    return f"{down:f}".replace("-", "−"), f"{up:f}".replace("-", "−")


def _alike(*shown: str) -> list[Cell]:
    """Both ends, with the digits that they share in bold."""
    alike = "".join(one for one, other in takewhile(lambda pair: pair[0] == pair[1], zip(*shown, strict=False)))
    alike = alike if re.search("[1-9]", alike) else ""
    return [Cell(alike, "strong", rest=one.removeprefix(alike)) if alike else Cell(one) for one in shown]


def _enclosures(files: list[Mapping[str, Any]], named: Mapping[str, Titles]) -> Iterator[Row]:
    before = ""
    for kept in files:
        for answer in kept.get("answers", ()):
            for quantity, stored in answer["enclosure"].items():
                low, high = map(Fraction, stored)
                width = (high - low) / max(abs(low), abs(high), Fraction(1, 10**300))
                name = f"{quantity}, {answer['name']}"
                for short, word in IN_WORDS.items():
                    name = name.replace(short, word)
                if (chapter := named[kept["chapter"]].chapter) != before:
                    yield row(True, chapter)
                yield row(True, name, *_alike(*ends(low, high)), in_print(float(width)))
                before = chapter
