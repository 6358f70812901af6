"""How a stored claim is shown: a line that is the same on every machine, and a box with its numbers.

Both are stored with the notebooks, and the ledger holds them to the record: another form needs every chapter executed.
"""

import html
from collections.abc import Mapping
from typing import Any

from reproduce.claims.judge import SAFETY, failures
from reproduce.claims.record import NOT_FINITE

BROKEN = {"premise": "premise broken", "contrast": "for contrast", "formula": "formula altered"}  # controls, in words
OF_CALL = {**BROKEN, "premise": "another run", "contrast": "another run"}  # the same where no text was joined yet
FAR = 100.0  # a distance from there on says nothing that the number itself does not say better


def line(record: Mapping[str, Any]) -> str:
    """The claim as one line that is the same on every machine."""
    rival = ", the rival is off" if record["rival"] else ""
    tail = f"the control fails, as it must{rival}" if record["passed"] else "; ".join(failures(record))
    return f"{verdict(record['passed'])}  {record['id']}: {bound_in_words(record)}; {tail}"


def verdict(holds: bool) -> str:
    """Whether a claim holds, in a word."""
    return "✓ holds" if holds else "✗ FAILS"


def bound_in_words(record: Mapping[str, Any]) -> str:
    """The inequality that a claim asserts, with its tolerance."""
    tolerance = format_number(record["tolerance"])
    if record["kind"] == "ordering":
        return f"gaps ≥ {tolerance}"
    if record["kind"] == "bound":
        return f"measured ≤ theory + {tolerance}" if record["side"] == "upper" else f"measured ≥ theory − {tolerance}"
    over = {False: "", True: " / |theory|", "each": " / |theory|, each,"}[record["relative"]]
    return f"|measured − theory|{over} ≤ {tolerance}"


def box(record: Mapping[str, Any]) -> str:
    """The claim's numbers as a box of HTML; each that may differ between machines stands in ``<code class="n">``."""
    return f'<div class="{look(record)}"><p class="claim-head">{head(record)}</p>{details(record)}</div>'


def look(record: Mapping[str, Any]) -> str:
    """The classes of the claim's box."""
    return f"claim claim-{'holds' if record['passed'] else 'fails'}"


def head(record: Mapping[str, Any]) -> str:
    """Verdict and id in HTML."""
    return f'<b>{verdict(record["passed"])}</b> <span class="claim-id">{html.escape(record["id"])}</span>'


def details(record: Mapping[str, Any], *, words: bool = False) -> str:
    """What is below a claim's head, in HTML: its numbers, or with the words that its record has."""
    control, rival, ordered = record["control"], record["rival"], record["kind"] == "ordering"
    broken = (BROKEN if words else OF_CALL)[control["kind"]]
    came_out = _otherwise(control["measured"], control["error"], ordered)

    def said(text: str, before: str = "", after: str = "") -> str:
        return f"{before}{html.escape(text)}{after}" if words and text else ""

    near = said(control["near"], "; near the claim's own, as ")
    rows = [
        ("predicted", said(in_order(record["theory"])) if ordered else _at_worst(record, "theory", 0)),
        ("measured", _at_worst(record, "measured", 1)),
        _distance(record),
        ("because", f"{_derived(record)}{said(record['why'], ': ')}"),
        ("control", f"{broken}{said(control['what'], ': ')}; {came_out}{near}"),
    ]
    if rival is not None:
        nearer = f"at least {html.escape(format_number(rival['factor']))} times the claim's"
        rows.append(
            ("rival", f"{said(rival['what'], after=': ')}{_otherwise(rival['value'], rival['error'])}, {nearer}")
        )
    rows += [("source", said(record["source"])), ("evidence", said(record["evidence"]))]
    body = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows if value)
    wrong = "" if record["passed"] else f'<p class="claim-wrong">{html.escape("; ".join(failures(record)))}</p>'
    return f"{wrong}<dl>{body}</dl>"


def in_order(names: str) -> str:
    """The names of an ordering, ``a, b``, as what it asserts, ``a < b``."""
    return names.replace(", ", " < ")


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


def _at_worst(record: Mapping[str, Any], part: str, place: int) -> str:
    """Theory or measurement in HTML; of many numbers the one where the two are furthest apart, and their norm."""
    quantity = record[part]
    if record["worst"] is None or not isinstance(quantity, dict):
        return _in_full(quantity)
    return f"{_in_full(record['worst'][place])} where they are furthest apart, of {_in_full(quantity)}"


def _derived(record: Mapping[str, Any]) -> str:
    """What the tolerance follows from, in HTML."""
    if record["basis"] == "error":
        return f"{SAFETY:g} times the derived error {_in_full(record['derived'])}, rounded up"
    if record["basis"] == "level":
        return "a level, not an error"
    return "a proved bound" if record["derived"] > 0 else "without an error of its own"


def _distance(record: Mapping[str, Any]) -> tuple[str, str]:
    """How far theory and measurement are apart, and how far they may be; of an ordering the least gap."""
    if record["kind"] == "bound" and (spare := -float(record["error"])) >= 0:
        return "to spare", f"{_in_full(spare)}; allowed {html.escape(bound_in_words(record))}"
    if record["kind"] == "ordering":
        return "least gap", f"{_in_full(-float(record['error']))}; demanded {html.escape(bound_in_words(record))}"
    return "off by", f"{_in_full(record['error'])}; allowed {html.escape(bound_in_words(record))}"


def _otherwise(value: Any, error: Any, ordered: bool = False) -> str:
    """What a control or a rival gives, in HTML, and how far off that is unless it is ``FAR``."""
    if ordered:
        return f"{_in_full(value)}, least gap {_in_full(-float(error))}"
    return _in_full(value) + (f", off by {_in_full(error)}" if float(error) < FAR else "")


def _in_full(quantity: Any) -> str:
    """A stored quantity in HTML."""
    if isinstance(quantity, dict):
        shape = html.escape(" × ".join(str(n) for n in quantity["shape"]))
        return f'{shape} numbers of norm <code class="n">{html.escape(format_number(quantity["norm"]))}</code>'
    if isinstance(quantity, list):
        return ", ".join(_in_full(entry) for entry in quantity)
    if isinstance(quantity, str) and quantity not in NOT_FINITE:
        return html.escape(quantity)
    return f'<code class="n">{format_number(quantity)}</code>'
