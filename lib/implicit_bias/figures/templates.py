"""The HTML of pictures that move: templates, scripts and style sheets that lie beside this file."""

from importlib.resources import files
from typing import Any

from implicit_bias.late import extra


def text_of(name: str) -> str:  # attack: none, it draws
    """A script or a style sheet of this folder.

    name: of the file.
    """
    return files("implicit_bias.figures").joinpath(name).read_text(encoding="utf-8").strip()


def rendered(template: str, /, **values: Any) -> str:  # attack: none, it draws
    """A template of this folder with values in it, escaped; ``tojson`` writes data into a script.

    template: name of the file.
    values: what it calls by name.
    """
    with extra():
        from jinja2 import Environment, PackageLoader, StrictUndefined  # only where a picture moves

    environment = Environment(
        loader=PackageLoader("implicit_bias.figures", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
    return environment.get_template(template).render(**values).strip()
