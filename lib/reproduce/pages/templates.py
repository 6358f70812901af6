"""The HTML that the press writes: templates that lie beside this file."""

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def rendered(template: str, /, **values: Any) -> str:
    """A template of this folder with values in it, escaped; a value that it lacks is an error."""
    environment = Environment(
        loader=PackageLoader("reproduce.pages", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values)
