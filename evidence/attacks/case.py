"""What an attack is, how its cases are named and drawn, and what comes of one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attacks.stage import Stage

SECONDS = 30.0  # an attack that is not over by then hangs, unless it says how long it may take


class Bad(Exception):
    """An outcome that the book does not allow; its text is the reason, one line."""


@dataclass(frozen=True)
class Attack:
    """One kind of attack.

    klass: its class, the name of the file it is in.
    name: unique within the class.
    oracle: what must come of it, in one sentence.
    run: stages one case, drawn from the generator; what it returns is kept with the outcome. Raises Bad.
    weight: how many of its cases come in each round through the class.
    limit: seconds after which a case counts as hanging.
    damages: whether each of its cases damages a file of the book or of the data.
    """

    klass: str
    name: str
    oracle: str
    run: "Callable[[Stage, Random], dict[str, Any] | None]"
    weight: int = 1
    limit: float = SECONDS
    damages: bool = False


@dataclass(frozen=True)
class Case:
    """One case: an attack and the seed that its details are drawn from.

    id: class, seed and number, from which the case can be made again.
    """

    id: str
    attack: Attack

    @property
    def generator(self) -> Random:
        """The stream of the case, the same each time."""
        return Random(self.id)


@dataclass(frozen=True)
class Outcome:
    """What came of a case.

    reason: why it is bad, in one line; empty if it is good.
    seconds: wall-clock time.
    notes: what the attack says of itself, for the counts.
    """

    id: str
    klass: str
    attack: str
    oracle: str
    reason: str
    seconds: float
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Whether the outcome is allowed."""
        return not self.reason


@dataclass
class Class:
    """The attacks of one class, in the order in which they are written down."""

    name: str
    meaning: str
    attacks: list[Attack] = field(default_factory=list)

    def attack(
        self, oracle: str, *, weight: int = 1, limit: float = SECONDS, damages: bool = False
    ) -> "Callable[[Callable[[Stage, Random], Any]], Callable[[Stage, Random], Any]]":
        """Register the function below as an attack of this class."""

        def register(run: "Callable[[Stage, Random], Any]") -> "Callable[[Stage, Random], Any]":
            self.attacks.append(Attack(self.name, run.__name__, oracle, run, weight, limit, damages))
            return run

        return register

    def case(self, seed: int, number: int) -> Case:
        """The case of that number: the attacks take turns by their weights, so that the first few are of many kinds."""
        rounds = [attack for turn in range(self.most) for attack in self.attacks if turn < attack.weight]
        return Case(f"{self.name}-{seed}-{number}", rounds[number % len(rounds)])

    @property
    def most(self) -> int:
        """The largest weight."""
        return max(attack.weight for attack in self.attacks)


def demand(condition: object, reason: str) -> None:
    """Raise Bad with a reason unless something is so."""
    if not condition:
        raise Bad(reason)
