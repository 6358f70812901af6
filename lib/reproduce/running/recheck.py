"""What a notebook stores against what the same notebook gives when it is executed anew.

A stored number can be edited, together with its digest, its line and its box; executed anew, it comes out as it is.
A difference within what the claim allows may be another machine's rounding and is only named; one beyond it counts.
Words of claims are not compared: they are no outputs, and the ledger holds them to the text.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from nbformat import NotebookNode

from reproduce.claims.judge import unit_of
from reproduce.claims.wellformed import faults
from reproduce.running.pictures import PICTURE, pictures_otherwise, same_rounding

WORDS = ("kind", "relative", "side", "passed")
ROUNDING = 1e-12  # relative: numbers nearer than this are the same
SAME = 1e-4  # relative: what training makes of another processor's rounding; 1.5e-5 is the most that was seen
ALIKE = 0.1  # relative: a control's or a rival's number may move so much, being far from theory anyway
SEEN = 1e-6  # relative: numbers in a text that are nearer than this are the same
TEXT = 1e-3  # relative: a number in a table or in the text, which shows a few digits
TOLERANCE = 1e-2  # relative: a tolerance that is proved or set
NOISE = 0.75  # relative: one that is computed, where it is rounding seen twice; four times as much is allowed
ROUNDED = 1e-9  # numbers in a text that are smaller are rounding, which is another on each machine
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
NAME = re.compile(r"\b[0-9a-f]{32}\b")  # of a film, which is drawn anew each time


@dataclass(frozen=True)
class Difference:
    """One thing that came out otherwise.

    where: the claim and its number, or the cell and its picture.
    stored, fresh: what stands in the notebook, and what came out.
    allowed: whether the difference is within what the claim allows, or too small to be seen.
    """

    where: str
    stored: str
    fresh: str
    allowed: bool

    @property
    def sentence(self) -> str:
        """What came out otherwise, in one sentence."""
        end = ", within its tolerance" if self.allowed else ""
        return f"{self.where} is stored as {self.stored}, executed anew it is {self.fresh}{end}"


def differences(stored: NotebookNode, fresh: NotebookNode) -> list[Difference]:
    """Everything in which two executions of one notebook differ; its code cells are the same.

    Numbers of a claim that agree to rounding, or to a thousandth of the claim's tolerance, count as the same. A
    notebook that stores no output yet has nothing to compare.
    """
    found: list[Difference] = []
    cells = [[cell for cell in notebook.cells if cell.cell_type == "code"] for notebook in (stored, fresh)]
    if not any(cell.outputs for cell in cells[0]):
        return found
    for number, (mine, theirs) in enumerate(zip(*cells, strict=True), start=1):
        found += differences_of_cell(f"cell [{number}]", mine.outputs, theirs.outputs)
    return found


def differences_of_cell(where: str, stored: list[Any], fresh: list[Any]) -> list[Difference]:
    """Everything in which the outputs of one cell differ; ``where`` names the cell."""
    found: list[Difference] = []
    claims = [{id: record for id, record in _claims(outputs)} for outputs in (stored, fresh)]
    for id in dict.fromkeys([*claims[0], *claims[1]]):
        mine, theirs = claims[0].get(id), claims[1].get(id)
        if mine is None or theirs is None:
            found.append(Difference(f"{where}: claim {id}", _there(mine), _there(theirs), allowed=False))
        else:
            found += differences_of_claim(id, mine, theirs)
    for what, mine_shown, their_shown in pictures_otherwise(stored, fresh, places=same_rounding()):
        found.append(Difference(f"{where}: {what}", mine_shown, their_shown, allowed=False))
    texts = [list(_texts(outputs)) for outputs in (stored, fresh)]
    for mine_text, their_text in zip_longest(*texts, fillvalue=""):
        found += _of_text(where, mine_text, their_text)
    return found


def differences_of_claim(id: str, stored: Mapping[str, Any], fresh: Mapping[str, Any]) -> list[Difference]:
    """Everything in which two records of one claim differ; neither has faults."""
    return list(_of_claim(id, stored, fresh))


def _of_claim(id: str, stored: Mapping[str, Any], fresh: Mapping[str, Any]) -> Iterator[Difference]:
    for word in WORDS:
        if stored[word] != fresh[word]:
            yield Difference(f"claim {id}: {word}", repr(stored[word]), repr(fresh[word]), allowed=False)
    tolerance = float(fresh["tolerance"])
    moved = NOISE if fresh["basis"] == "error" else TOLERANCE
    yield from _of_numbers(f"claim {id}: tolerance", stored["tolerance"], fresh["tolerance"], 0.0, moved)
    if fresh["kind"] != "ordering":
        yield from _of_numbers(f"claim {id}: theory", stored["theory"], fresh["theory"], *_room(fresh, fresh["theory"]))
    room = _room(fresh, fresh["measured"])
    yield from _of_numbers(f"claim {id}: measured", stored["measured"], fresh["measured"], *room)
    yield from _of_numbers(f"claim {id}: error", stored["error"], fresh["error"], *_room(fresh, fresh["error"]))
    for part, names in (("control", ("measured", "error")), ("rival", ("value", "error"))):
        mine, theirs = stored[part], fresh[part]
        if mine is None or theirs is None:
            if mine != theirs:
                yield Difference(f"claim {id}: {part}", repr(mine), repr(theirs), allowed=False)
            continue
        for name in names:
            yield from _of_numbers(f"claim {id}: {part}, {name}", mine[name], theirs[name], tolerance, ALIKE)


def _of_numbers(where: str, stored: Any, fresh: Any, tolerance: Any, relative: float) -> Iterator[Difference]:
    """Numbers, lists of them, or an array's shape and norm; ``tolerance`` holds for one entry, or for each its own."""
    entries = 1
    if isinstance(stored, dict) and isinstance(fresh, dict):
        if stored["shape"] != fresh["shape"]:
            yield Difference(where, f"of shape {stored['shape']}", f"of shape {fresh['shape']}", allowed=False)
            return
        entries = math.prod(stored["shape"])
        where, stored, fresh = f"{where}, its norm", stored["norm"], fresh["norm"]
    one, other = (np.atleast_1d(np.asarray(value, dtype=float)) for value in (stored, fresh))
    if one.shape != other.shape:
        yield Difference(where, f"{one.size} numbers", f"{other.size} numbers", allowed=False)
        return
    size = np.maximum(np.abs(one), np.abs(other))
    with np.errstate(invalid="ignore"):
        apart = np.where(one == other, 0.0, np.abs(one - other))  # two infinities are the same
    apart = np.where(np.isnan(apart), np.inf, apart)
    allowed = np.maximum(tolerance * math.sqrt(entries), relative * size)
    noticed = np.maximum(1e-3 * tolerance * math.sqrt(entries), ROUNDING * size)
    worst = int(np.argmax(apart / np.maximum(allowed, np.finfo(float).tiny)))
    if np.any(apart > np.minimum(noticed, allowed)):
        place = where if one.size == 1 else f"{where}[{worst}]"
        yield Difference(place, f"{one[worst]:.12g}", f"{other[worst]:.12g}", allowed=bool(np.all(apart <= allowed)))


