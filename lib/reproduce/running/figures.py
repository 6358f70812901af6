"""The figures of a run as files: as vectors, and the numbers that they plot as CSV."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from reproduce.claims.plotted import read_plotted
from reproduce.ground.errors import writing
from reproduce.ground.files import replacing
from reproduce.running.curve_names import with_names

VECTORS = {"svg": "image/svg+xml", "pdf": "application/pdf"}  # each with its kind among the outputs of a cell
CSV = "csv"
FORMATS = (*VECTORS, CSV)
PICTURE = "image/png"


@dataclass(frozen=True)
class Figure:
    """One figure.

    name: that of its cell, as in the address of its CSV beside the page; else the chapter's with a number.
    data: its kinds, each as a cell stores it.
    table: the numbers that it plots, as CSV; empty if there are none.
    """

    name: str
    data: dict[str, Any]
    table: str

    def content(self, format: str) -> bytes:
        """What a file of this format holds; empty if the figure was not stored so."""
        if format == CSV:
            return self.table.encode()
        stored = "".join(self.data.get(VECTORS[format], ""))
        return base64.b64decode(stored) if format == "pdf" else stored.encode()


def figures_of(notebook: NotebookNode, short: str) -> list[Figure]:
    """The figures of a notebook, in order.

    notebook: as it was executed.
    short: the last part of the chapter's name.
    """
    found: list[Figure] = []
    for cell, output in _pictures(notebook):
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        if not name or name in [one.name for one in found]:
            name = f"{name or short}-{len(found) + 1}"
        found.append(Figure(name, dict(output.data), table_of(output)))
    return found


def table_of(output: NotebookNode) -> str:
    """The numbers that a picture plots, as CSV with the names of its curves; empty if they are not stored."""
    about = output.get("metadata", {}).get(PICTURE, {})
    return with_names(read_plotted(about["plotted"]), about.get("drawn", ())) if about.get("plotted") else ""


def count_figures(notebook: NotebookNode) -> int:
    """How many figures a notebook stores."""
    return sum(1 for _ in _pictures(notebook))


def write_figures(figures: Sequence[Figure], folder: Path, formats: Sequence[str]) -> Iterator[Path]:
    """Write a file for each figure and format, and give back where it lies; one that would be empty is left out."""
    for figure in figures:
        for format in formats:
            if content := figure.content(format):
                path = folder / f"{figure.name}.{format}"
                with replacing(path) as new, writing(path):
                    new.write_bytes(content)
                yield path


def _pictures(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, NotebookNode]]:
    """Each output that is a picture, after its cell."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if PICTURE in output.get("data", {}):
                yield cell, output
