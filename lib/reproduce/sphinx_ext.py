"""The Sphinx extension of the press: directives for claims, the atlas and the library's reference, and one switch.

The switch is the public address of the repository, ``repository: url`` in _config.yml. While it is empty no page offers
Binder, Colab or the repository; filled in, all chapters do.
"""

import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any, ClassVar

import yaml
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles

from reproduce.book import REGISTER, Book
from reproduce.ledger import Ledger, judge
from reproduce.pages.atlas_map import Result, map_table, read_results
from reproduce.pages.docstrings import signature, to_rst
from reproduce.pages.ledger_table import claims_list, ledger_table
from reproduce.pages.robustness_table import origins, robustness_table
from reproduce.robustness import ROBUSTNESS, read_robustness
from reproduce.stale import code_hash

LEDGER = "ledger"
FOREIGN_STYLE = re.compile(r"""<link\s[^>]*href=["'](?:https?:)?//[^>]*>""")


class _BookDirective(SphinxDirective):
    """A directive that reads the chapters of the book that is being built."""

    def ledger(self, chapter: str = "") -> Ledger:
        """The stored claims of the book, or of one chapter; the page is built anew when a notebook changes."""
        notebooks = Book(Path(self.env.srcdir)).notebooks()
        for name in notebooks:
            self.env.note_dependency(self.env.doc2path(f"chapters/{name}"))
        return judge({name: notebook for name, notebook in notebooks.items() if chapter in ("", name)})

    def address(self, document: str) -> str:
        """The address of a page, relative to this one."""
        return str(self.env.app.builder.get_relative_uri(self.env.docname, document))

    def inline(self, text: str, *classes: str) -> nodes.paragraph:
        """A paragraph of marked-up text."""
        children, messages = self.state.inline_text(text, self.lineno)
        return nodes.paragraph("", "", *children, *messages, classes=list(classes))


class LedgerDirective(_BookDirective):
    """Every claim of the book in one table."""

    def run(self) -> list[nodes.Node]:
        """The table, or a line that says that there is nothing to show."""
        claims = self.ledger().claims
        if not claims:
            return [self.inline("No chapter stores a claim yet.")]
        table = ledger_table(claims, lambda claim: f"{self.address(f'chapters/{claim.chapter}')}#claim-{claim.id}")
        return [nodes.raw("", table, format="html")]


class RobustnessDirective(_BookDirective):
    """Every claim of the book on fresh seeds, and when and with what they were run."""

    def run(self) -> list[nodes.Node]:
        """The table and the list."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / ROBUSTNESS))
        known = read_robustness(root)
        notebooks = Book(root).notebooks()
        table = robustness_table(
            self.ledger().claims,
            known,
            lambda claim: f"{self.address(f'chapters/{claim.chapter}')}#claim-{claim.id}",
        )
        listed = origins(
            [known[name] for name in notebooks if name in known],
            lambda name: code_hash(notebooks[name]) != known[name].code,
        )
        return [nodes.raw("", table + listed, format="html")]


class ClaimsDirective(_BookDirective):
    """How many claims of the book hold, in one sentence."""

    def run(self) -> list[nodes.Node]:
        """The sentence, with a link to the ledger."""
        return [self.inline(f"**{self.ledger().count}**; the {{doc}}`ledger </{LEDGER}>` lists them all.")]


class ChapterClaimsDirective(_BookDirective):
    """The claims of the chapter in which it stands, folded under their number; open if one fails."""

    def run(self) -> list[nodes.Node]:
        """The list, or a line that says that there is nothing to show."""
        ledger = self.ledger(self.env.docname.removeprefix("chapters/"))
        if not ledger.claims:
            return [self.inline("This chapter stores no claim yet.")]
        holds = all(claim.holds for claim in ledger.claims)
        fold = f'<details class="chapter-claims-fold{"" if holds else " fails"}"{"" if holds else " open"}>'
        verdict = f"✓ {ledger.count}; each with a control that fails" if holds else f"✗ {ledger.count}"
        summary = f"<summary>{verdict}</summary>"
        return [nodes.raw("", f"{fold}{summary}{claims_list(ledger.claims)}</details>", format="html")]


class AtlasDirective(_BookDirective):
    """The register as a map and a list. The content is YAML: for each part its title and the question it answers."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The map, then the parts in the order given."""
        register = Path(self.env.srcdir) / REGISTER
        self.env.note_dependency(str(register))
        parts: dict[str, dict[str, str]] = yaml.safe_load("\n".join(self.content))
        results = read_results(register)
        unknown = {result.part for result in results} - set(parts)
        if unknown:
            raise self.error(f"the atlas has no title for the part {', '.join(sorted(unknown))}")
        out: list[nodes.Node] = [nodes.raw("", map_table(results, self.place, self.published), format="html")]
        for key, part in parts.items():
            box = nodes.container(classes=["atlas-part"])
            box += nodes.rubric("", part["title"], classes=["atlas-title"])
            box += self.inline(part["question"], "atlas-question")
            for result in (result for result in results if result.part == key):
                box += self.entry(result)
            out.append(box)
        return out

    def published(self, result: Result) -> bool:
        """Whether the chapter is a page of this book."""
        return result.document in self.env.found_docs

    def place(self, result: Result) -> str:
        """The chapter's page, or the result's place in the list below the map."""
        return self.address(result.document) if self.published(result) else f"#{result.anchor}"

    def entry(self, result: Result) -> nodes.container:
        """One result: title, state, setting, bias, source."""
        published = self.published(result)
        ledger = self.ledger(result.chapter)
        state = ledger.count if published else "planned"
        classes = ["atlas-entry", "published" if published else "planned", *([] if ledger.holds else ["fails"])]
        title = f"[{result.result}](/{result.document}.ipynb)" if published else result.result
        box = nodes.container(ids=[result.anchor], classes=classes)
        box += self.inline(title, "atlas-result")
        box += self.inline(state, "atlas-state")
        box += self.inline(f"{result.model} · {result.algorithm} · {result.loss} loss", "atlas-setting")
        box += self.inline(result.bias, "atlas-bias")
        box += self.inline(f"{{cite:t}}`{result.source}`", "atlas-source")
        return box


class ApiDirective(SphinxDirective):
    """The reference of a module, or of every public module of a package, from the docstrings."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"only": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """A section for each module."""
        name = self.arguments[0]
        path = getattr(importlib.import_module(name), "__path__", None)
        found = [name] if path is None else [f"{name}.{module.name}" for module in pkgutil.iter_modules(path)]
        only = self.options.get("only", "").split()
        lines: list[str] = []
        for module in found:
            last = module.rsplit(".", 1)[-1]
            if not last.startswith("_") and (not only or last in only):
                lines += [f"## {module}", "", "```{eval-rst}", f".. automodule:: {module}", "```", ""]
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
    app.add_directive("ledger", LedgerDirective)
    app.add_directive("claims", ClaimsDirective)
    app.add_directive("robustness", RobustnessDirective)
    app.add_directive("chapter-claims", ChapterClaimsDirective)
    app.add_directive("atlas", AtlasDirective)
    app.add_directive("api", ApiDirective)
    app.connect("config-inited", switch_repository)
    app.connect("html-page-context", drop_thebe)
    app.connect("doctree-resolved", drop_foreign_styles)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-process-signature", source_signature)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
