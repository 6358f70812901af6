"""What a chapter claims: a theory value, a measured value, a tolerance with its reason, and a control that must fail.

A claim prints one line that is the same on every machine (verdict and bound) and a box with its numbers, and stores all
of it in the output's metadata under the key ``claim``. The ledger reads it back from there and judges it again.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack, get_args, get_type_hints

import numpy as np
from IPython.core.getipython import get_ipython
from IPython.display import display
from numpy.typing import ArrayLike

from reproduce.claims.judge import SAFETY, distance, failures, refutes, tolerance_of, unit_of, worst
from reproduce.claims.parts import Basis, Control, Ordered, Parts, Rival
from reproduce.claims.record import SECONDS, ClaimError, ControlRecord, Record, RivalRecord, stored
from reproduce.claims.show import box, line
from reproduce.claims.wellformed import ID

Kind = Literal["identity", "limit", "rate", "bound", "ordering"]

_last_claim_at = time.monotonic()
_ids_of_cell: tuple[int, set[str]] = (-1, set())


@dataclass(frozen=True)
class Claims:
    """The claims of one chapter, each stated by the method of its kind.

    claims = Claims("max_margin", source="Soudry et al. 2018, Theorem 3")
    claims.limit("direction", "the slope of w in ln t is …", theory=…, measured=…, error=…, because=…, control=…)

    chapter: the chapter's short name, with which the ids of its claims begin.
    source: paper and theorem of the claims that name no other.
    """

    chapter: str
    source: str

    def __post_init__(self) -> None:
        """Refuse a name or a source that says nothing."""
        _check_words(source=self.source)
        if not ID.fullmatch(f"{self.chapter}.claim"):
            raise ClaimError(f"chapter is {self.chapter!r}; it must be in lower-case letters, digits and _")

    def identity(self, name: str, statement: str, **parts: Unpack[Parts]) -> None:
        """Two ways to the same number: |measured − theory| ≤ tolerance (see ``Parts``)."""
        self._judge("identity", name, statement, parts)

    def limit(self, name: str, statement: str, **parts: Unpack[Parts]) -> None:
        """What a run tends to: |measured − theory| ≤ tolerance (see ``Parts``)."""
        self._judge("limit", name, statement, parts)

    def rate(self, name: str, statement: str, **parts: Unpack[Parts]) -> None:
        """How fast: |measured − theory| ≤ tolerance (see ``Parts``)."""
        self._judge("rate", name, statement, parts)

    def below(self, name: str, statement: str, **parts: Unpack[Parts]) -> None:
        """An upper bound: measured ≤ theory + tolerance (see ``Parts``)."""
        self._judge("bound", name, statement, parts, side="upper")

    def above(self, name: str, statement: str, **parts: Unpack[Parts]) -> None:
        """A lower bound: measured ≥ theory − tolerance (see ``Parts``)."""
        self._judge("bound", name, statement, parts, side="lower")

    def increasing(self, name: str, statement: str, **parts: Unpack[Ordered]) -> None:
        """An ordering: each measured value exceeds the one before by the tolerance at least (see ``Ordered``)."""
        self._judge("ordering", name, statement, parts)

    def _judge(
        self,
        kind: Kind,
        name: str,
        statement: str,
        parts: Mapping[str, Any],
        side: Literal["upper", "lower"] = "upper",
    ) -> None:
        """Judge one claim, show it, and store it in the notebook. A claim that does not hold stops nothing."""
        id = f"{self.chapter}.{name}"
        demanded = ("theory", "measured", "because", "control")
        if missing := [part for part in demanded if part not in parts]:
            raise ClaimError(f"claim {id}: {', '.join(missing)} missing")
        if unknown := sorted(parts.keys() - get_type_hints(Parts).keys()):
            raise ClaimError(f"claim {id}: {', '.join(unknown)} unknown")
        source, because = parts.get("source", self.source), parts["because"]
        theory, measured = parts["theory"], parts["measured"]
        basis, derived = _derived(id, parts)
        tolerance = tolerance_of(basis, derived)
        control, rival = parts["control"], parts.get("rival")
        relative, headline = parts.get("relative", False), parts.get("headline", "")
        _check_words(id=id, statement=statement, source=source, because=because)
        _check(id, kind, control, rival, headline)
        _check_relative(id, kind, relative)
        _refuse_twice_in_a_cell(id)

        def off(value: ArrayLike, expected: ArrayLike) -> float:
            return distance(kind, expected, value, relative=relative, side=side)

        error = off(measured, theory)
        off_control = off(control.measured, theory if control.theory is None else control.theory)
        broken = ControlRecord(
            what=control.what,
            kind=control.kind,
            near=control.near,
            measured=stored(control.measured),
            error=stored(off_control),
            failed=refutes(kind, off_control, tolerance),
        )
        beaten = None
        if rival is not None:
            unit = unit_of(theory, relative)
            off_rival = stored(distance(kind, np.asarray(rival.value) / unit, np.asarray(measured) / unit))
            beaten = RivalRecord(rival.what, stored(rival.value), off_rival, float(rival.factor))
        record = Record(
            id=id,
            statement=statement,
            headline=headline,
            source=source,
            kind=kind,
            relative=relative,
            side=side,
            theory=theory if kind == "ordering" else stored(theory),
            measured=stored(measured),
            error=stored(error),
            worst=worst(kind, theory, measured, relative=relative, side=side),
            tolerance=tolerance,
            basis=basis,
            derived=derived,
            why=because,
            control=broken,
            rival=beaten,
            passed=True,
            seconds=_seconds_since_last_claim(),
        )
        record = replace(record, passed=not failures(record.as_json()))
        show(record.as_json())


def show(record: dict[str, Any]) -> None:
    """Display a judged claim and store it in the output's metadata; outside a notebook, print its line."""
    if get_ipython() is None:
        print(line(record))
    else:
        data = {"text/plain": line(record), "text/html": box(record)}
        display(data, raw=True, metadata={"claim": record})  # type: ignore[no-untyped-call]


