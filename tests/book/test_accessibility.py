"""Every page under axe-core, wide and narrow, in the light and in the dark; and every page's controls by keyboard."""

from pathlib import Path

import axe_playwright_python
import pytest
from book.visits import Moment, Screen, Visits, asks, settle
from playwright.sync_api import Page
from tiers import at_night

from reproduce.pages.theme import made_accessible

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# Most elements of a page are formulas and coloured code. Formulas are read out from their MathML, of which axe knows
# nothing, not even that these are words; the glyphs that MathJax draws are hidden from screen readers and have the
# colour of the text around: two letters stand for each, as axe does not look at the contrast of one. Of formulas that
# do not scroll, and of the tokens of code, one of each colour stays, on each ground and in each kind of block, of
# names in a text and of signatures too; the others become the plain text that they are to a screen reader. Of the
# rows of a table one of each kind stays.
SET = """async () => {
    if (window.MathJax?.startup) await window.MathJax.startup.promise;
    const formulas = document.querySelectorAll("mjx-math, mjx-assistive-mml");
    formulas.forEach((part) => part.replaceChildren("xx"));
    const kept = new Set(), others = [], rows = [];
    const colours = (e) => {
        const { color, fontWeight, backgroundColor } = getComputedStyle(e);
        return [color, fontWeight, backgroundColor].join();
    };
    const first = (kind) => !kept.has(kind) && kept.add(kind);
    for (const formula of document.querySelectorAll("span.math:not(.wide-formula, :has([tabindex]))")) {
        const around = formula.closest(".held") || formula;
        const { tagName, className, parentElement } = around.parentElement;
        const kind = [tagName, className, parentElement.className, colours(around), colours(formula)].join();
        if (first(kind)) formula.replaceChildren("xx");
        else others.push(around);
    }
    for (const row of document.querySelectorAll("tbody > tr")) {
        const kind = (e) => [e.tagName, e.className, e.getAttribute("style"), Boolean(e.textContent.trim()),
            ...e.getAttributeNames()].join();
        const parts = [row, ...row.querySelectorAll("*")].map(kind);
        if (!first([row.closest("table").className, ...new Set(parts)].join())) rows.push(row);
    }
    for (const code of document.querySelectorAll("pre, dt.sig, p code")) {
        const block = [code.parentElement.parentElement.className, colours(code)].join();
        for (const token of code.querySelectorAll("span:not([id], :has(*))")) {
            const kind = [block, token.className, colours(token)].join();
            if (!first(kind)) others.push(token);
        }
    }
    rows.forEach((row) => row.remove());
    others.forEach((part) => part.replaceWith(part.matches("pre *, code *, dt.sig *") ? part.textContent : "xx"));
}"""
# Contrast is asked of one piece of text of each kind: its colour, ground, size and weight, and of a link whether it
# stands in a text, and the colour of that. Nothing else enters it, so that only the first state of a page, narrow
# and light, asks it of all kinds, and the others of those that no page had. In the dark only colours differ: the other
# rules are asked in the light.
ONE_OF_A_KIND = """axe.configure({ rules: [
    { id: "color-contrast", selector: "[data-asked]" },
    { id: "link-in-text-block", selector: "a[href][data-asked], [data-asked] a[href]" },
] })"""
RUN = """async ([mode, everything, known]) => {
    document.documentElement.dataset.theme = document.documentElement.dataset.mode = mode;
    document.querySelectorAll("[data-asked]").forEach((e) => delete e.dataset.asked);
    const grounds = new Map(), kinds = new Map();
    const ground = (e) => {
        if (!e) return "";
        if (!grounds.has(e)) {
            const style = getComputedStyle(e), clear = style.backgroundColor.endsWith(", 0)");
            const plain = clear && style.backgroundImage === "none" && style.opacity === "1";
            grounds.set(e, plain ? ground(e.parentElement)
                : [style.backgroundColor, style.backgroundImage, style.opacity, ground(e.parentElement)].join());
        }
        return grounds.get(e);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const e = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !e.checkVisibility({ visibilityProperty: true })) continue;
        if (e.closest("mjx-assistive-mml, script, style")) continue;
        const style = getComputedStyle(e), link = e.closest("a");
        const inText = link && [...link.parentElement.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
        const around = link ? [inText, getComputedStyle(link.parentElement).color] : [];
        kinds.set([style.color, style.fontSize, style.fontWeight, ground(e), ...around].join(), [e, link]);
    }
    const asked = [...kinds].filter(([kind]) => !known.includes(kind)).flatMap(([, some]) => some.filter(Boolean));
    asked.forEach((e) => { e.dataset.asked = ""; });
    const contrast = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
    const found = everything ? await axe.run(document, { resultTypes: ["violations"], preload: !known.length })
        : asked.length ? await axe.run(asked, { runOnly: contrast, resultTypes: ["violations"] }) : { violations: [] };
    return [[...kinds.keys()], found.violations.flatMap((wrong) => wrong.nodes.map(
        (node) => `${wrong.id}: ${node.target.join(" ")} ${node.html.slice(0, 90)}`))];
}"""
PARTS = 4  # of all pages, each with a time limit of its own

