"""What a chapter claims: a theory value, a measured value, a tolerance with its reason, and a control that must fail.

A claim prints one line that is the same on every machine (verdict and bound) and a box with its numbers, and stores all
of it in the output's metadata under the key ``claim``. The ledger reads it back from there and judges it again.
"""

import html
import math
import re
import time
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from IPython.core.getipython import get_ipython
from IPython.display import display
from numpy.typing import ArrayLike

Kind = Literal["identity", "limit", "rate", "bound", "ordering"]
KINDS: tuple[Kind, ...] = ("identity", "limit", "rate", "bound", "ordering")
ID = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")
LONGEST_STORED = 12
NOT_FINITE = ("nan", "inf", "-inf")
SECONDS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)

_last_claim_at = time.monotonic()
_ids_of_cell: tuple[int, set[str]] = (-1, set())


class ClaimError(ValueError):
    """A claim that is not well formed: it says nothing, or nothing could refute it."""


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


def distance(
    kind: str, theory: ArrayLike, measured: ArrayLike, *, relative: bool = False, side: str = "upper"
) -> float:
    """How far a measurement is on the wrong side of theory; a claim holds when this is at most its tolerance.

    identity, limit, rate: max |measured − theory|, divided by max |theory| if ``relative``.
    bound: max (measured − theory) for an upper bound, max (theory − measured) for a lower one.
    ordering: max (measured[i] − measured[i+1]) over a sequence that theory says increases; the tolerance is the gap
    demanded, so that this distance must be at most −tolerance.

    A value that is not a finite number is infinitely far.
    """
    m = np.asarray(measured, dtype=float)
    if kind == "ordering":
        if m.ndim != 1 or m.size < 2:
            raise ClaimError(f"measured has shape {m.shape}; an ordering needs a sequence of at least two numbers")
        gap = float(np.max(m[:-1] - m[1:])) if np.all(np.isfinite(m)) else math.inf
        return gap
    t = np.asarray(theory, dtype=float)
    if m.size == 0 or t.size == 0:
        raise ClaimError("theory and measured must hold at least one number")
    if t.shape != m.shape and t.size != 1:
        raise ClaimError(
            f"theory has shape {t.shape}, measured has {m.shape}; they must agree, or theory be one number"
        )
    if not (np.all(np.isfinite(m)) and np.all(np.isfinite(t))):
        return math.inf
    if kind == "bound":
        return float(np.max(m - t) if side == "upper" else np.max(t - m))
    scale = float(np.max(np.abs(t))) if relative else 1.0
    return float(np.max(np.abs(m - t))) / scale if scale > 0 else math.inf


