"""What a chapter claims: a theory value, a measured value, a tolerance, and a control that must fail.

A claim prints one line that is the same on every machine (verdict and bound) and a box with its numbers, and stores all
of it in the output's metadata under the key ``claim``. Its words stand in the text and are joined to that afterwards
(``words``). The ledger reads it back from there and judges it again.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack, get_args

import numpy as np
from IPython.core.getipython import get_ipython
from IPython.display import display
from numpy.typing import ArrayLike

from reproduce.claims.errors import Number
from reproduce.claims.judge import SAFETY, distance, failures, refutes, times, tolerance_of, unit_of, worst
from reproduce.claims.parts import Control, Parts, Rival
from reproduce.claims.record import (
    SECONDS,
    UNSAID,
    Basis,
    ClaimError,
    ControlRecord,
    Kind,
    Record,
    Relative,
    RivalRecord,
    Side,
    stored,
)
from reproduce.claims.show import box, line
from reproduce.claims.wellformed import fault_of

_last_claim_at = time.monotonic()
_ids_of_cell: tuple[int, set[str]] = (-1, set())


@dataclass(frozen=True)
class Claims:
    """The claims of one chapter, each stated by the method of its kind.

    claims = Claims("max_margin")
    claims.limit("direction", limit.w, slope, error=…, control=…)

    chapter: the chapter's short name, with which the ids of its claims begin.
    """

    chapter: str

    def __post_init__(self) -> None:
        """From here on each figure that is shown is stored with the numbers of what it draws."""
        formatter = getattr(get_ipython(), "display_formatter", None)
        if formatter is not None:
            from reproduce.claims.with_numbers import store_what_is_drawn  # of IPython what only a shell has loaded

            store_what_is_drawn(formatter.formatters)

    def identity(self, name: str, theory: ArrayLike, measured: ArrayLike, **parts: Unpack[Parts]) -> None:
        """Two ways to the same number: |measured − theory| ≤ tolerance (see ``Parts``)."""
        self._judge("identity", name, theory, measured, **parts)

    def limit(self, name: str, theory: ArrayLike, measured: ArrayLike, **parts: Unpack[Parts]) -> None:
        """What a run tends to: |measured − theory| ≤ tolerance (see ``Parts``)."""
        self._judge("limit", name, theory, measured, **parts)

    def rate(self, name: str, theory: ArrayLike, measured: ArrayLike, **parts: Unpack[Parts]) -> None:
        """How fast: |measured − theory| ≤ tolerance (see ``Parts``)."""
        self._judge("rate", name, theory, measured, **parts)

    def below(self, name: str, theory: ArrayLike, measured: ArrayLike, **parts: Unpack[Parts]) -> None:
        """An upper bound: measured ≤ theory + tolerance (see ``Parts``)."""
        self._judge("bound", name, theory, measured, **parts)

    def above(self, name: str, theory: ArrayLike, measured: ArrayLike, **parts: Unpack[Parts]) -> None:
        """A lower bound: measured ≥ theory − tolerance (see ``Parts``)."""
        self._judge("bound", name, theory, measured, side="lower", **parts)

    def increasing(self, name: str, measured: ArrayLike, **parts: Unpack[Parts]) -> None:
        """An ordering: each measured value exceeds the one before by the tolerance at least (see ``Parts``)."""
        self._judge("ordering", name, math.nan, measured, **parts)

    def _judge(
        self,
        kind: Kind,
        name: str,
        theory: ArrayLike,
        measured: ArrayLike,
        *,
        control: ArrayLike | Control,
        error: Number | None = None,
        proved: Number | None = None,
        level: Number | None = None,
        rival: Rival | None = None,
        relative: Relative = False,
        fill: Mapping[str, Any] | None = None,
        side: Side = "upper",
    ) -> None:
        """Judge one claim, show it, and store it in the notebook. A claim that does not hold stops nothing."""
        id = f"{self.chapter}.{name}"
        basis, derived = _derived(id, {"error": error, "proved": proved, "level": level})
        tolerance = tolerance_of(basis, derived)
        control = control if isinstance(control, Control) else Control(control)
        _check(id, kind, control, rival, relative)
        _refuse_twice_in_a_cell(id)

        def off(value: ArrayLike, expected: ArrayLike) -> float:
            return distance(kind, expected, value, relative=relative, side=side)

        off_control = off(control.measured, theory if control.theory is None else control.theory)
        broken = ControlRecord(
            what=UNSAID,
            kind=control.kind,
            near=UNSAID if control.near else "",
            measured=stored(control.measured),
            error=stored(off_control),
            failed=refutes(kind, off_control, tolerance),
        )
        beaten = None
        if rival is not None:
            unit = unit_of(theory, relative)
            off_rival = stored(distance(kind, np.asarray(rival.value) / unit, np.asarray(measured) / unit))
            beaten = RivalRecord(UNSAID, stored(rival.value), off_rival, float(rival.factor))
        record = Record(
            id=id,
            statement=UNSAID,
            headline="",
            source=UNSAID,
            evidence=UNSAID,
            kind=kind,
            relative=relative,
            side=side,
            theory=UNSAID if kind == "ordering" else stored(theory),
            measured=stored(measured),
            error=stored(off(measured, theory)),
            worst=worst(kind, theory, measured, relative=relative, side=side),
            tolerance=tolerance,
            basis=basis,
            derived=derived,
            why=UNSAID,
            control=broken,
            rival=beaten,
            passed=True,
            seconds=_seconds_since_last_claim(),
            times=times(kind, theory, measured, tolerance, relative) or None,
        )
        record = replace(record, passed=not failures(record.as_json()))
        show(record.as_json(), {part: str(value) for part, value in (fill or {}).items()})


def show(record: dict[str, Any], fill: Mapping[str, str] | None = None) -> None:
    """Display a judged claim and store it in the output's metadata; outside a notebook, print its line.

    record: the claim's.
    fill: what names in braces stand for in its words.
    """
    if get_ipython() is None:
        print(line(record))
    else:
        data = {"text/plain": line(record), "text/html": box(record)}
        metadata = {"claim": record} | ({"fill": dict(fill)} if fill else {})
        display(data, raw=True, metadata=metadata)  # type: ignore[no-untyped-call]


def _derived(id: str, asked: Mapping[Basis, Number | None]) -> tuple[Basis, float]:
    """What the tolerance of a claim follows from: which of the three, and the number."""
    given = [(basis, value) for basis, value in asked.items() if value is not None]
    if len(given) != 1:
        named = ", ".join(basis for basis, _ in given) or "nothing"
        raise ClaimError(f"claim {id}: {named} given; it must be one of {', '.join(get_args(Basis))}")
    ((basis, value),) = given
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not (number and math.isfinite(SAFETY * value) and value >= 0):
        raise ClaimError(f"claim {id}: {basis} is {value!r}; it must be a finite number, at least 0")
    if basis == "error" and value == 0:
        raise ClaimError(f"claim {id}: error is 0; what is exact is given as proved=0")
    return basis, float(value)


def _check(id: str, kind: Kind, control: Control, rival: Rival | None, relative: Any) -> None:
    """Refuse what could not be refuted, and a unit that is none or that the kind does not use."""
    for name, value in (("id", id), ("relative", relative)):
        if wrong := fault_of(name, value):
            raise ClaimError(f"claim {id}: {name} is {value!r}; it {wrong}")
    if relative and kind in ("bound", "ordering"):
        raise ClaimError(f"claim {id}: relative is {relative!r}, but a {kind} is measured as it is; leave it out")
    if kind == "bound" and control.theory is not None and not control.near:
        raise ClaimError(
            f"claim {id}: its control has a bound of its own, control.theory, which anything could violate; break the "
            "premise instead, or set near=True and say in ':near:' why that bound lies near the claim's"
        )
    if control.theory is None and (control.anew or control.near):
        raise ClaimError(f"claim {id}: control.anew and control.near are about a control.theory, and there is none")
    if rival is not None:
        if not rival.factor > 1:
            raise ClaimError(f"claim {id}: rival.factor is {rival.factor!r}; it must be greater than 1")
        if kind in ("bound", "ordering"):
            raise ClaimError(f"claim {id}: a {kind} has no rival value; state the comparison as a claim of its own")


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
