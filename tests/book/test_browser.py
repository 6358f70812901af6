"""The pages in a real browser: formulas, widths, the dark, the ledger's sorting and filter, solutions, search."""

from pathlib import Path

import pytest
from book.visits import INLINE, Moment, Screen, Visits, asks
from playwright.sync_api import Browser, BrowserContext, Page
from tiers import at_night, thinned

LEDGER = "ledger.html"
UNFOLD = ".ledger form button:text-is('Unfold all')"

# Formulas that the page holds, those that MathJax set, and those that it could not read.
FORMULAS = """async () => {
    if (window.MathJax?.startup) await window.MathJax.startup.promise;
    const all = [...document.querySelectorAll("span.math, div.math")];
    return [
        all.filter((f) => !f.querySelector("mjx-container")).map((f) => f.textContent.slice(0, 60)),
        [...document.querySelectorAll("mjx-merror")].map((f) => f.textContent),
    ];
}"""

TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    return document.documentElement.scrollWidth <= width ? [] : [...document.querySelectorAll("body *")]
        .filter((e) => e.getBoundingClientRect().right > width + 1).slice(0, 5).map((e) => e.outerHTML.slice(0, 120));
}"""

# Links to the source that leave the box of their signature, and examples of the library that scroll sideways.
OUT_OF_ITS_BOX = """() => [
    ...[...document.querySelectorAll("dl.py > dt.sig .viewcode-link")]
        .filter((link) => link.getBoundingClientRect().bottom > link.closest("dt").getBoundingClientRect().bottom + 1)
        .map((link) => link.closest("dt").id),
    ...[...document.querySelectorAll("dl.py pre")]
        .filter((example) => example.scrollWidth > example.clientWidth + 1)
        .map((example) => example.textContent.slice(0, 60)),
]"""

# By how many pixels the small letters of each formula are higher than those of the text around: MathJax knows its own.
# A hundred heights are measured, as browsers cut lengths to 1/64 pixel: of a font whose ex is no whole pixel, too much.
# The probes are set in all at once: one at a time, the page would be laid out anew for each.
OFF_HEIGHT = """() => {
    const formulas = [...document.querySelectorAll("article mjx-container")].filter((one) => one.checkVisibility());
    const probes = formulas.map((formula) => {
        const probe = document.createElement("span");
        probe.style.cssText = "display: inline-block; height: 100ex";
        formula.before(probe);
        return probe;
    });
    const { x_height } = MathJax.startup.document.outputJax.font.params;
    const off = formulas.map((formula, k) => {
        const wanted = parseFloat(getComputedStyle(probes[k]).height) / 100;
        return parseFloat(getComputedStyle(formula).fontSize) * x_height - wanted;
    });
    probes.forEach((probe) => probe.remove());
    return off;
}"""

# Words of a table or a heading that do not stand on one line, with what is around them.
BROKEN = """() => [...document.querySelectorAll("article :is(td, th, h1, h2, h3, h4)")].flatMap((cell) => {
    if (!cell.checkVisibility() || !cell.getBoundingClientRect().width) return [];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), broken = [], word = document.createRange();
    while (texts.nextNode()) {
        if (texts.currentNode.parentElement.closest("mjx-container, code")) continue;
        for (const found of texts.currentNode.data.matchAll(/\\p{L}{3,12}/gu)) {
            word.setStart(texts.currentNode, found.index);
            word.setEnd(texts.currentNode, found.index + found[0].length);
            const tops = [...word.getClientRects()].map((box) => Math.round(box.top));
            if (new Set(tops).size > 1) broken.push(`${found[0]} of ${cell.textContent.trim().slice(0, 40)}`);
        }
    }
    return broken;
})"""

# The contrast (WCAG 2) of every piece of text below a selector with what lies behind it.
CONTRAST = """(selector) => {
    const read = (text) => {
        const [r, g, b, a] = text.match(/[\\d.]+/g).map(Number);
        return [r, g, b, a ?? 1];
    };
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const colour = read(getComputedStyle(e).backgroundColor);
            if (colour[3] > 0.99) return colour;
        }
        return [255, 255, 255, 1];
    };
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const poor = [];
    let seen = 0;
    for (const e of document.querySelectorAll(`${selector}, ${selector} *`)) {
        const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent).join("").trim();
        if (!text || !e.checkVisibility()) continue;
        seen += 1;
        const [a, b] = [light(read(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) poor.push(`${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
    }
    return [seen, poor];
}"""


# Punctuation right behind a formula of a line that stands on the next line, with what is behind it.
ORPHANS = """() => [...document.querySelectorAll("article mjx-container:not([display])")].flatMap((formula) => {
    const all = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
    all.currentNode = formula;
    let text = all.nextNode();
    while (text && formula.contains(text)) text = all.nextNode();
    if (!text || !/^[,.;:!?…)\\]}’”»]/.test(text.data)) return [];
    const sign = document.createRange();
    sign.setStart(text, 0);
    sign.setEnd(text, 1);
    const [one, other] = [formula.getBoundingClientRect(), sign.getBoundingClientRect()];
    return one.width && other.width && (other.top + other.bottom) / 2 > one.bottom ? [text.data.slice(0, 20)] : [];
})"""


def chapters(names: list[str]) -> list[str]:
    return [name for name in names if name.startswith("chapters/")]


def set_theme(page: Page, wanted: str) -> None:
    """Press the theme's own button until the page is in that mode."""
    for _ in range(3):
        if page.locator("html").get_attribute("data-theme") == wanted:
            return
        page.locator("button.theme-switch-button:visible").first.click()
    assert page.locator("html").get_attribute("data-theme") == wanted


def test_icons_are_drawn_by_a_font_and_no_script(page: Page, site: str, html: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site + LEDGER)
    assert not [url for url in asked if "fontawesome" in url and url.split("?")[0].endswith(".js")]
    icon = page.locator("button.search-button__button i.fa-magnifying-glass, .search-button-field i").first
    assert "Font Awesome" in icon.evaluate("icon => getComputedStyle(icon, '::before').fontFamily")
    assert icon.bounding_box()["width"] > 8  # type: ignore[index]


@asks(Moment.LOADED, Screen.WIDE)
def formulas(page: Page, name: str) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(FORMULAS)
    return found


@asks(Moment.LOADED, Screen.NARROW)
def too_wide(page: Page, name: str) -> list[str]:
    found: list[str] = page.evaluate(TOO_WIDE)
    return found


@asks(Moment.LOADED, Screen.NARROW)
def out_of_its_box(page: Page, name: str) -> list[str]:
    found: list[str] = page.evaluate(OUT_OF_ITS_BOX)
    return found


@asks(Moment.LOADED, Screen.NARROW)
def broken_words(page: Page, name: str) -> list[str]:
    found: list[str] = page.evaluate(BROKEN)
    return found


def orphans(page: Page, name: str) -> list[str]:
    found: list[str] = page.evaluate(ORPHANS)
    return found


@asks(Moment.LOADED, Screen.WIDE)
def orphans_on_a_desk(page: Page, name: str) -> list[str]:
    return orphans(page, name)


@asks(Moment.LOADED, Screen.NARROW)
def orphans_on_a_phone(page: Page, name: str) -> list[str]:
    return orphans(page, name)


def contrast(page: Page, name: str, mode: str) -> tuple[int, list[str]] | None:
    selector = {LEDGER: ".ledger", "intro.html": ".atlas-map"}.get(name, ".claim")
    if selector == ".claim" and not chapters([name]):
        return None
    set_theme(page, mode)
    for button in page.locator(UNFOLD).all():
        button.click()
    folds = page.locator("details:not([open])").element_handles()  # claims may be folded: opened to be read
    for fold in folds:
        fold.evaluate("fold => fold.open = true")
    seen, poor = page.evaluate(CONTRAST, selector)
    for fold in folds:
        fold.evaluate("fold => fold.open = false")
    return seen, poor


@asks(Moment.LOADED, Screen.WIDE)
def contrast_in_the_light(page: Page, name: str) -> tuple[int, list[str]] | None:
    return contrast(page, name, "light")


@asks(Moment.DARK, Screen.WIDE)
def contrast_in_the_dark(page: Page, name: str) -> tuple[int, list[str]] | None:
    return contrast(page, name, "dark")


@asks(Moment.DARK, Screen.WIDE)
def grounds_of_figures_in_the_dark(page: Page, name: str) -> list[str]:
    if not chapters([name]):
        return []
    set_theme(page, "dark")
    found: list[str] = page.locator(".cell_output img").evaluate_all(
        "all => all.map((f) => getComputedStyle(f).backgroundColor)"
    )
    return found


@asks(Moment.PRESSED, Screen.WIDE)
def solutions(page: Page, name: str) -> list[tuple[bool, bool]]:
    """Whether each solution is seen before it was asked for, and after."""
    found = []
    for solution in page.locator("div.solution").all() if chapters([name]) else []:
        body = solution.locator("section").first
        before = body.is_visible()
        solution.locator("button, summary, .toggle-button").first.click()
        found.append((before, body.is_visible()))
    return found


def rows(page: Page, column: str) -> list[str]:
    return page.locator(f".ledger tbody tr:visible [data-label='{column}']").evaluate_all(
        "cells => cells.map((cell) => cell.dataset.key)"
    )


def test_no_error_no_other_host_and_every_formula_set(visits: Visits, names: list[str]) -> None:
    assert len(names) > 10
    wrong: list[str] = []
    for name, events in visits.events(names).items():
        wrong += [f"{name}: {what}" for what in events["errors"] + events["failed"]]
        wrong += [f"{name} asks {url}" for url in events["asked"] if not url.startswith(("/", *INLINE))]
    for name, (plain, unreadable) in visits.answers(formulas, Screen.WIDE, names).items():
        wrong += [f"{name}: not set: {formula}" for formula in plain]
        wrong += [f"{name}: {error}" for error in unreadable]
    assert wrong == []


def test_no_line_begins_with_the_punctuation_of_a_formula(visits: Visits, names: list[str]) -> None:
    for question, screen in ((orphans_on_a_desk, Screen.WIDE), (orphans_on_a_phone, Screen.NARROW)):
        found = visits.answers(question, screen, names)
        assert {name: some for name, some in found.items() if some} == {}


def test_nothing_is_wider_than_a_phone(visits: Visits, names: list[str]) -> None:
    found = visits.answers(too_wide, Screen.NARROW, names)
    assert {name: wide_things for name, wide_things in found.items() if wide_things} == {}


def test_signatures_and_examples_keep_to_their_boxes_on_a_phone(visits: Visits, names: list[str]) -> None:
    found = visits.answers(out_of_its_box, Screen.NARROW, names)
    assert {name: things[:5] for name, things in found.items() if things} == {}


def test_no_word_of_a_table_or_a_heading_is_broken_on_a_phone(visits: Visits, names: list[str]) -> None:
    found = visits.answers(broken_words, Screen.NARROW, names)
    assert {name: words[:5] for name, words in found.items() if words} == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_is_legible_in_both_modes(visits: Visits, names: list[str], mode: str) -> None:
    question = {"light": contrast_in_the_light, "dark": contrast_in_the_dark}[mode]
    asked = [*chapters(names), *(name for name in (LEDGER, "intro.html") if name in names)]
    found = visits.answers(question, Screen.WIDE, asked)
    assert [name for name, (seen, _) in found.items() if seen <= 3] == []
    assert {name: poor for name, (_, poor) in found.items() if poor} == {}


def test_small_letters_of_formulas_are_as_high_as_those_of_the_text(page: Page, site: str) -> None:
    page.goto(f"{site}chapters/linear/max_margin.html", wait_until="load")
    page.evaluate("() => window.MathJax.startup.promise")
    for font in ("var(--book-serif)", "MJXTEX"):  # the machine's, and one that the page brings along
        page.add_style_tag(content=f".bd-article {{ font-family: {font} }}")
        for screen in (*Screen, Screen.WIDE):
            page.set_viewport_size(screen.size)
            off = page.evaluate(OFF_HEIGHT)
            assert len(off) > 100
            assert max(map(abs, off)) < 0.01


def test_the_dark_changes_the_page(page: Page, site: str) -> None:
    page.goto(site + LEDGER, wait_until="load")
    background = "() => getComputedStyle(document.body).backgroundColor"
    set_theme(page, "light")
    light = page.evaluate(background)
    set_theme(page, "dark")
    assert page.evaluate(background) != light


def test_figures_lie_on_white_in_the_dark(visits: Visits, names: list[str]) -> None:
    for name, colours in visits.answers(grounds_of_figures_in_the_dark, Screen.WIDE, chapters(names)).items():
        assert colours, name
        for colour in colours:
            assert min(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")) > 240, name


@pytest.mark.nightly  # the keyboard sorts it at each commit
def test_the_ledger_sorts_by_click(page: Page, site: str) -> None:
    page.goto(site + LEDGER, wait_until="load")
    page.locator(UNFOLD).click()
    before = rows(page, "claim")
    head = page.locator(".ledger thead th", has_text="claim")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    ascending = rows(page, "claim")
    assert sorted(before) == sorted(ascending)
    assert ascending == sorted(before)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert rows(page, "claim") == ascending[::-1]


def test_the_ledger_sorts_numbers_by_keyboard(page: Page, site: str) -> None:
    page.goto(site + LEDGER, wait_until="load")
    head = page.locator(".ledger thead th", has_text="error / allowed")
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    values = [float(value) for value in rows(page, "error / allowed")]
    assert values == sorted(values)
    page.keyboard.press("Space")
    assert [float(value) for value in rows(page, "error / allowed")] == sorted(values, reverse=True)
    assert page.locator(".ledger th[aria-sort]").count() == 1


def test_the_ledger_filters(page: Page, site: str) -> None:
    page.goto(site + LEDGER, wait_until="load")
    page.locator(UNFOLD).click()
    everything = rows(page, "claim")
    word = next(one for one in everything if sum(one in other for other in everything) == 1)
    page.locator(".ledger input").fill(word)
    assert rows(page, "claim") == [word]
    assert page.locator(".ledger output").inner_text() == f"1 of {len(everything)} claims shown"
    page.locator(".ledger input").fill("no claim says this")
    assert rows(page, "claim") == []
    page.locator(".ledger input").fill("")
    assert rows(page, "claim") == everything


def test_a_row_of_the_ledger_leads_to_its_claim(page: Page, site: str) -> None:
    page.goto(site + LEDGER, wait_until="load")
    page.locator(UNFOLD).click()
    link = page.locator(".ledger tbody [data-label=claim] a").first
    words = link.inner_text()
    link.click()
    page.wait_for_load_state("load")
    assert "#claim-" in page.url
    assert words in page.locator(".claim:target .claim-head").inner_text()


def test_the_ledger_is_cards_on_a_phone(narrow: BrowserContext, site: str) -> None:
    page = narrow.new_page()
    page.goto(site + LEDGER, wait_until="load")
    page.locator(UNFOLD).click()
    boxes = (
        page.locator(".ledger tbody tr[data-words]")
        .first.locator("th:visible, td:visible")
        .evaluate_all("cells => cells.map((cell) => cell.getBoundingClientRect().top)")
    )
    assert len(boxes) > 4
    assert len(set(boxes)) == len(boxes)


@pytest.mark.parametrize("place", ["glossary.html#term-separable", at_night("symbols.html#lazy-training")])
def test_a_link_lands_where_it_points_although_formulas_are_set_above(
    page: Page, narrow: BrowserContext, site: str, place: str
) -> None:
    for opened in (page, narrow.new_page()):
        opened.goto(f"{site}/{place}")
        opened.evaluate("() => window.MathJax.startup.promise")
        opened.wait_for_timeout(1000)
        top = "document.getElementById(location.hash.slice(1)).getBoundingClientRect().top"
        opened.wait_for_function(f"() => 0 <= {top} && {top} <= 200")


def test_solutions_are_hidden_until_asked_for(visits: Visits, names: list[str]) -> None:
    for name, found in visits.answers(solutions, Screen.WIDE, chapters(names)).items():
        assert found, name
        assert set(map(tuple, found)) == {(False, True)}, name


def test_search_finds_a_word(page: Page, site: str) -> None:
    page.goto(site + "search.html?q=hyperbolic", wait_until="load")
    page.locator("#search-results li a[href^='symbols.html']").first.wait_for()


FILMS = ("linear/max_margin", "wide_networks/global_convergence", "measures/sparse_deconvolution")


@pytest.mark.parametrize("chapter", thinned(FILMS, every=3))
def test_films_play_pause_and_are_scrubbed_by_keyboard(page: Page, site: str, html: Path, chapter: str) -> None:
    assert (html / f"chapters/{chapter}.html").stat().st_size < 2_000_000
    page.goto(f"{site}chapters/{chapter}.html")
    film = page.locator(".film").first
    picture, button, slider = film.locator("img"), film.locator("button"), film.locator("input[type=range]")
    last = picture.get_attribute("src")
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-label") == "pause"
    elsewhere = "([bar, picture, before]) => +bar.value < +bar.max && picture.src !== before"
    page.wait_for_function(elsewhere, arg=[slider.element_handle(), picture.element_handle(), last])
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-label") == "play"
    here, shown = int(slider.input_value()), picture.get_attribute("src")
    assert shown != last
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert int(slider.input_value()) == here + 1
    assert picture.get_attribute("src") != shown


@pytest.mark.parametrize("chapter", FILMS)
def test_without_scripts_a_film_is_a_still_picture(browser: Browser, site: str, chapter: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}chapters/{chapter}.html")
    film = page.locator(".film").first
    assert film.locator("img").is_visible()
    assert not film.locator("button").is_visible()
    context.close()
