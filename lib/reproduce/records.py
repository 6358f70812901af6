"""A stored claim: how far its measurement is from theory, whether it holds, and how it is shown.

A record is the mapping that an output's metadata holds under the key ``claim``. Everything here works on records alone,
so that the ledger can judge again what a notebook says of itself.
"""

import hashlib
import html
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

LONGEST_STORED = 12
NOT_FINITE = ("nan", "inf", "-inf")


class ClaimError(ValueError):
    """A claim that is not well formed: it says nothing, or nothing could refute it."""


def distance(
    kind: str, theory: ArrayLike, measured: ArrayLike, *, relative: bool = False, side: str = "upper"
) -> float:
    """How far a measurement is on the wrong side of theory; a claim holds when this is at most its tolerance.

    identity, limit, rate: max |measured − theory|, divided by max |theory| if ``relative``.
    bound: max (measured − theory) for an upper bound, max (theory − measured) for a lower one.
    ordering: max (measured[i] − measured[i+1]) over a sequence that theory says increases; the tolerance is the gap
        demanded, so that this distance must be at most −tolerance.

    A value that is not a finite number is infinitely far. Raises ClaimError for shapes that do not fit.
    """
    m = np.asarray(measured, dtype=float)
    if kind == "ordering":
        if m.ndim != 1 or m.size < 2:
            raise ClaimError(f"measured has shape {m.shape}; an ordering needs a sequence of at least two numbers")
        return float(np.max(m[:-1] - m[1:])) if np.all(np.isfinite(m)) else math.inf
    t = np.asarray(theory, dtype=float)
    if m.size == 0 or t.size == 0:
        raise ClaimError("theory and measured must hold at least one number")
    if t.shape != m.shape and t.size != 1:
        raise ClaimError(f"theory has shape {t.shape}, measured has {m.shape}; they must agree, or theory be a number")
    if not (np.all(np.isfinite(m)) and np.all(np.isfinite(t))):
        return math.inf
    if kind == "bound":
        return float(np.max(m - t) if side == "upper" else np.max(t - m))
    unit = float(np.max(np.abs(t))) if relative else 1.0
    return float(np.max(np.abs(m - t))) / unit if unit > 0 else math.inf


def holds(kind: str, error: float, tolerance: float) -> bool:
    """Whether a distance is within the tolerance; for an ordering, whether the gap is at least the tolerance."""
    return bool(error <= -tolerance) if kind == "ordering" else bool(error <= tolerance)


def used(record: Mapping[str, Any]) -> float:
    """The part of a claim's tolerance that its error uses up: at most 1 if the measurement is within the tolerance.

    0 for a bound that is kept with something to spare; for an ordering, the gap demanded over the smallest measured.
    """
    error, tolerance = float(record["error"]), float(record["tolerance"])
    allowed, needed = (-error, tolerance) if record["kind"] == "ordering" else (tolerance, error)
    if holds(record["kind"], error, tolerance):
        return max(0.0, needed / allowed) if allowed > 0 else 0.0
    return needed / allowed if allowed > 0 else math.inf


def failures(record: Mapping[str, Any]) -> list[str]:
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


def objections(record: Mapping[str, Any]) -> list[str]:
    """Everything that is wrong with a stored record, in sentences; empty for a claim that holds and was not edited."""
    found = failures(record)
    if record["passed"] is not (not found):
        found.append("the stored verdict does not follow from the stored numbers")
    control = record["control"]
    if control["failed"] is holds(record["kind"], float(control["error"]), float(record["tolerance"])):
        found.append("the stored outcome of the control does not follow from its number")
    if not any(isinstance(record[part], dict) for part in ("theory", "measured")):
        theory, measured = (_numbers(record[part]) for part in ("theory", "measured"))
        again = distance(record["kind"], theory, measured, relative=record["relative"], side=record["side"])
        if not math.isclose(again, float(record["error"]), rel_tol=1e-9, abs_tol=1e-300):
            found.append("the stored error does not follow from theory and measured")
    if record["digest"] != digest(record):
        found.append("it was edited after its chapter ran: its digest does not match")
    return found


