"""The figure that opens a page: of a chapter the output of its cell with the tag hero, of a part that of a chapter."""

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from reproduce.pages.directive import BookDirective
from reproduce.pages.thumbnails import hero_of

logger = logging.getLogger(__name__)


class hero(nodes.General, nodes.Element):  # type: ignore[misc]
    """The place of the chapter's hero figure."""


class HeroDirective(BookDirective):
    """The output of the cell with the tag ``hero``, made below and shown here.

    With an argument, ``part/chapter``, it is what that chapter stores, with the content as its caption: the picture of
    a part, whose page computes nothing.
    """

    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The place, which ``MoveHero`` fills, or the figure of the other chapter."""
        if not self.arguments:
            return [hero()]
        chapter = self.book.chapter(self.arguments[0]).name
        stored = hero_of(self.notebook(chapter))
        if stored is None:
            raise self.error(f"{chapter} stores no figure in a cell with the tag hero")
        address, path = place_of(self, chapter)
        path.write_bytes(stored.picture)
        picture = nodes.image(uri=address, alt=stored.alt, classes=stored.classes.split())
        figure = nodes.figure("", picture)
        if self.content:
            figure += nodes.legend("", self.words())  # as a caption it would have a number
        return [nodes.container("", figure, classes=["cell_output"])]


def place_of(directive: BookDirective, name: str) -> tuple[str, Path]:
    """Where the build keeps a figure of a chapter for another page, and its address from the sources on."""
    folder = Path(directive.env.app.outdir).parent / "heroes"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name.replace('/', '-')}.png"
    return f"/{os.path.relpath(path, directive.book.root)}", path


class MoveHero(SphinxTransform):
    """Moves the outputs of the cell with the tag ``hero`` to where the directive stands."""

    default_priority = 300

    def apply(self, **kwargs: Any) -> None:
        """Do it; a place without such a cell is dropped, and said."""
        for place in list(self.document.findall(hero)):
            cells = [node for node in self.document.findall(nodes.container) if "tag_hero" in node["classes"]]
            outputs = [part for cell in cells for part in cell.children if "cell_output" in part["classes"]]
            for part in outputs:
                part.parent.remove(part)
            if not outputs:
                logger.warning("no cell with the tag hero has an output", location=place)
            place.replace_self(outputs)
