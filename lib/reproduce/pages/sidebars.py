"""The pages of the library's sources: all of a folder have the same sidebar, which is made once."""

import posixpath
from collections.abc import Callable
from typing import Any

from sphinx.application import Sphinx

SOURCES = "_modules/"  # where viewcode puts them; the table of contents names none of them
FIRST = 100  # before the theme takes the table of contents


def register(app: Sphinx) -> None:
    """Let the pages share it."""
    made: dict[str, str] = {}

    def share(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
        if page.startswith(SOURCES):
            context["toctree"] = _once(context["toctree"], posixpath.dirname(page), made)

    app.connect("html-page-context", share, priority=FIRST)


def _once(contents: Callable[..., str], folder: str, made: dict[str, str]) -> Callable[..., str]:
    """What makes the table of contents of a page, unless it was made for a page of its folder.

    contents: makes it.
    folder: of the page, which decides what its links look like.
    made: by folder and options.
    """

    def asked(**options: Any) -> str:
        key = f"{folder} {sorted(options.items())}"
        if key not in made:
            made[key] = contents(**options)
        return made[key]

    return asked
