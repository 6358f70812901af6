"""What Sphinx, its theme and its other extensions leave open on the pages of a book: left out, or set right."""

import posixpath
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config

from reproduce.chapters.book import is_story

MATHJAX = "mathjax/startup.js"
FOREIGN_STYLE = re.compile(r"""<link\s[^>]*href=["'](?:https?:)?//[^>]*>""")
TITLED = "contents without sections"
SOURCES = "_modules/"  # where viewcode puts them; the table of contents names none of them
NUMBER = re.compile(r"[^\s]*\d[^\s]*(?: [^\s\d]{1,3})?")  # a number, perhaps with a short unit
POWER = re.compile(r"(?:(-?[\d.]+)·)?\b(10|e)([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
GLUED, HELD = "pasted-text", "held"  # the classes of myst-nb and of book.css
SIGNS = re.compile("[,.;:!?…)\\]}’”»]+")
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


def configure(app: Sphinx, config: Config) -> None:
    """Show the buttons that need a public repository exactly when its address is set; load MathJax in parts.

    The parts are those that the configuration names; the default is one file with a menu in it.
    """
    config.mathjax_path = MATHJAX
    options = config.html_theme_options
    url = options.get("repository_url") or ""
    if not url:
        options["launch_buttons"] = {}
    elif "github.com" not in url:
        options["launch_buttons"] = {**options.get("launch_buttons", {}), "colab_url": ""}
    options["use_repository_button"] = options["use_issues_button"] = bool(url)


def drop_thebe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Leave out the scripts of Thebe, which Jupyter Book adds to every page, twice: an error in the browser's console.

    They would load code from another host, for a button that this book does not have.
    """
    scripts = context.get("script_files", [])
    described = [(script, f"{script} {getattr(script, 'attributes', '')}") for script in scripts]
    context["script_files"] = [script for script, words in described if "thebe" not in words.lower()]


def drop_unused_mathjax(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Leave out MathJax, 1.2 MB, from the first page while it has no formula; myst-nb asks for it on every page."""
    of_its_own = app.env.get_domain("math").data["has_equations"].get(page)  # has_equations counts the pages below too
    if page == app.config.root_doc and not of_its_own:
        scripts = context.get("script_files", [])
        context["script_files"] = [script for script in scripts if "mathjax/" not in str(script)]


def drop_foreign_styles(app: Sphinx, doctree: nodes.document, document: str) -> None:
    """Leave out style sheets of other hosts from outputs: those of animations, whose icons the theme brings itself."""
    for node in doctree.findall(nodes.raw):
        text = node.astext()
        kept = FOREIGN_STYLE.sub("", text)
        if kept != text:
            node.children[:] = [nodes.Text(kept)]


def part_stories(app: Sphinx, doctree: nodes.document) -> None:
    """Put the stories of numbered tables of contents into one without numbers each, which takes the caption.

    A story is the page that opens a part, ``chapters/PART/index.md``, the first document of its part. Sphinx numbers
    what a table of contents holds or does not: with one of its own it has no number, and the chapters keep theirs.
    """
    if app.builder.format != "html":  # in print the title itself has no number
        return
    for contents in list(doctree.findall(addnodes.toctree)):
        stories = [entry for entry in contents["entries"] if is_story(entry[1])]
        if not stories or not contents["numbered"]:
            continue
        above = contents.copy()
        above["numbered"] = 0
        contents["caption"], contents["rawcaption"] = None, ""
        for one, entries in ((above, stories), (contents, [one for one in contents["entries"] if one not in stories])):
            one["entries"], one["includefiles"] = entries, [document for _, document in entries]
        wrapper = contents.parent
        wrapper.parent.insert(wrapper.parent.index(wrapper), nodes.compound("", above, classes=wrapper["classes"]))


def set_powers(app: Sphinx, doctree: nodes.document, document: str) -> None:
    """Set a power in a glued number, 2·10⁻⁵, as the formulas of its page are set; one without any keeps its letters."""
    if app.builder.format != "html" or not app.env.get_domain("math").data["has_equations"].get(document):
        return
    for glued in [node for node in doctree.findall(nodes.inline) if GLUED in node["classes"]]:
        for text in [node for node in glued.findall(nodes.Text) if POWER.search(node)]:
            pieces: list[nodes.Node] = []
            behind = 0
            for power in POWER.finditer(text):
                factor, base, exponent = power.groups()
                formula = f"{factor}\\cdot " * bool(factor) + f"{base}^{{{exponent.translate(LOWERED)}}}"
                pieces += [nodes.Text(text[behind : power.start()]), nodes.math(formula, formula)]
                behind = power.end()
            text.parent.replace(text, [piece for piece in (*pieces, nodes.Text(text[behind:])) if piece.astext()])


def hold(app: Sphinx, doctree: nodes.document, document: str) -> None:
    """Put a formula and the punctuation right behind it in one span, which book.css does not break."""
    if app.builder.format != "html":
        return
    for glued in doctree.findall(nodes.inline):
        if GLUED in glued["classes"] and NUMBER.fullmatch(glued.astext()):
            glued["classes"].append(HELD)
    for formula in list(doctree.findall(nodes.math)):
        last: nodes.Element = formula
        while last.parent[-1] is last and (
            isinstance(last.parent, nodes.emphasis | nodes.strong) or GLUED in last.parent["classes"]
        ):
            last = last.parent
        place = last.parent.index(last) + 1
        behind = last.parent[place] if place < len(last.parent) else None
        text = str(behind) if isinstance(behind, nodes.Text) else ""
        if signs := SIGNS.match(text):
            last.parent[place : place + 1] = [nodes.Text(text[signs.end() :])] if signs.end() < len(text) else []
            held = nodes.inline("", "", nodes.Text(signs[0]), classes=[HELD])
            formula.replace_self(held)
            held.insert(0, formula)


def share_sidebars(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Let a page of sources take the table of contents that was made for a page of its folder, with the same links.

    The theme's contents name pages alone: Sphinx would copy all of their sections for every page, to throw them away.
    """
    make, sections, kept = context["toctree"], app.env.tocs, app.env.temp_data
    titled = kept.get(TITLED) or kept.setdefault(TITLED, {one: _titled(toc) for one, toc in sections.items()})
    made = kept.setdefault(f"sidebar of {posixpath.dirname(page)}", {}) if page.startswith(SOURCES) else {}

    def once(**options: Any) -> str:
        key = str(sorted(options.items()))
        if key not in made:
            app.env.tocs = titled if options.get("titles_only") else sections
            made[key] = make(**options)
            app.env.tocs = sections
        return str(made[key])

    context["toctree"] = once


def _titled(toc: nodes.Element) -> nodes.Element:
    """A page in the contents, with the pages below it and without its sections."""
    bare = toc.deepcopy()
    for entry in bare.children:
        if len(entry) > 1:
            entry[1:] = [nodes.bullet_list("", *below)] if (below := list(entry.findall(addnodes.toctree))) else []
    return bare


def made_accessible(page: str) -> str:
    """A page with the names and roles that it lacks, and without those that are wrong."""
    for pattern, replacement in CHANGES:
        page = re.sub(pattern, replacement, page)
    return page


def make_accessible(pages: Path) -> None:
    """Do it to every page of a build."""
    for path in pages.rglob("*.html"):
        path.write_text(made_accessible(path.read_text(encoding="utf-8")), encoding="utf-8")
