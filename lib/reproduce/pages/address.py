"""What the pages have once they have an address, ``html: baseurl`` in _config.yml.

A sitemap and a canonical address for search engines, descriptions and pictures for links to them, and a page for
addresses at which there is none. Without an address all of it is left out.
"""

import html
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sphinx.application import Sphinx
from sphinx.config import Config

from reproduce.chapters.book import REGISTER, Book, title
from reproduce.pages.atlas_map import read_results
from reproduce.pages.thumbnails import hero_of, place

EXTENSIONS = ("notfound.extension", "sphinx_sitemap", "sphinxext.opengraph")
UNLISTED = ("404.html", "search.html", "genindex.html", "py-modindex.html", "_modules/*")
NOT_FOUND = (
    "<h1>There is no page at this address</h1>"
    '<p>Chapters and claims keep their addresses, so it may be misspelt. <a href="{search}">Search the book</a>, '
    'or begin on its <a href="{first}">first page</a>.</p>'
)


class Preview(NamedTuple):
    """What a link to a chapter shows: title without number, words, a picture from the first page on, and its words."""

    title: str
    words: str
    picture: str = ""
    alt: str = ""


def use_address(app: Sphinx, priority: int) -> None:
    """Set up the extensions that need an address, if there is one; ``priority`` is before them."""
    if not app.config.html_baseurl:
        return
    for name in EXTENSIONS:
        app.setup_extension(name)
    app.connect("config-inited", configure, priority=priority)
    app.connect("html-page-context", describe, priority=priority)


def configure(app: Sphinx, config: Config) -> None:
    """Tell them the address, and what no page needs of them."""
    config.html_baseurl = config.ogp_site_url = f"{config.html_baseurl.rstrip('/')}/"
    config.sitemap_url_scheme, config.sitemap_excludes = "{link}", list(UNLISTED)
    config.ogp_site_name, config.ogp_social_cards = config.html_title, {"enable": False}
    pictures = [one for one in previews(Path(app.srcdir)).values() if one.picture]
    if pictures:
        config.ogp_image, config.ogp_image_alt = pictures[0].picture, pictures[0].alt
    prefix = config.notfound_urls_prefix = urlsplit(config.html_baseurl).path
    body = NOT_FOUND.format(search=f"{prefix}search.html", first=f"{prefix}{config.root_doc}.html")
    config.notfound_context = {"title": "No such page", "body": body}


def describe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Say what a chapter asks and answers, with its picture; other pages are described by their first words."""
    shown = previews(Path(app.srcdir)).get(page)
    if shown is None or doctree is None:
        return
    context["metatags"] += f'<meta name="description" content="{html.escape(shown.words)}" />\n'
    tags = {"og:title": html.escape(shown.title), "og:description": html.escape(shown.words)}
    if shown.picture:
        tags |= {"og:image": f"{app.config.html_baseurl}{shown.picture}", "og:image:alt": html.escape(shown.alt)}
    context["meta"] = {**(context["meta"] or {}), **tags}


@cache
def previews(root: Path) -> Mapping[str, Preview]:
    """What links to chapters show, by document, in the order of the book; nothing in a book without a register."""
    if not (root / REGISTER).exists():
        return {}
    notebooks = Book(root).notebooks()
    found = {}
    for result in read_results(root / REGISTER):
        if notebook := notebooks.get(result.chapter):
            hero, words = hero_of(notebook), f"{result.question} {result.answer}"
            picture = (place(result.chapter), hero.alt) if hero else ()
            found[result.document] = Preview(title(notebook) or result.result, words, *picture)
    return found
