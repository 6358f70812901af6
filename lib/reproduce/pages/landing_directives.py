"""The directives of the first page and the atlas: live, cards, atlas, results by part, colophon."""

from datetime import date
from pathlib import Path
from typing import Any, ClassVar

import yaml
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from reproduce.chapters.book import CONTENTS, REGISTER, Book
from reproduce.claims.ledger import read_register
from reproduce.ground.files import write_text
from reproduce.ground.reading import read_yaml
from reproduce.pages.atlas_map import Result, map_table, marked_up, printed_map, read_results
from reproduce.pages.cards import cards, cards_list, printed_cards
from reproduce.pages.citation import CITATION, read_citation
from reproduce.pages.colophon import colophon
from reproduce.pages.directive import ONLY_ON_THE_PAGE, BookDirective
from reproduce.pages.live_picture import live_picture, script_place
from reproduce.pages.offered import FOLDER, NAME
from reproduce.pages.pieces import raw
from reproduce.pages.templates import render
from reproduce.pages.thumbnails import hero_of, place, write_thumbnail
from reproduce.running.last_run import period, read_last_runs

ATLAS = "atlas"


class _RegisterDirective(BookDirective):
    """A directive that reads the register of results."""

    def results(self) -> list[Result]:
        """All results; the page is built anew when the register changes."""
        register = Path(self.env.srcdir) / REGISTER
        self.env.note_dependency(str(register))
        return read_results(register)

    def published(self, result: Result) -> bool:
        """Whether the chapter is a page of this book."""
        return self.is_page(result.document)


class LiveDirective(BookDirective):
    """The sliders of a chapter. The content says what to see in them."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The picture as it stands at the beginning, with its words below."""
        chapter = Book(Path(self.env.srcdir)).chapter(self.arguments[0])
        self.env.note_dependency(self.env.doc2path(f"chapters/{chapter.name}"))
        picture = live_picture(chapter.read())
        if picture is None:
            raise self.error(f"{chapter.name} stores no picture with sliders")
        html = render("live", still=picture.still, script=script_place(chapter.name))
        words = self.inline(" ".join(self.content), "live-words")
        return [raw(html), nodes.raw("", ONLY_ON_THE_PAGE, format="latex"), words]


class CardsDirective(_RegisterDirective):
    """A card for each chapter, by part."""

    def run(self) -> list[nodes.Node]:
        """The cards."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / CONTENTS))
        notebooks = Book(root).notebooks()
        for name in notebooks:
            self.env.note_dependency(self.env.doc2path(f"chapters/{name}"))
        made = cards(read_yaml(root / CONTENTS), notebooks, self.results(), read_last_runs(Book(root)))
        return [printed_cards(made) if self.on_paper else raw(cards_list(made, self.address))]


class AtlasDirective(_RegisterDirective):
    """The register as a map."""

    def run(self) -> list[nodes.Node]:
        """The map."""
        if self.on_paper:
            return [printed_map(self.results())]
        return [raw(map_table(self.results(), self.place, self.published))]

    def place(self, result: Result) -> str:
        """The chapter's page, or the result's place in the list of all results."""
        return self.address(result.document) if self.published(result) else self.address(ATLAS, f"#{result.anchor}")


class PartsDirective(_RegisterDirective):
    """The register as a list by part. The content is YAML: for each part its title and the question it answers."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The parts in the order given."""
        parts: dict[str, dict[str, str]] = yaml.safe_load("\n".join(self.content))
        results = self.results()
        unknown = {result.part for result in results} - set(parts)
        if unknown:
            raise self.error(f"the atlas has no title for the part {', '.join(sorted(unknown))}")
        out: list[nodes.Node] = []
        for key, part in parts.items():
            box = nodes.container(classes=["atlas-part"])
            box += nodes.rubric("", part["title"], classes=["atlas-title"])
            box += self.inline(part["question"], "atlas-question")
            for result in (result for result in results if result.part == key):
                box += self.entry(result)
            out.append(box)
        return out

    def entry(self, result: Result) -> nodes.container:
        """One result: title, state, setting, bias, source."""
        published = self.published(result)
        ledger = self.ledger(result.chapter)
        state = ledger.count if published else "planned"
        classes = ["atlas-entry", "published" if published else "planned", *([] if ledger.holds else ["fails"])]
        name = marked_up(result.result)
        title = f"[{name}](/{result.document}.ipynb)" if published else name
        box = nodes.container(ids=[result.anchor], classes=classes)
        box += self.inline(title, "atlas-result")
        box += self.inline(state, "atlas-state")
        box += self.inline(marked_up(f"{result.model} · {result.algorithm} · {result.loss} loss"), "atlas-setting")
        box += self.inline(marked_up(result.bias), "atlas-bias")
        box += self.inline(f"{{cite:t}}`{result.source}`", "atlas-source")
        return box


class ColophonDirective(BookDirective):
    """Authors, version, last run and environment; with ``:cite:`` how to cite the book instead."""

    option_spec: ClassVar[dict[str, Any]] = {"cite": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The block, or the entry for BibTeX, which has the theme's button to copy it."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / CITATION))
        citation, known = read_citation(root), read_last_runs(Book(root))
        if "cite" not in self.options:
            chapters = Book(root).notebooks()
            runs = [known[name] for name in chapters if name in known]
            printed = f"{FOLDER}/{NAME}.pdf" if (root / FOLDER / f"{NAME}.pdf").is_file() else ""
            return [colophon(citation, runs, len(chapters), printed)]
        entry = citation.bibtex((period(known.values())[1] if known else date.today()).year)
        return [nodes.literal_block(entry, entry, language="bibtex", classes=["cite"])]


def write_pictures(app: Sphinx, failed: Exception | None) -> None:
    """Put the thumbnails of all chapters, and the scripts of their sliders, beside the pages."""
    if failed is not None or app.builder.format != "html":
        return
    root, out = Path(app.srcdir), Path(app.outdir)
    if not (root / REGISTER).exists():
        return
    panels = {entry["chapter"]: str(entry.get("panel") or "") for entry in read_register(root / REGISTER)}
    for name, notebook in Book(root).notebooks().items():
        hero, picture = hero_of(notebook), live_picture(notebook)
        if hero is not None:
            write_thumbnail(out / place(name), hero, panels.get(name, ""))
        if picture is not None:
            path = out / script_place(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, picture.script + "\n")


def drop_unused_mathjax(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Leave out MathJax, 1.2 MB, from the first page while it has no formula; myst-nb asks for it on every page."""
    of_its_own = app.env.get_domain("math").data["has_equations"].get(page)  # has_equations counts the pages below too
    if page == app.config.root_doc and not of_its_own:
        scripts = context.get("script_files", [])
        context["script_files"] = [script for script in scripts if "mathjax/" not in str(script)]


def register(app: Sphinx) -> None:
    """Let a book use these directives."""
    app.add_directive("live", LiveDirective)
    app.add_directive("cards", CardsDirective)
    app.add_directive("atlas", AtlasDirective)
    app.add_directive("parts", PartsDirective)
    app.add_directive("colophon", ColophonDirective)
    app.connect("html-page-context", drop_unused_mathjax, priority=900)
    app.connect("build-finished", write_pictures)
