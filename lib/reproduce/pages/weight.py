"""Light pages: of the theme's style sheets, scripts, icons and MathJax, what the pages use.

After a build no style sheet holds a rule for a class that no page and no script names; a page asks for no file that
only serves what it does not hold; the fonts of icons hold the icons that are shown; and formulas are set by the
parts of MathJax that set them (``mathjax3_config`` in _config.yml).
"""

import itertools
import re
import shutil
from pathlib import Path
from typing import Any

import tinycss2
from fontTools import subset
from fontTools.ttLib import TTFont

ICON_SCRIPT = re.compile(
    r"""<script\s[^>]*src="[^"]*/fontawesome/[^"]*"></script>\s*"""
    r"""|<link\s[^>]*rel="preload"[^>]*/fontawesome/[^>]*>\s*"""
)
NAMES = re.compile(r"""\s(?:class|id)=(["'])(.*?)\1""", re.DOTALL)
SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL)
WORD = re.compile(r"[A-Za-z_][\w-]*")
ICON_FILES = re.compile(r"""url\(([^)]*?)\.woff2\) format\("woff2"\),\s*url\(\1\.ttf\) format\("truetype"\)""")
ICON = re.compile("[\ue000-\uf8ff]")
ASSET = re.compile(r"""\s*<(?:link\b[^>]*?href|script\b[^>]*?src)="[^"]*_static/([^"?]*)[^"]*"[^>]*>(?:</script>)?""")
# What a page must hold, as the beginning of a class, to need a file whose name begins so.
SERVES = {
    "atlas": "atlas-",
    "claims": ("claim", "results", "chapter-claims"),
    "clipboard": "highlight",
    "code": ("cell", "fold"),
    "copybutton": "highlight",
    "design-tabs": "sd-tab",
    "exercise": ("exercise", "solution"),
    "ledger": ("ledger", "atlas-map"),
    "landing": ("chapter-card", "colophon", "live"),
    "live": "live",
    "mystnb": ("cell", "output"),
    "panels": "panels-",
    "picture": "caption-number",
    "proof": "proof",
    "pygments": "highlight",
    "slides": "question",
    "sphinx-design": "sd-",
    "sphinx-thebe": "thebe",
    "togglebutton": "admonition",
}
NESTING = ("media", "supports", "container", "layer")


def lighten(pages: Path) -> None:
    """Do it for the pages that were built."""
    static = pages / "_static"
    used: set[str] = set()
    for page in pages.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        kept = without_idle_files(ICON_SCRIPT.sub("", text))
        if kept != text:
            page.write_text(kept, encoding="utf-8")
        used |= names_in(kept)
    for script in static.rglob("*.js"):
        if "mathjax" not in script.parts and "fontawesome" not in script.parts:
            used.update(WORD.findall(script.read_text(encoding="utf-8")))
    sheets = {sheet: without_unused(sheet.read_text(encoding="utf-8"), used) for sheet in static.rglob("*.css")}
    icons = {ord(icon) for text in sheets.values() for icon in ICON.findall(text)}
    for sheet, text in sheets.items():
        sheet.write_text(ICON_FILES.sub(r'url(\1.woff) format("woff")', text), encoding="utf-8")
    for fonts in static.glob("vendor/fontawesome/*"):
        lighten_icons(fonts, icons)


def names_in(page: str) -> set[str]:
    """The classes and ids of a page, and every word of the scripts in it."""
    names = {name for _, value in NAMES.findall(page) for name in value.split()}
    return names.union(*(WORD.findall(script) for script in SCRIPT.findall(page)))


def without_idle_files(page: str) -> str:
    """A page that asks for no style sheet and no script that serves what it does not hold."""
    classes = {name for _, value in NAMES.findall(page) for name in value.split()}

    def kept(found: re.Match[str]) -> str:
        name = Path(found[1]).name
        serves = [held for stem, held in SERVES.items() if re.match(rf"{stem}[.]", name)]
        return found[0] if all(any(one.startswith(held) for one in classes) for held in serves) else ""

    return ASSET.sub(kept, page)


def without_unused(sheet: str, used: set[str]) -> str:
    """A style sheet without the rules that ask for an unused class or id."""
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    return "".join(_serialized(rule) for rule in _kept(rules, used))


def lighten_icons(folder: Path, icons: set[int]) -> None:
    """Leave of Font Awesome the fonts, each with the icons that are shown."""
    shutil.rmtree(folder / "js", ignore_errors=True)
    for path in (folder / "webfonts").glob("*.ttf"):
        font = TTFont(path)
        chosen = subset.Subsetter(subset.Options(layout_features=[], notdef_outline=False))
        chosen.populate(unicodes=icons)
        chosen.subset(font)
        font.flavor = "woff"
        font.save(path.with_suffix(".woff"))
        path.unlink()
        path.with_suffix(".woff2").unlink(missing_ok=True)


def _kept(rules: list[Any], used: set[str]) -> list[Any]:
    """The rules that may apply, those inside ``@media`` and its like included."""
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            parts = [list(part) for comma, part in itertools.groupby(rule.prelude, lambda one: one == ",") if not comma]
            if not any(_may_apply(selector, used) for selector in parts):
                continue
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTING and rule.content is not None:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            rule.content = _kept(inner, used)
            if not rule.content:
                continue
        kept.append(rule)
    return kept


def _may_apply(selector: list[Any], used: set[str]) -> bool:
    """Whether every class and id that a selector asks for is used; what stands in brackets is not looked at."""
    pairs = itertools.pairwise(selector)
    dotted = [token.value for before, token in pairs if before == "." and token.type == "ident"]
    return all(name in used for name in dotted + [token.value for token in selector if token.type == "hash"])


def _serialized(rule: Any) -> str:
    """A rule as text."""
    if rule.type == "error":
        raise ValueError(f"a style sheet of the pages cannot be read: {rule.message}, line {rule.source_line}")
    return str(rule.serialize())
