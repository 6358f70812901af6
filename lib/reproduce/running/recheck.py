"""What a notebook stores against what the same notebook gives when it is executed anew.

A stored number can be edited, together with its digest, its line and its box; executed anew, it comes out as it is, on
a machine as it was stored on to the last digit. Another processor rounds otherwise, and training amplifies that: what
then moves by ``MOVED`` of its size is only named. Words of claims are not compared: they are no outputs, and the ledger
holds them to the text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from nbformat import NotebookNode

from reproduce.claims.judge import follows
from reproduce.claims.wellformed import faults
from reproduce.claims.words import unsaid
from reproduce.running.last_run import stored_here
from reproduce.running.pictures import PICTURE, pictures_otherwise, same_rounding

WORDS = ("kind", "relative", "side", "basis", "passed", "times")
BROKEN = ("kind", "failed", "near")
MOVED = 1.5e-5  # relative: the most that another processor's rounding was seen to change, in a number of a claim
DIVERGED = 2e-2  # relative: in a control, whose premise is broken and which may diverge; 1e-2 was seen
NOISE = 0.75  # relative: in a derived error that is itself below MOVED of what is compared, being rounding seen twice
TEXT = 1e-3  # relative: in a number of a table or a text, which shows a few digits
ROUNDED = 1e-9  # numbers in a text that are smaller are rounding, which is another on each processor
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
NAME = re.compile(r"\b[0-9a-f]{32}\b")  # of a film, which is drawn anew each time


@dataclass(frozen=True)
class Difference:
    """One thing that came out otherwise.

    where: the claim and its number, or the cell and its picture.
    stored, fresh: what stands in the notebook, and what came out.
    allowed: whether another processor may make the difference, and this one is another or may be.
    """

    where: str
    stored: str
    fresh: str
    allowed: bool

    @property
    def sentence(self) -> str:
        """What came out otherwise, in one sentence."""
        end = ", as another processor may have it" if self.allowed else ""
        return f"{self.where} is stored as {self.stored}, executed anew it is {self.fresh}{end}"


def differences(stored: NotebookNode, fresh: NotebookNode) -> list[Difference]:
    """Everything in which a stored notebook differs from its execution here; its code cells are the same.

    A notebook that stores no output yet has nothing to compare.
    """
    found: list[Difference] = []
    cells = [[cell for cell in notebook.cells if cell.cell_type == "code"] for notebook in (stored, fresh)]
    if not any(cell.outputs for cell in cells[0]):
        return found
    here = stored_here(stored)
    for number, (mine, theirs) in enumerate(zip(*cells, strict=True), start=1):
        found += differences_of_cell(f"cell [{number}]", mine.outputs, theirs.outputs, here)
    return found


def differences_of_cell(where: str, stored: list[Any], fresh: list[Any], here: bool) -> list[Difference]:
    """Everything in which the outputs of one cell differ.

    where: the cell, by its name.
    stored: its outputs.
    fresh: those of its execution.
    here: whether it was stored on a machine of this type, see ``stored_here``.
    """
    found: list[Difference] = []
    claims = [{id: record for id, record in _claims(outputs)} for outputs in (stored, fresh)]
    for id in dict.fromkeys([*claims[0], *claims[1]]):
        mine, theirs = claims[0].get(id), claims[1].get(id)
        if mine is None or theirs is None:
            found.append(Difference(f"{where}: claim {id}", _there(mine), _there(theirs), allowed=False))
        else:
            found += differences_of_claim(id, mine, theirs, here)
    for what, mine_shown, their_shown in pictures_otherwise(stored, fresh, places=same_rounding()):
        found.append(Difference(f"{where}: {what}", mine_shown, their_shown, allowed=False))
    texts = [list(_texts(outputs)) for outputs in (stored, fresh)]
    for mine_text, their_text in zip_longest(*texts, fillvalue=""):
        found += _of_text(where, mine_text, their_text, here)
    return found


def differences_of_claim(id: str, stored: Mapping[str, Any], fresh: Mapping[str, Any], here: bool) -> list[Difference]:
    """Everything in which two records of one claim differ but words and seconds; neither has faults."""
    found = list(_of_claim(id, unsaid(stored), unsaid(fresh)))
    return [replace(one, allowed=False) for one in found] if here else found


def _of_claim(id: str, stored: Mapping[str, Any], fresh: Mapping[str, Any]) -> Iterator[Difference]:
    where, size = f"claim {id}", _size(fresh)
    residual, derived, most = (
        not _is_number(fresh),
        float(fresh["derived"]),
        NOISE if fresh["basis"] == "error" else MOVED,
    )
    yield from _of_words(where, WORDS, stored, fresh)
    if fresh["kind"] != "ordering":
        yield from _of_numbers(f"{where}: theory", stored["theory"], fresh["theory"], MOVED)
    least = MOVED * size if residual else 0.0
    yield from _of_numbers(f"{where}: measured", stored["measured"], fresh["measured"], MOVED, least)
    yield from _of_numbers(f"{where}: error", stored["error"], fresh["error"], MOVED, MOVED * size)
    share = min(most, MOVED * size / derived) if derived else 0.0
    yield from _of_numbers(f"{where}: derived", stored["derived"], derived, share)
    for name, allowed in (("tolerance", follows(stored)), ("worst", True)):  # that this fits is for the ledger to see
        if stored[name] != fresh[name]:
            yield Difference(f"{where}: {name}", str(stored[name]), str(fresh[name]), allowed)
    for part, what, words, moved in (("control", "measured", BROKEN, DIVERGED), ("rival", "value", ("factor",), MOVED)):
        mine, theirs = stored[part], fresh[part]
        if mine is None or theirs is None:
            if mine != theirs:
                yield Difference(f"{where}: {part}", repr(mine), repr(theirs), allowed=False)
            continue
        yield from _of_words(f"{where}: {part}", words, mine, theirs)
        yield from _of_numbers(f"{where}: {part}, {what}", mine[what], theirs[what], moved)
        yield from _of_numbers(f"{where}: {part}, error", mine["error"], theirs["error"], moved, MOVED * size)


def _of_words(
    where: str, words: Sequence[str], stored: Mapping[str, Any], fresh: Mapping[str, Any]
) -> Iterator[Difference]:
    for word in words:
        if word in stored and stored[word] != fresh[word]:  # what earlier versions did not store is missing
            yield Difference(f"{where}: {word}", repr(stored[word]), repr(fresh[word]), allowed=False)


def _of_numbers(where: str, stored: Any, fresh: Any, share: float, least: float = 0.0) -> Iterator[Difference]:
    """Numbers, lists of them, or an array's shape and norm; one may move by a share of the largest, or by ``least``."""
    if isinstance(stored, dict) and isinstance(fresh, dict):
        if stored["shape"] != fresh["shape"]:
            yield Difference(where, f"of shape {stored['shape']}", f"of shape {fresh['shape']}", allowed=False)
            return
        where = f"{where}, its norm"
    one, other = _in_norm(stored), _in_norm(fresh)
    if one.shape != other.shape:
        yield Difference(where, f"{one.size} numbers", f"{other.size} numbers", allowed=False)
        return
    with np.errstate(invalid="ignore"):
        apart = np.where(one == other, 0.0, np.abs(one - other))  # two infinities are the same
    apart = np.where(np.isnan(apart), np.inf, apart)
    if np.any(apart):
        worst = int(np.argmax(apart))
        place = where if one.size == 1 else f"{where}[{worst}]"
        largest = max(np.max(np.abs(side[np.isfinite(side)]), initial=0.0) for side in (one, other))
        allowed = bool(apart[worst] <= max(share * largest, least))
        yield Difference(place, f"{one[worst]:.12g}", f"{other[worst]:.12g}", allowed)


