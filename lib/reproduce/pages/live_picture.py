"""A chapter's picture with sliders on another page: drawn at once, its data fetched when a reader first touches it."""

import re
from dataclasses import dataclass
from html import escape

from docutils import nodes
from nbformat import NotebookNode

from reproduce.pages.directive import ONLY_ON_THE_PAGE, BookDirective
from reproduce.pages.pieces import latex, raw

SLIDERS = '<div class="sliders"'
SCRIPT = re.compile(r"<script>\s*(.*?)\s*</script>", re.DOTALL)
FOLDER = "_static/live"


@dataclass(frozen=True)
class LivePicture:
    """A picture with sliders.

    still: its HTML without a script: what it shows before anyone moves a slider.
    script: the program with its data, which brings the picture to life when it runs.
    """

    still: str
    script: str


class LiveDirective(BookDirective):
    """The sliders of a chapter. The content says what to see in them."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The picture as it stands at the beginning, with its words below."""
        chapter = self.book.chapter(self.arguments[0]).name
        picture = live_picture(self.notebook(chapter))
        if picture is None:
            raise self.error(f"{chapter} stores no picture with sliders")
        html = f'<div class="live" data-script="{escape(script_place(chapter))}">\n{picture.still}\n</div>'
        return [raw(html), latex(ONLY_ON_THE_PAGE), self.words("live-words")]


def live_picture(notebook: NotebookNode) -> LivePicture | None:
    """The first picture with sliders that a notebook stores; None if there is none."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            html = "".join(output.get("data", {}).get("text/html", ""))
            if html.startswith(SLIDERS):
                return LivePicture(SCRIPT.sub("", html), "\n".join(SCRIPT.findall(html)))
    return None


def script_place(chapter: str) -> str:
    """Where the script of a chapter's picture lies, from the first page on."""
    return f"{FOLDER}/{chapter.replace('/', '-')}.js"
