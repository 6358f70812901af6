"""What a chapter claims: a theory value, a measured value, a tolerance with its reason, and a control that must fail.

A claim prints one line that is the same on every machine (verdict and bound) and a box with its numbers, and stores all
of it in the output's metadata under the key ``claim``. The ledger reads it back from there and judges it again.
"""

import math
import re
import time
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from IPython.core.getipython import get_ipython
from IPython.display import display
from numpy.typing import ArrayLike

from reproduce.records import ClaimError, box, digest, distance, failures, holds, line, stored

Kind = Literal["identity", "limit", "rate", "bound", "ordering"]
KINDS: tuple[Kind, ...] = ("identity", "limit", "rate", "bound", "ordering")
ID = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")
SECONDS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)

_last_claim_at = time.monotonic()
_ids_of_cell: tuple[int, set[str]] = (-1, set())


@dataclass(frozen=True)
class Control:
    """The same check with the theorem's premise broken; it must fail.

    what: which premise is broken, in words.
    measured: what is then measured.
    theory: what would be predicted if the premise were ignored; by default the claim's own theory.
    """

    what: str
    measured: ArrayLike
    theory: ArrayLike | None = None


@dataclass(frozen=True)
class Rival:
    """The prediction of a competing theory: the measurement must be ``factor`` times nearer to the claim's theory.

    what: which theory, in words.
    value: its prediction, of the shape of the claim's theory.
    factor: how many times nearer, greater than 1.
    """

    what: str
    value: ArrayLike
    factor: float


def claim(
    id: str,
    statement: str,
    *,
    source: str,
    kind: Kind,
    theory: ArrayLike,
    measured: ArrayLike,
    tolerance: float,
    why: str,
    control: Control,
    rival: Rival | None = None,
    relative: bool = False,
    side: Literal["upper", "lower"] = "upper",
) -> None:
    """Judge one claim, show it, and store it in the notebook.

    id: ``chapter.name``, in lower case, unique in the book.
    statement: what is claimed, in one plain sentence without numbers that change from machine to machine.
    source: paper and theorem.
    kind: identity, limit, rate, bound or ordering; it fixes how far measured is from theory (``records.distance``).
    theory: from a certified solver, a closed form or a published number. For an ordering: the names of the measured
        values in increasing order, as one string.
    measured: what the experiment gave.
    tolerance: how far they may be apart.
    why: where the tolerance comes from.
    control: the check that must fail.
    rival: the prediction that must be further off, if there is one.
    relative: measure in units of max |theory|.
    side: for a bound, whether theory lies above ("upper") or below ("lower").

    A claim that does not hold is recorded and shown, it does not stop the notebook.
    Raises ClaimError if the claim is not well formed.
    """
    _check_words(id=id, statement=statement, source=source, why=why)
    _check(id, kind, tolerance, control, rival, side)
    _refuse_twice_in_a_cell(id)

    def off(value: ArrayLike, expected: ArrayLike) -> Any:
        return stored(distance(kind, expected, value, relative=relative, side=side))

    record: dict[str, Any] = {
        "id": id,
        "statement": statement,
        "source": source,
        "kind": kind,
        "relative": relative,
        "side": side,
        "theory": theory if kind == "ordering" else stored(theory),
        "measured": stored(measured),
        "error": off(measured, theory),
        "tolerance": float(tolerance),
        "why": why,
        "control": {
            "what": control.what,
            "measured": stored(control.measured),
            "error": off(control.measured, theory if control.theory is None else control.theory),
        },
        "rival": None,
    }
    record["control"]["failed"] = not holds(kind, float(record["control"]["error"]), tolerance)
    if rival is not None:
        unit = float(np.max(np.abs(np.asarray(theory, dtype=float)))) if relative else 1.0
        record["rival"] = {
            "what": rival.what,
            "value": stored(rival.value),
            "error": stored(distance(kind, rival.value, measured) / unit),
            "factor": float(rival.factor),
        }
    record["passed"] = not failures(record)
    record["digest"] = digest(record)
    record["seconds"] = _seconds_since_last_claim()
    show(record)


def show(record: dict[str, Any]) -> None:
    """Display a judged claim and store it in the output's metadata; outside a notebook, print its line."""
    if get_ipython() is None:
        print(line(record))
    else:
        data = {"text/plain": line(record), "text/html": box(record)}
        display(data, raw=True, metadata={"claim": record})  # type: ignore[no-untyped-call]


def _check(id: str, kind: str, tolerance: float, control: Control, rival: Rival | None, side: str) -> None:
    """Refuse what could not be refuted."""
    if not ID.fullmatch(id):
        raise ClaimError(f"id is {id!r}; it must be chapter.name in lower-case letters, digits and _")
    if kind not in KINDS:
        raise ClaimError(f"claim {id}: kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    if side not in ("upper", "lower"):
        raise ClaimError(f"claim {id}: side is {side!r}; it must be upper or lower")
    if not (isinstance(tolerance, int | float) and math.isfinite(tolerance) and tolerance >= 0):
        raise ClaimError(f"claim {id}: tolerance is {tolerance!r}; it must be a finite number, at least 0")
    if not isinstance(control, Control):
        raise ClaimError(f"claim {id}: control is {control!r}; it must be a Control, a check that can fail")
    _check_words(**{f"claim {id}: control.what": control.what})
    if rival is not None:
        _check_words(**{f"claim {id}: rival.what": rival.what})
        if not rival.factor > 1:
            raise ClaimError(f"claim {id}: rival.factor is {rival.factor!r}; it must be greater than 1")
        if kind in ("bound", "ordering"):
            raise ClaimError(f"claim {id}: a {kind} has no rival value; state the comparison as a claim of its own")


def _check_words(**words: Any) -> None:
    """Refuse what says nothing."""
    for name, value in words.items():
        if not isinstance(value, str) or not value.strip():
            raise ClaimError(f"{name} is {value!r}; it must say something")


def _refuse_twice_in_a_cell(id: str) -> None:
    """Within one execution of one cell an id may be used once; across cells the ledger looks (a cell may be re-run)."""
    global _ids_of_cell
    shell = get_ipython()
    count = int(shell.execution_count) if shell is not None else -1
    if shell is None or _ids_of_cell[0] != count:
        _ids_of_cell = (count, set())
    if id in _ids_of_cell[1]:
        raise ClaimError(f"id {id!r} is used twice in one cell; every claim needs an id of its own")
    _ids_of_cell[1].add(id)


def _seconds_since_last_claim() -> int:
    """Rounded up to 1, 3, 10, 30, …: coarse, so that a second run on the same machine stores the same."""
    global _last_claim_at
    now = time.monotonic()
    elapsed, _last_claim_at = now - _last_claim_at, now
    return next((s for s in SECONDS if elapsed <= s), SECONDS[-1])