def _of_text(where: str, stored: str, fresh: str, here: bool) -> Iterator[Difference]:
    """A table or a printed line: the words are the same, the numbers agree to what is shown of them."""
    stored, fresh = (text.replace("−", "-") for text in (stored, fresh))
    if stored == fresh:
        return
    if NUMBER.sub("#", stored) != NUMBER.sub("#", fresh):
        yield Difference(f"{where}: what it shows", _begin(stored), _begin(fresh), allowed=False)
        return
    for mine, theirs in zip(NUMBER.findall(stored), NUMBER.findall(fresh), strict=True):
        apart, size = abs(float(mine) - float(theirs)), max(abs(float(mine)), abs(float(theirs)))
        if apart > 0:
            allowed = not here and apart <= max(TEXT * size, ROUNDED)
            yield Difference(f"{where}: a number it shows", mine, theirs, allowed)


def _claims(outputs: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for output in outputs:
        record = output.get("metadata", {}).get("claim")
        if record is not None and not faults(record):  # the ledger names a record that is not well formed
            yield record["id"], record


def _texts(outputs: list[Any]) -> Iterator[str]:
    """What outputs show as text, claims left out: their numbers are compared above."""
    for output in outputs:
        data = output.get("data", {"text/plain": output.get("text", "")})
        if "claim" not in output.get("metadata", {}):
            for kind in sorted(data):
                if "text/" in kind or kind == "image/svg+xml":
                    yield NAME.sub("name", PICTURE.sub("picture", "".join(data[kind])))


def _size(record: Mapping[str, Any]) -> float:
    """The size of what a claim compares, in the unit of its errors; where theory is 0, how far the control is off."""
    if record["relative"]:
        return 1.0
    if not _is_number(record):
        return abs(float(record["control"]["error"]))
    parts = ["measured"] if record["kind"] == "ordering" else ["theory", "measured"]
    return max(float(np.max(np.abs(_in_norm(record[part])))) for part in parts)


def _is_number(record: Mapping[str, Any]) -> bool:
    """Whether something is predicted but 0: a residual is rounding, and has no size of its own."""
    return record["kind"] == "ordering" or bool(np.any(_in_norm(record["theory"])))


def _in_norm(quantity: Any) -> Any:
    return np.atleast_1d(np.asarray(quantity["norm"] if isinstance(quantity, dict) else quantity, dtype=float))


def _there(thing: object) -> str:
    return "nothing" if thing is None else "a claim"


def _begin(text: str) -> str:
    return repr(" ".join(text.split())[:60])
