"""The five kinds of evidence: what each means, an example, and how many claims of each kind there are, by part."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args
from urllib.parse import urlencode

import yaml
from docutils import nodes

from reproduce.claims.ledger import StoredClaim
from reproduce.claims.record import Evidence
from reproduce.ground.errors import PressError, quoted
from reproduce.pages.claim_rows import Titles, facets_of
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.pieces import drawn, link
from reproduce.pages.tables import Cell, Table, row, show

KINDS: tuple[str, ...] = get_args(Evidence)
NEEDED = ["means", "example"]


class EvidenceDirective(BookDirective):
    """Every kind with its claims. The content is YAML: for each kind what it ``means`` and the id of an ``example``."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """A list of the kinds, and a table that counts; an error for other kinds or an example that is none."""
        claims = self.ledger().claims
        try:
            told = explained("\n".join(self.content), claims)
        except PressError as error:
            raise self.error(str(error)) from None
        made = nodes.definition_list()
        for kind, (means, example) in told.items():
            place = link(example.record["statement"], self.claim_address(example))
            shown = nodes.paragraph("", "", nodes.Text("For example: "), *place)
            meaning = nodes.definition("", self.inline(means), shown)
            made += nodes.definition_list_item("", nodes.term("", "", *self._counted(kind, claims)), meaning)
        rows = counted(claims, self.titles())
        return [made, *show([rows], "Read from the stored notebooks.", on_paper=self.on_paper)]

    def _counted(self, kind: str, claims: Sequence[StoredClaim]) -> list[nodes.Node]:
        """The kind, and how many claims are of it, with a link to them in the ledger."""
        count = sum(_kind(claim) == kind for claim in claims)
        number = f"{count} {'claim' if count == 1 else 'claims'}"
        address = self.address(LEDGER, f"?{urlencode({'evidence': kind})}")
        return [nodes.strong("", kind), nodes.Text(", "), *link(number, address)]


def explained(text: str, claims: Sequence[StoredClaim]) -> dict[str, tuple[str, StoredClaim]]:
    """What each kind means, and its example; a PressError for other kinds, or for an example of another kind.

    text: YAML.
    claims: of the book.
    """
    told, known = yaml.safe_load(text), {claim.id: claim for claim in claims}
    kinds = list(told) if isinstance(told, dict) else []
    if kinds != list(KINDS) or not all(isinstance(one, dict) and list(one) == NEEDED for one in told.values()):
        raise PressError(f"it must have {' and '.join(NEEDED)} of {', '.join(KINDS)}, in this order")
    for kind, words in told.items():
        example = known.get(words["example"])
        if example is None or _kind(example) != kind:
            raise PressError(f"the example {quoted(words['example'])} is no claim that is {kind}")
    return {kind: (words["means"], known[words["example"]]) for kind, words in told.items()}


def counted(claims: Sequence[StoredClaim], named: Mapping[str, Titles]) -> Table:
    """How many claims of each part are of each kind, and how many in all; 0 is left out.

    claims: in the order of the book.
    named: the titles by chapter.
    """
    counts = Counter((named[claim.chapter].part, _kind(claim)) for claim in claims)
    parts = dict.fromkeys(named[claim.chapter].part for claim in claims)
    rows = [(part, [counts[part, kind] for kind in KINDS]) for part in parts]
    rows.append(("all", [sum(counts[part, kind] for part in parts) for kind in KINDS]))
    cells = [(part, [*numbers, sum(numbers)]) for part, numbers in rows]
    shades = [drawn("stacked", numbers, "the kinds as shares") for _, numbers in rows]
    return Table(
        ["part", *KINDS, "all"],
        [row(True, Cell(part, "b", drawn=bar), *(str(number or "") for number in numbers))
         for bar, (part, numbers) in zip(shades, cells, strict=True)],
    )  # fmt: skip


def _kind(claim: StoredClaim) -> str:
    """The kind of a claim; empty for a record that is not complete."""
    return facets_of(claim, "")["evidence"]
