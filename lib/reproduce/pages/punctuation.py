"""What no line may break apart: a formula and the signs behind it, a glued number and its unit."""

import re

from docutils import nodes
from sphinx.application import Sphinx

NUMBER = re.compile(r"[^\s]*\d[^\s]*(?: [^\s\d]{1,3})?")  # a number, perhaps with a short unit
GLUED, HELD = "pasted-text", "held"  # the classes of myst-nb and of book.css
SIGNS = re.compile("[,.;:!?…)\\]}’”»]+")


def register(app: Sphinx) -> None:
    """Do it to every page, once its text is final."""
    app.connect("doctree-resolved", hold)


def hold(app: Sphinx, doctree: nodes.document, document: str) -> None:
    """Put a formula and the punctuation right behind it in one span, which book.css does not break."""
    if app.builder.format != "html":
        return
    for glued in doctree.findall(nodes.inline):
        if GLUED in glued["classes"] and NUMBER.fullmatch(glued.astext()):
            glued["classes"].append(HELD)
    for formula in list(doctree.findall(nodes.math)):
        last: nodes.Element = formula
        while last.parent[-1] is last and isinstance(last.parent, nodes.emphasis | nodes.strong):
            last = last.parent
        place = last.parent.index(last) + 1
        behind = last.parent[place] if place < len(last.parent) else None
        text = str(behind) if isinstance(behind, nodes.Text) else ""
        if signs := SIGNS.match(text):
            last.parent[place : place + 1] = [nodes.Text(text[signs.end() :])] if signs.end() < len(text) else []
            held = nodes.inline("", "", nodes.Text(signs[0]), classes=[HELD])
            formula.replace_self(held)
            held.insert(0, formula)
