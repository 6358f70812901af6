"""Formulas in a line keep the signs behind them: no line begins with a comma, a full stop or a closing bracket."""

import re

from docutils import nodes
from sphinx.application import Sphinx

SIGNS = re.compile("[,.;:!?…)\\]}’”»]+")


def register(app: Sphinx) -> None:
    """Do it to every page, once its text is final."""
    app.connect("doctree-resolved", hold)


def hold(app: Sphinx, doctree: nodes.document, document: str) -> None:
    """Put a formula and the punctuation right behind it in one span, which book.css does not break."""
    if app.builder.format != "html":
        return
    for formula in list(doctree.findall(nodes.math)):
        last: nodes.Element = formula
        while last.parent[-1] is last and isinstance(last.parent, nodes.emphasis | nodes.strong):
            last = last.parent
        place = last.parent.index(last) + 1
        behind = last.parent[place] if place < len(last.parent) else None
        text = str(behind) if isinstance(behind, nodes.Text) else ""
        if signs := SIGNS.match(text):
            last.parent[place : place + 1] = [nodes.Text(text[signs.end() :])] if signs.end() < len(text) else []
            held = nodes.inline("", "", nodes.Text(signs[0]), classes=["held"])
            formula.replace_self(held)
            held.insert(0, formula)
