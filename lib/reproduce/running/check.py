"""A claim checked: its chapter is executed anew at its defaults, and what comes out is compared with what is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reproduce.chapters.book import Book, nearest
from reproduce.chapters.parameters import signature
from reproduce.claims.ledger import StoredClaim, claims_of
from reproduce.ground.errors import PressError, quoted
from reproduce.running.last_run import stored_here
from reproduce.running.recheck import Difference, differences_of_claim
from reproduce.running.run import run


@dataclass(frozen=True)
class Checked:
    """What came of a check.

    stored, fresh: the claim as the notebook stores it, and executed anew; None if it did not come out again.
    differences: in which numbers the two differ.
    """

    stored: StoredClaim
    fresh: StoredClaim | None
    differences: Sequence[Difference]

    @property
    def holds(self) -> bool:
        """Whether the claim holds, stored and anew, and nothing differs but as another processor may have it."""
        again = self.fresh is not None and self.fresh.holds
        return self.stored.holds and again and all(one.allowed for one in self.differences)

    @property
    def same(self) -> bool:
        """Whether it holds and no number differs."""
        return self.holds and not self.differences

    @property
    def objections(self) -> list[str]:
        """Everything that speaks against it, and every difference, in sentences."""
        found = [f"claim {self.stored.id} is stored, but: {sentence}" for sentence in self.stored.objections]
        if self.fresh is None:
            found.append(f"claim {self.stored.id} is stored, executed anew it does not come out")
        else:
            found += [f"claim {self.stored.id}, executed anew: {sentence}" for sentence in self.fresh.objections]
        return [*found, *(one.sentence for one in self.differences)]


def in_words(done: Sequence[Checked]) -> str:
    """How many claims came out as stored, and how many of the others differ as another processor makes them differ."""
    same, near = sum(one.same for one in done), sum(one.holds and not one.same for one in done)
    others = f", {near} within what another processor changes" if near else ""
    wrong = len(done) - same - near
    return f"{same} of {len(done)} as stored, to the last digit{others}{f', {wrong} not' if wrong else ''}"


def find_claims(book: Book, names: Sequence[str]) -> list[StoredClaim]:
    """The stored claims of these names, in the order of the book.

    names: ids of claims, and chapters, of which it is all; nothing: all of the book.

    Raises PressError for an unknown one, and for a chapter that stores no claim.
    """
    stored = [claim for name, notebook in book.notebooks().items() for claim in claims_of(name, notebook)]
    known = {claim.id for claim in stored}
    wanted: set[str] = set()
    for name in names:
        if name not in known and ("." not in name or "/" in name):
            chapter = book.chapter(name)
            own = {claim.id for claim in stored if claim.chapter == chapter.name}
            if not own:
                chapter.read()
                raise PressError(f"{chapter.name} stores no claim; there is nothing to check")
            wanted |= own
        elif name not in known:
            hint = nearest(name, sorted(known), "'python -m reproduce ledger' shows them all")
            raise PressError(f"unknown claim '{quoted(name)}'; {hint}")
        wanted.add(name)
    return [claim for claim in stored if claim.id in wanted or not names]


def check(book: Book, claims: Sequence[StoredClaim], *, progress: bool = False) -> Iterator[Checked]:
    """Execute each chapter of some claims once, at its defaults, and say of each claim what came out.

    book, claims: what is checked, as ``find_claims`` gives it.
    progress: show a bar of the cells on standard error.

    Raises RunFailed if a cell fails.
    """
    for name in dict.fromkeys(claim.chapter for claim in claims):
        chapter = book.chapter(name)
        here = stored_here(chapter.read())
        done = run(book, chapter, signature(chapter.read(), name), {}, progress=progress)
        fresh = {claim.id: claim for claim in done.ledger.claims}
        for claim in claims:
            if claim.chapter == name:
                yield _compared(claim, fresh.get(claim.id), here)


def _compared(stored: StoredClaim, fresh: StoredClaim | None, here: bool) -> Checked:
    found: list[Difference] = []
    if fresh is not None and fresh.complete and stored.complete:
        found = differences_of_claim(stored.id, stored.record, fresh.record, here)
    return Checked(stored, fresh, found)
