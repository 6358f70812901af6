"""What the ledger and the table of robustness have in common: a row for each claim, its chapter, and the facets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from docutils import nodes

from reproduce.chapters.book import CONTENTS, Book, parts_of, title
from reproduce.claims.ledger import StoredClaim
from reproduce.claims.show import BROKEN
from reproduce.ground.reading import read_yaml
from reproduce.pages.pieces import NOTE, Words, code, styled

FACETS = {
    "part": "Part",
    "kind": "Kind",
    "evidence": "Evidence",
    "control": "Control",
    "role": "Role",
    "seed": "With another seed",
}
WITH_ANOTHER_SEED = {True: "the same", False: "other numbers", None: "not recorded"}
HEADLINE, INSTRUMENT = "headline", "instrument"


@dataclass(frozen=True)
class Column:
    """A column of a table of claims.

    name: in the address of a sorted table.
    label: its heading.
    numeric: whether it is sorted as numbers.
    """

    name: str
    label: str
    numeric: bool = False


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
    place: Callable[[StoredClaim], str],
    named: Mapping[str, Titles],
    same: Mapping[str, bool] | None = None,
) -> list[dict[str, Any]]:
    """What stands in every row about the claim itself.

    claims: in the order of the book.
    place: the address of a claim in its chapter, relative to the page with the table.
    named: the titles by chapter; a chapter without goes by its name.
    same: by its id whether a claim came out the same with every seed; without it that is not known.
    """
    rows, order = [], list(named)
    for claim in claims:
        known = named.get(claim.chapter, Titles(claim.chapter, claim.chapter.partition("/")[0]))
        address, known_same = place(claim), (same or {}).get(claim.id)
        rows.append(
            {
                "id": claim.id,
                "place": order.index(claim.chapter) if claim.chapter in named else len(order),
                "title": known.chapter,
                "page": address.partition("#")[0] or "#",
                "address": address,
                "statement": str(claim.record.get("statement") or claim.id),
                "source": str(claim.record.get("source") or ""),
                "same": known_same is True,
                "facets": {**facets_of(claim, known.part), "seed": WITH_ANOTHER_SEED[known_same]},
            }
        )
    return rows


def printed_claim(claim: StoredClaim) -> Words:
    """What the cell of the claim itself holds on paper."""
    told = [code(claim.id), nodes.Text(f" {claim.record.get('source') or ''}")]
    return [nodes.Text(str(claim.record.get("statement") or claim.id)), styled(told, NOTE)]


def facets_of(claim: StoredClaim, part: str) -> dict[str, str]:
    """By what a reader may choose a claim; nothing but the part for a record that is not complete."""
    if not claim.complete:
        return {"part": part, "kind": "", "evidence": "", "control": "", "role": ""}
    role = HEADLINE if claim.record["headline"] else INSTRUMENT
    control = BROKEN.get(claim.record["control"]["kind"], "")
    kind, evidence = str(claim.record["kind"]), str(claim.record["evidence"])
    return {"part": part, "kind": kind, "evidence": evidence, "control": control, "role": role}


def facets(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each facet with the choices that some row has, in the order of the rows."""
    found = {name: dict.fromkeys(row["facets"][name] for row in rows) for name in FACETS}
    return [
        {"name": name, "label": label, "choices": [choice for choice in found[name] if choice]}
        for name, label in FACETS.items()
    ]
