"""The table of results as its author writes it: rows of glued numbers, each linked to the claim that answers for it.

The press puts the allowed error below the measurement, in its unit, drops a column that no row fills, and names each
cell by its column, so that a phone can show a row as a card.
"""

from collections.abc import Mapping, Sequence

from docutils import nodes
from sphinx.addnodes import download_reference, pending_xref

from reproduce.chapters.book import nearest
from reproduce.claims.ledger import StoredClaim
from reproduce.ground.errors import PressError, quoted
from reproduce.pages import quantities
from reproduce.pages.pieces import link, styled

NEEDED, OPTIONAL = ("quantity", "predicted", "measured"), ("for contrast", "premise broken")
MEASURED = NEEDED.index("measured")


def author_table(parsed: Sequence[nodes.Node], claims: Sequence[StoredClaim], *, links: bool = True) -> nodes.table:
    """The table of results made of a table in Markdown.

    parsed: what stands in the directive: one table with the columns ``NEEDED`` and, where wanted, ``OPTIONAL``;
        the first cell of a row has a link whose target is the name of a claim, ``[error](limit)``.
    claims: of this chapter, as stored.
    links: whether a claim has an address here; on paper it has none.

    Raises PressError for another table, and for a row without a claim or with one that the chapter does not store.
    """
    if len(parsed) != 1 or not isinstance(parsed[0], nodes.table):
        raise PressError("the results must be one table in Markdown, with nothing around it")
    (table,) = parsed
    head, *rows = table.findall(nodes.row)
    names = [cell.astext().strip() for cell in head]
    if names != [*NEEDED, *(one for one in OPTIONAL if one in names)]:
        raise PressError(
            f"the table of results has the columns {', '.join(names)}; they are {', '.join(NEEDED + OPTIONAL)}"
        )
    known = {claim.id.rpartition(".")[2]: claim for claim in claims}
    for row in rows:
        claim = _claim_of(row[0], known, links=links)
        row["classes"].append("holds" if claim.holds else "fails")
        if not claim.holds:
            row[MEASURED] += nodes.strong("", "✗ fails")
        if claim.complete and (note := quantities.allowed_in_short(claim.record, row[MEASURED].astext())):
            row[MEASURED] += styled(note, "results-note")
        for name, cell in zip(names, row, strict=True):
            empty = [] if cell.astext().strip() else ["results-empty"]
            cell["classes"] += [f"results-{name.replace(' ', '-')}", *empty]
    _drop_empty(table, [head, *rows], rows)
    next(table.findall(nodes.colspec))["stub"] = 1
    table["classes"].append("results")
    return table


def _claim_of(cell: nodes.Element, known: Mapping[str, StoredClaim], *, links: bool) -> StoredClaim:
    """The claim that a row's first cell links to, whose link leads there now."""
    kinds = (pending_xref, download_reference)
    found = [one for kind in kinds for one in cell.findall(kind) if one.get("reftype") == "myst"]
    if len(found) != 1:
        raise PressError(f"the row '{quoted(cell.astext())}' needs one link to its claim, like [{cell.astext()}](NAME)")
    (there,) = found
    name = str(there["reftarget"])
    if name not in known:
        listed = f"the chapter stores {', '.join(known)}"
        raise PressError(f"the row '{quoted(cell.astext())}' names no claim: '{name}'; {nearest(name, known, listed)}")
    words = there.children[0].children if isinstance(there.children[0], nodes.inline) else there.children
    claim = known[name]
    there.replace_self(link(words, f"#claim-{claim.id}" if links else ""))
    return claim


def _drop_empty(table: nodes.table, lines: Sequence[nodes.row], rows: Sequence[nodes.row]) -> None:
    """Take out the columns, beyond those that are needed, that no row fills."""
    (group,) = table.findall(nodes.tgroup)
    specs = list(group.findall(nodes.colspec))
    for at in reversed(range(len(NEEDED), len(specs))):
        if all("results-empty" in row[at]["classes"] for row in rows):
            group.remove(specs[at])
            for line in lines:
                del line[at]
    group["cols"] = len(list(group.findall(nodes.colspec)))
