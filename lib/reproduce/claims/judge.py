"""How far a measurement is from theory, and whether a stored claim holds.

Everything here works on records alone, so that the ledger can judge again what a notebook says of itself.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from reproduce.claims.record import NOT_FINITE, TIMES, ClaimError, Relative, digest, stored

_MISSED = {"ordering": "the measured values do not each exceed the one before by the gap demanded"}
SAFETY = 4.0  # how many times the derived error a measurement may be off, in every claim of the book


def distance(
    kind: str, theory: ArrayLike, measured: ArrayLike, *, relative: Relative = False, side: str = "upper"
) -> float:
    """How far a measurement is on the wrong side of theory; a claim holds when this is at most its tolerance.

    - identity, limit, rate: max |measured − theory|, divided by max |theory| if ``relative``, or each difference by
      its own |theory| if that is "each".
    - bound: max (measured − theory) for an upper bound, max (theory − measured) for a lower one.
    - ordering: max (measured[i] − measured[i+1]) over a sequence that theory says increases; the tolerance is the gap
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
    with np.errstate(over="ignore"):  # infinitely far is what it then is
        if kind == "bound":
            return float(np.max(m - t) if side == "upper" else np.max(t - m))
        unit = unit_of(t, relative)
        return float(np.max(np.abs(m - t) / unit)) if np.all(unit > 0) else math.inf


def unit_of(theory: ArrayLike, relative: Relative) -> Any:
    """In what a distance is measured: 1, max |theory|, or each entry of theory in its own |theory|."""
    size = np.abs(np.asarray(theory, dtype=float))
    return size if relative == "each" else np.max(size) if relative else np.ones(())


def worst(
    kind: str, theory: ArrayLike, measured: ArrayLike, *, relative: Relative = False, side: str = "upper"
) -> tuple[Any, Any] | None:
    """Of several numbers, theory and measurement where they are furthest apart; None for one number, or an ordering."""
    if kind == "ordering" or np.size(measured) < 2:
        return None
    t, m = np.broadcast_arrays(np.asarray(theory, dtype=float), np.asarray(measured, dtype=float))
    if kind == "bound":
        off = {"upper": m - t, "lower": t - m}[side]
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.abs(m - t) / unit_of(t, relative)
    at = int(np.argmax(off))
    return stored(t.flat[at]), stored(m.flat[at])


def times(
    kind: str, theory: ArrayLike, measured: ArrayLike, tolerance: float, relative: Relative = False
) -> dict[str, bool]:
    """Whether the measurement would be within the tolerance of theory × 0, × .95 and × 1.05 too, in the claim's unit.

    Empty for a bound, an ordering, and a theory that is 0 or does not fit: of those no share is a wrong number.
    """
    t = np.zeros(1) if kind in ("bound", "ordering") else np.asarray(theory, dtype=float)
    m, unit = np.asarray(measured, dtype=float), unit_of(t, relative)
    fits = t.shape == m.shape or t.size == 1
    if not (fits and np.any(t) and np.all(np.isfinite(t)) and np.all(unit > 0)):
        return {}
    with np.errstate(over="ignore", invalid="ignore"):
        return {by: holds(kind, distance(kind, float(by) * t / unit, m / unit), tolerance) for by in TIMES}


def times_of(record: Mapping[str, Any]) -> dict[str, bool] | None:
    """The same of a record: from its numbers, or from what was stored of longer ones; None where that was not."""
    if not _in_summary(record):
        theory, measured = (_numbers(record[part]) for part in ("theory", "measured"))
        return times(record["kind"], theory, measured, float(record["tolerance"]), record["relative"])
    if record["kind"] in ("bound", "ordering"):
        return {}
    return (record["times"] or {}) if "times" in record else None


def tolerance_of(basis: str, derived: float) -> float:
    """The tolerance that follows from a derived error: ``SAFETY`` times it, rounded up to two digits at most.

    Rounded, to 1, 1.5, 2, 3, 5 or 7 times a power of ten, it is the same on every machine. A proved bound and a chosen
    level are themselves the tolerance.
    """
    exact = SAFETY * derived
    if basis != "error" or derived == 0 or not math.isfinite(exact):
        return derived
    power = math.floor(math.log10(exact))
    return next(
        rounded
        for mantissa in ("1", "1.5", "2", "3", "5", "7", "10", "15")
        if (rounded := float(f"{mantissa}e{power}")) >= exact * (1 - 1e-9)
    )


