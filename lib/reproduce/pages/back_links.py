"""Links in both directions: terms at their first use, terms and references to the chapters that use them, proofs.

A chapter's word of the glossary is linked where it first stands in a paragraph, unless the chapter links it itself.
The glossary and the list of references name the chapters that lead to each entry. The index of proofs has their numbers
and titles instead of their labels.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode
from sphinx_proof.domain import ProofIndex

from reproduce.chapters.book import CHAPTERS
from reproduce.pages.pieces import HEAD

FEW = 3  # pages that are named; of more the numbers
TERMS, USES = "terms", "unlinked-terms"  # what a page's metadata keeps: terms that it links, and others that it uses
NO_PROSE = (pending_xref, nodes.title, nodes.caption, nodes.literal, nodes.literal_block, nodes.math, nodes.reference,
            nodes.raw)  # fmt: skip
PLAIN = re.compile(r"\$([^$]*)\$")
# Linked where the sense is meant.
EVERYDAY = {"balanced", "claim", "control", "instrument", "ledger", "off by", "rival"}


class TitledProofIndex(ProofIndex):  # type: ignore[misc]
    """Theorems and their like by chapter, each by its number and its title."""

    def generate(self, docnames: Iterable[str] | None = None) -> tuple[list[Any], bool]:
        """The chapters in the book's order, and in each its statements in order."""
        env = self.domain.env
        places = {document: place for place, document in enumerate(env.pages_in_order)}
        found: dict[str, list[Any]] = {}
        proofs: dict[str, Any] = getattr(env, "proof_list", {})  # which a book without proofs does not have
        for label, proof in sorted(proofs.items(), key=lambda item: places.get(item[1]["docname"], len(places))):
            document = proof["docname"]
            numbers = env.toc_fignumbers.get(document, {}).get(proof["countertype"], {}).get(label, ())
            name = " ".join([proof["realtype"].title(), ".".join(map(str, numbers)), proof.get("title", "").strip()])
            found.setdefault(env.titles[document].astext(), []).append((name.strip(), 0, document, label, "", "", ""))
        return list(found.items()), True


def read_page(app: Sphinx, doctree: nodes.document) -> None:
    """Keep the titles of a page's theorems and the terms that a chapter links."""
    env: Any = app.env  # with what sphinx-proof and sphinxcontrib-bibtex put into it
    for node in doctree.findall(lambda node: isinstance(node, nodes.Element) and "realtype" in node):
        env.proof_list[node["label"]]["title"] = PLAIN.sub(r"\1", node["title"])
    if env.docname.startswith(CHAPTERS):
        linked = {str(node["reftarget"]).lower() for node in doctree.findall(pending_xref) if node["reftype"] == "term"}
        env.metadata[env.docname][TERMS] = sorted(linked)


def order_pages(app: Sphinx, env: Any) -> None:
    """Keep the order of the pages in the book, and what each chapter uses without a link."""
    env.pages_in_order = list(env.collect_relations())
    for page in (page for page in env.pages_in_order if page.startswith(CHAPTERS)):
        linked, prose = env.metadata[page][TERMS], _prose(env.get_doctree(page))
        used = dict.fromkeys(found[0].lower() for _, found in _uses(prose, _terms(env)))
        env.metadata[page][USES] = [term for term in used if term not in {*linked, *EVERYDAY}]


def link_back(app: Sphinx, doctree: nodes.document, document: str) -> None:
    """Link first uses in a chapter, and name the chapters below the entries of the glossary and of the references."""
    env: Any = app.env  # with what sphinx-proof and sphinxcontrib-bibtex put into it
    pages = [page for page in env.pages_in_order if page.startswith(CHAPTERS)]
    terms = _terms(env)
    for term in env.metadata[document].get(USES, ()):
        _link_first(app, doctree, document, term)
    for entry in list(doctree.findall(nodes.definition_list_item)):
        names = {term.astext().lower() for term in entry.findall(nodes.term)} & set(terms)
        if any(terms[name][0] == document for name in names):
            users = [page for page in pages if names & {*env.metadata[page][TERMS], *env.metadata[page][USES]}]
            _say(app, entry[-1], document, "Used in", users)
    cited: dict[str, set[str]] = {}
    for reference in env.get_domain("cite").citation_refs:
        for target in reference.targets:
            cited.setdefault(target.key, set()).add(reference.docname)
    listed = [one for one in env.get_domain("cite").citations if one.bibliography_key.docname == document]
    identities = {one.citation_id: one.key for one in listed}
    for citation in list(doctree.findall(nodes.citation)):
        keys = {identities[one] for one in citation["ids"] if one in identities}
        citing = set[str]().union(*(cited.get(key, ()) for key in keys))
        _say(app, citation, document, "Cited in", [page for page in pages if page in citing])


def _terms(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """The words of the glossary: page and place of each."""
    named = env.get_domain("std").get_objects()
    return {name.lower(): (page, place) for name, _, kind, page, place, _ in named if kind == "term"}


def _prose(doctree: nodes.document) -> Iterator[nodes.Text]:
    """The texts of a page's paragraphs."""
    for text in doctree.findall(nodes.Text):
        outer = text.parent
        while outer is not None and not isinstance(outer, (nodes.paragraph, *NO_PROSE)):
            outer = outer.parent
        if isinstance(outer, nodes.paragraph) and HEAD not in outer["classes"]:
            yield text


def _uses(prose: Iterable[nodes.Text], terms: Iterable[str]) -> Iterator[tuple[nodes.Text, re.Match[str]]]:
    """Where words of the glossary stand in the prose of a page, but for words that are part of longer ones."""
    longest_first = sorted(terms, key=len, reverse=True)
    if not longest_first:
        return
    word = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)
    for text in prose:
        for found in word.finditer(text.astext()):
            yield text, found


def _link_first(app: Sphinx, doctree: nodes.document, page: str, term: str) -> None:
    """Link a word where it first stands in the prose of a page."""
    use = next((one for one in _uses(_prose(doctree), _terms(app.env)) if one[1][0].lower() == term), None)
    if use is not None:
        text, found = use
        words = text.astext()
        name = nodes.inline("", found[0], classes=["xref", "std", "std-term"])
        link = make_refnode(app.builder, page, *_terms(app.env)[term], name)
        text.parent.replace(text, [nodes.Text(words[: found.start()]), link, nodes.Text(words[found.end() :])])


def _say(app: Sphinx, entry: nodes.Element, document: str, how: str, pages: list[str]) -> None:
    """A line below an entry that links the pages, by their numbers where they are many."""
    line = nodes.paragraph("", f"{how} ", classes=["used-in"])
    for page in pages:
        title, number = app.env.titles[page].astext(), app.env.toc_secnumbers.get(page, {}).get("", ())
        name = ".".join(map(str, number)) if len(pages) > FEW else ""
        line += [make_refnode(app.builder, document, page, "", nodes.Text(name or title), title), nodes.Text(", ")]
    if pages:
        line[-1] = nodes.Text(".")
        entry += line
