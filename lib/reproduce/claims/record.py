"""What a chapter stores of a claim: one frozen record, which ledger, sweeps and pages read.

Its JSON schema is ``claim.schema.json``, published with the book.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

Relative = bool | Literal["each"]  # in units of max |theory|, or each entry in units of its own |theory|

LONGEST_STORED = 12
NOT_FINITE = ("nan", "inf", "-inf")
SECONDS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)


class ClaimError(ValueError):
    """A claim that is not well formed: it says nothing, or nothing could refute it."""


@dataclass(frozen=True)
class ControlRecord:
    """What is stored of a control.

    what: which premise is broken, or which formula is altered, in words.
    kind: ``premise`` or ``formula``.
    near: of a bound with a theory of its own, why that theory lies near the claim's; else empty.
    measured: what was then measured.
    error: how far off that is.
    failed: whether it failed, as it must.
    """

    what: str
    kind: str
    near: str
    measured: Any
    error: Any
    failed: bool


@dataclass(frozen=True)
class RivalRecord:
    """What is stored of a rival.

    what: which theory, in words.
    value: its prediction.
    error: how far the measurement is from it.
    factor: how many times nearer the claim's theory must be.
    """

    what: str
    value: Any
    error: Any
    factor: float


@dataclass(frozen=True)
class Record:
    """What is stored of a claim.

    id: ``chapter.name``.
    statement: what is claimed.
    headline: the name of the quantity in the chapter's table of results; empty for an instrument.
    source: paper and theorem.
    kind: identity, limit, rate, bound or ordering.
    relative: whether the error is in units of max |theory|, or "each": every entry in units of its own |theory|.
    side: for a bound, whether theory lies above ("upper") or below ("lower").
    theory, measured: as ``stored`` keeps them; the theory of an ordering is the names of its values.
    error: how far they are apart (``judge.distance``).
    worst: of several numbers, theory and measurement where they are furthest apart; else None.
    tolerance: how far they may be apart.
    basis: what that follows from: a derived error, a proved bound, or a level that was chosen.
    derived: the number that this is.
    why: where it comes from.
    control, rival: the check that must fail, and the prediction that must be further off, if there is one.
    passed: the verdict.
    seconds: since the claim before, coarse.
    """

    id: str
    statement: str
    headline: str
    source: str
    kind: str
    relative: Relative
    side: str
    theory: Any
    measured: Any
    error: Any
    worst: tuple[Any, Any] | None
    tolerance: float
    basis: str
    derived: float
    why: str
    control: ControlRecord
    rival: RivalRecord | None
    passed: bool
    seconds: int

    def as_json(self) -> dict[str, Any]:
        """The mapping that the output's metadata holds, with its digest."""
        content = asdict(self)
        content["worst"] = None if self.worst is None else list(self.worst)
        return {**content, "digest": digest(content)}


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
