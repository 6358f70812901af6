"""The templates of the pages, in one environment: what is filled in is text, and no HTML unless a template made it."""

import re
from datetime import date
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from reproduce.claims.show import verdict

POWER = re.compile(r"\d\S*e-\d+")


def render(name: str, **values: Any) -> str:
    """One template, filled in: ``name.html.j2`` beside this file."""
    return _environment().get_template(f"{name}.html.j2").render(**values)


def unbroken(words: str) -> Markup:
    """Words in which no line ends inside a number like 1.2e-05."""
    return Markup(POWER.sub(r'<span class="unbroken">\g<0></span>', str(escape(words))))


def as_day(day: str) -> str:
    """A day as it is read.

    >>> as_day("2026-11-02")
    '2 November 2026'
    """
    found = date.fromisoformat(day)
    return f"{found.day} {found:%B %Y}"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("reproduce.pages", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(unbroken=unbroken, verdict=verdict)
    return made
