"""What a page offers to carry away: a chapter's notebook, script and PDF, and the PDF of the book."""

import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from reproduce.pages.offered import CHAPTERS, FOLDER

AFTER_THE_THEME = 900  # which makes the buttons


def offer(app: Sphinx, page: str, template: str, context: dict[str, Any], document: Any) -> None:
    """Add a chapter's script to the buttons of its page, and its PDF in the place of the browser's own."""
    if not page.startswith(f"{CHAPTERS}/"):
        return
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons":
            group["buttons"] = _buttons(Path(app.srcdir), page, context["pathto"], group["buttons"])


def publish(app: Sphinx, failed: Exception | None) -> None:
    """Put scripts and PDFs beside the pages."""
    if failed is not None or app.builder.format != "html":
        return
    source, target = Path(app.srcdir), Path(app.outdir)
    for script in source.glob(f"{CHAPTERS}/*/*.py"):
        shutil.copyfile(script, target / "_sources" / script.relative_to(source))
    if (source / FOLDER).is_dir():
        shutil.copytree(source / FOLDER, target / FOLDER)


def _buttons(source: Path, page: str, pathto: Any, buttons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The buttons of the theme, the script behind the notebook."""
    script = _link(pathto(f"_sources/{page}.py", 1), ".py", "Download script", "fas fa-code", "download-script-button")
    printed = _link(pathto(f"{FOLDER}/{page}.pdf", 1), ".pdf", "Download PDF", "fas fa-file-pdf", "download-pdf-button")
    has_script, has_pdf = (source / f"{page}.py").is_file(), (source / FOLDER / f"{page}.pdf").is_file()
    kept = [button for button in buttons if not (has_pdf and button["label"] == printed["label"])]
    return [kept[0], *([script] if has_script else []), *kept[1:], *([printed] if has_pdf else [])]


def _link(url: str, text: str, tooltip: str, icon: str, label: str) -> dict[str, Any]:
    """A button of the theme that is a link."""
    return {"type": "link", "url": url, "text": text, "tooltip": tooltip, "icon": icon, "label": label}


def register(app: Sphinx) -> None:
    """Register both."""
    app.connect("html-page-context", offer, priority=AFTER_THE_THEME)
    app.connect("build-finished", publish)
