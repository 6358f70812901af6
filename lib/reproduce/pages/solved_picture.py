"""A problem that is solved in the page, anew with every move of a reader: markup and scripts of the book's own folder.

``_solve/NAME.html.j2`` is put into the page whole. It includes the modules that it needs, so that a page works from a
file as well, and it shows without scripts what its scripts draw at the start.
"""

from pathlib import Path

from docutils import nodes
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound
from sphinx.application import Sphinx

from reproduce.pages.directive import ONLY_ON_THE_PAGE, BookDirective
from reproduce.pages.pieces import raw

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
        folder = Path(self.env.srcdir) / FOLDER
        for path in sorted(folder.glob("*")):
            self.env.note_dependency(str(path))
        try:
            html = solved_picture(folder, self.arguments[0])
        except TemplateNotFound as missing:
            raise self.error(f"the folder {FOLDER} holds no {missing}") from None
        printed = nodes.raw("", ONLY_ON_THE_PAGE, format="latex")
        return [self.inline(" ".join(self.content)), raw(html), printed]


def register(app: Sphinx) -> None:
    """Let a book use the directive."""
    app.add_directive("solve", SolveDirective)
