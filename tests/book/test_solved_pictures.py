"""The pictures that solve in the page: moved by mouse, finger and keys, still without scripts, right from a file."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound
from playwright.sync_api import Browser, BrowserContext, Locator, Page
from tiers import thinned

from reproduce.pages.solved_picture import SUFFIX, solved_picture

FOLDER = Path(__file__).parents[2] / "_solve"
CHAPTERS = {
    "max_margin": "linear/max_margin",
    "diagonal_networks": "initialization/diagonal_networks",
    "single_neuron": "initialization/single_neuron",
}
PICTURES = pytest.mark.parametrize("name", list(CHAPTERS))
ONE_PICTURE = pytest.mark.parametrize("name", thinned(CHAPTERS, every=3))  # what moves them is shared
MOST_BYTES = 30_000
# All that a picture draws and says.
DRAWN = """picture => [...picture.querySelectorAll("*:not(style, script)")].map((part) => [part.tagName,
    ...[...part.attributes].map((one) => `${one.name}=${one.value}`).sort(),
    part.children.length ? "" : part.textContent])"""
NUMBER, BROKEN = re.compile(r"-?\d+\.\d+"), re.compile("NaN|Infinity|undefined")


def picture(page: Page, name: str, site: str) -> Locator:
    """The picture of a chapter's page, once the formulas above it are set."""
    page.goto(f"{site}chapters/{CHAPTERS[name]}.html")
    page.evaluate("async () => { if (window.MathJax?.startup) await window.MathJax.startup.promise; }")
    return page.locator(f"#solve-{name.replace('_', '-')}")


def numbers(shown: Locator) -> list[str]:
    """The numbers that it says."""
    return shown.locator(".said b").all_inner_texts()


