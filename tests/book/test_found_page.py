"""What the book found and did not see in its sources: each entry has its status, its picture, and claims that hold."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from reproduce.chapters.book import Book
from reproduce.claims.ledger import judge
from reproduce.pages.found import STATUSES

ROOT = Path(__file__).parents[2]
WORDS = 1200
ENTRY = re.compile(r"^```\{found\} (\S+)\n(?!:brief:)((?::[^\n]*\n)+)(.*?)^```", re.MULTILINE | re.DOTALL)
ENTRIES = ENTRY.findall((ROOT / "found.md").read_text(encoding="utf-8"))
QUOTED = re.compile(r"\{[\w:]+\}`[^`]*`|\$[^$]*\$|\^\{?-?\d.*?\b|[₁₂]")
FORMAL = "formal derivation"


@pytest.fixture(scope="module")
def entries(html: Path) -> list[Tag]:
    page = BeautifulSoup((html / "found.html").read_text(encoding="utf-8"), "html.parser")
    return list(page.select("article .found"))


def test_an_entry_shows_its_status_and_a_panel_of_its_chapter(entries: list[Tag], html: Path) -> None:
    assert len(entries) == len(ENTRIES) > 10
    for box, (chapter, options, _) in zip(entries, ENTRIES, strict=True):
        status, picture = box.select_one(".found-status"), box.select_one("img")
        assert status is not None
        assert status.get_text() in STATUSES
        assert f":status: {status.get_text()}\n" in options
        assert picture is not None
        assert (html / str(picture["src"])).is_file()
        assert chapter.replace("/", "-") in picture["src"]
        assert len(picture["alt"]) > 20
        page, _, figure = str(box.select(".found-picture a")[0]["href"]).partition("#")
        assert f'id="{figure}"' in (html / page).read_text(encoding="utf-8")


def test_an_entry_leads_to_its_chapter_its_proof_and_its_claims(entries: list[Tag], html: Path) -> None:
    for box, (chapter, _, _) in zip(entries, ENTRIES, strict=True):
        links = [str(link["href"]) for link in box.select(".found-links a")]
        assert {link.partition("#")[0] for link in links} == {f"chapters/{chapter}.html"}
        text = (html / f"chapters/{chapter}.html").read_text(encoding="utf-8")
        places = [link.partition("#")[2] for link in links]
        assert places[0] == ""
        assert len(places) >= 3
        assert [place for place in places[1:] if f'id="{place}"' not in text] == []


def test_the_page_counts_its_entries() -> None:
    text = " ".join((ROOT / "found.md").read_text(encoding="utf-8").split())
    named = [re.search(r":status: (.*)", options) for _, options, _ in ENTRIES]
    proved, certified, formal = (sum(one is not None and one[1] == status for one in named) for status in STATUSES[:3])
    assert f"All {len(ENTRIES)} follow" in text
    assert f"Of the {len(ENTRIES)} entries {proved} are propositions, {certified} are certified" in text
    assert f" and {formal} are formal derivations." in text


def test_the_entries_follow_by_their_kind_of_evidence() -> None:
    kinds = [status for _, options, _ in ENTRIES for status in re.findall(r":status: (.*)", options)]
    assert kinds == sorted(kinds, key=STATUSES.index)


def test_the_claims_hold_and_what_is_formal_is_said_to_be() -> None:
    claims = {claim.id: claim for claim in judge(Book(ROOT).notebooks()).claims}
    for chapter, options, _ in ENTRIES:
        named = re.search(r":claims: (.*)", options)
        assert named is not None
        assert all(claims[f"{chapter.partition('/')[2]}.{one}"].holds for one in named[1].split())
        label = re.search(r":proof: \{prf:ref\}`([\w-]+)`", options)
        if label:
            source = (ROOT / "chapters" / f"{chapter}.py").read_text(encoding="utf-8")
            title = re.search(rf"\{{prf:proposition\}} (.*)\n(?:# *)?#? ?:label: {label[1]}\n", source)
            assert title is not None, label[1]
            assert (FORMAL in title[1]) == (f":status: {FORMAL}\n" in options), label[1]


def test_a_number_that_is_not_glued_stands_in_the_chapter() -> None:
    notebooks = Book(ROOT).notebooks()
    for chapter, _, words in ENTRIES:
        text = "".join(cell.source for cell in notebooks[chapter].cells if cell.cell_type == "markdown")
        for number in re.findall(r"\d[\d.,]*\d|\d", QUOTED.sub("", words)):
            assert number in text, (chapter, number)
        for fraction in re.findall(r"-?\\frac\{?\d+\}?\{\d+\}", words):
            assert fraction in text, (chapter, fraction)


def test_the_page_stays_short(entries: list[Tag]) -> None:
    told = [part for box in entries for part in box.select("p:not(.found-status, .found-links)")]
    assert sum(len(part.get_text().split()) for part in told) <= WORDS
