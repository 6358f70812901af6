"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def into(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option -o DIR, which gives a path or None."""
    return click.option("-o", "folder", metavar="DIR", callback=_folder, help=help)


def _folder(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    if value is not None and not value.strip():
        raise click.BadParameter("it must name a folder", context, parameter)
    return None if value is None else Path(value)
