"""Every page under axe-core, wide and narrow, in the light and in the dark; and every page's controls by keyboard."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import BrowserContext, Page

from reproduce.pages.accessible import made_accessible

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# Formulas, most elements of a page, are read out from their MathML, of which axe knows nothing, not even that these are
# words; the glyphs that MathJax draws are hidden from screen readers and have the colour of the text around. A letter
# stands for each of the two.
SET = """async () => {
    if (window.MathJax?.startup) await window.MathJax.startup.promise;
    document.querySelectorAll("mjx-math, mjx-assistive-mml").forEach((part) => part.replaceChildren("x"));
}"""
# Contrast is asked of one piece of text of each kind, a kind being colour, ground, size, weight; the rest of all.
RUN = """async ([mode, everything]) => {
    document.documentElement.dataset.theme = document.documentElement.dataset.mode = mode;
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
        const style = getComputedStyle(e);
        kinds.set([style.color, style.fontSize, style.fontWeight, ground(e)].join(), e);
    }
    const found = [await axe.run([...kinds.values()], {
        runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] }, resultTypes: ["violations"],
    })];
    if (everything) {
        found.push(await axe.run(document, {
            rules: { "color-contrast": { enabled: false }, "link-in-text-block": { enabled: false } },
            resultTypes: ["violations"],
        }));
    }
    return [kinds.size, found.flatMap((one) => one.violations.flatMap((wrong) => wrong.nodes.map(
        (node) => `${wrong.id}: ${node.target.join(" ")} ${node.html.slice(0, 90)}`)))];
}"""
PARTS = 4  # of all pages, each with a time limit of its own
SETTLED = 450  # milliseconds after a change of width until the theme's and the book's scripts have marked what scrolls

# What can be pressed or typed into, and is seen.
CONTROLS = """() => {
    const all = document.querySelectorAll("a[href], button, input, summary, select, textarea, [tabindex='0']");
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
    return [...all].filter((e) => seen(e) && !e.disabled && e.tabIndex >= 0).length;
}"""
FOCUSED = """() => {
    const e = document.activeElement, style = getComputedStyle(e);
    if (e === document.body) return null;
    const first = !e.dataset.reached;
    e.dataset.reached = "yes";
    const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
    return [first, ring || e.checkVisibility() === false ? "" : e.outerHTML.slice(0, 120)];
}"""


@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_on_any_page(wide: BrowserContext, site: str, names: list[str], part: int) -> None:
    page = wide.new_page()
    found: dict[str, list[str]] = {}
    for name in [*names, "api/index.html", "genindex.html", "py-modindex.html"][part::PARTS]:
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(site + name, wait_until="load")
        page.evaluate(SET)
        page.evaluate(AXE)
        for width in (1400, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(SETTLED)
            for mode in ("light", "dark"):
                kinds, wrong = page.evaluate(RUN, [mode, mode == "light"])
                assert kinds >= 3, name
                if wrong:
                    found[f"{name} {width} {mode}"] = wrong[:6]
    assert found == {}


def test_axe_would_find_something(page: Page, site: str) -> None:
    page.goto(f"{site}ledger.html", wait_until="load")
    page.evaluate(
        """() => document.querySelector("article").insertAdjacentHTML("beforeend",
            "<p style='color: #aaa; background: #fff'>pale</p><img src='_static/favicon.svg'><button></button>")"""
    )
    page.evaluate(AXE)
    _, wrong = page.evaluate(RUN, ["light", True])
    assert {one.split(":")[0] for one in wrong} >= {"color-contrast", "image-alt", "button-name"}


@pytest.mark.parametrize("name", ["intro.html", "ledger.html", "search.html", "chapters/linear/max_margin.html"])
def test_the_keyboard_reaches_every_control_and_shows_where_it_is(page: Page, site: str, name: str) -> None:
    page.goto(site + name, wait_until="load")
    page.evaluate(SET)
    page.wait_for_timeout(SETTLED)
    controls = page.evaluate(CONTROLS)
    reached, unmarked = 0, []
    for _ in range(controls + 20):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or not focused[0]:
            break
        reached += 1
        unmarked += [focused[1]] if focused[1] else []
    assert reached >= controls > 10
    assert unmarked == []


def test_a_page_gets_the_names_it_lacks() -> None:
    fold = '<a href="a">Library</a><details><summary><span class="toctree-toggle"></span></summary></details>'
    assert '<summary aria-label="pages of Library">' in made_accessible(fold)
    assert made_accessible('<th class="head"><p></p></th>') == "<td></td>"
    assert made_accessible('<th class="head"><p>n</p></th>') == '<th class="head"><p>n</p></th>'
    assert made_accessible('<tr id="cap-One step: rank">') == '<tr id="cap-One-step-rank">'
    assert "role" not in made_accessible('<div class="citation" id="id3" role="doc-biblioentry">')
    assert 'aria-label="Contents"' in made_accessible('<div class="bd-sidebar-primary bd-sidebar">')
