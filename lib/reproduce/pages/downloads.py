"""What a page offers to carry away: a chapter's notebook for readers, script, PDF and slides, and the PDF of the book.

Of the PDFs those are offered that show the stored notebooks as they are. Colab and Binder open the readers' notebooks
too, on a branch of the repository that holds nothing else.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reproduce.chapters.book import Book
from reproduce.ground.errors import writing
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_bytes, read_json, read_yaml

FOLDER = "pdf"  # under _build, and beside the pages
SOURCES = "_sources"  # where Sphinx puts what a page is made of
READERS = "readers"  # the readers' notebooks, beside the pages while these are built
BRANCH = "notebooks"  # of the repository; .github/workflows/pages.yml puts them there
CONFIG = "_config.yml"
CHAPTERS = "chapters"
PRINTED = "printed.json"  # the sha256 of each notebook that was printed, by chapter


def printed_name(root: Path) -> str:
    """The name of a book's PDF without its suffix, which is the one that _config.yml gives to LaTeX."""
    found: Any = read_yaml(root / CONFIG)
    for key in ("latex", "latex_documents", "targetname"):
        found = found.get(key) if isinstance(found, dict) else None
    return Path(str(found or "book.tex")).stem


def note_printed(book: Book) -> None:
    """Keep from what the PDFs of a book were printed."""
    write_text(book.build / FOLDER / PRINTED, json.dumps(_digests(book), indent=1) + "\n")


def stage_printed(book: Book, source: Path) -> None:
    """Put the PDFs that are current into a book's staged sources.

    book: whose PDFs.
    source: the folder of the staged sources.
    """
    for name in _current(book):
        target = source / FOLDER / name
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(book.build / FOLDER / name, target)


def _current(book: Book) -> Iterator[str]:
    """The PDFs of chapters whose notebook is as it was printed, and the book's if all are."""
    folder = book.build / FOLDER
    printed = read_json(folder / PRINTED) if (folder / PRINTED).exists() else None
    stored = _digests(book)
    if isinstance(printed, dict):
        names = [f"{CHAPTERS}/{name}.pdf" for name, digest in stored.items() if printed.get(name) == digest]
        names += [f"{printed_name(book.root)}.pdf"] if printed == stored else []
        yield from (name for name in names if (folder / name).is_file())


def _digests(book: Book) -> dict[str, str]:
    """sha256 of each stored notebook by chapter."""
    stored = [chapter for chapter in book.chapters() if chapter.notebook.exists()]
    return {chapter.name: hashlib.sha256(read_bytes(chapter.notebook)).hexdigest() for chapter in stored}


def add_buttons(app: Any, page: str, template: str, context: dict[str, Any], document: Any) -> None:
    """Add a chapter's script and slides to the buttons of its page, and its PDF in the place of the browser's own.

    What starts a session opens the reader's notebook.
    """
    if not page.startswith(f"{CHAPTERS}/"):
        return
    options = app.config.html_theme_options
    branch = re.compile(rf"(?<=/){re.escape(options.get('repository_branch') or 'master')}(?=[?/])")
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons":
            group["buttons"] = _buttons(Path(app.srcdir), page, context["pathto"], group["buttons"])
        if group.get("label") == "launch-buttons" and "github.com" in options["repository_url"]:
            for button in group["buttons"]:
                button["url"] = branch.sub(BRANCH, button["url"], count=1)


def publish(source: Path, pages: Path) -> None:
    """Put scripts, PDFs and the readers' notebooks beside the pages."""
    if (pages.parent / READERS).is_dir():
        shutil.copytree(pages.parent / READERS, pages / SOURCES, dirs_exist_ok=True)
    for script in source.glob(f"{CHAPTERS}/*/*.py"):
        shutil.copyfile(script, pages / SOURCES / script.relative_to(source))
    if (source / FOLDER).is_dir():
        shutil.copytree(source / FOLDER, pages / FOLDER)


def _buttons(source: Path, page: str, pathto: Any, buttons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The buttons of the theme, the script behind the notebook, the slides at the end."""
    script = _link(pathto(f"{SOURCES}/{page}.py", 1), ".py", "Download script", "fas fa-code", "download-script-button")
    printed = _link(pathto(f"{FOLDER}/{page}.pdf", 1), ".pdf", "Download PDF", "fas fa-file-pdf", "download-pdf-button")
    there = f"{page.rpartition('/')[2]}.html?slides"  # as slides.js knows it
    slides = _link(there, "Slides", "Show as slides", "fas fa-display", "slides-button")
    has_script, has_pdf = (source / f"{page}.py").is_file(), (source / FOLDER / f"{page}.pdf").is_file()
    kept = [button for button in buttons if not (has_pdf and button["label"] == printed["label"])]
    return [kept[0], *([script] if has_script else []), *kept[1:], *([printed] if has_pdf else []), slides]


def _link(url: str, text: str, tooltip: str, icon: str, label: str) -> dict[str, Any]:
    """A button of the theme that is a link."""
    return {"type": "link", "url": url, "text": text, "tooltip": tooltip, "icon": icon, "label": label}
