"""What the ledger and the table of robustness have in common: a row for each claim, by chapter, and the facets."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from docutils import nodes

from reproduce.chapters.book import CONTENTS, Book, parts_of, title
from reproduce.claims.ledger import StoredClaim
from reproduce.claims.show import BROKEN
from reproduce.ground.reading import read_yaml
from reproduce.pages.quantities import five_percent
from reproduce.pages.tables import Cell, Row, Table, printed, row
from reproduce.pages.templates import render

FACETS = {
    "part": "Part",
    "evidence": "Evidence",
    "source": "Source",
    "kind": "Kind",
    "control": "Control",
    "role": "Role",
    "seed": "With another seed",
    "five": "With a theory 5 % off",
}
DETERMINISTIC = "deterministic"  # a claim that no seed changes
WITH_ANOTHER_SEED = {True: DETERMINISTIC, False: "other numbers", None: "not recorded"}
NOT_YET = "not run yet"
SAME = f" · {DETERMINISTIC}"
FIVE = {"no / no": "would fail", "no number": "predicts no number", "not recorded": "not recorded"}
HEADLINE, INSTRUMENT = "headline", "instrument"
A_PAPERS = re.compile(r"\b(?:19|20)\d\d\b|the authors'")  # as a rule the year of a publication
OURS = re.compile(r"in th(?:is|e) chapter|(?:derived|proved) here")


@dataclass(frozen=True)
class Column:
    """A column of a table of claims.

    name: in the address of a sorted table.
    label: its heading.
    numeric: whether it is sorted as numbers.
    on_paper: whether it is printed.
    """

    name: str
    label: str
    numeric: bool = False
    on_paper: bool = True


class Titles(NamedTuple):
    """A chapter's title and that of its part."""

    chapter: str
    part: str


def titles(book: Book) -> dict[str, Titles]:
    """The titles of every chapter that has a notebook, by name; the part's from the table of contents."""
    contents = read_yaml(book.root / CONTENTS)
    part_of = {name: caption for caption, names in parts_of(contents) for name in names}
    return {
        name: Titles(title(notebook) or name, part_of.get(name) or name.partition("/")[0])
        for name, notebook in book.notebooks().items()
    }


def claim_rows(
    claims: Iterable[StoredClaim],
    cells: Callable[[StoredClaim, bool | None], tuple[bool, Cell, Sequence[Cell]]],
    place: Callable[[StoredClaim], str] = lambda claim: "",
    named: Mapping[str, Titles] | None = None,
    same: Mapping[str, bool] | None = None,
    cite: str = "",
) -> list[Row]:
    """A row for each claim.

    claims: in the order of the book.
    cells: of a claim, and whether it came out the same with every seed, None where that is not known: whether there is
        nothing to object to, the first cell, and those behind what it says.
    place: the address of a claim in its chapter, relative to the page with the table.
    named: the titles by chapter; a chapter without goes by its name.
    same: by its id whether a claim is the same with every seed.
    cite: how the ids begin of the places where it is said how claims are cited; empty if they are not linked.
    """
    rows = []
    for claim in claims:
        known = (named or {}).get(claim.chapter, Titles(claim.chapter, claim.chapter.partition("/")[0]))
        address, alike = place(claim), (same or {}).get(claim.id)
        said, source = str(claim.record.get("statement") or claim.id), str(claim.record.get("source") or "")
        told, page = [f"{source}{SAME if alike else ''}"], address.partition("#")[0]
        cited = f"{page}#{cite}{claim.id}" if cite and claim.complete else ""
        about = Cell(said, "", told, name=claim.id, cite=cited, address=address, key=claim.id)
        good, first, others = cells(claim, alike)
        seed = NOT_YET if alike is None and first.text == NOT_YET else WITH_ANOTHER_SEED[alike]
        facets = {**facets_of(claim, known.part), "seed": seed}
        rows.append(Row(good, [first, about, *others], facets, known.chapter))
    return rows


def sortable(columns: Sequence[Column], rows: Sequence[Row], good: str, facts: Sequence[str], **told: str) -> str:
    """A table of claims as HTML that sorts and filters in the browser, folded by chapter.

    columns, rows: what it holds, the rows in the order of the book.
    good: what is said of how many good rows a chapter has.
    facts: what is said above it, a sentence each.
    told: the name of the files with the same as data, and of their schema, or an empty one.
    """
    chapters = []
    for name, found in groupby(rows, key=lambda one: one.words):
        own = list(found)
        heads, held = sum(one.facets["role"] == HEADLINE for one in own), sum(one.good for one in own)
        run = sum(one.cells[0].text != NOT_YET for one in own)
        all_good = (
            "all" if held == run == len(own) else f"{held} of {run}" if run == len(own) else f"{held} of {run} run"
        )
        counts = f"{len(own)} claim{'s' * (len(own) > 1)}, {heads} headline{'s' * (heads != 1)}, {all_good} {good}"
        address = own[0].cells[1].address.partition("#")[0] or "#"
        chapters.append({"title": name, "address": address, "counts": counts, "good": held == run, "rows": own})
    facets = [
        {"name": name, "label": label, "choices": [*filter(None, dict.fromkeys(one.facets[name] for one in rows))]}
        for name, label in FACETS.items()
    ]
    return render("sortable", columns=columns, chapters=chapters, facets=facets, facts=facts, **told)


def for_print(columns: Sequence[Column], rows: Sequence[Row]) -> nodes.table:
    """A table of claims for paper, without the columns that do not fit there."""
    kept = [at for at, column in enumerate(columns) if column.on_paper]
    return printed(
        Table([columns[at].label for at in kept], [row(one.good, *(one.cells[at] for at in kept)) for one in rows])
    )


def facets_of(claim: StoredClaim, part: str) -> dict[str, str]:
    """By what a reader may choose a claim; nothing but the part for a record that is not complete."""
    if not claim.complete:
        return {**dict.fromkeys(FACETS, ""), "part": part}
    named = str(claim.record["source"])
    source = ("paper and ours" if OURS.search(named) else "paper") if A_PAPERS.search(named) else "ours"
    role = HEADLINE if claim.record["headline"] else INSTRUMENT
    control = BROKEN.get(claim.record["control"]["kind"], "")
    kind, evidence = str(claim.record["kind"]), str(claim.record["evidence"])
    known = {"part": part, "source": source, "kind": kind, "evidence": evidence, "control": control, "role": role}
    return {**known, "five": FIVE.get(five_percent(claim.record), "would pass")}
