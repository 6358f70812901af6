"""What in the campaigns' findings does not fit the code that they say they are of."""

from collections.abc import Callable, Iterator, Mapping

from reproduce.campaigns.finding import WRITTEN_BY, Finding, code_of, is_current, read_findings
from reproduce.campaigns.off_default import values_of
from reproduce.chapters.book import Book, Chapter
from reproduce.chapters.parameters import signature
from reproduce.claims.ledger import claims_of


def objections(book: Book) -> list[str]:
    """What is wrong with findings of the code as it stands, in sentences; PressError for one that cannot be at all."""
    codes: dict[str, str] = {}
    said = []
    for campaign in WRITTEN_BY:
        for one in read_findings(book, campaign):
            if campaign not in AGAINST or not one.chapter:
                continue
            against = [*AGAINST[campaign](one, chapter := book.chapter(one.chapter))]
            if against and one.chapter not in codes:
                codes[one.chapter] = code_of(book, chapter)
            if against and is_current(book, one, codes[one.chapter]):
                said += [f"{WRITTEN_BY[campaign]}, {one.chapter}: {what}" for what in against]
    return said


def _ids(chapter: Chapter) -> set[str]:
    return {claim.id for claim in claims_of(chapter.name, chapter.read())}


def _seeds(found: Finding, chapter: Chapter) -> Iterator[str]:
    if found.counts["claims"].keys() != _ids(chapter):
        yield "its claims are not those of the chapter"


def _off_default(found: Finding, chapter: Chapter) -> Iterator[str]:
    values = sum(len(values_of(one)) for one in signature(chapter.read(), chapter.name).values())
    if (tried := sum(found.counts.values()) + len(found.failed)) != values:
        yield f"{tried} values ended, of {values}"


def _paper(found: Finding, chapter: Chapter) -> Iterator[str]:
    if found.counts["claims"] != len(_ids(chapter)) and not any(" " in one for one in found.failed):
        yield f"it ended well with {found.counts['claims']} claims, of {len(_ids(chapter))}"


def _spoiled(found: Finding, chapter: Chapter) -> Iterator[str]:
    if (most := max(of["claims"] for of in found.counts.values())) > len(_ids(chapter)):
        yield f"{most} claims were spoiled, of {len(_ids(chapter))}"


AGAINST: Mapping[str, Callable[[Finding, Chapter], Iterator[str]]] = {
    "off_default": _off_default,
    "paper": _paper,
    "seeds": _seeds,
    "spoiled": _spoiled,
}
