"""What the campaigns that test the book have found: attacks, mutants, spoiled claims, other parameters, pages read.

Each campaign writes one file at the top of the book, which is committed with it and shown on the page on testing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import yaml

from reproduce.book import Chapter
from reproduce.errors import PressError
from reproduce.files import write_text
from reproduce.parameters import paper_values, signature
from reproduce.reading import read_yaml

ATTACKS, MUTANTS, OFF_DEFAULT, PAGES_READ = "_attacks.yml", "_mutants.yml", "_offdefault.yml", "_pages.yml"
PAPER, BENCHMARKS, SPOILED = "_paper.yml", "_benchmarks.yml", "_spoiled.yml"
WRITTEN_BY = {
    ATTACKS: "make attack",
    MUTANTS: "make mutants",
    OFF_DEFAULT: "make offdefault",
    PAGES_READ: "make read",
    PAPER: "make paper",
    BENCHMARKS: "make bench",
    SPOILED: "make mutants",
}
T = TypeVar("T")


@dataclass(frozen=True)
class AttackClass:
    """One class of attacks.

    name, meaning: its key, and what it does in a few words.
    cases, good, bad: how many were staged, and how many ended as they may and as they may not.
    """

    name: str
    meaning: str
    cases: int
    good: int
    bad: int


@dataclass(frozen=True)
class Attacks:
    """A campaign of attacks on the press and the library.

    date, commit, versions, host: when and with what.
    seeds: the fixed one, and the one that was drawn.
    seconds: of all cases together.
    damaged: how many files were damaged.
    kills: by signal, how often each target was hit; ``none`` where the command was over before.
    classes: the counts.
    bad: each reason of a bad outcome, with how often it occurred.
    """

    date: str
    commit: str
    versions: str
    host: str
    seeds: list[int]
    seconds: int
    damaged: int
    kills: Mapping[str, Mapping[str, int]]
    classes: list[AttackClass]
    bad: list[str]


LIBRARY = "library"  # in the place of a chapter's name: changes of the library, whichever chapter executes them


@dataclass(frozen=True)
class Mutants:
    """The mutants of one kind for one chapter.

    chapter: ``part/chapter``, or ``LIBRARY``.
    kind: what is changed: a constant, a sign, an operator, ….
    possible: how many there are.
    made: how many of them were tried. Each is one of the following:
    red, stopped: a claim went red, or the chapter stopped with an error.
    held_by_tests: the claims stay green, a test of the library fails.
    along: theory and measurement of a claim both move by more than they may differ, and agree: another problem.
    equivalent: no claimed value moves, or there is a stated reason why nothing need notice it.
    surviving: nothing noticed it.
    date, commit: when and with what.
    """

    chapter: str
    kind: str
    possible: int
    made: int
    red: int
    stopped: int
    held_by_tests: int
    along: int
    equivalent: int
    surviving: int
    date: str
    commit: str


@dataclass(frozen=True)
class Spoiled:
    """The claims of one chapter, each spoiled in the same way.

    chapter: ``part/chapter``.
    way: what is put in the place of theory, measurement or tolerance.
    must: whether every claim has to refuse it; else it is only counted how many do.
    claims: how many could be spoiled so. Each is one of the following:
    refused: it does not hold any more.
    same: the array is constant within the tolerance, or the same from both ends.
    own: its control has a theory of its own, which says nothing of a spoiled one.
    listed: it still holds, with a stated reason.
    idle: it still holds, but uses so little of the spoiled tolerance on fresh seeds that their test refuses it.
    passed: it still holds.
    date, commit: when and with what.
    """

    chapter: str
    way: str
    must: bool
    claims: int
    refused: int
    same: int
    own: int
    listed: int
    idle: int
    passed: int
    date: str
    commit: str


@dataclass(frozen=True)
class OffDefault:
    """A chapter with one numeric parameter at a time at half and at double its default.

    chapter: ``part/chapter``.
    code: hash of its code, to see whether it has changed since.
    date, commit, versions: when and with what.
    ok: runs in which every claim held and every control failed.
    refused: values that the chapter refuses with a reason, before it runs or in its own words.
    not_ok: the other runs, each with its parameter and what happened.
    """

    chapter: str
    code: str
    date: str
    commit: str
    versions: str
    ok: int
    refused: int
    not_ok: list[str]


@dataclass(frozen=True)
class AtPaper:
    """A chapter at the paper's own scale.

    chapter: ``part/chapter``.
    code, parameters: hash of its code and the parameters it ran with, to see whether they have changed since.
    date, commit, versions: when and with what.
    machine: where, in words.
    seconds: wall-clock time, the start of the kernel included.
    megabytes: the largest resident memory of the kernel.
    claims, held: how many claims it stated, and how many of them hold.
    missed: those that do not.
    failure: why the run did not reach its end; empty if it did.
    """

    chapter: str
    code: str
    parameters: Mapping[str, Any]
    date: str
    commit: str
    versions: str
    machine: str
    seconds: int
    megabytes: int
    claims: int
    held: int
    missed: list[str]
    failure: str

    @property
    def holds(self) -> bool:
        """Whether it reached its end, and every claim of at least one holds."""
        return not self.failure and self.claims == self.held > 0

    def is_current(self, chapter: Chapter, code: str) -> bool:
        """Whether the chapter's code, of that hash, and its parameters are those of this run."""
        try:
            values = paper_values(signature(chapter.read(), chapter.name), chapter)
        except PressError:  # no parameters at the paper's scale any more, or other ones than before
            return False
        return self.code == code and self.parameters == values