def holds(kind: str, error: float, tolerance: float) -> bool:
    """Whether a distance is within the tolerance; for an ordering, whether the gap is at least the tolerance."""
    return bool(error <= -tolerance) if kind == "ordering" else bool(error <= tolerance)


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
    kind: identity, limit, rate, bound or ordering; it fixes how far measured is from theory (see ``distance``).
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
    if not ID.fullmatch(id):
        raise ClaimError(f"id is {id!r}; it must be chapter.name in lower-case letters, digits and _")
    if kind not in KINDS:
        raise ClaimError(f"claim {id}: kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    if side not in ("upper", "lower"):
        raise ClaimError(f"claim {id}: side is {side!r}; it must be upper or lower")
    if not (isinstance(tolerance, (int, float)) and math.isfinite(tolerance) and tolerance >= 0):
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
    _refuse_twice_in_a_cell(id)

    show(
        _with_verdict(
            {
                "id": id,
                "statement": statement,
                "source": source,
                "kind": kind,
                "relative": relative,
                "side": side,
                "theory": theory if kind == "ordering" else _stored(theory),
                "measured": _stored(measured),
                "error": _number(distance(kind, theory, measured, relative=relative, side=side)),
                "tolerance": float(tolerance),
                "why": why,
                "control": _judged_control(control, kind, theory, relative, side),
                "rival": None if rival is None else _judged_rival(rival, kind, theory, measured, relative),
                "seconds": _seconds_since_last_claim(),
            }
        )
    )


def show(record: dict[str, Any]) -> None:
    """Display a judged claim and store it in the output's metadata; outside a notebook, print its line."""
    if get_ipython() is None:  # type: ignore[no-untyped-call]
        print(line(record))
    else:
        display({"text/plain": line(record), "text/html": box(record)}, raw=True, metadata={"claim": record})


def failures(record: dict[str, Any]) -> list[str]:
    """Why a record does not hold, judged from its numbers alone, in sentences; empty if it holds."""
    kind, tolerance, error = record["kind"], float(record["tolerance"]), float(record["error"])
    found = []
    if not holds(kind, error, tolerance):
        found.append("the measurement is outside its tolerance")
    if holds(kind, float(record["control"]["error"]), tolerance):
        found.append("the control passes, so the claim proves nothing")
    rival = record["rival"]
    if rival is not None and float(rival["error"]) < float(rival["factor"]) * error:
        found.append("the rival theory is not far enough off")
    return found


def objections(record: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a stored record, in sentences; empty for a claim that holds and was not edited."""
    found = failures(record)
    if record["passed"] is not (not found):
        found.append("the stored verdict does not follow from the stored numbers")
    control = record["control"]
    if control["failed"] is holds(record["kind"], float(control["error"]), float(record["tolerance"])):
        found.append("the stored outcome of the control does not follow from its number")
    if not any(isinstance(record[part], dict) for part in ("theory", "measured")):
        theory, measured = (_unstored(record[part]) for part in ("theory", "measured"))
        again = distance(record["kind"], theory, measured, relative=record["relative"], side=record["side"])
        if not math.isclose(again, float(record["error"]), rel_tol=1e-9, abs_tol=1e-300):
            found.append("the stored error does not follow from theory and measured")
    return found


def line(record: dict[str, Any]) -> str:
    """The claim as one line that is the same on every machine."""
    mark = "✓ holds" if record["passed"] else "✗ FAILS"
    if record["passed"]:
        tail = "the control fails, as it must" + (", the rival is off" if record["rival"] else "")
    else:
        tail = "; ".join(failures(record))
    return f"{mark}  {record['id']}: {bound_in_words(record)}; {tail}"


def bound_in_words(record: dict[str, Any]) -> str:
    """The inequality that a claim asserts, with its tolerance."""
    tolerance = format_number(record["tolerance"])
    if record["kind"] == "ordering":
        return f"{record['theory']}, in this order, gaps ≥ {tolerance}"
    if record["kind"] == "bound":
        return f"measured ≤ theory + {tolerance}" if record["side"] == "upper" else f"measured ≥ theory − {tolerance}"
    over = " / |theory|" if record["relative"] else ""
    return f"|measured − theory|{over} ≤ {tolerance}"


def box(record: dict[str, Any]) -> str:
    """The claim as a box of HTML; each number that may differ between machines stands in ``<code class="n">``."""
    rows = [
        ("theory", _shown(record["theory"])),
        ("measured", _shown(record["measured"])),
        ("off by", f"{_shown(record['error'])}; allowed {html.escape(bound_in_words(record))}"),
        ("because", html.escape(record["why"])),
        ("control", f"{html.escape(record['control']['what'])}: off by {_shown(record['control']['error'])}"),
    ]
    if record["rival"] is not None:
        rival = record["rival"]
        nearer = f"at least {format_number(rival['factor'])} times the claim's"
        rows.append(("rival", f"{html.escape(rival['what'])}: off by {_shown(rival['error'])}, {nearer}"))
    rows.append(("source", html.escape(record["source"])))
    passed = record["passed"]
    body = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)
    head = "✓ holds" if passed else "✗ FAILS"
    wrong = "" if passed else f'<p class="claim-wrong">{html.escape("; ".join(failures(record)))}</p>'
    return (
        f'<div class="claim claim-{"holds" if passed else "fails"}" id="claim-{record["id"]}">'
        f'<p class="claim-head"><b>{head}</b> <span class="claim-id">{record["id"]}</span> '
        f"{html.escape(record['statement'])}</p>{wrong}<dl>{body}</dl></div>"
    )


def format_number(value: float | str) -> str:
    """A number in at most four significant digits."""
    return str(value) if isinstance(value, str) else f"{value:.4g}"


def _check_words(**words: Any) -> None:
    for name, value in words.items():
        if not isinstance(value, str) or not value.strip():
            raise ClaimError(f"{name} is {value!r}; it must say something")


def _refuse_twice_in_a_cell(id: str) -> None:
    """Within one execution of one cell an id may be used once; across cells the ledger looks (a cell may be re-run)."""
    global _ids_of_cell
    shell = get_ipython()  # type: ignore[no-untyped-call]
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


def _judged_control(control: Control, kind: Kind, theory: ArrayLike, relative: bool, side: str) -> dict[str, Any]:
    """The control's record, without its verdict."""
    expected = theory if control.theory is None else control.theory
    error = distance(kind, expected, control.measured, relative=relative, side=side)
    return {"what": control.what, "measured": _stored(control.measured), "error": _number(error)}


def _judged_rival(rival: Rival, kind: Kind, theory: ArrayLike, measured: ArrayLike, relative: bool) -> dict[str, Any]:
    """The rival's record; its distance is in the units of the claim's."""
    unit = float(np.max(np.abs(np.asarray(theory, dtype=float)))) if relative else 1.0
    error = distance(kind, rival.value, measured) / unit
    return {
        "what": rival.what,
        "value": _stored(rival.value),
        "error": _number(error),
        "factor": float(rival.factor),
    }


def _with_verdict(record: dict[str, Any]) -> dict[str, Any]:
    """The record with the outcome of its control and its own."""
    control = record["control"]
    failed = not holds(record["kind"], float(control["error"]), record["tolerance"])
    return record | {"control": control | {"failed": failed}, "passed": not failures(record)}


def _number(value: float) -> float | str:
    """A JSON number, or a word for what JSON has no number for."""
    return float(value) if math.isfinite(value) else str(float(value))


def _stored(value: ArrayLike) -> Any:
    """A number, a short list of numbers, or for a long array its shape and Euclidean norm."""
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        return _number(float(array))
    if array.ndim == 1 and array.size <= LONGEST_STORED:
        return [_number(float(v)) for v in array]
    return {"shape": list(array.shape), "norm": _number(float(np.linalg.norm(array)))}


def _unstored(stored: Any) -> Any:
    """A stored quantity as numbers again; the words that name an ordering stay words."""
    return stored if isinstance(stored, str) and stored not in NOT_FINITE else np.asarray(stored, dtype=float)


def _shown(stored: Any) -> str:
    if isinstance(stored, dict):
        shape = " × ".join(str(n) for n in stored["shape"])
        return f'{shape} numbers of norm <code class="n">{format_number(stored["norm"])}</code>'
    if isinstance(stored, list):
        return ", ".join(f'<code class="n">{format_number(v)}</code>' for v in stored)
    if isinstance(stored, str) and stored not in NOT_FINITE:
        return html.escape(stored)
    return f'<code class="n">{format_number(stored)}</code>'
