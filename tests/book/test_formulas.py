"""Formulas of the library's reference: what becomes of the plain text, that all of them are set, and how they look."""

import importlib
import inspect
import pkgutil
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from book.visits import settle
from fontTools.ttLib import TTFont
from playwright.sync_api import BrowserContext, Request

import implicit_bias
import reproduce
from reproduce.pages.docstrings import _entries, _paragraphs, to_rst
from reproduce.pages.formula_font import MADE, signs, write_font
from reproduce.pages.formulas import breakable, is_formula, to_html

RELATION = re.compile("[=≤≥<>≈∝←→∈~]")
MARKUP = set("_^(){}√`") | {"\N{NO-BREAK SPACE}"}  # how indices and roots are written in plain text
AS_SET = str.maketrans("ΣΠ~*¯˙¨", "∑∏∼∗" + "\u0304\u0307\u0308")
ACCENTS = {0x302: "", 0x303: "∼"}  # a circumflex is an accent, or marks a power; a tilde is an accent, or a relation
PAGES = ("api/limits.html", "api/limits/*.html", "api/models.html", "api/flows.html")
# What of a page's formulas is cut, or neither breaks nor scrolls.
CUT = """() => {
    const room = document.querySelector("article").getBoundingClientRect().right + 1;
    const scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex === 0;
    return [...document.querySelectorAll(".formula math")]
        .filter((e) => e.getBoundingClientRect().right > room && !scrolls(e.closest(".formula")))
        .map((e) => e.textContent);
}"""
# By how much roots are wider than what is under them: the sign is drawn.
ROOTS = """() => [...document.querySelectorAll(".formula msqrt")].map((e) =>
    e.getBoundingClientRect().right - e.getBoundingClientRect().left
    - (e.lastElementChild.getBoundingClientRect().right - e.firstElementChild.getBoundingClientRect().left))"""


def modules(package: object) -> Iterator[object]:
    """The public modules of a package, and itself."""
    yield package
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):  # type: ignore[attr-defined]
        if not found.name.rsplit(".", 1)[-1].startswith("_"):
            yield importlib.import_module(found.name)


def paragraphs(package: object) -> Iterator[list[str]]:
    """What stands on lines of its own in the docstrings that the reference shows."""
    for module in modules(package):
        things: list[object] = [module]
        for name, thing in vars(module).items():
            public = not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__  # type: ignore[attr-defined]
            if public and (inspect.isclass(thing) or inspect.isfunction(thing)):
                things.append(thing)
            if public and inspect.isclass(thing):
                things += [one for key, one in vars(thing).items() if not key.startswith("_") and callable(one)]
        for thing in things:
            found = _paragraphs((inspect.getdoc(thing) or "").splitlines())
            yield from (one for one in found if not list(_entries(one)) and not one[0].startswith(("- ", ">>>")))


def reference(html: Path) -> list[str]:
    """The pages that have formulas of docstrings."""
    return sorted(page.relative_to(html).as_posix() for pattern in PAGES for page in html.glob(pattern))


def formulas() -> list[list[str]]:
    """The formulas of the library."""
    return [one for one in paragraphs(implicit_bias) if is_formula(one)]


def bare(plain: str) -> str:
    """The MathML of a formula without its attributes and its outer elements, ``mrow`` as braces."""
    text = re.sub(r' \w+="[^"]*"', "", to_html([plain]))
    text = re.sub(r"</?(?:div|span|math|wbr|mspace)>", "", text)
    text = re.sub(r"<(m[iontext]+)>([^<]*)</\1>", r"\2", text)
    return text.replace("<mrow>", "{").replace("</mrow>", "}")


@pytest.mark.parametrize(
    ("plain", "set_"),
    [
        ("K_ik", "<msub>K{ik}</msub>"),
        ("y_iy_k", "<msub>yi</msub><msub>yk</msub>"),  # indices end where another letter has its own
        ("ẇ_j", "<msub><mover>w˙</mover>j</msub>"),
        ("aw̃", "a<mover>w~</mover>"),
        ("w₊²", "<msubsup>w+2</msubsup>"),
        ("X_off", "<msub>Xoff</msub>"),
        ("‖h‖_F₁", "‖h<msub>‖<msub>F1</msub></msub>"),
        ("f*(k)", "<msup>f∗</msup>(k)"),
        ("½ Σ_k", "<mfrac>12</mfrac><munder>∑k</munder>"),
        ("√(1+(a+b))", "<msqrt>1+(a+b)</msqrt>"),
        ("√m²", "<msup><msqrt>m</msqrt>2</msup>"),
        ("P⊥w", "<msub>P⊥</msub>w"),
        ("J′_ν", "<msub>{J′}ν</msub>"),
        ("u₁′", "<msub>{u′}1</msub>"),
        ("κ sin θ", "κsinθ"),
        ("v = ``gate_variance``", "v=gate_variance"),
    ],
)
def test_a_formula_becomes_mathml(plain: str, set_: str) -> None:
    assert bare(plain) == set_


