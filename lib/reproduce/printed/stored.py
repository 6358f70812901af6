"""What notebooks store as HTML, for paper: tables, the numbers of claims, and of films their still frames."""

import base64
import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement
from docutils import nodes

from reproduce.pages import pieces
from reproduce.pages.directive import ONLY_ON_THE_PAGE
from reproduce.pages.pieces import latex
from reproduce.pages.thumbnails import STILL

Keep = Callable[[bytes], str]  # stores a picture, a PNG, beside the LaTeX file and gives its name


def for_paper(html: str, keep: Keep) -> list[nodes.Node]:
    """A piece of stored HTML as nodes; empty where nothing of it belongs on paper."""
    made: list[nodes.Node] = []
    for one in BeautifulSoup(html, "html.parser").find_all(True, recursive=False):
        if {"film", "sliders"} & set(one.get_attribute_list("class")):
            still = STILL.search(html)
            made.append(latex(f"\n\n\\still{{{keep(base64.b64decode(still[1]))}}}\n\n" if still else ONLY_ON_THE_PAGE))
        elif one.name == "table":
            rows = [[_inside(cell.children) for cell in row.find_all(["th", "td"])] for row in one.find_all("tr")]
            heads = len(one.select("thead tr"))
            made.append(pieces.table(rows[0] if heads else [[] for _ in rows[0]], rows[heads:]))
        elif one.name == "dl":
            made += _pairs(one)
        elif "claim-wrong" in one.get_attribute_list("class"):
            made.append(pieces.paragraph(one.get_text()))
    return made


def keeper(folder: Path) -> Keep:
    """Stores pictures in a folder, each under a name that follows from what it holds."""

    def keep(picture: bytes) -> str:
        name = f"still-{hashlib.sha256(picture).hexdigest()[:16]}.png"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(picture)
        return name

    return keep


def _inside(elements: Iterable[PageElement]) -> list[nodes.Node]:
    """Text, in which the numbers that may differ between machines are code."""
    return [
        pieces.code(one.get_text()) if isinstance(one, Tag) and one.name == "code" else nodes.Text(one.get_text())
        for one in elements
    ]


def _pairs(node: Tag) -> list[nodes.Node]:
    """Names with what they stand for."""
    made: list[nodes.Node] = [latex("\n\\begin{pairs}\n")]
    for one in node.find_all(["dt", "dd"], recursive=False):
        name = latex(f"\\item[{one.get_text()}] ")
        made += [name] if one.name == "dt" else [*_inside(one.children), nodes.Text("\n")]
    return [*made, latex("\\end{pairs}\n")]
