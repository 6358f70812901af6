"""What a claim's call consists of, besides theory and measurement: how far apart they may be, a control, a rival."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Required, TypedDict

from numpy.typing import ArrayLike

from reproduce.claims.errors import Number
from reproduce.claims.record import Broken, Relative


class Parts(TypedDict, total=False):
    """What a call says besides name, theory and measurement: numbers; the words stand in the text (``words``).

    error: the derived error of the comparison, an estimate of the size it really has: one standard error, the next
        order, what an integrator adds. The tolerance is ``SAFETY`` times it (``judge.tolerance_of``), nothing else.
    proved: a proved bound of the error, 0 where both sides are exact or an inequality is; it is the tolerance.
    level: a level that was chosen and is no error, of success or of a gap; it is the tolerance. One of the three.
    control: the check that must fail: what is measured of another run, or a ``Control``.
    rival: the prediction that must be further off, if there is one; not of a bound or an ordering.
    relative: measure in units of max |theory|, or "each": every entry in units of its own |theory|.
    fill: what names in braces stand for in the words: numbers that change with the parameters.
    """

    error: Number
    proved: Number
    level: Number
    control: Required["ArrayLike | Control"]
    rival: "Rival | None"
    relative: Relative
    fill: Mapping[str, Any]


@dataclass(frozen=True)
class Control:
    """The same check of another run, datum or dynamics, measured anew; it must fail.

    The text says whether a premise is broken, ``:control:``, or the theorem says something else, ``:contrast:``.

    measured: what is then measured.
    theory: what would be predicted if the premise were ignored; by default the claim's own theory.
    anew: of a control with a theory of its own, that its measurement is that of another run. Without this word the
        record says that a formula was altered: it is then the theory that makes the check fail.
    near: of a control of a bound with a theory of its own, that the words say why that theory lies near the claim's;
        any bound can be violated by one that is far off.
    """

    measured: ArrayLike
    theory: ArrayLike | None = None
    anew: bool = False
    near: bool = False

    @property
    def kind(self) -> Broken:
        """Whether another run is measured, ``premise`` until the text says more, or a formula is altered."""
        return "premise" if self.theory is None or self.anew else "formula"


@dataclass(frozen=True)
class Altered(Control):
    """The same run against an altered formula, on whichever side it stands: weaker than another run.

    That it fails follows from the claim and from how far apart the two formulas are; no run could have refuted it.
    """

    @property
    def kind(self) -> Broken:
        """The formula."""
        return "formula"


@dataclass(frozen=True)
class Rival:
    """The prediction of a competing theory: the measurement must be ``factor`` times nearer to the claim's theory.

    value: its prediction, of the shape of the claim's theory.
    factor: how many times nearer, greater than 1.
    """

    value: ArrayLike
    factor: float
