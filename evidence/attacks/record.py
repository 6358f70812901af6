"""The record of a campaign: a line for each case under ``_build/attack``, and the summary kept with the book."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from attacks.case import Case, Class, Outcome

FIXED = 0


@dataclass(frozen=True)
class Plan:
    """What a campaign consists of; the same plan, begun before and not over, is gone on with.

    drawn: the seed of this campaign, besides the one that is always the same.
    counts: cases of each class, half of them from each seed.
    code: hash of the library, the press and the attacks.
    """

    drawn: int
    counts: dict[str, int]
    code: str

    @property
    def size(self) -> int:
        """All cases."""
        return sum(self.counts.values())

    def cases(self, classes: Sequence[Class]) -> Iterator[Case]:
        """Every case, the classes mixed, so that a campaign that is stopped early has seen all of them."""
        numbered = [
            (number / self.counts[one.name], place, one, number)
            for place, one in enumerate(classes)
            for number in range(self.counts.get(one.name, 0))
        ]
        for _, _, one, number in sorted(numbered, key=lambda row: row[:2]):
            yield one.case((FIXED, self.drawn)[number % 2], number // 2)


@dataclass(frozen=True)
class Log:
    """The lines of a campaign.

    folder: ``_build/attack``.
    """

    folder: Path

    @property
    def plan_file(self) -> Path:
        """The campaign's plan."""
        return self.folder / "plan.json"

    @property
    def lines_file(self) -> Path:
        """Its outcomes, a JSON object on each line."""
        return self.folder / "cases.jsonl"

    def unfinished(self) -> Plan | None:
        """The plan of the last campaign if it is not over."""
        try:
            plan = Plan(**json.loads(self.plan_file.read_text()))
        except (OSError, ValueError, TypeError):
            return None
        return plan if len(self.outcomes()) < plan.size else None

    def begin(self, plan: Plan) -> None:
        """Begin a campaign in the place of the last one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lines_file.unlink(missing_ok=True)
        self.plan_file.write_text(json.dumps(asdict(plan)) + "\n")

    def add(self, outcome: Outcome) -> None:
        """Add the line of a case."""
        with self.lines_file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")

    def outcomes(self) -> list[Outcome]:
        """Every case so far; a line that was cut by a kill is run again."""
        found: dict[str, Outcome] = {}
        if self.lines_file.exists():
            for line in self.lines_file.read_text(encoding="utf-8").splitlines():
                try:
                    one = Outcome(**json.loads(line))
                except (ValueError, TypeError):
                    continue
                found[one.id] = one
        return list(found.values())


def code_of(root: Path) -> str:
    """A hash of what a campaign attacks and of the attacks."""
    digest = hashlib.sha256()
    for folder in (root / "lib", root / "evidence/attacks"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
