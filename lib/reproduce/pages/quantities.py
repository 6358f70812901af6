"""A claim's numbers in print: what is predicted and measured, how far they are apart, and what is allowed."""

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from reproduce.claims.judge import times_of, used
from reproduce.claims.show import FAR, in_order, in_short

SIGN = {"upper": "≤ ", "lower": "≥ "}
PARTS = ("theory", "measured")
SHORT = 3  # so many numbers are listed
RELATIVE = 1e-5  # a smaller part of a number is said as such and not in percent
KEPT = "kept"  # of a bound
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def in_print(number: float | str, digits: int = 2) -> str:
    """A number as it is printed: two significant digits, powers of ten written as powers.

    >>> in_print(2.04e-11), in_print(0.025), in_print(1234.5, 4), in_print(-0.5)
    ('2·10⁻¹¹', '0.025', '1234', '−0.5')
    """
    value = float(number)
    if not math.isfinite(value):
        return str(value)
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return (f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}").replace("-", "−")
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    raised = f"10{str(int(power)).translate(SUPERSCRIPT)}"
    return raised if float(mantissa) == 1 else f"{float(mantissa):g}·{raised}".replace("-", "−")


def quantity(record: Mapping[str, Any], part: str) -> str:
    """Theory or measurement: a number; a short list; of many numbers the one where the two are furthest apart."""
    found = record[part]
    if isinstance(found, str):
        return found
    if record["worst"] and _many(record):
        return in_print(record["worst"][PARTS.index(part)], 4)
    if isinstance(found, dict):
        return in_short(found)
    if isinstance(found, list):
        shown = [in_print(one, 3) for one in found]
        return ", ".join(shown if len(shown) <= SHORT else [*shown[:2], "…"])
    return in_print(found, 4)


def predicted(record: Mapping[str, Any]) -> str:
    """The theory, of a bound with its sign; of an ordering what lies below what."""
    if record["kind"] == "ordering":
        return in_order(record["theory"])
    sign = SIGN[record["side"]] if record["kind"] == "bound" else ""
    return sign + quantity(record, "theory").replace(", ", f", {sign}").replace(f"{sign}…", "…")


def _many(record: Mapping[str, Any]) -> bool:
    """Whether theory or measurement is too long to be listed."""
    parts = [record[part] for part in PARTS]
    return any(isinstance(part, dict) or (isinstance(part, list) and len(part) > SHORT) for part in parts)


def off(record: Mapping[str, Any]) -> str:
    """How far the two are apart; of an ordering the least gap."""
    error = float(record["error"])
    if record["kind"] == "ordering":
        return f"gap {in_print(-error)}"
    if record["kind"] == "bound" and error <= 0:
        return KEPT
    return in_print(error)


def to_spare(record: Mapping[str, Any]) -> float | None:
    """By how much a bound is kept; None where it is not, and for a claim of another kind."""
    error = float(record["error"])
    return abs(error) if record["kind"] == "bound" and error <= 0 else None


def rank(record: Mapping[str, Any]) -> float:
    """By what claims are sorted: the part of the tolerance that the error uses.

    A bound that is kept uses none of it: it lies below 0, the lower the more there is to spare, as a part of bound or
    measurement, whichever is larger.
    """
    spare = to_spare(record)
    if not spare:
        return used(record)
    pair = record["worst"] or [np.ravel(record[part])[0] for part in PARTS]
    return -spare / max(spare, *(abs(float(one)) for one in pair))


def allowed(record: Mapping[str, Any]) -> str:
    """How far they may be apart; of an ordering the gap demanded, of a strict bound nothing."""
    if record["kind"] == "bound" and record["tolerance"] == 0:
        return ""
    tolerance = in_print(record["tolerance"])
    return f"demanded: at least {tolerance}" if record["kind"] == "ordering" else f"allowed {tolerance}"


def allowed_in_short(record: Mapping[str, Any], beside: str = "") -> str:
    """How far they may be apart, beside a number and in its unit; of a strict bound nothing.

    record: the claim's.
    beside: what the cell of the measurement says. Where it gives one of the claim's numbers in percent, so is what is
        allowed.
    """
    tolerance = float(record["tolerance"])
    size = in_print(tolerance)
    if not record["relative"] and _says_in_percent(record, beside):
        points = in_print(100 * tolerance)
        size = f"{points} percentage point{'s' if points != '1' else ''}"
    if record["kind"] == "ordering":
        return _order_in_short(record["measured"], tolerance, size, beside)
    if tolerance == 0:
        return ""
    if record["relative"]:
        size = f"{in_print(100 * tolerance)} %" if tolerance >= RELATIVE else f"{in_print(tolerance)}, relative"
    return f"allowed: {size} beyond" if record["kind"] == "bound" else f"allowed: ±\u00a0{size}"


def _order_in_short(measured: Any, tolerance: float, size: str, beside: str) -> str:
    """What an ordering demands, where the cell beside it gives the lower of two numbers, or a ratio for logarithms."""
    if not tolerance:
        return "in this order"
    by = f" by at least {size}" if tolerance >= RELATIVE else ""
    if isinstance(measured, list) and len(measured) > 2:
        return f"each more than the one before{',' * bool(by)}{by}"
    if isinstance(measured, list) and len(measured) == 2:
        first, last = (float(one) for one in measured)
        if _says(beside, math.exp(min(last - first, 100.0))) and not _says(beside, last):
            return f"at least {math.exp(tolerance):.1f}"
        lower, higher = (_says(beside, one) or _says(beside, 100 * one) for one in (first, last))
        if lower and not higher:
            return f"less{by}"
    return f"more{by}"


def _says(beside: str, value: float) -> bool:
    """Whether the first number of a text is this one, as it is rounded there."""
    found = re.search(r"[-−]?\d+(?:\.(\d+))?", beside)
    return found is not None and abs(float(found[0].replace("−", "-")) - value) <= 0.51 * 10.0 ** -len(found[1] or "")


def _says_in_percent(record: Mapping[str, Any], beside: str) -> bool:
    """Whether a text gives one of the claim's measured numbers, as it is rounded there, in percent."""
    found = record["measured"]
    values = [] if isinstance(found, (dict, str)) else [100 * float(one) for one in np.ravel(found)]
    for whole, fraction in re.findall(r"(\d+)(?:\.(\d+))?\s%", beside):
        unit = 10.0 ** -len(fraction)
        if any(abs(float(f"{whole}.{fraction or 0}") - one) <= 0.51 * unit for one in values):
            return True
    return False


def five_percent(record: Mapping[str, Any]) -> str:
    """Whether the measurement passes with theory × .95 and × 1.05, in two words; or why that is not known."""
    found = times_of(record)
    if found is None:
        return "not recorded"
    return " / ".join("yes" if found[by] else "no" for by in ("0.95", "1.05")) if found else "no number"


def off_by(error: float) -> str:
    """How far a control or a rival is off; no number that says no more than that it is far."""
    return f"off by {in_print(error)}" if error < FAR else "far off"


def broken(record: Mapping[str, Any]) -> str:
    """What the control gives: a few numbers, or how far many are off; of an ordering the least gap."""
    found, error = record["control"]["measured"], float(record["control"]["error"])
    if record["kind"] == "ordering":
        return f"gap {in_print(-error or 0.0)}"
    few = found if isinstance(found, list) else [found]
    if isinstance(found, dict) or len(few) > SHORT:
        return off_by(error)
    return ", ".join(in_print(one, 3) for one in few)