def follows(record: Mapping[str, Any]) -> bool:
    """Whether the tolerance of a record is the one that follows from what it is derived from."""
    return math.isclose(float(record["tolerance"]), tolerance_of(record["basis"], float(record["derived"])))


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


def refutes(kind: str, error: float, tolerance: float) -> bool:
    """Whether a control fails, as it must, by a finite number: a run that came to nothing refutes nothing."""
    return math.isfinite(error) and not holds(kind, error, tolerance)


def control_failed(record: Mapping[str, Any]) -> bool:
    """Whether the control of a record fails, judged from its number alone."""
    return refutes(record["kind"], float(record["control"]["error"]), float(record["tolerance"]))


def failures(record: Mapping[str, Any]) -> list[str]:
    """Why a record does not hold, judged from its numbers alone, in sentences; empty if it holds."""
    kind, tolerance, error = record["kind"], float(record["tolerance"]), float(record["error"])
    found = []
    if not holds(kind, error, tolerance):
        found.append(_MISSED.get(kind, "the measurement is outside its tolerance"))
    elif record["basis"] == "error" and (times_of(record) or {}).get("0"):
        found.append("theory 0 would hold as well, so the run is too small to judge")
    if not math.isfinite(float(record["control"]["error"])):
        found.append("the control is no finite number, so the claim proves nothing")
    elif not control_failed(record):
        found.append("the control passes, so the claim proves nothing")
    rival = record["rival"]
    if rival is not None and not float(rival["error"]) >= float(rival["factor"]) * error:  # nor is one that is NaN
        found.append("the rival theory is not far enough off")
    return found


def objections(record: Mapping[str, Any]) -> list[str]:
    """Everything that is wrong with a stored record, in sentences; empty for a claim that holds and was not edited."""
    found = failures(record)
    if not follows(record):
        found.append("the stored tolerance does not follow from what it is derived from")
    if record["headline"] and record["control"]["kind"] == "formula" and record["kind"] != "identity":
        found.append("it is a headline, and its control only alters a formula; measure another run")
    if record["passed"] is not (not failures(record)):
        found.append("the stored verdict does not follow from the stored numbers")
    if record["control"]["failed"] is not control_failed(record):
        found.append("the stored outcome of the control does not follow from its number")
    if not _in_summary(record):
        theory, measured = (_numbers(record[part]) for part in ("theory", "measured"))
        try:
            again = distance(record["kind"], theory, measured, relative=record["relative"], side=record["side"])
        except ClaimError as error:
            return [*found, f"its theory and measured do not fit: {error}"]
        if not math.isclose(again, float(record["error"]), rel_tol=1e-9, abs_tol=1e-300):
            found.append("the stored error does not follow from theory and measured")
    if not _worst_follows(record):
        found.append("the place where theory and measured are furthest apart does not follow from them")
    if "times" in record and (record["times"] or {}) != times_of(record):
        found.append("what would hold of theory times 0, .95 and 1.05 does not follow from the stored numbers")
    if record["digest"] != digest(record):
        found.append("it was edited after its chapter ran: its digest does not match")
    return found


def _worst_follows(record: Mapping[str, Any]) -> bool:
    """Whether the numbers at the worst place are those; of longer ones whether they are as far apart as the error."""
    kind, units = record["kind"], {"relative": record["relative"], "side": record["side"]}
    pair = record["worst"]
    if not _in_summary(record):
        expected = worst(kind, *(_numbers(record[part]) for part in ("theory", "measured")), **units)
        return bool(pair == (None if expected is None else list(expected)))
    if pair is None or kind == "ordering":
        return pair is None and kind == "ordering"
    again = distance(kind, *map(float, pair), **units)  # in a unit of all of theory it cannot be told
    return record["relative"] is True or math.isclose(again, float(record["error"]), rel_tol=1e-9, abs_tol=1e-300)


def _in_summary(record: Mapping[str, Any]) -> bool:
    """Whether of theory or measurement only shape and norm are stored."""
    return any(isinstance(record[part], dict) for part in ("theory", "measured"))


def _numbers(quantity: Any) -> Any:
    """A stored quantity as numbers again; the words that name an ordering stay words."""
    words = isinstance(quantity, str) and quantity not in NOT_FINITE
    return quantity if words else np.asarray(quantity, dtype=float)
