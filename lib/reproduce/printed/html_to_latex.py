"""What the pages show as HTML, in LaTeX: numbers of claims, tables, lists, films and formulas.

What only moves or is pressed has no place on paper; of a film its still frame is printed.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement

from reproduce.printed.mathml import formula
from reproduce.printed.tables import table
from reproduce.printed.text import address, code, marked_up

STILL = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")
LEFT_OUT = ("button", "caption", "form", "img", "input", "script", "style", "summary", "svg", "template")
CLASSES_LEFT_OUT = {
    *("results-bar", "chapter-claims-fold"),
    *("atlas-toggle", "atlas-legend", "card-part", "card-seconds"),
}
NOTES = {"results-note", "ledger-note"}
AROUND = {  # what stands around the content of an element; other elements are their content
    "b": r"\textbf{%s}",
    "strong": r"\textbf{%s}",
    "em": r"\emph{%s}",
    "i": r"\emph{%s}",
    "sub": r"\textsubscript{%s}",
    "sup": r"\textsuperscript{%s}",
    "br": r"%s\newline ",
    "h3": "\n\n\\textbf{%s}\n\n",
    "li": "\n\\item %s",
    "ol": "\n\\begin{enumerate}%s\\end{enumerate}\n",
    "ul": "\n\\begin{itemize}%s\\end{itemize}\n",
    "p": "\n\n%s\n\n",
    "div": "\n\n%s\n\n",
}

Keep = Callable[[bytes], str]  # stores a picture, a PNG, beside the LaTeX file and gives its name


def to_latex(html: str, keep: Keep) -> str:
    """A piece of HTML as LaTeX; empty where nothing of it belongs on paper."""
    return _all(BeautifulSoup(html, "html.parser").contents, keep).strip()


def keeper(folder: Path) -> Keep:
    """Stores pictures in a folder, each under a name that follows from what it holds."""

    def keep(picture: bytes) -> str:
        name = f"still-{hashlib.sha256(picture).hexdigest()[:16]}.png"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(picture)
        return name

    return keep


def _all(nodes: Iterable[PageElement], keep: Keep) -> str:
    """Some nodes, one behind the other."""
    return "".join(_one(node, keep) for node in nodes)


def _one(node: PageElement, keep: Keep) -> str:
    """One node."""
    if not isinstance(node, Tag):
        return marked_up(re.sub(r"\s+", " ", str(node))) if type(node) is NavigableString else ""
    classes = set(node.get_attribute_list("class"))
    if node.name in LEFT_OUT or classes & CLASSES_LEFT_OUT or (node.name in ("ol", "ul") and not node.find("li")):
        return ""
    if classes & {"film", "sliders", "live", "solve"}:
        return _film(node, keep)
    if classes & NOTES:
        text = _all(node.children, keep).strip()
        return rf"\pagenote{{{text}}}" if text else ""
    if "claim-id" in classes and node.name == "span":
        return f"{code(node.get_text())}:"
    if "atlas-chip" in classes:
        return rf"{_all(node.children, keep)}\newline "
    if "origins" in classes and node.name == "details":
        return f"\n\n{{\\small\\raggedright {_all(node.children, keep)}\\par}}\n\n"
    if node.name in ("code", "kbd"):
        return code(node.get_text())
    if node.name == "math":
        return formula(node)
    if node.name == "table":
        return table(node, lambda cell: _all(cell.children, keep))
    if node.name == "dl":
        return _pairs(node, keep)
    inside = _all(node.children, keep)
    if "formula" in classes:
        return f"\n\n{{\\small\\raggedright {inside.strip()}\\par}}\n\n"
    if node.name == "a":
        there = str(node.get("href", ""))
        return rf"\href{{{address(there)}}}{{{inside}}}" if there.startswith("http") else inside
    return AROUND[node.name] % inside.strip() if node.name in AROUND else inside


def _pairs(node: Tag, keep: Keep) -> str:
    """Names with what they stand for."""
    rows = [(one.name, _all(one.children, keep).strip()) for one in node.find_all(["dt", "dd"], recursive=False)]
    lines = [rf"\item[{text}]" if name == "dt" else text for name, text in rows]
    return "\n\\begin{pairs}\n" + "\n".join(lines) + "\n\\end{pairs}\n"


def _film(node: Tag, keep: Keep) -> str:
    """The still frame; of what has none, that it is on the page."""
    still = STILL.search(str(node))
    return f"\n\n\\still{{{keep(base64.b64decode(still[1]))}}}\n\n" if still else "\n\n\\onlyonthepage\n\n"
