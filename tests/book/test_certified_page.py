"""The page that says what certified means: its counts are those of the ledger, and its examples stand there."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup

from reproduce.chapters.book import Book
from reproduce.claims.ledger import judge
from reproduce.pages.evidence_kinds import KINDS

ROOT = Path(__file__).parents[2]


def test_the_kinds_are_counted_and_have_their_examples(html: Path) -> None:
    claims = judge(Book(ROOT).notebooks()).claims
    page = BeautifulSoup((html / "certified.html").read_text(encoding="utf-8"), "html.parser")
    kinds = page.select("article dt:has(a[href^='ledger.html?evidence='])")
    assert len(kinds) == len(KINDS)
    for kind, term in zip(KINDS, kinds, strict=True):
        own = [claim for claim in claims if claim.record["evidence"] == kind]
        place = term.select_one("a[href]")
        example = term.find_next("dd").select_one("a[href^='chapters/']")
        assert place is not None
        assert example is not None
        assert parse_qs(urlsplit(str(place["href"])).query) == {"evidence": [kind]}
        assert term.get_text().startswith(f"{kind}, {len(own)} claim")
        assert urlsplit(str(example["href"])).fragment in [f"claim-{claim.id}" for claim in own]
    last = page.select("article .ledger")[-1].select("tbody tr")[-1]
    shown = [cell.get_text() for cell in last.select("td")]
    assert shown == [
        "all",
        *(str(sum(one.record["evidence"] == kind for one in claims)) for kind in KINDS),
        str(len(claims)),
    ]
