"""The Sphinx extension of the press: its directives, what it does to pages and to the book on paper, and one switch.

The switch is the public address of the repository, ``repository: url`` in _config.yml. While it is empty no page offers
Binder, Colab or the repository; filled in, all chapters do.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pybtex.plugin
from sphinx.application import Sphinx
from sphinx_proof.domain import ProofDomain

from reproduce.chapters.book import Book
from reproduce.pages import address, atlas, back_links, docstrings, downloads, orientation, theme
from reproduce.pages.campaign_tables import CampaignDirective
from reproduce.pages.cards import CardsDirective, write_pictures
from reproduce.pages.colophon import ColophonDirective
from reproduce.pages.data_files import publish_data
from reproduce.pages.differences import DifferencesDirective
from reproduce.pages.enclosures import EnclosuresDirective
from reproduce.pages.evidence_kinds import EvidenceDirective
from reproduce.pages.figure_data import link_tables, write_tables
from reproduce.pages.folds import FoldDirective, FoldParts, OneBar, PlainCode
from reproduce.pages.found import FoundDirective
from reproduce.pages.hero import HeroDirective, MoveHero
from reproduce.pages.ledger_table import ClaimsDirective, LedgerDirective
from reproduce.pages.live_picture import LiveDirective
from reproduce.pages.readers_notebook import ReadersNotebook
from reproduce.pages.results import ResultsDirective
from reproduce.pages.robustness_table import RobustnessDirective
from reproduce.pages.solved_picture import SolveDirective
from reproduce.pages.statements_list import StatementsDirective
from reproduce.pages.weight import lighten
from reproduce.pages.what_to_change import WhatToChange
from reproduce.printed.extension import ForPaper, LeaveFoldedCode, dress

DIRECTIVES = {
    "api": docstrings.ApiDirective,
    "atlas": atlas.AtlasDirective,
    "campaign": CampaignDirective,
    "cards": CardsDirective,
    "claims": ClaimsDirective,
    "colophon": ColophonDirective,
    "differences": DifferencesDirective,
    "enclosures": EnclosuresDirective,
    "evidence": EvidenceDirective,
    "fold": FoldDirective,
    "found": FoundDirective,
    "hero": HeroDirective,
    "ledger": LedgerDirective,
    "live": LiveDirective,
    "next": orientation.NextDirective,
    "parts": atlas.PartsDirective,
    "question": orientation.QuestionDirective,
    "results": ResultsDirective,
    "robustness": RobustnessDirective,
    "solve": SolveDirective,
    "statements": StatementsDirective,
}
FIRST, BEFORE_NUMBERS, LATE = 100, 200, 900  # Sphinx and its other extensions stand at 500; it numbers the pages there


def complete_pages(app: Sphinx, failed: Exception | None) -> None:
    """Put data, pictures and downloads beside the pages of a build, and go over its pages."""
    if failed is None and app.builder.format == "html":
        book, pages = Book(Path(app.srcdir)), Path(app.outdir)
        publish_data(book, pages)
        write_pictures(book, pages)
        write_tables(book, pages)
        downloads.publish(book.root, pages)
        theme.make_accessible(pages)
        lighten(pages)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register all of it."""
    app.setup_extension("reproduce.pages.claim_box")
    address.use_address(app, FIRST)
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    pybtex.plugin._load_entry_point = cache(pybtex.plugin._load_entry_point)  # each citation asks all packages for it
    ProofDomain.indices = {back_links.TitledProofIndex}
    for transform in (FoldParts, MoveHero, PlainCode):
        app.add_transform(transform)
    for late_transform in (WhatToChange, ReadersNotebook, OneBar, LeaveFoldedCode, ForPaper):
        app.add_post_transform(late_transform)
    app.connect("config-inited", theme.configure)
    app.connect("config-inited", dress, priority=LATE)  # Jupyter Book appends to the preamble what this one has already
    app.connect("doctree-read", theme.part_stories, priority=BEFORE_NUMBERS)
    app.connect("doctree-read", link_tables)
    app.connect("doctree-read", back_links.read_page)
    app.connect("env-updated", back_links.order_pages)
    app.connect("doctree-resolved", theme.drop_foreign_styles)
    app.connect("doctree-resolved", back_links.link_back)
    app.connect("doctree-resolved", theme.set_powers)
    app.connect("doctree-resolved", theme.hold)
    app.connect("html-page-context", theme.share_sidebars, priority=FIRST)  # before the theme makes them
    app.connect("html-page-context", downloads.add_buttons, priority=LATE)  # the theme has made its own by then
    app.connect("html-page-context", theme.drop_thebe)
    app.connect("html-page-context", theme.drop_unused_mathjax, priority=LATE)
    app.connect("build-finished", complete_pages, priority=LATE)  # every extension has copied its files by then
    app.connect("autodoc-process-docstring", docstrings.plain_docstring)
    app.connect("autodoc-process-signature", docstrings.source_signature)
    app.connect("autodoc-skip-member", docstrings.skip_alias)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
