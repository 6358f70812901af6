"""What a change that nobody notices does to what is claimed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

NONE, ALONG, WITHIN = "effect: none", "effect: theory moves along", "all claims hold"
TWO_SIDED = ("identity", "limit", "rate")
ROUNDING = 1e-12  # of the largest value: what another order of sums may move


@dataclass(frozen=True)
class Claimed:
    """The values of one claim as a run found them.

    kind: of the claim.
    theory, measured: numbers; the theory of an ordering is none.
    allowed: by how much they may differ, in their units.
    """

    kind: str
    theory: NDArray[np.float64]
    measured: NDArray[np.float64]
    allowed: float


def claimed(kind: str, theory: ArrayLike, measured: ArrayLike, tolerance: float, unit: ArrayLike) -> Claimed:
    """The values of a claim whose tolerance is in units of ``unit``, one or one for each value."""
    expected = np.zeros(0) if kind == "ordering" else np.asarray(theory, dtype=float)
    return Claimed(kind, expected, np.asarray(measured, dtype=float), float(tolerance * np.max(unit)))


def effect(before: Sequence[Claimed], after: Sequence[Claimed]) -> str:
    """What a change did that left all claims true.

    NONE: no value moves, but for rounding.
    ALONG: of some claim that says two numbers agree, both move by more than they may differ: another problem, start or
    size, of which the claim holds as well.
    WITHIN: else; the tolerances, or bounds with room, hide it.
    """
    if len(before) != len(after):
        return WITHIN
    pairs = list(zip(before, after, strict=True))
    if any(
        one.kind in TWO_SIDED
        and min(_moved(one.theory, other.theory), _moved(one.measured, other.measured))
        > max(one.allowed, other.allowed)
        for one, other in pairs
    ):
        return ALONG
    still = all(
        _moved(old, new) <= ROUNDING * max(1e-300, float(np.max(np.abs(old), initial=0)))
        for one, other in pairs
        for old, new in ((one.theory, other.theory), (one.measured, other.measured))
    )
    return NONE if still else WITHIN


def _moved(old: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    """The largest difference; infinite if there are more or fewer numbers than before."""
    return float(np.max(np.abs(new - old), initial=0)) if old.shape == new.shape else np.inf
