"""What a claim consists of: two numbers, how far apart they may be, a control that must fail, perhaps a rival.

How far apart follows one rule in the whole book, see ``Allowed``.
"""

from dataclasses import dataclass
from typing import Literal, TypedDict

from numpy.typing import ArrayLike

from reproduce.claims.errors import Number
from reproduce.claims.record import Relative

Broken = Literal["premise", "formula"]
Basis = Literal["error", "proved", "level"]


class Allowed(TypedDict, total=False):
    """What a claim's tolerance follows from: one of three, at least 0.

    error: the derived error of the comparison, an estimate of the size it really has: one standard error, the next
        order, what an integrator adds. The tolerance is ``SAFETY`` times it (``judge.tolerance``), nothing else.
    proved: a proved bound of the error, 0 where both sides are exact or an inequality is; it is the tolerance.
    level: a level that was chosen and is no error, of success or of a gap; it is the tolerance.
    """

    error: Number
    proved: Number
    level: Number


class Parts(Allowed, total=False):
    """What a claim consists of, besides its name and its statement, a plain sentence without numbers that change.

    theory: from a certified solver, a closed form or a published number.
    measured: what the experiment gave.
    error, proved, level: as of ``Allowed``, one of them.
    because: where that comes from.
    control: the check that must fail.
    rival: the prediction that must be further off, if there is one; not of a bound.
    relative: measure in units of max |theory|, or "each": every entry in units of its own |theory|.
    source: paper and theorem, if not the chapter's.
    headline: for a claim of the chapter's table of results, the name of the quantity there; its control must break the
        premise, unless the claim is an identity.
    """

    theory: ArrayLike
    measured: ArrayLike
    because: str
    control: "Control"
    rival: "Rival | None"
    relative: Relative
    source: str
    headline: str


class Ordered(Allowed, total=False):
    """What an ordering consists of.

    theory: the names of the measured values in increasing order, as one string.
    measured: the values.
    error, proved, level: as of ``Allowed``, one of them; the tolerance is the gap demanded between each and the next.
    because, control, source, headline: as of ``Parts``.
    """

    theory: str
    measured: ArrayLike
    because: str
    control: "Control"
    source: str
    headline: str


@dataclass(frozen=True)
class Control:
    """The same check with the theorem's premise broken: another run, datum or dynamics, measured anew; it must fail.

    what: which premise is broken, in words.
    measured: what is then measured.
    theory: what would be predicted if the premise were ignored; by default the claim's own theory.
    anew: of a control with a theory of its own, that its measurement is that of another run. Without this word the
        record says that a formula was altered: it is then the theory that makes the check fail.
    near: of a control of a bound with a theory of its own, why that theory lies near the claim's; any bound can be
        violated by one that is far off.
    """

    what: str
    measured: ArrayLike
    theory: ArrayLike | None = None
    anew: bool = False
    near: str = ""

    @property
    def kind(self) -> Broken:
        """What is broken: the premise, by another run, or the formula, on the same run."""
        return "premise" if self.theory is None or self.anew else "formula"


@dataclass(frozen=True)
class Altered(Control):
    """The same run against an altered formula, on whichever side it stands: weaker than a broken premise.

    That it fails follows from the claim and from how far apart the two formulas are; no run could have refuted it.
    """

    @property
    def kind(self) -> Broken:
        """The formula."""
        return "formula"


@dataclass(frozen=True)
class Rival:
    """The prediction of a competing theory: the measurement must be ``factor`` times nearer to the claim's theory.

    what: which theory, in words.
    value: its prediction, of the shape of the claim's theory.
    factor: how many times nearer, greater than 1.
    """

    what: str
    value: ArrayLike
    factor: float
