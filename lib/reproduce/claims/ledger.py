"""Every claim of a book: collected from its notebooks, judged again from the stored numbers, held to the register.

A stored claim is an output whose metadata holds the record under the key ``claim``, beside the line and the box that
were made from its numbers; its words stand in the text. Each is checked against the others, so that none can be edited
on its own.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.claims.judge import objections
from reproduce.claims.record import digest
from reproduce.claims.show import box as box_of
from reproduce.claims.show import line as line_of
from reproduce.claims.wellformed import faults
from reproduce.claims.words import Words, joined, missing, words_of
from reproduce.ground.errors import PressError, quoted
from reproduce.ground.reading import read_yaml


@dataclass(frozen=True)
class StoredClaim:
    """A claim as it lies in a notebook.

    chapter: ``part/chapter``.
    record: what a method of ``Claims`` stored.
    line, box: what it showed, as text and as HTML.
    objections: everything wrong with it, in sentences; empty if it holds.
    """

    chapter: str
    record: dict[str, Any]
    line: str
    box: str
    objections: tuple[str, ...]

    @property
    def id(self) -> str:
        """The claim's id, or a word where it has none."""
        return quoted(self.record.get("id", "(without id)"))

    @property
    def holds(self) -> bool:
        """Whether there is nothing against it."""
        return not self.objections

    @cached_property
    def complete(self) -> bool:
        """Whether the record has everything a table shows."""
        return not faults(self.record)


@dataclass(frozen=True)
class Ledger:
    """All claims of a book and everything that is wrong with them or with the notebooks they are in."""

    claims: Sequence[StoredClaim]
    objections: Sequence[str]

    @property
    def holds(self) -> bool:
        """Whether there is nothing to object to."""
        return not self.objections

    @property
    def count(self) -> str:
        """How many claims hold, in words."""
        holding, all_ = sum(claim.holds for claim in self.claims), len(self.claims)
        return f"{holding}{'' if holding == all_ else f' of {all_}'} {'claim holds' if all_ == 1 else 'claims hold'}"

    def as_json(self) -> dict[str, Any]:
        """Records with their chapter and verdict, and every objection."""
        listed = [
            {**claim.record, "chapter": claim.chapter, "holds": claim.holds, "objections": list(claim.objections)}
            for claim in self.claims
        ]
        return {"holds": self.holds, "objections": list(self.objections), "claims": listed}


def claims_of(chapter: str, notebook: NotebookNode) -> list[StoredClaim]:
    """The claims that a notebook stores, in order, each judged on its own."""
    found = []
    said, _ = words_of(notebook)
    for record, output in _records(notebook):
        data = output.get("data", {})
        line, box = ("".join(data.get(kind, "")) for kind in ("text/plain", "text/html"))
        objections = tuple(_against(chapter, record, line, box) or _against_words(record, said, output))
        found.append(StoredClaim(chapter, record if isinstance(record, dict) else {}, line, box, objections))
    return found


def _records(notebook: NotebookNode) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """Every record that a notebook stores, and the output that holds it."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            record = output.get("metadata", {}).get("claim")
            if record is not None:
                yield record, output


def judge(notebooks: Mapping[str, NotebookNode], register: Iterable[Mapping[str, Any]] | None = None) -> Ledger:
    """The ledger of some notebooks.

    notebooks: by chapter name.
    register: the entries of the book's register, which must name exactly the stored claims; None to leave it out.
    """
    found = [claim for name, notebook in notebooks.items() for claim in claims_of(name, notebook)]
    objections = [sentence for name, notebook in notebooks.items() for sentence in unfinished(name, notebook)]
    objections += [
        f"{name}: {wrong}" for name, notebook in notebooks.items() for wrong in words_that_fit_none(notebook)
    ]
    objections += [f"{claim.chapter}: claim {claim.id}: {sentence}" for claim in found for sentence in claim.objections]
    counts = Counter(claim.id for claim in found)
    twice = {id: count for id, count in counts.items() if count > 1}
    objections += [f"claim {id} is stored {count} times; an id may be used once" for id, count in twice.items()]
    if register is not None:
        objections += _against_register(found, list(register))
    return Ledger(found, objections)


def read_register(path: Path) -> list[dict[str, Any]]:
    """The entries of the register; a PressError for a file that is not a list of results with their claims."""
    entries = read_yaml(path) or []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) and "chapter" in entry for entry in entries):
        raise PressError(f"{path.name} must be a list of results, each with a chapter")
    for number, entry in enumerate(entries, start=1):
        ids = entry.get("claims") or []
        if not isinstance(entry["chapter"], str):
            raise PressError(f"{path.name}, entry {number}: its chapter must be PART/NAME")
        if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
            raise PressError(f"{path.name}, entry {number} ({entry['chapter']}): its claims must be a list of ids")
    return entries


def unfinished(name: str, notebook: NotebookNode) -> list[str]:
    """What shows that a notebook was not run from top to bottom, or that its outputs were taken out."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    counts = [cell.get("execution_count") for cell in cells]
    found = []
    if counts != list(range(1, len(cells) + 1)):
        found.append(f"{name}: its cells were not run once each from top to bottom, or its outputs were stripped")
    if any(output.output_type == "error" for cell in cells for output in cell.outputs):
        found.append(f"{name}: a cell stopped with an error")
    if not any(_records(notebook)):
        found.append(f"{name}: no claim is stored in it")
    return found


def words_that_fit_none(notebook: NotebookNode) -> list[str]:
    """What is wrong with the words of a text, in sentences: those that stand twice, or are of a claim never made."""
    said, wrong = words_of(notebook)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    made = [name for name in said if re.search(rf"""\((?:\s|#.*\n)*["']{re.escape(name)}["']""", code)]
    return wrong + [f"the words of claim '{name}' have no call" for name in said if name not in made]


def _against_words(record: dict[str, Any], said: Mapping[str, Words], output: Mapping[str, Any]) -> list[str]:
    """Where the words of a claim that is well formed are not those of the text."""
    if lacking := missing(record, said):
        return lacking
    same = joined(record, said, output["metadata"].get("fill")) == {**record, "digest": digest(record)}
    return [] if same else ["its words are not those of the text; 'refresh --words' joins them"]


def _against(chapter: str, record: Any, line: str, box: str) -> list[str]:
    """Everything that is wrong with one claim and with what it shows."""
    if malformed := faults(record):
        return malformed
    found = objections(record)
    begin = f"{Path(chapter).name}."
    if not record["id"].startswith(begin):
        found.append(f"its id must begin with {begin}")
    if line != line_of(record):
        found.append("the line it shows does not follow from its record")
    if box != box_of(record):
        found.append("the box it shows does not follow from its record")
    return found


def _against_register(found: Sequence[StoredClaim], entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where register and stored claims differ: a claim that vanished, is not registered, or is in the wrong chapter."""
    registered = [(str(id), str(entry["chapter"])) for entry in entries for id in entry.get("claims") or []]
    chapter_of = dict(registered)
    stored = {claim.id: claim.chapter for claim in found}
    counts = Counter(id for id, _ in registered)
    sentences = [f"claim {id} is registered {count} times" for id, count in counts.items() if count > 1]
    for id, chapter in chapter_of.items():
        if id not in stored:
            sentences.append(f"{chapter}: claim {id} is registered, but no notebook stores it")
        elif stored[id] != chapter:
            sentences.append(f"claim {id} is registered for {chapter}, but stored in {stored[id]}")
    sentences += [f"{chapter}: claim {id} is not registered" for id, chapter in stored.items() if id not in chapter_of]
    return sentences