@dataclass(frozen=True)
class PagesRead:
    """The pages as the tests read them in a browser.

    date, commit, browser: when and with what.
    pages: how many different ones were opened.
    readings: how often a page was opened, by width in pixels and mode.
    checks: the names of the tests that passed, as sentences.
    """

    date: str
    commit: str
    browser: str
    pages: int
    readings: Mapping[str, int]
    checks: list[str]


def read_attacks(root: Path) -> Attacks | None:
    """The last campaign of attacks; None if there was none."""
    content = read_campaign(root, ATTACKS)
    if content is None:
        return None
    classes = made(AttackClass, content.get("classes") if isinstance(content, dict) else None, ATTACKS)
    (found,) = made(Attacks, [content], ATTACKS)
    return Attacks(**{**vars(found), "classes": classes})


def read_mutants(root: Path) -> list[Mutants]:
    """The mutants of every chapter by kind; empty if none were made."""
    return made(Mutants, read_campaign(root, MUTANTS) or [], MUTANTS)


def read_spoiled(root: Path) -> list[Spoiled]:
    """The spoiled claims of every chapter by the way; empty if none were spoiled."""
    return made(Spoiled, read_campaign(root, SPOILED) or [], SPOILED)


def read_off_default(root: Path) -> list[OffDefault]:
    """The chapters off their defaults; empty if none was run."""
    return made(OffDefault, read_campaign(root, OFF_DEFAULT) or [], OFF_DEFAULT)


def read_pages_read(root: Path) -> PagesRead | None:
    """What was read in a browser; None if nothing was."""
    content = read_campaign(root, PAGES_READ)
    return None if content is None else made(PagesRead, [content], PAGES_READ)[0]


def read_paper(root: Path) -> list[AtPaper]:
    """The chapters at the paper's own scale; empty if none was run."""
    return made(AtPaper, read_campaign(root, PAPER) or [], PAPER)


def write_attacks(root: Path, attacks: Attacks) -> None:
    """Keep a campaign of attacks."""
    write_campaign(root, ATTACKS, asdict(attacks))


def write_mutants(root: Path, mutants: Iterable[Mutants]) -> None:
    """Keep the counts of the mutants."""
    write_campaign(root, MUTANTS, [asdict(one) for one in mutants])


def write_spoiled(root: Path, spoiled: Iterable[Spoiled]) -> None:
    """Keep the counts of the spoiled claims."""
    write_campaign(root, SPOILED, [asdict(one) for one in spoiled])


def write_off_default(root: Path, chapters: Iterable[OffDefault]) -> None:
    """Keep the runs off the defaults."""
    write_campaign(root, OFF_DEFAULT, [asdict(one) for one in chapters])


def write_pages_read(root: Path, read: PagesRead) -> None:
    """Keep what was read in a browser."""
    write_campaign(root, PAGES_READ, asdict(read))


def write_paper(root: Path, chapters: Iterable[AtPaper]) -> None:
    """Keep the runs at the paper's own scale."""
    write_campaign(root, PAPER, [asdict(one) for one in chapters])


def read_campaign(root: Path, name: str) -> Any:
    """What a campaign wrote; None if it never ran."""
    return read_yaml(root / name) if (root / name).exists() else None


def write_campaign(root: Path, name: str, content: Any) -> None:
    """Keep what a campaign found, in the place of what it found before."""
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
    write_text(root / name, f"# Written by '{WRITTEN_BY[name]}'.\n{text}")


def made(kind: type[T], entries: Any, name: str) -> list[T]:
    """Entries of a file as what they stand for; PressError for a file that holds anything else."""
    refusal = PressError(f"{name} is not what '{WRITTEN_BY[name]}' writes; run it again")
    if not isinstance(entries, list):
        raise refusal
    found = []
    for entry in entries:
        if not isinstance(entry, dict) or entry.keys() != {one.name for one in fields(kind)}:  # type: ignore[arg-type]
            raise refusal
        for one in fields(kind):  # type: ignore[arg-type]
            if one.type in (int, "int") and (type(entry[one.name]) is not int or entry[one.name] < 0):
                raise refusal
        found.append(kind(**entry))
    return found