def digest(record: Mapping[str, Any]) -> str:
    """A checksum of a record without its seconds: it tells an edit of any number, also of those stored in summary."""
    content = {key: value for key, value in record.items() if key not in ("digest", "seconds")}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def stored(value: ArrayLike) -> Any:
    """What is stored of a quantity: a number, a short list, or for a longer array its shape and Euclidean norm.

    JSON has no number that is not finite: such a one is stored as a word.
    """
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        return float(array) if math.isfinite(array) else str(float(array))
    if array.ndim == 1 and array.size <= LONGEST_STORED:
        return [stored(entry) for entry in array]
    return {"shape": list(array.shape), "norm": stored(np.linalg.norm(array))}


def line(record: Mapping[str, Any]) -> str:
    """The claim as one line that is the same on every machine."""
    mark = "✓ holds" if record["passed"] else "✗ FAILS"
    rival = ", the rival is off" if record["rival"] else ""
    tail = f"the control fails, as it must{rival}" if record["passed"] else "; ".join(failures(record))
    return f"{mark}  {record['id']}: {bound_in_words(record)}; {tail}"


def bound_in_words(record: Mapping[str, Any]) -> str:
    """The inequality that a claim asserts, with its tolerance."""
    tolerance = format_number(record["tolerance"])
    if record["kind"] == "ordering":
        return f"{record['theory']}, in this order, gaps ≥ {tolerance}"
    if record["kind"] == "bound":
        return f"measured ≤ theory + {tolerance}" if record["side"] == "upper" else f"measured ≥ theory − {tolerance}"
    over = " / |theory|" if record["relative"] else ""
    return f"|measured − theory|{over} ≤ {tolerance}"


def box(record: Mapping[str, Any]) -> str:
    """The claim as a box of HTML; each number that may differ between machines stands in ``<code class="n">``."""
    control, rival, passed = record["control"], record["rival"], record["passed"]
    rows = [
        ("theory", _in_full(record["theory"])),
        ("measured", _in_full(record["measured"])),
        ("off by", f"{_in_full(record['error'])}; allowed {html.escape(bound_in_words(record))}"),
        ("because", html.escape(record["why"])),
        ("control", f"{html.escape(control['what'])}: off by {_in_full(control['error'])}"),
    ]
    if rival is not None:
        nearer = f"at least {format_number(rival['factor'])} times the claim's"
        rows.append(("rival", f"{html.escape(rival['what'])}: off by {_in_full(rival['error'])}, {nearer}"))
    rows.append(("source", html.escape(record["source"])))
    body = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)
    wrong = "" if passed else f'<p class="claim-wrong">{html.escape("; ".join(failures(record)))}</p>'
    return (
        f'<div class="claim claim-{"holds" if passed else "fails"}" id="claim-{record["id"]}">'
        f'<p class="claim-head"><b>{"✓ holds" if passed else "✗ FAILS"}</b> '
        f'<span class="claim-id">{record["id"]}</span> '
        f"{html.escape(record['statement'])}</p>{wrong}<dl>{body}</dl></div>"
    )


def format_number(value: float | str) -> str:
    """A number in at most four significant digits; words stay as they are."""
    return value if isinstance(value, str) else f"{value:.4g}"


def in_short(quantity: Any) -> str:
    """A stored quantity in a few characters: a number, the ends of a list, or the norm of an array."""
    if isinstance(quantity, dict):
        return f"‖·‖ {format_number(quantity['norm'])}"
    if isinstance(quantity, list):
        ends = quantity if len(quantity) < 3 else [quantity[0], quantity[-1]]
        return (" … " if len(quantity) > 2 else ", ").join(map(format_number, ends))
    return format_number(quantity)


def _numbers(quantity: Any) -> Any:
    """A stored quantity as numbers again; the words that name an ordering stay words."""
    words = isinstance(quantity, str) and quantity not in NOT_FINITE
    return quantity if words else np.asarray(quantity, dtype=float)


def _in_full(quantity: Any) -> str:
    """A stored quantity in HTML."""
    if isinstance(quantity, dict):
        shape = " × ".join(str(n) for n in quantity["shape"])
        return f'{shape} numbers of norm <code class="n">{format_number(quantity["norm"])}</code>'
    if isinstance(quantity, list):
        return ", ".join(_in_full(entry) for entry in quantity)
    if isinstance(quantity, str) and quantity not in NOT_FINITE:
        return html.escape(quantity)
    return f'<code class="n">{format_number(quantity)}</code>'
