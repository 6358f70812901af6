"""Spoil a claim's theory, its measurement or its tolerance in each of six ways, and see whether it is refused.

A spoiled claim ends in one of six ways:

- refused: it does not hold any more;
- same: the array is constant within the tolerance, or the same from both ends, so that there is no order to spoil;
- own: the control has a theory of its own, so that it says nothing of a spoiled one;
- listed: it holds still, for a reason that a comment on it states (``claim_excuses``);
- idle: it holds still, but uses so little of a wider tolerance on fresh seeds that test_tolerances.py refuses it;
- passed: it holds still.

Of an ordering, whose theory is the names of its values, the measurement is spoiled.
"""

import contextlib
import io
import math
import warnings
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reproduce.claims import Control
from reproduce.claims.judge import distance, holds, refutes
from reproduce.claims.record import ClaimError

MEASURED = "theory := measured, to the control"
REVERSED, MEAN, EXCHANGED = "theory reversed", "theory := its mean", "largest and smallest of the theory exchanged"
WIDER = {"tolerance × 10": 10.0, "tolerance × 100": 100.0}
REARRANGED = (REVERSED, MEAN, EXCHANGED)
# Each way, and whether it must be refused; of a wider tolerance it is counted how often it is.
WAYS = dict.fromkeys((MEASURED, *REARRANGED), True) | dict.fromkeys(WIDER, False)
USED = 1e-3  # the least part of its tolerance that a claim uses on fresh seeds, as test_tolerances.py has it


@dataclass(frozen=True)
class Statement:
    """A claim with all its numbers.

    record: as it is stored.
    theory, measured, control: the values; of an ordering, theory is None.
    own: the theory of its control, None for the claim's.
    """

    record: Mapping[str, Any]
    theory: np.ndarray | None
    measured: np.ndarray
    control: np.ndarray
    own: Any

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.record["kind"])

    def off(self, measured: np.ndarray, theory: Any) -> float:
        """How far a measurement is from a theory, as the claim counts."""
        known = 0.0 if theory is None else theory
        return distance(self.kind, known, measured, relative=self.record["relative"], side=self.record["side"])

    def refuses(self, measured: np.ndarray, theory: Any) -> bool:
        """Whether its tolerance, or its rival, would refuse these values."""
        off, rival = self.off(measured, theory), self.record["rival"]
        beaten = rival is None or float(rival["error"]) >= float(rival["factor"]) * off
        return not (holds(self.kind, off, float(self.record["tolerance"])) and beaten)


def stated(record: Mapping[str, Any], parts: Mapping[str, Any] | None = None) -> Statement | None:
    """The claim of a record, with the values that it was made from; without these, None if it stores too few.

    parts: theory, measurement and control that were given to the claim's method.
    """
    if parts is not None:
        control = parts["control"]
        control = control if isinstance(control, Control) else Control(control)
        theory = "" if record["kind"] == "ordering" else parts["theory"]
        return Statement(record, *_arrays((theory, parts["measured"], control.measured)), control.theory)
    given = (record["theory"], record["measured"], record["control"]["measured"])
    if any(isinstance(value, dict) for value in given):
        return None
    found = Statement(record, *_arrays(given), None)
    try:
        again = found.off(found.control, found.theory)
    except ClaimError:  # of another shape: a theory of its own
        again = math.nan
    stored = math.isclose(again, float(record["control"]["error"]), rel_tol=1e-9)
    return found if stored else replace(found, own="not stored")


def _arrays(values: Iterable[Any]) -> list[Any]:
    """Values as arrays; the names of an ordering as None."""
    return [None if isinstance(value, str) else np.asarray(value, dtype=float) for value in values]


def spoils(claim: Statement, worst: float = math.inf, excused: bool = False) -> dict[str, str]:
    """How each way to spoil a claim ends; those that a claim allows, an array more than a number.

    worst: the part of its tolerance that it uses on fresh seeds.
    excused: whether there is a reason why it may hold with another order of theory.
    """
    return {**_measured(claim), **_rearranged(claim, excused), **_wider(claim, worst)}


