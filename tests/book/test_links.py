"""Every inner link lands, nothing is fetched from another host, and the ledger and the atlas show what is stored."""

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

from reproduce.chapters.book import CONTENTS, REGISTER, Book, documents, read_yaml
from reproduce.claims.ledger import judge, read_register

ROOT = Path(__file__).parents[2]
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
FETCHING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "dns-prefetch"}


@cache
def soup(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


class Tags(HTMLParser):
    """The opening tags of a page with their attributes: all that links need, at a third of the cost of its tree."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@cache
def tags(page: Path) -> list[tuple[str, dict[str, str]]]:
    return Tags(page.read_text(encoding="utf-8")).found


@cache
def ids(page: Path) -> Counter[str]:
    return Counter(given["id"] for _, given in tags(page) if "id" in given)


@cache
def anchors(page: Path) -> set[str]:
    return {*ids(page), *(given["name"] for tag, given in tags(page) if tag == "a" and "name" in given)}


@cache
def target_of(folder: Path, path: str) -> Path | None:
    """The page or file to which an address leads from a folder, if there is one."""
    target = (folder / unquote(path)).resolve()
    target = target / "index.html" if target.is_dir() else target
    return target if target.exists() else None


def pages(html: Path) -> list[Path]:
    return sorted(page for page in html.rglob("*.html") if "_static" not in page.parts)


def is_foreign(address: str) -> bool:
    return bool(urlsplit(address).netloc)


def test_every_document_of_the_contents_is_a_page(html: Path) -> None:
    listed = list(documents(read_yaml(ROOT / CONTENTS)))
    assert listed
    assert [name for name in listed if not (html / f"{name}.html").exists()] == []


def test_inner_links_and_anchors_land(html: Path) -> None:
    broken = []
    for page in pages(html):
        for tag, given in tags(page):
            address = given.get("href") or given.get("src") or "" if tag in ("a", "img", "script", "link") else ""
            parts = urlsplit(address)
            if is_foreign(address) or parts.scheme in ("mailto", "data", "javascript") or address in ("", "#"):
                continue
            target = target_of(page.parent, parts.path) if parts.path else page
            if target is None or (parts.fragment and unquote(parts.fragment) not in anchors(target)):
                broken.append(f"{page.relative_to(html)}: {address}")
    assert broken == []


def test_nothing_is_fetched_from_another_host(html: Path) -> None:
    foreign = []
    for page in pages(html):
        for tag, given in tags(page):
            if tag == "link":
                address = given.get("href", "") if FETCHING_LINKS & set(given.get("rel", "").split()) else ""
            else:
                address = given.get(FETCHED.get(tag, ""), "")
            if is_foreign(address):
                foreign.append(f"{page.relative_to(html)}: {address}")
    for sheet in html.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        found = re.findall(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""", text)
        foreign += [f"{sheet.relative_to(html)}: {address}" for address in found]
    assert foreign == []


def test_the_ledger_has_a_row_for_every_stored_claim(html: Path) -> None:
    stored = judge(Book(ROOT).notebooks()).claims
    rows = soup(html / "ledger.html").select(".ledger tbody tr[data-words]")
    places = [row.select_one("[data-label=claim] a")["href"] for row in rows]
    assert sorted(places) == sorted(f"chapters/{claim.chapter}.html#claim-{claim.id}" for claim in stored)
    assert [len(row.find_all(["td", "th"])) for row in rows] == [8] * len(stored)
    shown = {row.select_one("code").text: "✓ holds" in row.text for row in rows}
    assert shown == {claim.id: claim.holds for claim in stored}
    assert [row["id"] for row in rows] == [claim.id for claim in stored]
    of = {row["id"]: row.parent.select_one(".ledger-chapter a")["href"] for row in rows}
    assert of == {claim.id: f"chapters/{claim.chapter}.html" for claim in stored}


def test_every_claim_is_on_its_page_once(html: Path) -> None:
    for claim in judge(Book(ROOT).notebooks()).claims:
        assert ids(html / f"chapters/{claim.chapter}.html")[f"claim-{claim.id}"] == 1, claim.id


def test_the_atlas_shows_every_result_once(html: Path) -> None:
    entries = read_register(ROOT / REGISTER)
    page, chips = soup(html / "atlas.html"), soup(html / "intro.html").select("table .atlas-chip")
    assert len(page.select(".atlas-entry")) == len(chips) == len(entries)
    written = {chapter.name for chapter in Book(ROOT).chapters()}
    for entry in entries:
        anchor = "atlas-" + entry["chapter"].replace("/", "-").replace("_", "-")
        box = page.find(id=anchor)
        assert box is not None, anchor
        published = entry["chapter"] in written
        assert ("published" if published else "planned") in box["class"]
        assert bool(box.select(f'a[href^="chapters/{entry["chapter"]}.html"]')) == published
        assert box.select_one('.atlas-source a[href^="references.html#"]'), anchor


def test_a_source_of_every_result_is_a_reference(html: Path) -> None:
    keys = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "references.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert {entry["source"] for entry in read_register(ROOT / REGISTER)} <= keys
    assert len(soup(html / "references.html").select("div.citation")) == len(keys)


def test_the_pages_name_no_path_of_the_machine_that_built_them(html: Path) -> None:
    found = [str(page.relative_to(html)) for page in pages(html) if str(ROOT) in page.read_text(encoding="utf-8")]
    assert found == []


@pytest.mark.parametrize(
    "name", ["_config.yml", "_toc.yml", "_atlas.yml", "_statements.yml", "CITATION.cff", ".pre-commit-config.yaml"]
)
def test_yaml_files_read(name: str) -> None:
    assert yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
