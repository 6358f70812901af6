"""The ledger and the page on robustness in a browser: words, choices, order, the address that keeps them, and cards."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import BrowserContext, Locator, Page
from tiers import thinned

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.seeds import SEEDS, same_with_every_seed
from reproduce.chapters.book import REGISTER, Book
from reproduce.claims.ledger import read_register

ROOT = Path(__file__).parents[2]

PAGES = ("ledger.html", "robustness.html")
OF = {"ledger.html": "error / allowed", "robustness.html": "worst error / allowed"}
both = pytest.mark.parametrize("name", thinned(PAGES, every=2))  # the same script serves both


def unfold(page: Page) -> None:
    page.locator(".ledger form button", has_text="Unfold all").click()


def shown(page: Page) -> Locator:
    return page.locator(".ledger tbody tr[data-words]:visible")


def more(page: Page) -> None:
    page.locator(".ledger form summary").click()


def claims(page: Page) -> list[str]:
    found: list[str] = shown(page).locator("[data-label=claim]").evaluate_all("all => all.map((c) => c.dataset.key)")
    return found


def choices(page: Page, facet: str) -> list[str]:
    options = page.locator(f".ledger select[name={facet}] option")
    found: list[str] = options.evaluate_all("all => all.map((o) => o.value)")
    return [choice for choice in found if choice]


def words_of(row: Tag) -> str:
    return f"{row['data-words']} {row.text}".lower()


@both
@pytest.mark.parametrize(
    "facet", thinned(["part", "source", "kind", "evidence", "control", "role", "seed", "five"], every=5)
)
def test_a_facet_shows_its_claims_and_says_how_many(page: Page, site: str, name: str, facet: str) -> None:
    page.goto(site + name)
    unfold(page)
    assert page.locator(".ledger select:visible").count() == 2
    more(page)
    everything, select = len(claims(page)), page.locator(f".ledger select[name={facet}]")
    assert select.evaluate("(one) => one.labels.length") == 1
    found = 0
    for choice in choices(page, facet):
        select.select_option(choice)
        rows = shown(page).evaluate_all("(all, facet) => all.map((row) => row.dataset[facet])", facet)
        assert set(rows) == {choice}
        assert select.locator(f"option[value='{choice}']").inner_text() == f"{choice} ({len(rows)})"
        assert page.locator(".ledger output").inner_text() == f"{len(rows)} of {everything} claims shown"
        found += len(rows)
    assert found == everything


@both
def test_each_word_is_looked_for_by_itself(page: Page, site: str, html: Path, name: str) -> None:
    rows = BeautifulSoup((html / name).read_text(encoding="utf-8"), "html.parser").select(
        ".ledger tbody tr[data-words]"
    )
    page.goto(site + name)
    for words in ("rank stable", "soudry margin", "THEOREM  vardi", "leaky premise"):
        page.locator(".ledger input").fill(words)
        wanted = [row for row in rows if all(word in words_of(row) for word in words.lower().split())]
        assert claims(page) == [row.select_one("[data-label=claim]")["data-key"] for row in wanted]  # type: ignore[index]
    page.locator(".ledger input").fill("rank stable")
    assert len(claims(page)) > 3
    assert not any("rank stable" in words_of(row) for row in rows)


@both
def test_the_address_keeps_words_choices_and_order(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    page.locator(".ledger input").fill("theorem 2021")
    more(page)
    page.locator(".ledger select[name=control]").select_option("premise broken")
    head = page.locator(".ledger thead th", has_text=OF[name])
    head.locator("button").click()
    head.locator("button").click()
    left = claims(page)
    assert 1 < len(left) < 150
    page.reload()
    assert claims(page) == left
    assert head.get_attribute("aria-sort") == "descending"
    assert page.locator(".ledger input").input_value() == "theorem 2021"
    assert page.locator(".ledger select[name=control]:visible").input_value() == "premise broken"
    other = page.context.new_page()
    other.goto(page.url)
    assert claims(other) == left
    page.locator(".ledger button[type=reset]").click()
    assert page.url == site + name
    assert claims(page) == []
    unfold(page)
    assert len(claims(page)) > len(left)
    assert page.locator(".ledger th[aria-sort]").count() == 0


@both
def test_an_address_with_what_there_is_not_shows_everything(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    unfold(page)
    everything = claims(page)
    assert len(everything) > 100
    page.goto(f"{site}{name}?{urlencode({'part': 'no such part', 'sort': 'colour', 'order': 'sideways'})}")
    unfold(page)
    assert claims(page) == everything


@both
def test_claims_are_sorted_by_error_over_allowed_as_numbers(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    page.locator(".ledger thead th", has_text=OF[name]).locator("button").click()
    keys = shown(page).locator(f"[data-label='{OF[name]}']").evaluate_all("all => all.map((c) => c.dataset.key)")
    values = [float(key) for key in keys if key]  # a claim that was not run has none
    assert len(values) > 100
    assert values == sorted(values)
    texts = shown(page).locator(f"[data-label='{OF[name]}'] b").all_inner_texts()
    words = {"ledger.html": "to spare", "robustness.html": "always kept"}[name]
    assert all(words in text for text, value in zip(texts, values, strict=True) if value < 0)
    assert values[0] < 0 < values[-1]
    assert "kept;" not in page.locator(".ledger:not(.plain) table").inner_text()


@both
def test_claims_that_are_the_same_with_every_seed_say_so(page: Page, site: str, name: str) -> None:
    known = same_with_every_seed(read_findings(Book(ROOT), SEEDS), Book(ROOT).notebooks())
    made = {claim for entry in read_register(ROOT / REGISTER) for claim in entry["claims"]}
    known = {
        claim: same for claim, same in known.items() if claim in made
    }  # without those that no chapter makes any more
    page.goto(site + name)
    more(page)
    page.locator(".ledger select[name=seed]").select_option("other numbers")
    assert shown(page).count() == sum(not same for same in known.values()) > 20
    page.locator(".ledger select[name=seed]").select_option("deterministic")
    found = shown(page).locator("[data-label=claim] .ledger-note").all_inner_texts()
    assert len(found) == sum(known.values())
    assert all("deterministic" in text for text in found)
    if name == "robustness.html":
        intervals = shown(page).locator("[data-label=interval]").all_inner_texts()
        assert set(intervals) <= {"none: all runs are one", ""}  # nothing stands there for one that was not run


@both
def test_the_heads_stay_in_sight(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    unfold(page)
    page.locator(".ledger tbody tr[data-words]").nth(60).scroll_into_view_if_needed()
    page.mouse.wheel(0, 600)
    page.wait_for_function("() => document.querySelector('.ledger tbody').getBoundingClientRect().top < -1000")
    head = page.locator(".ledger:not(.plain) thead th").nth(2)
    box = head.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 120
    on_top = "([th, x, y]) => th.contains(document.elementFromPoint(x, y))"
    assert page.evaluate(on_top, [head.element_handle(), box["x"] + 5, box["y"] + box["height"] - 5])


@both
def test_on_a_phone_every_claim_is_a_card(narrow: BrowserContext, site: str, name: str) -> None:
    page = narrow.new_page()
    page.goto(site + name)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    unfold(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    full = shown(page).filter(has=page.locator("[data-label=measured], [data-label=interval]"))  # what was run
    for row in (full.first, full.nth(50)):
        cells = [cell.bounding_box() for cell in row.locator("th:visible, td:visible").all()]
        assert len(cells) > 4
        assert all(cell is not None and cell["x"] + cell["width"] <= 390 for cell in cells)
        assert len({cell["x"] for cell in cells if cell}) == 1
    more(page)
    page.locator(".ledger select[name=kind]").select_option("rate")
    assert 0 < shown(page).count() < 100
    assert page.locator(".ledger [data-label=measured]:visible, .ledger [data-label=interval]:visible").first.evaluate(
        "(cell) => getComputedStyle(cell, '::before').content"
    ) in ('"measured"', '"interval"')


@both
def test_every_chapter_is_a_fold_that_counts_its_claims(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    heads = page.locator(".ledger tbody:visible .ledger-chapter")
    assert heads.count() == len(Book(ROOT).notebooks())
    everything = len(claims(page))  # of the first, which is open
    assert f"{everything} claim" in heads.nth(0).inner_text()
    for at in (1, heads.count() - 1):
        button = heads.nth(at).locator("button")
        button.click()
        assert button.get_attribute("aria-expanded") == "true"
        now = len(claims(page)) - everything
        assert f"{now} claim" in heads.nth(at).inner_text()
        everything += now
    heads.nth(0).locator("button").click()
    assert 0 < len(claims(page)) < everything


@both
def test_a_link_to_a_claim_opens_its_chapter_alone(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    unfold(page)
    every = claims(page)
    for claim in (every[len(every) // 2], every[-1]):  # on a fresh page, and on one that is open
        page.goto(f"{site}{name}#{claim}")
        page.wait_for_function("(id) => { const box = document.getElementById(id).getBoundingClientRect();"
                               " return box.top >= 0 && box.bottom <= innerHeight; }", arg=claim)  # fmt: skip
        assert claim in claims(page)
    page.goto("about:blank")
    page.goto(f"{site}{name}#{every[0]}")
    assert {one.split(".")[0] for one in claims(page)} == {every[0].split(".")[0]}


@both
def test_without_a_script_and_on_paper_every_claim_stands(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    number = page.locator(".ledger tbody tr[data-words]").count()
    page.emulate_media(media="print")
    assert shown(page).count() == number
    browser = page.context.browser
    assert browser is not None
    plain = browser.new_context(java_script_enabled=False)
    bare = plain.new_page()
    bare.goto(site + name)
    assert shown(bare).count() == number
    plain.close()
