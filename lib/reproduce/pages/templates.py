"""The templates of the pages, in one environment: what is filled in is text, and no HTML unless a template made it."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

POWER = re.compile(r"\d\S*e-\d+")


def render(name: str, **values: Any) -> str:
    """One template, filled in: ``name.html.j2`` beside this file."""
    return _environment().get_template(f"{name}.html.j2").render(**values)


def unbroken(words: str) -> Markup:
    """Words in which no line ends inside a number like 1.2e-05."""
    return Markup(POWER.sub(r'<span class="unbroken">\g<0></span>', str(escape(words))))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("reproduce.pages", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["unbroken"] = unbroken
    return made
