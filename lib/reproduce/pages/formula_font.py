"""The font of MathML's formulas: of STIX, which Matplotlib brings, the signs that the pages show.

Without a font of formulas a browser takes letters from wherever it finds them.
"""

import html
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

FOLDER = "mpl-data/fonts/ttf"
FONT, LICENSE = "STIXGeneral.ttf", "LICENSE_STIX"
MADE = "formulas.woff"  # named in formulas.css
FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
# What a browser draws without being told: roots, and slanted letters in the place of letters.
DRAWN = {*map(ord, "√ℎ"), *range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)}
OWNER = [0]  # of the names in a font: whose it is; its own name is reserved


def register(app: Sphinx) -> None:
    """Make the font after a build."""
    app.connect("build-finished", make_font)


def make_font(app: Sphinx, failed: Exception | None) -> None:
    """Put the font and its licence beside the pages, if a page has a formula in MathML."""
    if failed is not None or app.builder.format != "html":
        return
    shown: set[int] = set()
    for page in Path(app.outdir).rglob("*.html"):
        shown |= signs(page.read_text(encoding="utf-8"))
    if shown:
        write_font(shown, Path(app.outdir) / "_static")


def signs(page: str) -> set[int]:
    """The signs of a page's formulas in MathML."""
    return {ord(sign) for formula in FORMULA.findall(page) for sign in html.unescape(TAG.sub("", formula))}


def write_font(shown: set[int], folder: Path) -> None:
    """The font with the signs that are shown, and its licence, in a folder."""
    package = find_spec("matplotlib")
    assert package is not None
    assert package.origin is not None
    fonts = Path(package.origin).parent / FOLDER
    font = TTFont(fonts / FONT)
    options = subset.Options(
        layout_features=[], notdef_outline=False, name_IDs=OWNER, hinting=False, drop_tables=["FFTM"]
    )
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=shown | DRAWN)
    chosen.subset(font)
    font.flavor = "woff"
    font.save(folder / MADE)
    shutil.copyfile(fonts / LICENSE, folder / "formulas-license.txt")
