"""The Sphinx extension of the press: directives for claims, the atlas and the library's reference, and one switch.

The switch is the public address of the repository, ``repository: url`` in _config.yml. While it is empty no page offers
Binder, Colab or the repository; filled in, all chapters do.
"""

import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.seeds import SEEDS
from reproduce.chapters.book import Book
from reproduce.pages import (
    accessible,
    back_links,
    downloads,
    folds,
    hero,
    landing_directives,
    orientation,
    part_stories,
    punctuation,
    results_directive,
    sidebars,
    solved_picture,
    weight,
)
from reproduce.pages.campaign_tables import TABLES, campaign_table
from reproduce.pages.claim_rows import titles
from reproduce.pages.codes import changed
from reproduce.pages.data_files import publish_data
from reproduce.pages.differences import DifferencesDirective
from reproduce.pages.directive import LEDGER, BookDirective
from reproduce.pages.docstrings import signature, to_rst
from reproduce.pages.enclosures import EnclosuresDirective
from reproduce.pages.evidence_kinds import EvidenceDirective
from reproduce.pages.ledger_table import executions, ledger_table, printed_ledger
from reproduce.pages.pieces import raw
from reproduce.pages.robustness_table import origins, printed_robustness, robustness_table
from reproduce.pages.statements_list import StatementsDirective
from reproduce.printed import extension
from reproduce.running.last_run import read_last_runs

FOREIGN_STYLE = re.compile(r"""<link\s[^>]*href=["'](?:https?:)?//[^>]*>""")


class LedgerDirective(BookDirective):
    """Every claim of the book in one table."""

    def run(self) -> list[nodes.Node]:
        """The table, or a line that says that there is nothing to show."""
        claims = self.ledger().claims
        if not claims:
            return [self.inline("No chapter stores a claim yet.")]
        root = Path(self.env.srcdir)
        named = titles(Book(root))
        known = read_last_runs(Book(root))
        runs = executions([known[name] for name in named if name in known])
        if self.on_paper:
            return [printed_ledger(claims), *runs]
        return [raw(ledger_table(claims, self.claim_address, named, self.same())), *runs]


class RobustnessDirective(BookDirective):
    """Every claim of the book on fresh seeds, and when and with what they were run."""

    def run(self) -> list[nodes.Node]:
        """The table and the list."""
        book = Book(Path(self.env.srcdir))
        found = read_findings(book, SEEDS)
        older = changed(book.root, found)
        claims, known = self.ledger().claims, {one.chapter: one for one in found}
        if self.on_paper:
            return [printed_robustness(claims, known), *origins(found, older)]
        table = robustness_table(claims, known, self.claim_address, titles(book), older, self.same())
        return [raw(table), *origins(found, older)]


class CampaignDirective(BookDirective):
    """What a campaign found."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Its tables, or that the campaign was not run yet."""
        campaign = self.arguments[0]
        if campaign not in TABLES:
            raise self.error(f"there is no campaign {campaign!r}: {', '.join(TABLES)}")
        book = Book(Path(self.env.srcdir))
        found = read_findings(book, campaign)
        return campaign_table(campaign, found, changed(book.root, found), on_paper=self.on_paper)


class ClaimsDirective(BookDirective):
    """How many claims of the book hold, in one sentence."""

    def run(self) -> list[nodes.Node]:
        """The sentence, with a link to the ledger."""
        return [self.inline(f"**{self.ledger().count}**; the {{doc}}`ledger </{LEDGER}>` lists them all.")]


class ApiDirective(SphinxDirective):
    """The reference of a module, or of every public module of a package and the packages in it, from the docstrings."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"only": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """A section for each module."""
        name = self.arguments[0]
        path = getattr(importlib.import_module(name), "__path__", None)
        found = {name: False}  # whether it is a package, whose names are those of its modules
        if path is not None:
            found = {module.name: module.ispkg for module in pkgutil.walk_packages(path, f"{name}.")}
        only = self.options.get("only", "").split()
        lines: list[str] = []
        for module, package in found.items():
            last = module.rsplit(".", 1)[-1]
            if not last.startswith("_") and (not only or last in only):
                members = ["   :no-members:"] if package else []
                lines += [f"## {module}", "", "```{eval-rst}", f".. automodule:: {module}", *members, "```", ""]
        section = nodes.section()
        section.document = self.state.document
        nested_parse_with_titles(self.state, StringList(lines, self.env.docname), section)
        return list(section.children)


def switch_repository(app: Sphinx, config: Config) -> None:
    """Show the buttons that need a public repository exactly when its address is set."""
    options = config.html_theme_options
    url = options.get("repository_url") or ""
    if not url:
        options["launch_buttons"] = {}
    elif "github.com" not in url:
        options["launch_buttons"] = {**options.get("launch_buttons", {}), "colab_url": ""}
    options["use_repository_button"] = options["use_issues_button"] = bool(url)


def drop_thebe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Leave out the scripts of Thebe, which Jupyter Book adds to every page, twice: an error in the browser's console.

    They would load code from another host, for a button that this book does not have.
    """
    scripts = context.get("script_files", [])
    described = [(script, f"{script} {getattr(script, 'attributes', '')}") for script in scripts]
    context["script_files"] = [script for script, words in described if "thebe" not in words.lower()]


def drop_foreign_styles(app: Sphinx, doctree: nodes.document, document: str) -> None:
    """Leave out style sheets of other hosts from outputs: those of animations, whose icons the theme brings itself."""
    for node in doctree.findall(nodes.raw):
        text = node.astext()
        kept = FOREIGN_STYLE.sub("", text)
        if kept != text:
            node.children[:] = [nodes.Text(kept)]


def plain_docstring(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Let autodoc read the docstrings as the plain text that they are."""
    lines[:] = to_rst(lines)


def source_signature(app: Sphinx, what: str, name: str, thing: Any, *rest: Any) -> tuple[str, str] | None:
    """Let autodoc show annotations as they are written."""
    return signature(thing) if what in ("function", "method", "class") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives and the switch."""
    app.setup_extension("reproduce.pages.claim_box")
    app.add_directive("ledger", LedgerDirective)
    app.add_directive("campaign", CampaignDirective)
    app.add_directive("claims", ClaimsDirective)
    app.add_directive("differences", DifferencesDirective)
    app.add_directive("enclosures", EnclosuresDirective)
    app.add_directive("evidence", EvidenceDirective)
    app.add_directive("robustness", RobustnessDirective)
    app.add_directive("statements", StatementsDirective)
    app.add_directive("api", ApiDirective)
    app.connect("config-inited", switch_repository)
    app.connect("html-page-context", drop_thebe)
    app.connect("doctree-resolved", drop_foreign_styles)
    app.connect("build-finished", publish_data)
    for part in (
        accessible,
        back_links,
        downloads,
        folds,
        hero,
        landing_directives,
        orientation,
        part_stories,
        extension,
        punctuation,
        results_directive,
        sidebars,
        solved_picture,
        weight,
    ):
        part.register(app)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-process-signature", source_signature)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
