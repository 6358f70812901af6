"""What a chapter stores of a claim: one frozen record, which ledger, sweeps and pages read.

The metadata of a field are its part of the JSON schema, by which a record is checked and which is published with the
book (``wellformed``). A call knows the numbers alone: what is ``UNSAID`` is said in the text, see ``words``.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

Kind = Literal["identity", "limit", "rate", "bound", "ordering"]
Relative = bool | Literal["each"]  # in units of max |theory|, or each entry in units of its own |theory|
Side = Literal["upper", "lower"]
Basis = Literal["error", "proved", "level"]
Broken = Literal["premise", "contrast", "formula"]
Evidence = Literal["proved here", "exact arithmetic", "float with residual", "trained and compared", "observed"]

LONGEST_STORED = 12
NOT_FINITE = ("nan", "inf", "-inf")
SECONDS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)
UNSAID = "?"  # a word of a record that no text was joined to yet


class ClaimError(ValueError):
    """A claim that is not well formed: it says nothing, or nothing could refute it."""


def one_of(*values: Any) -> dict[str, Any]:
    """The schema of a word, or a number, from a list."""
    return {"enum": list(values), "description": f"must be one of {', '.join(map(str, values))}"}


TEXT = {"type": "string", "pattern": r"\S", "description": "must be text that says something"}
EVIDENCE = {**one_of(*get_args(Evidence)), "enum": [*get_args(Evidence), UNSAID]}
BOOLEAN = {"type": "boolean", "description": "must be true or false"}
SIZE = {"type": "number", "minimum": 0, "description": "must be a finite number, at least 0"}
NUMBER = {"$ref": "#/$defs/number"}
QUANTITY = {"$ref": "#/$defs/quantity"}
PAIR = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
TIMES = ("0", "0.95", "1.05")  # with theory times these each claim that predicts a number is judged as well


@dataclass(frozen=True)
class ControlRecord:
    """What is stored of a control.

    what: which premise is broken, what is done otherwise for contrast, or which formula is altered, in words.
    kind: ``premise``, ``contrast`` or ``formula``; a call knows the last apart, the text the first two.
    near: of a bound with a theory of its own, why that theory lies near the claim's; else empty.
    measured: what was then measured.
    error: how far off that is.
    failed: whether it failed, as it must.
    """

    what: str = field(metadata=TEXT)
    kind: str = field(metadata=one_of(*get_args(Broken)))
    near: str = field(metadata={"type": "string", "description": "must be text"})
    measured: Any = field(metadata=QUANTITY)
    error: Any = field(metadata=NUMBER)
    failed: bool = field(metadata=BOOLEAN)


@dataclass(frozen=True)
class RivalRecord:
    """What is stored of a rival.

    what: which theory, in words.
    value: its prediction.
    error: how far the measurement is from it.
    factor: how many times nearer the claim's theory must be.
    """

    what: str = field(metadata=TEXT)
    value: Any = field(metadata=QUANTITY)
    error: Any = field(metadata=NUMBER)
    factor: float = field(
        metadata={"type": "number", "minimum": 1, "description": "must be a finite number, at least 1"}
    )


@dataclass(frozen=True)
class Record:
    """What is stored of a claim.

    id: ``chapter.name``.
    statement: what is claimed.
    headline: the name of the quantity in the chapter's table of results; empty for an instrument.
    source: paper and theorem.
    evidence: how it is known that measured is as theory says: one of the five words of ``Evidence``.
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
    times: whether the measurement would be within the tolerance of theory × 0, × .95, × 1.05 too; None where theory is
        no number. Missing in records of earlier versions.
    digest: of everything else, see ``digest``.
    """

    id: str = field(
        metadata={
            "type": "string",
            "pattern": r"^[a-z0-9_]+(\.[a-z0-9_]+)+$",
            "description": "must be chapter.name in lower-case letters, digits and _",
        }
    )
    statement: str = field(metadata=TEXT)
    headline: str = field(metadata={"type": "string", "description": "must be the name of a quantity, or empty"})
    source: str = field(metadata=TEXT)
    evidence: str = field(metadata=EVIDENCE)
    kind: str = field(metadata=one_of(*get_args(Kind)))
    relative: Relative = field(metadata={"enum": [False, True, "each"], "description": "must be true, false or each"})
    side: str = field(metadata=one_of(*get_args(Side)))
    theory: Any = field(metadata={})
    measured: Any = field(metadata=QUANTITY)
    error: Any = field(metadata=NUMBER)
    worst: tuple[Any, Any] | None = field(
        metadata={
            "anyOf": [{"type": "null"}, PAIR],
            "description": "must be null, or theory and measurement at one place",
        }
    )
    tolerance: float = field(metadata=SIZE)
    basis: str = field(metadata=one_of(*get_args(Basis)))
    derived: float = field(metadata=SIZE)
    why: str = field(metadata=TEXT)
    control: ControlRecord = field(metadata={"type": "object", "description": "is not a mapping"})
    rival: RivalRecord | None = field(metadata={"type": ["object", "null"], "description": "is not a mapping"})
    passed: bool = field(metadata=BOOLEAN)
    seconds: int = field(metadata={**one_of(*SECONDS), "type": "integer"})
    times: dict[str, bool] | None = field(
        default=None,
        metadata={
            "type": ["object", "null"],
            "required": list(TIMES),
            "properties": dict.fromkeys(TIMES, BOOLEAN),
            "additionalProperties": False,
            "description": f"must be null, or true or false for theory times each of {', '.join(TIMES)}",
        },
    )
    digest: str = field(default="", metadata=TEXT)

    def as_json(self) -> dict[str, Any]:
        """The mapping that the output's metadata holds, with its digest."""
        content = asdict(self)
        content["worst"] = None if self.worst is None else list(self.worst)
        return sealed(content)


def sealed(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record with the digest of what it holds."""
    return {**record, "digest": digest(record)}


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
