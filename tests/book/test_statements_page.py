"""The page that lists the statements of the sources, and the file that it is made from."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import BrowserContext

from reproduce.chapters.book import REGISTER, Book
from reproduce.chapters.statements import CHANGED, REFERENCES, STATEMENTS, Statement, in_words, read_statements
from reproduce.claims.ledger import read_register
from reproduce.ground.errors import PressError
from reproduce.pages.statements_list import sharpened

ROOT = Path(__file__).parents[2]
EVERY = read_statements(ROOT)
WRITTEN = {chapter.name for chapter in Book(ROOT).chapters()}
GOOD = {"source": "key", "place": "Theorem 1", "statement": "It is so.", "verdict": "shown", "chapter": "p/one"}


@pytest.fixture(scope="module")
def page(html: Path) -> BeautifulSoup:
    return BeautifulSoup((html / "statements.html").read_text(encoding="utf-8"), "html.parser")


def test_every_result_of_a_paper_that_is_listed_appears() -> None:
    papers = {one.paper or one.source for one in EVERY}
    asked = {entry["chapter"] for entry in read_register(ROOT / REGISTER) if entry["source"] in papers}
    assert len(asked) > 20
    assert asked - {one.chapter for one in EVERY} == set()


def test_a_statement_of_a_chapter_that_is_there_names_claims_unless_it_says_why_not() -> None:
    bare = [one.place for one in EVERY if one.chapter in WRITTEN and not one.claims and not one.note]
    assert bare == []


def test_the_page_lists_every_statement_once_with_its_verdict(page: BeautifulSoup) -> None:
    shown = [tag.get_text() for tag in page.select(".statement > .statement-verdict")]
    first = sorted(EVERY, key=lambda one: one.verdict not in CHANGED)
    by_source = [one for source in dict.fromkeys(one.source for one in EVERY) for one in first if one.source == source]
    assert shown == [one.verdict for one in by_source]
    assert in_words(one.verdict for one in EVERY) in page.select_one("article").get_text()  # type: ignore[union-attr]
    lists = page.select("article section > section > ul.statements")
    assert [len(one.select("li")) for one in lists] == list(Counter(one.source for one in by_source).values())
    assert page.select("article .statement > p:empty") == []


def test_the_page_says_of_how_much_of_a_source_the_sharpened_are() -> None:
    text = (ROOT / "statements.md").read_text(encoding="utf-8").partition("```{statements}\n")[2].partition("```")[0]
    read = {source: one["as"] for source, one in yaml.safe_load(text).items()}
    assert {one["as"] == "slides" for one in yaml.safe_load(text).values() if "lides" in one["read"]} == {True}
    of = Counter(read[one.source] for one in EVERY if one.verdict == "sharpened")
    said = sharpened(EVERY, yaml.safe_load(text))
    assert (
        f"whole: {of['whole']} of the {of.total()} sharpened are of it, {of['slides']} of slides, {of['part']} of"
        in said
    )
    assert sharpened(EVERY, {source: {} for source in read}) == ""


def test_chapters_and_claims_are_linked(page: BeautifulSoup) -> None:
    there = [one for one in EVERY if one.chapter in WRITTEN]
    links = [str(link["href"]) for link in page.select(".statement-links a")]
    chapters = [link for link in links if link.startswith("chapters/")]
    assert sorted(chapters) == sorted(f"chapters/{one.chapter}.html" for one in there)
    claims = [link for link in links if link.startswith("ledger.html#")]
    assert sorted(claims) == sorted(f"ledger.html#{claim}" for one in there for claim in one.claims)
    assert len(links) == len(chapters) + len(claims)


@pytest.mark.parametrize("name", ["statements", "differences"])
def test_a_choice_shows_the_items_of_its_kind_and_hides_what_has_none(
    wide: BrowserContext, site: str, name: str
) -> None:
    page = wide.new_page()
    page.goto(f"{site}{name}.html")
    items, sections = page.locator("article li[class*=kind-]"), page.locator("article section section:visible")
    everything, every_section = items.count(), sections.count()
    labels = page.locator(".kinds label").all_inner_texts()
    counts = {name: int(count) for name, count in (re.findall(r"(\S.*) \((\d+)\)", label)[0] for label in labels)}
    assert counts.pop("all") == everything == sum(counts.values())
    assert "corrected" in counts
    for kind, count in counts.items():
        page.locator(f"#only-{kind.replace(' ', '-')}").check()
        seen = page.locator("article li[class*=kind-]:visible")
        assert seen.count() == count
        assert all(f"kind-{kind.replace(' ', '-')}" in str(one.get_attribute("class")) for one in seen.all())
        assert all(one.locator("li[class*=kind-]:visible").count() for one in sections.all())
        assert sections.count() <= every_section
    page.emulate_media(media="print")
    assert page.locator("article li[class*=kind-]:visible").count() == everything
    page.close()


def book(root: Path, *entries: Any) -> Path:
    """A book of one chapter with one claim, and these statements."""
    (root / REGISTER).write_text("- {chapter: p/one, claims: [one.limit]}\n- {chapter: p/two}\n", encoding="utf-8")
    (root / REFERENCES).write_text("@book{key,\n}\n", encoding="utf-8")
    (root / STATEMENTS).write_text(yaml.safe_dump(list(entries)), encoding="utf-8")
    return root


def test_an_entry_is_read_with_what_it_may_leave_out(tmp_path: Path) -> None:
    planned = {
        **GOOD,
        "place": "Figure 1",
        "verdict": "in part",
        "chapter": "p/two",
        "note": "One size.",
        "paper": "key",
    }
    absent = {"source": "key", "place": "Remark", "statement": "So?", "verdict": "not shown", "note": "No chapter."}
    first, second, third = read_statements(book(tmp_path, {**GOOD, "claims": ["one.limit"]}, planned, absent))
    assert first == Statement("key", "Theorem 1", "It is so.", "shown", chapter="p/one", claims=("one.limit",))
    assert (second.paper, second.claims, third.chapter) == ("key", (), "")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"statement": ""}, "no statement"),
        ({"place": None}, "no place"),
        ({"statement": 3}, "statement is 3; it must be text"),
        ({"source": "kea"}, "source is 'kea'; it must be a key of references.bib"),
        ({"paper": "kea"}, "paper is 'kea'; it must be a key of references.bib"),
        ({"verdict": "proved"}, "verdict is 'proved'; it must be one of shown, sharpened, corrected"),
        ({"chapter": ""}, "no chapter, which 'shown' needs"),
        ({"chapter": "p/six"}, "chapter is 'p/six'; it must be one of _atlas.yml"),
        ({"claims": ["one.rate"]}, "claim 'one.rate' is not registered for 'p/one' in _atlas.yml"),
        ({"claims": "one.limit"}, "claims is 'one.limit'; it must be a list of ids"),
        ({"chapter": "p/two", "claims": ["one.limit"]}, "claim 'one.limit' is not registered for 'p/two'"),
        ({"verdict": "corrected"}, "no note, which 'corrected' needs"),
        ({"verdikt": "shown"}, "there is no field verdikt; allowed are source, place"),
    ],
)
def test_a_bad_entry_is_refused_in_one_line(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    where = "without place" if "place" in change else "Lemma 2"
    entries = GOOD, {**GOOD, "place": "Lemma 2", **change}
    with pytest.raises(PressError, match=re.escape(f"_statements.yml, entry 2 ({where}): {complaint}")) as refused:
        read_statements(book(tmp_path, *entries))
    assert "\n" not in str(refused.value)


def test_a_statement_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PressError, match="an entry before has the same source and place"):
        read_statements(book(tmp_path, GOOD, dict(GOOD)))


@pytest.mark.parametrize("text", ["", "word\n", "- word\n", "a: b\n"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    book(tmp_path)
    (tmp_path / STATEMENTS).write_text(text, encoding="utf-8")
    with pytest.raises(PressError, match=r"_statements.yml must be a list of statements"):
        read_statements(tmp_path)


def test_the_count_is_in_the_order_of_the_verdicts() -> None:
    assert in_words(["misprint", "in part", "shown", "in part"]) == "4 statements: 1 shown, 1 misprint, 2 in part"
    assert in_words(["misprint"] * 2) == "2 statements: 2 misprints"
    assert in_words(["refuted"]) == "1 statement: 1 refuted"
