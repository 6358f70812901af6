"""Ways through the book: terms and what uses them, references and what cites them, the indexes, the search."""

import re
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Page


@cache
def read(html: Path, name: str) -> BeautifulSoup:
    """A page of the book."""
    return BeautifulSoup((html / name).read_text(encoding="utf-8"), "html.parser")


@cache
def links(html: Path) -> dict[str, list[str]]:
    """Where the links of each chapter's text lead, read off the file: the trees of all chapters take ten seconds."""
    texts = {page: page.read_text(encoding="utf-8") for page in sorted((html / "chapters").rglob("*.html"))}
    return {
        page.relative_to(html).as_posix(): re.findall(r'<a [^>]*href="([^"]+)"', re.split(r"</?article\b", text)[1])
        for page, text in texts.items()
    }


def used_in(entry: Tag) -> list[str]:
    """The pages that a line below an entry links."""
    return [str(link["href"]) for link in entry.select(".used-in a")]


def formulas(cell: Tag) -> list[str]:
    """The formulas of a cell, as they are written."""
    return [one.get_text().removeprefix("\\(").removesuffix("\\)") for one in cell.select(".math")]


def plain_title(section: Tag) -> str:
    """The heading of a section."""
    return next(iter(section.find(["h2", "h3"]).stripped_strings))  # type: ignore[union-attr]


def test_a_term_and_the_chapters_that_use_it_link_each_other(html: Path) -> None:
    glossary = read(html, "glossary.html")
    terms = {str(term["id"]): term.find_next_sibling("dd") for term in glossary.select("dl.glossary dt[id]")}
    assert len(terms) > 20
    linking: dict[str, set[str]] = {term: set() for term in terms}
    for name, addresses in links(html).items():
        for address in addresses:
            if "glossary.html#term-" in address:
                linking[address.split("#")[1]].add(name)
    for term, entry in terms.items():
        assert isinstance(entry, Tag)
        assert set(used_in(entry)) == linking[term], term
    assert linking["term-gradient-flow"]


def test_the_glossary_begins_with_an_index_of_all_its_terms(html: Path) -> None:
    page = read(html, "glossary.html")
    terms = {str(term["id"]) for term in page.select("dl.glossary dt[id]")}
    index = page.select("article h1 ~ p a[href^='#']")
    assert sorted(str(link["href"]).removeprefix("#") for link in index) == sorted(terms)
    words = [link.get_text().lower() for link in index]
    assert words == sorted(words)


def test_letters_with_several_meanings_are_those_of_the_tables_below(html: Path) -> None:
    several, *sections = read(html, "symbols.html").select("article section > section")
    found = {plain_title(one): [formulas(row.select("td")[0]) for row in one.select("tbody tr")] for one in sections}
    meant: dict[str, set[str]] = {}
    for row in several.select("tbody tr"):
        letter, meanings = row.select("td")
        places = [where.get_text() for where in meanings.select("em")]
        of = {one for place in places for one in found if one.startswith(place)}
        assert len(of) == len(places) > 1, letter.get_text()
        meant[formulas(letter)[0]] = of
    for letter, of in meant.items():
        token = re.compile(rf"(?<![A-Za-z\\]){re.escape(letter)}(?![A-Za-z])")
        assert {one for one in of if not any(token.search(text) for row in found[one] for text in row)} == set(), letter
    defined: dict[str, set[str]] = {}
    for section, rows in found.items():
        for text in (part for row in rows for formula in row for part in formula.replace("\\,", " ").split(",")):
            name = re.split(r"=|\\[gl]e|\\in\b|\(", text)[0].strip()
            if re.fullmatch(r"(\\(bar|hat|tilde) )?([A-Za-z]|\\[a-z]+)", name):
                defined.setdefault(name, set()).add(section)
    assert {name: of for name, of in defined.items() if len(of) > 1 and not of <= meant.get(name, set())} == {}


def test_a_reference_names_the_chapters_that_cite_it(html: Path) -> None:
    entries = read(html, "references.html").select("div.citation")
    cited = {str(entry["id"]): used_in(entry) for entry in entries}
    assert sum(map(bool, cited.values())) > 10
    for name, addresses in links(html).items():
        for address in addresses:
            target = address.partition("references.html#")[2]
            if target in cited:
                assert name in cited[target], (name, target)


def test_the_index_of_proofs_shows_numbers_and_titles(html: Path) -> None:
    index = read(html, "prf-prf.html").select_one("article")
    assert index is not None
    names = [link.get_text() for link in index.select("table a")]
    labels = [str(link["href"]).split("#")[1] for link in index.select("table a")]
    assert len(names) > 20
    assert not [name for name, label in zip(names, labels, strict=True) if label in name]
    assert all(name.split()[0].isalpha() and name.split()[1][0].isdigit() for name in names)
    assert read(html, "references.html").select("a[href='prf-prf.html']")


@pytest.mark.parametrize(
    ("words", "page_found"),
    [
        ("KKT", "chapters/leaky_relu/rank_two_max_margin.html"),
        ("neural tangent kernel", "glossary.html"),
        ("BBP", "glossary.html"),
        ("how to cite", "references.html"),
        ("license", "references.html"),
    ],
)
def test_the_search_finds(page: Page, site: str, words: str, page_found: str) -> None:
    page.goto(f"{site}search.html?q={words.replace(' ', '+')}", wait_until="load")
    page.locator("#search-results li a").first.wait_for()
    page.wait_for_function("() => !document.querySelector('#search-progress')?.textContent.includes('...')")
    found = page.locator("#search-results li a").evaluate_all("links => links.map((a) => a.getAttribute('href'))")
    assert any(address.startswith(page_found) for address in found)
