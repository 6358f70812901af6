"""Pages for screen readers, keyboard and phone: what the theme and the bibliography leave open is filled in."""

import re
from pathlib import Path

from sphinx.application import Sphinx

CHANGES = (
    # The theme's side bar is a landmark, so that the name of the book in it lies in one.
    ('<div class="bd-sidebar-primary bd-sidebar">', '<div class="bd-sidebar-primary bd-sidebar" role="complementary" '
     'aria-label="Contents">'),
    # A fold of the contents is named by the page above it.
    (r'(>([^<>]*)</a><details[^>]*>)<summary>(?=<span class="toctree-toggle")',
     r'\1<summary aria-label="pages of \2">'),
    # A list of references is text: the roles that docutils writes are deprecated, or not allowed there.
    (r' role="doc-(?:biblioentry|backlink|noteref)"', ""),
    (r'<div role="list" class="citation-list">', '<div class="citation-list">'),
    # The place of a group in an index is a name that a script can look for.
    (r'((?:id="|href="#)cap-)([^"]*)', lambda found: found[1] + re.sub(r"\W+", "-", found[2])),
    # The empty corner of a table heads nothing.
    (r'<th class="(?:head|head [^"]*)">\s*<p>\s*</p>\s*</th>', "<td></td>"),
    # On a phone the name of a module in a heading breaks behind a dot, not within a word.
    (r'(?<=[a-z])\.(?=[a-z][\w.]*<a class="headerlink")', ".<wbr>"),
)  # fmt: skip


def register(app: Sphinx) -> None:
    """Do it to every page of a build."""
    app.connect("build-finished", _all_pages)


def made_accessible(page: str) -> str:
    """A page with the names and roles that it lacks, and without those that are wrong."""
    for pattern, replacement in CHANGES:
        page = re.sub(pattern, replacement, page)
    return page


def _all_pages(app: Sphinx, failed: Exception | None) -> None:
    if failed is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            path.write_text(made_accessible(path.read_text(encoding="utf-8")), encoding="utf-8")