# What can be pressed or typed into, and is seen.
CONTROLS = """() => {
    const all = document.querySelectorAll("a[href], button, input, summary, select, textarea, [tabindex='0']");
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
    return [...all].filter((e) => seen(e) && !e.disabled && e.tabIndex >= 0).length;
}"""
# What the keyboard comes to, until it comes to something again: whether it is marked, and what it is.
LISTEN = """() => {
    const met = new Set();
    window.reached = [];
    document.addEventListener("focusin", ({ target: e }) => {
        if (met.has(e)) window.again = true;
        if (window.again) return;
        met.add(e);
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(e);
        const ring = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
        window.reached.push([ring || e.checkVisibility() === false, e.outerHTML.slice(0, 120)]);
    });
}"""


KNOWN: set[str] = set()  # the kinds of text of which contrast was asked in this process


def prepare(page: Page) -> None:
    """Bring axe into a page whose formulas are set, its ledger open, with no button pressed last."""
    for button in page.locator(".ledger form button", has_text="Unfold all").all():
        button.click()
    page.mouse.move(0, 0)
    page.evaluate("() => document.activeElement.blur()")
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SET)
        page.evaluate(AXE)
        page.evaluate(ONE_OF_A_KIND)
        settle(page)


def wrong_in(page: Page, mode: str, *, first: bool) -> tuple[int, list[str]]:
    """How many kinds of text a page has in a mode, and what axe finds wrong.

    first: whether this is the page's first state.
    """
    kinds, wrong = page.evaluate(RUN, [mode, mode == "light", [] if first else sorted(KNOWN)])
    if not wrong:
        KNOWN.update(kinds)
    return len(kinds), wrong


@asks(Moment.REPLACED, Screen.WIDE, Screen.NARROW)
def axe_in_light_and_dark(page: Page, name: str) -> dict[str, tuple[int, list[str]]]:
    prepare(page)
    narrow = page.viewport_size == Screen.NARROW.size  # the first that is asked this
    return {mode: wrong_in(page, mode, first=narrow and mode == "light") for mode in ("light", "dark")}


@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_on_any_page(visits: Visits, served: list[str], part: int) -> None:
    found: dict[str, list[str]] = {}
    for screen in Screen:
        pages = visits.answers(axe_in_light_and_dark, screen, served[part::PARTS])
        for name, modes in pages.items():
            for mode, (kinds, wrong) in modes.items():
                assert kinds >= 3, name
                if wrong:
                    found[f"{name} {screen.name} {mode}"] = wrong[:6]
    assert found == {}


# What is wrong in one state alone: a colour, and in the light a button without a name.
PALE = "color: rgb({0}, {0}, {0}) !important; background: #fff !important"
STATES = {
    ("WIDE", "light"): "@media (min-width: 500px) {{ html:not([data-theme=dark]) .planted {{ {0} }} }}",
    ("WIDE", "dark"): "@media (min-width: 500px) {{ html[data-theme=dark] .planted {{ {0} }} }}",
    ("NARROW", "light"): "@media (max-width: 500px) {{ html:not([data-theme=dark]) .planted {{ {0} }} }}",
    ("NARROW", "dark"): "@media (max-width: 500px) {{ html[data-theme=dark] .planted {{ {0} }} }}",
}


def states_of(page: Page, address: str, style: str, planted: str) -> "dict[tuple[str, str], list[str]]":
    """The rules that axe finds broken in each state of a page into which something was put."""
    found = {}
    for screen in Screen:
        page.set_viewport_size(screen.size)
        page.goto(address, wait_until="load")
        prepare(page)
        page.add_style_tag(content=style)
        page.evaluate("(text) => document.querySelector('article').insertAdjacentHTML('beforeend', text)", planted)
        for mode in ("light", "dark"):
            _, wrong = wrong_in(page, mode, first=screen is Screen.WIDE and mode == "light")
            found[screen.name, mode] = sorted({one.split(":")[0] for one in wrong})
    return found


