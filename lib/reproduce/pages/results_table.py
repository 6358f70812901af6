"""The table of results that opens a chapter: its headline claims, and all claims folded under their number."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reproduce.claims.judge import used
from reproduce.claims.ledger import StoredClaim
from reproduce.claims.show import in_short
from reproduce.pages.ledger_table import claims_list
from reproduce.pages.templates import rendered

_SIGN = {"upper": "≤ ", "lower": "≥ "}
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def results_table(claims: Sequence[StoredClaim], count: str) -> str:
    """The headline claims, one row each, then all claims, folded unless one fails.

    claims: of one chapter, as stored.
    count: how many hold, in words.
    """
    rows = [_row(claim) for claim in claims if claim.complete and claim.record["headline"]]
    holds = all(claim.holds for claim in claims)
    return rendered("results.html.j2", rows=rows, holds=holds, count=count, claims=claims_list(claims))


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


def _row(claim: StoredClaim) -> Mapping[str, Any]:
    record = claim.record
    part = used(record)
    return {
        "id": claim.id,
        "holds": claim.holds,
        "quantity": record["headline"],
        "words": record["kind"] == "ordering",
        "predicted": (_SIGN[record["side"]] if record["kind"] == "bound" else "") + _quantity(record, "theory", 0),
        "measured": _quantity(record, "measured", 1),
        "entries": _entries(record),
        "off": _off(record),
        "norm": _norm(record),
        "part": min(1.0, part),
        "allowed": _allowed(record),
        "control": record["control"]["what"],
        "broken": _broken(record),
    }


def _quantity(record: Mapping[str, Any], part: str, place: int) -> str:
    """A number; the first of a list; of an array the entry where prediction and measurement are furthest apart."""
    quantity = record[part]
    if isinstance(quantity, str):
        return quantity
    if isinstance(quantity, dict):
        return in_print(record["worst"][place], 4) if record["worst"] else in_short(quantity)
    if isinstance(quantity, list):
        shown = [in_print(one, 3) for one in quantity]
        return ", ".join(shown if len(shown) < 4 else [*shown[:2], "…"])
    return in_print(quantity, 4)


def _entries(record: Mapping[str, Any]) -> str:
    """What is shown of an array, in words."""
    if any(isinstance(record[part], dict) for part in ("theory", "measured")):
        return "at the worst place"
    most = max((len(record[part]) for part in ("theory", "measured") if isinstance(record[part], list)), default=0)
    return f"{most} entries" if most > 3 else ""


def _off(record: Mapping[str, Any]) -> str:
    error = float(record["error"])
    if record["kind"] == "ordering":
        return in_print(-error)
    if record["kind"] == "bound" and error <= 0:
        return "kept"
    return in_print(error)


def _norm(record: Mapping[str, Any]) -> str:
    """In which norm the two are apart, in words."""
    error, many = float(record["error"]), record["worst"] is not None
    if record["kind"] == "ordering":
        return "least gap"
    if record["kind"] == "bound":
        missed = "above the bound" if record["side"] == "upper" else "short of the bound"
        room = f"{in_print(-error)} to spare" if error < 0 else missed if error > 0 else "exactly"
        return f"{room}, at the worst place" if many else room
    size = "of the largest |predicted|" if record["relative"] and many else "of |predicted|"
    if record["relative"]:
        return f"largest entry, in units {size}" if many else f"in units {size}"
    return "largest entry of the difference" if many else "difference"


def _allowed(record: Mapping[str, Any]) -> str:
    tolerance = in_print(record["tolerance"])
    return f"at least {tolerance}" if record["kind"] == "ordering" else f"allowed {tolerance}"


def _broken(record: Mapping[str, Any]) -> str:
    error = float(record["control"]["error"])
    if record["kind"] == "ordering":
        return f"least gap {in_print(-error)}"
    return f"off by {in_print(error)}"