def centre(handle: Locator) -> tuple[float, float]:
    """The middle of a handle on the screen."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_every_picture_has_a_chapter() -> None:
    assert {path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}")} == set(CHAPTERS)
    with pytest.raises(TemplateNotFound, match=r"no_such\.html"):
        solved_picture(FOLDER, "no_such")


@PICTURES
def test_a_picture_is_light_and_fetches_nothing(name: str) -> None:
    text = solved_picture(FOLDER, name)
    assert len(text.encode()) < MOST_BYTES
    assert not re.search(r"https?:|src=|@import|fetch\(", text)


@ONE_PICTURE
def test_without_scripts_it_shows_the_start(browser: Browser, page: Page, site: str, name: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1400, "height": 900})
    still, live = picture(context.new_page(), name, site), picture(page, name, site)
    try:
        texts = [" ".join(one.all_inner_texts()) for one in (still.locator(".said"), live.locator(".said"))]
        assert texts[0] == texts[1]
        text = solved_picture(FOLDER, name)
        page.set_content(re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL))
        before = page.locator(".solve").evaluate(DRAWN)
        page.set_content(text)
        assert page.locator(".solve").evaluate(DRAWN) == before
    finally:
        context.close()


@ONE_PICTURE
def test_the_mouse_moves_the_answer_and_the_button_brings_it_back(page: Page, site: str, name: str) -> None:
    shown = picture(page, name, site)
    start, before = shown.evaluate(DRAWN), numbers(shown)
    x, y = centre(shown.locator(".handle").first)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 15)
    page.mouse.up()
    after = numbers(shown)
    assert after[:2] != before[:2]
    page.mouse.move(x + 90, y)  # the button of the mouse is up: nothing moves
    assert numbers(shown) == after
    shown.locator("button.again").click()
    assert shown.evaluate(DRAWN) == start


@PICTURES
def test_the_arrow_keys_move_the_answer(page: Page, site: str, name: str) -> None:
    shown = picture(page, name, site)
    handle = shown.locator(".handle").first
    handle.focus()
    seen = [handle.get_attribute("aria-valuetext")]
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowDown"):
        before = numbers(shown)
        page.keyboard.press(key)
        assert numbers(shown)[:2] != before[:2], key
        seen.append(handle.get_attribute("aria-valuetext"))
    assert len(set(seen)) == 4
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert handle.get_attribute("aria-valuetext") == seen[0]


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A profile with a touch screen of 390 pixels."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context
    context.close()


@pytest.mark.nightly  # mouse and keys move it at each commit
@PICTURES
def test_a_finger_moves_the_answer_on_a_phone(phone: BrowserContext, site: str, name: str) -> None:
    page = phone.new_page()
    shown = picture(page, name, site)
    x, y = centre(shown.locator(".handle").first)
    before, scrolled = numbers(shown), page.evaluate("() => scrollY")
    screen = phone.new_cdp_session(page)
    screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 6):
        point = {"x": x - 4 * step, "y": y + 5 * step}
        screen.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert numbers(shown)[:2] != before[:2]
    assert page.evaluate("() => scrollY") == scrolled
    for one in shown.locator(":is(svg, input)").all():
        box = one.bounding_box()
        assert box is not None
        assert box["width"] > 200
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


@pytest.mark.nightly
@PICTURES
def test_from_a_file_it_answers_too(browser: Browser, html: Path, name: str) -> None:
    page = browser.new_context().new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    shown = picture(page, name, f"{html.as_uri()}/")
    before = numbers(shown)
    shown.locator(".handle").first.focus()
    page.keyboard.press("ArrowRight")
    assert numbers(shown)[:2] != before[:2]
    assert wrong == []
    page.context.close()


@pytest.mark.nightly
def test_a_point_dragged_across_leaves_nothing_that_separates(page: Page, site: str) -> None:
    shown = picture(page, "max_margin", site)
    gap = shown.locator(".proved b")
    assert re.fullmatch(r"0|\de−1[5-9]", gap.inner_text())
    assert shown.locator(".handle.lit").count() == 2
    first = shown.locator(".handle").first
    first.focus()
    for _ in range(40):
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowDown")
    assert shown.locator(".trouble").inner_text() == "not separable: 0 lies in the hull of the signed points"
    assert numbers(shown) == ["–"] * 4
    assert shown.locator(".handle.lit").count() == 0
    assert shown.locator(".street").get_attribute("d") == ""
    assert first.get_attribute("aria-valuetext") == "class +, at −2.40, −2.85"
    shown.locator("button.again").click()
    assert shown.locator(".trouble").inner_text() == ""


@pytest.mark.parametrize("name", ["diagonal_networks", "single_neuron"])
def test_at_the_ends_of_all_sliders_the_answer_is_proved_or_the_page_says_what_is_wrong(page: Page, name: str) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.set_content(solved_picture(FOLDER, name))
    shown = page.locator(".solve")
    sliders, plane = shown.locator("input").all(), shown.locator("svg").first.bounding_box()
    assert plane is not None
    middle = plane["x"] + plane["width"] / 2, plane["y"] + plane["height"] / 2
    for corner in itertools.product(("min", "max", "middle"), repeat=len(sliders)):
        for slider, end in zip(sliders, corner, strict=True):
            most = int(slider.get_attribute("max") or "")
            slider.fill(str({"min": 0, "max": most, "middle": most // 2}[end]))
        proved, trouble = shown.locator(".proved b").inner_text(), shown.locator(".trouble").inner_text()
        assert re.fullmatch(r"0|\de−1[2-9]", proved), (corner, proved, trouble)
        assert trouble == ""
        ways, answers = (
            [float(one) for one in NUMBER.findall(shown.locator(f".{part}").get_attribute("d") or "")]
            for part in ("way", "answer")
        )
        assert ways[-2:] == pytest.approx(answers[:2], abs=0.11), corner  # the flow ends where the contour touches
        assert not re.search(
            "NaN|Infinity|undefined", shown.evaluate("picture => picture.innerHTML.split('<script>')[0]")
        )
    assert sliders[-1].get_attribute("aria-valuetext") == "0.00"  # the label: nothing to learn, and nothing is wrong
    for handle in reversed(shown.locator(".handle").all()):
        page.mouse.move(*centre(handle))
        page.mouse.down()
        page.mouse.move(*middle)
        page.mouse.up()
        assert handle.get_attribute("aria-valuetext") == "at 0.00, 0.00"
        assert shown.locator(".trouble").inner_text().startswith("no answer: a ")
        assert set(numbers(shown)) == {"–"}
        assert not re.search(
            "NaN|Infinity|undefined", shown.evaluate("picture => picture.innerHTML.split('<script>')[0]")
        )
        shown.locator("button.again").click()
        assert shown.locator(".trouble").inner_text() == ""
    assert wrong == []
