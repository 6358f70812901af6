"""A problem that is solved in the page, anew with every move of a reader: markup and scripts of the book's own folder.

``_solve/NAME.html.j2`` is put into the page whole. It includes the modules that it needs, so that a page works from a
file as well, and it shows without scripts what its scripts draw at the start.
"""

from pathlib import Path

from docutils import nodes
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from reproduce.pages.directive import ONLY_ON_THE_PAGE, BookDirective
from reproduce.pages.pieces import latex, raw

FOLDER = "_solve"
SUFFIX = ".html.j2"


def solved_picture(folder: Path, name: str) -> str:
    """The markup of one picture with the scripts that solve it.

    folder: the book's ``_solve``.
    name: of the picture, without the suffix.

    Raises TemplateNotFound if the picture, or a file that it includes, is not there.
    """
    loader = FileSystemLoader(folder, encoding="utf-8")
    environment = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, autoescape=False)
    return environment.get_template(name + SUFFIX).render()


class SolveDirective(BookDirective):
    """A problem that the reader changes and the page solves. The content says what to do and what to see."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The words, and the picture below."""
        root = self.watched(*(f"{FOLDER}/{path.name}" for path in (self.book.root / FOLDER).glob("*")))
        try:
            html = solved_picture(root / FOLDER, self.arguments[0])
        except TemplateNotFound as missing:
            raise self.error(f"the folder {FOLDER} holds no {missing}") from None
        return [self.words(), raw(html), latex(ONLY_ON_THE_PAGE)]
