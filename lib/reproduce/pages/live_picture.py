"""A chapter's picture with sliders on another page: drawn at once, its data fetched when a reader first touches it."""

import re
from dataclasses import dataclass

from nbformat import NotebookNode

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
