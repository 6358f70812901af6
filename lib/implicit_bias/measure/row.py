"""A number about a network: how wrong it may be, and whether a theorem speaks about it."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from implicit_bias.checks import choice

KINDS = ("exact", "bracket", "probable", "sampled", "number")


@dataclass(frozen=True)
class Premise:
    """What a theorem asks for, as it was measured.

    name: what is asked for, in words.
    value: what was measured.
    threshold: what it was compared with.
    holds: whether it is so.
    fails: what is so instead, in words; by default the name and the value.

    >>> Premise("homogeneous", 0.15, 1e-8, False)
    homogeneous: 0.15, asked for 1e-08
    """

    name: str
    value: float
    threshold: float
    holds: bool
    fails: str = ""

    def __repr__(self) -> str:
        """One line."""
        return f"{self.name}: {self.value:.3g}, asked for {self.threshold:.3g}"


@dataclass(frozen=True)
class Row:  # attack: none, it is an answer
    """One quantity of a network, with its error and the theorem that speaks about it.

    Its kind says what low and high are: of an exact one rounding; a proved bracket; one that fails with a stated
    probability; one of resampling; and of a plain number nothing is known.

    quantity: what is measured, in words.
    value: the number.
    low, high: it lies between these; of a plain number both are nan, of an exact one by default the value.
    kind: one of exact, bracket, probable, sampled, number.
    premises: what the theorem asks for.
    covers: what the theorem says of the number; None where none speaks, and where a premise fails.
    source: the theorem, or where the number is defined.
    seconds: in a report the time that its heading took, of the first row there.

    Raises ValueError for another kind.

    >>> Row("identity", 2e-16, 0.0, 1e-15, "exact", (), "conserved", "Kunin et al. 2021")
    identity 2e-16 in [0, 1e-15] (exact): conserved, Kunin et al. 2021
    >>> Row("margin", 0.2, premises=(Premise("homogeneous", 0.15, 1e-8, False),), covers="γ", source="Lyu & Li 2020")
    margin 0.2 (number): not covered by Lyu & Li 2020: homogeneous, 0.15
    """

    quantity: str
    value: float
    low: float = math.nan
    high: float = math.nan
    kind: str = "number"
    premises: tuple[Premise, ...] = ()
    covers: str | None = None
    source: str = ""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        """A theorem of which a premise fails covers nothing."""
        choice("kind", self.kind, KINDS)
        if self.kind == "exact" and math.isnan(self.low):
            object.__setattr__(self, "low", self.value)
            object.__setattr__(self, "high", self.value)
        if self.failed:
            object.__setattr__(self, "covers", None)

    @property
    def failed(self) -> tuple[Premise, ...]:
        """The premises that do not hold."""
        return tuple(one for one in self.premises if not one.holds)

    @property
    def said(self) -> str:
        """What a theorem says of the number, or why it does not."""
        if self.failed:
            return "; ".join(
                f"not covered by {self.source}: {one.fails or f'{one.name}, {one.value:.3g}'}" for one in self.failed
            )
        return f"{self.covers}, {self.source}" if self.covers else self.source or "no theorem"

    @property
    def short(self) -> str:
        """The number in its ends, and whether its theorem is silent: what an answer of several rows shows of each."""
        return self._number() + (" not covered" if self.failed else "")

    def json(self) -> dict[str, Any]:
        """The row as JSON has it, with what is said of it; numbers that are not finite are None."""

        def plain(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: plain(part) for key, part in value.items()}
            if isinstance(value, tuple | list):
                return [plain(part) for part in value]
            return None if isinstance(value, float) and not math.isfinite(value) else value

        return {**plain(asdict(self)), "said": self.said}

    def __repr__(self) -> str:
        """One line."""
        return f"{self.quantity} {self._number()} ({self.kind}): {self.said}"

    def _number(self) -> str:
        between = "" if math.isnan(self.low) else f" in [{self.low:.6g}, {self.high:.6g}]"
        return f"{self.value:.6g}{between}"