def _of_text(where: str, stored: str, fresh: str) -> Iterator[Difference]:
    """A table or a printed line: the words are the same, the numbers agree to what is shown of them."""
    stored, fresh = (text.replace("−", "-") for text in (stored, fresh))
    if stored == fresh:
        return
    if NUMBER.sub("#", stored) != NUMBER.sub("#", fresh):
        yield Difference(f"{where}: what it shows", _begin(stored), _begin(fresh), allowed=False)
        return
    for mine, theirs in zip(NUMBER.findall(stored), NUMBER.findall(fresh), strict=True):
        apart, size = abs(float(mine) - float(theirs)), max(abs(float(mine)), abs(float(theirs)))
        if apart > SEEN * size:
            yield Difference(f"{where}: a number it shows", mine, theirs, allowed=apart <= max(TEXT * size, ROUNDED))


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


def _room(record: Mapping[str, Any], value: Any) -> tuple[Any, float]:
    """What one entry of a number of a claim may move by: its tolerance, or if that is more, a share of the number."""
    tolerance = float(record["tolerance"])
    unit = _unit(record) if record["relative"] and value is not record["error"] else 1.0
    return tolerance * unit, SAME


def _unit(record: Mapping[str, Any]) -> Any:
    """In what the errors of a claim are measured; of a theory that is stored in summary its norm."""
    theory = record["theory"]
    return unit_of(theory["norm"] if isinstance(theory, dict) else theory, record["relative"])


def _there(thing: object) -> str:
    return "nothing" if thing is None else "a claim"


def _begin(text: str) -> str:
    return repr(" ".join(text.split())[:60])