# The night plants faults, to see whether these tests would find them.
@pytest.mark.nightly
@pytest.mark.parametrize("state", STATES, ids=" ".join)
def test_axe_finds_a_colour_that_is_wrong_in_one_state(page: Page, site: str, state: tuple[str, str]) -> None:
    style = STATES[state].format(PALE.format(170 + list(STATES).index(state)))
    found = states_of(page, f"{site}rerun.html", style, "<p class='planted'>pale</p>")
    assert {where for where, wrong in found.items() if "color-contrast" in wrong} == {state}


@pytest.mark.nightly
def test_axe_would_find_something_on_either_screen(page: Page, site: str) -> None:
    hidden = "@media ({}-width: 500px) {{ .{} {{ display: none }} }}"
    style = hidden.format("min", "small") + hidden.format("max", "large")
    planted = "<button class='small'></button><img class='large' src='_static/favicon.svg'>"
    found = states_of(page, f"{site}rerun.html", style, planted)
    assert (found["WIDE", "light"], found["NARROW", "light"]) == (["image-alt"], ["button-name"])


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("planted", "rule"),
    [
        ("<img src='_static/favicon.svg'>", "image-alt"),
        ("<a href='intro.html'></a>", "link-name"),
        ("<b style='color: #aaa'>pale</b>", "color-contrast"),
        ("<b role='nothing'>x</b>", "aria-roles"),
    ],
)
def test_axe_would_find_something_in_the_last_row_of_a_table(page: Page, site: str, planted: str, rule: str) -> None:
    page.goto(f"{site}ledger.html", wait_until="load")
    last = "document.querySelector('.ledger tbody > tr:last-child > td:last-child')"
    page.evaluate(f"(text) => {last}.insertAdjacentHTML('beforeend', text)", planted)
    prepare(page)
    _, wrong = wrong_in(page, "light", first=True)
    assert {one.split(":")[0] for one in wrong} == {rule}


@pytest.mark.nightly
def test_axe_would_find_a_pale_formula(page: Page, site: str) -> None:
    page.goto(f"{site}glossary.html", wait_until="load")
    page.add_style_tag(content=".planted, .planted * { color: #aaa !important }")
    page.evaluate("() => [...document.querySelectorAll('dd .math')].at(-1).classList.add('planted')")
    prepare(page)
    _, wrong = wrong_in(page, "light", first=True)
    assert {one.split(":")[0] for one in wrong} == {"color-contrast"}


@pytest.mark.parametrize(
    "name",
    [
        "intro.html",
        "ledger.html?words=theorem+2021",
        at_night("search.html"),
        at_night("chapters/linear/max_margin.html"),
    ],
)
def test_the_keyboard_reaches_every_control_and_shows_where_it_is(page: Page, site: str, name: str) -> None:
    page.goto(site + name, wait_until="load")
    page.evaluate(SET)
    settle(page)
    controls = page.evaluate(CONTROLS)
    page.evaluate(LISTEN)
    for _ in range(controls + 20):
        page.keyboard.press("Tab")
    reached = page.evaluate("() => window.reached")
    assert len(reached) >= controls > 10
    assert [what for marked, what in reached if not marked] == []


def test_a_page_gets_the_names_it_lacks() -> None:
    fold = '<a href="a">Library</a><details><summary><span class="toctree-toggle"></span></summary></details>'
    assert '<summary aria-label="pages of Library">' in made_accessible(fold)
    assert made_accessible('<th class="head"><p></p></th>') == "<td></td>"
    assert made_accessible('<th class="head"><p>n</p></th>') == '<th class="head"><p>n</p></th>'
    assert made_accessible('<tr id="cap-One step: rank">') == '<tr id="cap-One-step-rank">'
    assert "role" not in made_accessible('<div class="citation" id="id3" role="doc-biblioentry">')
    assert made_accessible('<h2>a_b.c.d<a class="headerlink"') == '<h2>a_b.<wbr>c.<wbr>d<a class="headerlink"'
    assert 'aria-label="Contents"' in made_accessible('<div class="bd-sidebar-primary bd-sidebar">')