def test_words_keep_their_spaces() -> None:
    assert "1}\xa0in\xa0all\xa0of\xa0them" in "".join(fromstring(to_html(["1{x > 1} in all of them"])).itertext())


def test_a_minus_sign_has_one_side_where_nothing_is_before_it() -> None:
    minus = re.findall(r"<mo([^>]*)>−</mo>", to_html(["a = −b − (−c)"]))
    assert minus == [' form="prefix"', ' form="infix"', ' form="prefix"']


def test_a_line_breaks_before_relations_and_sums_that_no_bracket_holds() -> None:
    assert breakable("a = b + (c + d) − |e − f| ≤ −g") == ["a", "= b", "+ (c + d)", "− |e − f|", "≤ −g"]


def test_lines_and_parts_stand_apart() -> None:
    box = fromstring(to_html(["c = 1,  d = 2", "e"]).replace("<wbr>", "<wbr/>"))
    assert [len(line.findall("span")) for line in box.findall("div")] == [2, 1]


def test_formulas_on_lines_of_their_own_are_set_and_those_in_sentences_are_text() -> None:
    made = to_rst(["A norm of |w|.", "", "‖w‖ = √(w·w)"])
    assert made[:2] == [r"A norm of \|w\|.", ""]
    assert made[2:4] == [".. raw:: html", ""]
    assert made[4].startswith('    <div class="formula"><div><span><math')


def test_prose_code_and_examples_are_no_formulas() -> None:
    assert not is_formula(["It is so for a = 1."])
    assert not is_formula(["On a cell of half the diagonal ρ around θ₀, with gradient g,"])
    assert not is_formula(['net = Net("first")'])
    assert not is_formula([">>> 1 + 1", "2"])
    assert [one for one in paragraphs(reproduce) if is_formula(one)] == []


def test_every_equation_on_lines_of_its_own_is_set() -> None:
    whole = [one for one in paragraphs(implicit_bias) if not " ".join(one).endswith((".", ":"))]
    assert [one for one in whole if RELATION.search(" ".join(one)) and not is_formula(one)] == []
    assert len(formulas()) >= 110


def letters(text: str) -> Counter[str]:
    """How often each sign stands in a text, however it is set; spaces and the marks of indices and roots left out."""
    text = unicodedata.normalize("NFKC", text.replace("½", "12").replace("¼", "14").translate(AS_SET))
    apart = unicodedata.normalize("NFD", text).translate(ACCENTS)
    return Counter(sign for sign in apart if not sign.isspace() and sign not in MARKUP)


def test_nothing_of_a_formula_is_lost_and_nothing_added() -> None:
    wrong = []
    for lines in formulas():
        shown = "".join(fromstring(to_html(lines).replace("<wbr>", "<wbr/>")).itertext())
        if letters(shown) != letters("".join(lines)):
            wrong.append("".join(lines))
    assert wrong == []


def test_the_font_has_what_is_shown_and_what_browsers_draw(tmp_path: Path) -> None:
    shown = {sign for lines in formulas() for sign in signs(to_html(lines))}
    write_font(shown, tmp_path)
    font = TTFont(tmp_path / MADE)
    held = font.getBestCmap()
    assert {chr(sign) for sign in shown if sign not in held and sign > 32} <= {"\N{NO-BREAK SPACE}"}
    assert {ord("√"), ord("ℎ"), 0x1D465, 0x1D6FC} <= set(held)
    assert (tmp_path / MADE).stat().st_size < 40_000
    assert "SIL OPEN FONT LICENSE" in (tmp_path / "formulas-license.txt").read_text(encoding="utf-8")
    assert not any("STIX" in str(name) for name in font["name"].names if name.nameID != 0)  # a reserved name


@pytest.mark.nightly  # at each commit the next test looks at the same pages on a phone
def test_the_reference_sets_its_formulas_without_a_script(wide: BrowserContext, site: str, html: Path) -> None:
    page = wide.new_page()
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    count = 0
    for name in reference(html):
        page.goto(site + name, wait_until="load")
        page.evaluate("() => document.fonts.ready.then(() => 0)")
        count += page.locator(".formula").count()
        assert all(wider > 3 for wider in page.evaluate(ROOTS)), name
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 674, "height": 900})
        assert page.evaluate(CUT) == [], name
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 1400, "height": 900})
    assert count > 90
    assert not any("mathjax" in url for url in asked)
    assert any(url.split("?")[0].endswith(MADE) for url in asked)


def test_on_a_narrow_screen_a_formula_breaks_or_scrolls(narrow: BrowserContext, site: str, html: Path) -> None:
    page = narrow.new_page()
    for name in reference(html):
        page.goto(site + name, wait_until="load")
        settle(page)
        assert page.evaluate(CUT) == [], name
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
