"""Executed notebooks: the same each time on one machine, and written whole."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from reproduce.ground.files import write_text
from reproduce.running.kernel import KERNEL

ANIMATION = re.compile(r"_anim_img([0-9a-f]{32})")
OVERWRITTEN = re.compile(r"^.*\r(?=[^\n])", re.MULTILINE)  # what a carriage return has written over


def normalised(notebook: NotebookNode, values: Mapping[str, Any] | None = None) -> NotebookNode:
    """A copy without what differs from run to run: times, paths, random names, the Python version.

    notebook: what to copy.
    values: kept as ``metadata.papermill.parameters``, where papermill's own readers look for them.
    """
    clean = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
    for gone in ("papermill", "widgets"):
        clean.metadata.pop(gone, None)
    clean.metadata.get("language_info", {}).pop("version", None)
    clean.metadata["kernelspec"] = dict(KERNEL)
    for cell in clean.cells:
        for gone in ("papermill", "execution"):
            cell.metadata.pop(gone, None)
        _join_streams(cell)
        _name_animations(cell)
        if not cell.metadata.get("tags", True):  # papermill gives every cell a list of tags
            del cell.metadata["tags"]
    if values:
        clean.metadata["papermill"] = {"parameters": dict(values)}
    return clean  # type: ignore[no-any-return]


def code_cells(notebook: NotebookNode) -> list[str]:
    """The text of each code cell."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def _join_streams(cell: NotebookNode) -> None:
    """What a cell prints arrives in pieces that differ from run to run: one output for each stream, stdout first.

    nbclient can do this too, in a time that grows with the square of the longest line: hours for five megabytes.
    """
    kept: list[NotebookNode] = []
    pieces: dict[str, list[str]] = {}
    for output in cell.get("outputs", []):
        if output.output_type != "stream" or output["name"] not in pieces:
            kept.append(output)
        if output.output_type == "stream":
            pieces.setdefault(output["name"], []).append("".join(output["text"]))
    for output in kept:
        if output.output_type == "stream":
            output["text"] = OVERWRITTEN.sub("", "".join(pieces[output["name"]]))
    for k in range(len(kept) - 1):
        if [output.get("name") for output in kept[k : k + 2]] == ["stderr", "stdout"]:
            kept[k], kept[k + 1] = kept[k + 1], kept[k]
    if pieces:
        cell.outputs = kept


def _name_animations(cell: NotebookNode) -> None:
    """matplotlib names every animation anew; here it is named after its cell."""
    for output in cell.get("outputs", []):
        page = "".join(output.get("data", {}).get("text/html", ""))
        for number, name in enumerate(dict.fromkeys(ANIMATION.findall(page))):
            page = page.replace(name, hashlib.md5(f"{cell.id} {number}".encode(), usedforsecurity=False).hexdigest())
            output.data["text/html"] = page


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook in the place of ``path``, whole or not at all."""
    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    write_text(path, text if text.endswith("\n") else f"{text}\n")