def holding(ends: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    """The ways in which claims were spoiled and hold, by id, of those that must be refused."""
    found = {id: [way for way, end in of.items() if WAYS[way] and end == "passed"] for id, of in ends.items()}
    return {id: ways for id, ways in found.items() if ways}


def _measured(claim: Statement) -> dict[str, str]:
    """A theory that follows the measurement always agrees with it; the control must be told from it all the same."""
    if claim.theory is None:
        return {}
    if claim.own is not None:
        return {MEASURED: "own"}
    spoiled = claim.measured
    if claim.theory.size == 1:  # one number for all of them: the furthest
        spoiled = claim.measured.flat[np.argmax(np.abs(claim.measured - claim.theory))]
    return {MEASURED: _ended(refutes(claim.kind, claim.off(claim.control, spoiled), claim.record["tolerance"]))}


def _rearranged(claim: Statement, excused: bool) -> dict[str, str]:
    """An array in another order, and without one."""
    right = claim.measured if claim.theory is None else claim.theory
    if right.size < 2:
        return {}
    unit = np.max(np.abs(right)) if claim.record["relative"] else 1
    constant = claim.theory is not None and np.ptp(right) <= claim.record["tolerance"] * unit
    exchanged = right.copy()
    least, most = np.argmin(right), np.argmax(right)
    exchanged.flat[[least, most]] = right.flat[[most, least]]
    spoiled = {
        REVERSED: right.ravel()[::-1].reshape(right.shape),
        MEAN: np.full(right.shape, right.mean()),
        EXCHANGED: exchanged,
    }
    ends = {}
    for way, values in spoiled.items():
        if claim.refuses(values, None) if claim.theory is None else claim.refuses(claim.measured, values):
            ends[way] = "refused"
        elif np.array_equal(values, right) or constant:
            ends[way] = "same"
        else:
            ends[way] = "listed" if excused else "passed"
    return ends


def _wider(claim: Statement, worst: float) -> dict[str, str]:
    """A tolerance that is too wide is refused where the control passes then; an ordering's, a gap, is narrower."""
    record = claim.record
    tolerance, control = float(record["tolerance"]), float(record["control"]["error"])
    derived = record["basis"] == "error" and claim.kind not in ("bound", "ordering")
    ends = {}
    for way, times in WIDER.items() if tolerance > 0 else ():
        if not refutes(claim.kind, control, tolerance / times if claim.theory is None else tolerance * times):
            ends[way] = "refused"
        else:
            ends[way] = "idle" if derived and worst / times < USED <= worst else "passed"
    return ends


def _ended(refused: bool) -> str:
    return "refused" if refused else "passed"


def run(code: str, worst: Mapping[str, float], listed: Container[str], send: Any) -> None:
    """Run a chapter's code and send how each of its claims ends, by id; or the error that stopped it, as a word.

    worst: as of ``spoils``, by id.
    listed: the ids of those that are excused.
    """
    from reproduce.claims import author

    warnings.simplefilter("ignore")
    records: list[dict[str, Any]] = []
    ends: dict[str, dict[str, str]] = {}
    judge = author.Claims._judge

    def spoiled(self: Any, kind: Any, name: str, theory: Any, measured: Any, **parts: Any) -> None:
        judge(self, kind, name, theory, measured, **parts)
        claim = stated(records[-1], {**parts, "theory": theory, "measured": measured})
        assert claim is not None
        id = records[-1]["id"]
        ends[id] = spoils(claim, worst.get(id, math.inf), id in listed)

    author.show = lambda record, fill: records.append(record)
    author.Claims._judge = spoiled  # type: ignore[method-assign]
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(compile(code, "chapter", "exec"), {"__name__": "__main__"})
        except BaseException as error:
            send.send(f"{type(error).__name__}: {error}")
            return
    send.send(ends)