def _derived(id: str, parts: Mapping[str, Any]) -> tuple[Basis, float]:
    """What the tolerance of a claim follows from: which of the three, and the number."""
    named = [basis for basis in get_args(Basis) if basis in parts]
    if len(named) != 1:
        raise ClaimError(f"claim {id}: {', '.join(named) or 'nothing'} given; it must be one of error, proved, level")
    value = parts[named[0]]
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not (number and math.isfinite(SAFETY * value) and value >= 0):
        raise ClaimError(f"claim {id}: {named[0]} is {value!r}; it must be a finite number, at least 0")
    if named[0] == "error" and value == 0:
        raise ClaimError(f"claim {id}: error is 0; what is exact is given as proved=0")
    return named[0], float(value)


def _check(id: str, kind: str, control: Control, rival: Rival | None, headline: str) -> None:
    """Refuse what could not be refuted."""
    if not ID.fullmatch(id):
        raise ClaimError(f"id is {id!r}; it must be chapter.name in lower-case letters, digits and _")
    if not isinstance(control, Control):
        raise ClaimError(f"claim {id}: control is {control!r}; it must be a Control, a check that can fail")
    _check_words(**{f"claim {id}: control.what": control.what})
    if not isinstance(headline, str):
        raise ClaimError(f"claim {id}: headline is {headline!r}; it must be the name of a quantity, or empty")
    if headline and control.kind != "premise" and kind != "identity":
        raise ClaimError(f"claim {id}: it is a headline, and its control only alters a formula; break the premise")
    if kind == "bound" and control.theory is not None and not control.near.strip():
        raise ClaimError(
            f"claim {id}: its control has a bound of its own, control.theory, which anything could violate; "
            "break the premise instead, or say in control.near why that bound lies near the claim's"
        )
    if control.theory is None and (control.anew or control.near):
        raise ClaimError(f"claim {id}: control.anew and control.near are about a control.theory, and there is none")
    if rival is not None:
        _check_words(**{f"claim {id}: rival.what": rival.what})
        if not rival.factor > 1:
            raise ClaimError(f"claim {id}: rival.factor is {rival.factor!r}; it must be greater than 1")
        if kind in ("bound", "ordering"):
            raise ClaimError(f"claim {id}: a {kind} has no rival value; state the comparison as a claim of its own")


def _check_relative(id: str, kind: str, relative: Any) -> None:
    """Refuse a unit that is none, or that the kind does not use."""
    if not (isinstance(relative, bool) or relative == "each"):
        raise ClaimError(f"claim {id}: relative is {relative!r}; it must be True, False or 'each'")
    if relative and kind in ("bound", "ordering"):
        raise ClaimError(f"claim {id}: relative is {relative!r}, but a {kind} is measured as it is; leave it out")


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
